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

describe("a simulated fight", () => {
  it("reproduces the match from its turns", () => {
    const fight = startFight("keep", 6);
    const { reason } = playMatch({ map: "keep", seed: 6, bots: ["random", "greedy"] }, (tick) => {
      assert.equal(tickOf(fight), tick.tick);
      for (const [seat, turn] of tick.turns.entries()) setTurn(fight, seat, turn);
      step(fight);
      assert.equal(stateHash(fight), tick.hash);
    });
    assert.equal(outcome(fight)?.reason, reason);
  });

  it("returns the bot's observation", () => {
    const rejectedEvents: ObservationMessage[] = [];
    const fight = startFight("lanes", 8);
    const bots = [
      (observed: ObservationMessage) => void rejectedEvents.push(observed),
      "brawler",
    ] as const;
    playMatch({ map: "lanes", seed: 8, bots, matchId: "local" }, ({ turns }) => {
      const observed = rejectedEvents.at(-1);
      assert.deepEqual(observe(fight, 0), observed);
      for (const [seat, turn] of turns.entries()) setTurn(fight, seat, turn);
      step(fight);
    });
    assert.ok(rejectedEvents.length > 20);
  });

  it("continues identically in a copy, and differently with other turns", () => {
    const fight = startFight("cage", 1);
    const [sameFight, otherFight] = [cloneFight(fight), cloneFight(fight)];
    const direction = observe(fight, 0).moves[0]!;
    for (const firstFight of [fight, sameFight]) setTurn(firstFight, 0, { move: direction });
    for (const firstFight of [fight, sameFight, otherFight]) step(firstFight);
    assert.equal(stateHash(sameFight), stateHash(fight));
    assert.notEqual(stateHash(otherFight), stateHash(fight));
  });

  const silent: (TurnMessage | { idle: "timeout" } | null | undefined)[] = [
    null,
    undefined,
    {},
    { move: null, dash: null, attack: null, shout: null },
    { idle: "timeout" },
  ];
  for (const turn of silent)
    it(`waits if the turn is ${JSON.stringify(turn)}`, () => {
      const [fight, idle] = [startFight("cage", 1), startFight("cage", 1)];
      setTurn(fight, 0, { move: observe(fight, 0).moves[0]! });
      setTurn(fight, 0, turn);
      for (const firstFight of [fight, idle]) step(firstFight);
      assert.equal(stateHash(fight), stateHash(idle));
    });

  it("allows fighters to be moved", () => {
    const fight = startFight("cage", 1);
    placeFighter(fight, 1, 6, 6);
    assert.deepEqual([fight.x[1], fight.y[1]], [6, 6]);
  });

  it("throws on an unknown map", () => {
    assert.throws(() => startFight("attic", 1), /no map 'attic'/);
  });
});

describe("a tracked duel", () => {
  it("shows visible facts exactly and predicts steps correctly", () => {
    let tracker: Tracker | null = null;
    let predicted = 0;
    const foe = { place: "" };
    playMatch(
      {
        map: "courtyard",
        seed: 3,
        bots: [
          {
            createBot: (hello) => {
              const ownSeat = trackFight(hello);
              tracker = ownSeat;
              return {
                turn: (observed) => {
                  ownSeat.update(observed);
                  return { move: observed.moves[0]! };
                },
              };
            },
          },
          "idle",
        ],
      },
      ({ fight }) => {
        assert.ok(tracker);
        const ownSeat = cloneFight(tracker.fight);
        assert.deepEqual([tracker.seat, tracker.foe, tickOf(ownSeat)], [0, 1, tickOf(fight) - 1]);
        foe.place = `${fight.x[1]},${fight.y[1]}`;
        if (`${ownSeat.x[1]},${ownSeat.y[1]}` !== foe.place) return;
        setTurn(ownSeat, 0, { move: observe(ownSeat, 0).moves[0]! });
        step(ownSeat);
        assert.deepEqual(
          [ownSeat.x[0], ownSeat.y[0], ownSeat.hp[0]],
          [fight.x[0], fight.y[0], fight.hp[0]],
        );
        predicted += 1;
      },
    );
    assert.ok(predicted > 10, `only ${predicted} ticks were predicted`);
  });
});
