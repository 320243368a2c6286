import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { cloneFight } from "#core/engine/fight.ts";
import { outcome } from "#core/engine/outcome.ts";
import { step } from "#core/engine/step.ts";

import {
  observe,
  placeFighter,
  setTurn,
  startFight,
  stateHash,
  tickOf,
  trackFight,
} from "./fight.ts";
import type { Tracker } from "./fight.ts";
import { playMatch } from "./match.ts";
import type { ObservationMessage, TurnMessage } from "./message.ts";

describe("a fight of one's own", () => {
  it("plays the match that its turns were played in", () => {
    const fight = startFight("keep", 6);
    const { reason } = playMatch({ map: "keep", seed: 6, bots: ["random", "greedy"] }, (tick) => {
      assert.equal(tickOf(fight), tick.tick);
      for (const [seat, turn] of tick.turns.entries()) setTurn(fight, seat, turn);
      step(fight);
      assert.equal(stateHash(fight), tick.hash);
    });
    assert.equal(outcome(fight)?.reason, reason);
  });

  it("tells what a bot would be told", () => {
    const told: ObservationMessage[] = [];
    const fight = startFight("lanes", 8);
    const bots = [(seen: ObservationMessage) => void told.push(seen), "brawler"] as const;
    playMatch({ map: "lanes", seed: 8, bots, matchId: "local" }, ({ turns }) => {
      const seen = told.at(-1);
      assert.deepEqual(observe(fight, 0), seen);
      for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
      step(fight);
    });
    assert.ok(told.length > 20);
  });

  it("continues alike in a copy, and differently with other turns", () => {
    const fight = startFight("cage", 1);
    const [same, other] = [cloneFight(fight), cloneFight(fight)];
    const way = observe(fight, 0).moves[0]!;
    for (const one of [fight, same]) setTurn(one, 0, { move: way });
    for (const one of [fight, same, other]) step(one);
    assert.equal(stateHash(same), stateHash(fight));
    assert.notEqual(stateHash(other), stateHash(fight));
  });

  const silent: (TurnMessage | { idle: "timeout" } | null | undefined)[] = [
    null,
    undefined,
    {},
    { move: null, dash: null, attack: null, shout: null },
    { idle: "timeout" },
  ];
  for (const turn of silent)
    it(`waits with ${JSON.stringify(turn)}`, () => {
      const [fight, idle] = [startFight("cage", 1), startFight("cage", 1)];
      setTurn(fight, 0, { move: observe(fight, 0).moves[0]! });
      setTurn(fight, 0, turn);
      for (const one of [fight, idle]) step(one);
      assert.equal(stateHash(fight), stateHash(idle));
    });

  it("lets fighters be put elsewhere", () => {
    const fight = startFight("cage", 1);
    placeFighter(fight, 1, 6, 6);
    assert.deepEqual([fight.x[1], fight.y[1]], [6, 6]);
  });

  it("is refused on an unknown map", () => {
    assert.throws(() => startFight("attic", 1), /no map 'attic'/);
  });
});

describe("a duel that is followed", () => {
  it("is true where it is told, and knows what a step leads to", () => {
    let tracker: Tracker | null = null;
    let foretold = 0;
    const foe = { place: "" };
    playMatch(
      {
        map: "courtyard",
        seed: 3,
        bots: [
          {
            createBot: (hello) => {
              const own = trackFight(hello);
              tracker = own;
              return {
                turn: (seen) => {
                  own.update(seen);
                  return { move: seen.moves[0]! };
                },
              };
            },
          },
          "idle",
        ],
      },
      ({ fight }) => {
        assert.ok(tracker);
        const own = cloneFight(tracker.fight);
        assert.deepEqual([tracker.seat, tracker.foe, tickOf(own)], [0, 1, tickOf(fight) - 1]);
        foe.place = `${fight.x[1]},${fight.y[1]}`;
        if (`${own.x[1]},${own.y[1]}` !== foe.place) return;
        setTurn(own, 0, { move: observe(own, 0).moves[0]! });
        step(own);
        assert.deepEqual([own.x[0], own.y[0], own.hp[0]], [fight.x[0], fight.y[0], fight.hp[0]]);
        foretold += 1;
      },
    );
    assert.ok(foretold > 10, `only ${foretold} ticks were foretold`);
  });
});
