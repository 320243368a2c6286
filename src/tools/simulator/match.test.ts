import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Static } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import type { HelloSchema, ObservationSchema, TurnSchema } from "#core/protocol/schema-message.ts";
import { rulesHash } from "#server/composition/versions.ts";
import { checkServerMessage } from "#testing/fixtures/message-check.ts";
import { openModule } from "#tools/local/contestant-module.ts";
import { findContestant } from "#tools/local/contestant.ts";
import {
  STILL_CLOCK,
  localDeadlines,
  localSetup,
  playMatch as playLocal,
  replayOfMatch,
  statsOfMatch,
} from "#tools/local/local-match.ts";
import type { Player } from "#tools/local/local-match.ts";

import type { CreateBot, Decide } from "./bot-shape.ts";
import type { SimulatorBot } from "./bot.ts";
import { BotFailure, playMatch, playTicks } from "./match.ts";
import type { MatchOptions, MatchResult } from "./match.ts";
import type { HelloMessage, ObservationMessage, TurnMessage } from "./message.ts";
import { PARTNER_NAMES } from "./partner.ts";
import { verifyReplay } from "./replay.ts";
import { VERSIONS } from "./versions.ts";

/** Plays the same match with the ladder's own referee, and players that talk to it. */
async function playWithReferee(options: MatchOptions, players: readonly Player[]) {
  const { map, seed, names = [], matchId = "local-0" } = options;
  const started = new Date(0).toISOString();
  const deadlines = localDeadlines();
  const setup = localSetup({ map, seed, names, matchId, started, deadlines });
  const match = await playLocal(setup, players, STILL_CLOCK);
  return { replay: replayOfMatch(match), stats: statsOfMatch(match) };
}

async function assertSameMatch(options: MatchOptions, players: readonly Player[]) {
  const { replay, stats } = playMatch(options);
  const expected = await playWithReferee(options, players);
  assert.equal(replay, expected.replay);
  assert.equal(JSON.stringify(stats), JSON.stringify(expected.stats));
}

async function partner(name: string): Promise<Player> {
  const contestant = findContestant(name);
  assert.ok("open" in contestant);
  return contestant.open(
    () => {},
    () => {},
  );
}

const wait: Decide = () => null;

describe("a match", () => {
  const pairs = [
    ["random", "greedy"],
    ["kiter", "brawler"],
    ["brawler", "ts-starter"],
    ["greedy", "champion"],
  ] as const;
  for (const [at, map] of MAP_NAMES.entries()) {
    const bots = pairs[at % pairs.length]!;
    it(`on ${map} between ${bots.join(" and ")} is the one that the ladder's referee plays`, async () => {
      const options = { map, seed: 1000 + at, bots, names: bots, matchId: `m-${at}` };
      await assertSameMatch(options, await Promise.all(bots.map(partner)));
    });
  }

  const answers: [what: string, answer: (tick: number) => unknown][] = [
    ["nothing", () => undefined],
    ["a number", () => 5],
    ["a text", () => "north"],
    ["a list", () => [1]],
    ["a function", () => () => {}],
    ["no direction", (tick) => ({ move: tick % 3 === 0 ? "up" : "n" })],
    ["parts that are null", () => ({ move: null, dash: null, attack: null, shout: null })],
    ["a tick of its own", (tick) => ({ tick: tick + 7, type: "queue", move: "s" })],
    ["both gaits", () => ({ move: "n", dash: "s" })],
    ["an unknown attack with a long name", () => ({ attack: { name: "x".repeat(99) } })],
    ["a target of the wrong form", () => ({ attack: { name: "blast", target: "n" } })],
    ["a target off the map", () => ({ attack: { name: "blast", target: [99, -3] } })],
    ["targets that are none", () => ({ attack: { name: "bolt", target: { x: 1 } } })],
    ["shouts to be cleaned", (tick) => ({ shout: ` \u0007hi${"!".repeat(tick % 50)} ` })],
    ["shouts of blanks", () => ({ shout: "   " })],
  ];
  for (const [what, answer] of answers)
    it(`takes ${what} as the ladder's referee does`, async () => {
      const bot = (({ tick }) => answer(tick)) as Decide;
      const bots: SimulatorBot[] = [bot, "kiter"];
      const players = [openModule({ decide: bot }), await partner("kiter")];
      await assertSameMatch({ map: "cage", seed: 9, bots, names: ["odd", "kiter"] }, players);
    });

  it("tells bots the very messages of the protocol", async () => {
    const told: unknown[] = [];
    const heard: unknown[] = [];
    const createBot: CreateBot = (hello) => {
      told.push(hello);
      return {
        turn: (seen) => {
          told.push(seen);
          return seen.tick % 20 === 3
            ? { move: "up" as "n" }
            : { move: seen.moves[0]!, shout: "hi" };
        },
      };
    };
    const player = await partner("random");
    const module = openModule({ createBot });
    playMatch({ map: "halls", seed: 4, bots: [{ createBot }, "random"], names: ["l", "random"] });
    const ours = told.splice(0);
    await playWithReferee({ map: "halls", seed: 4, bots: [], names: ["l", "random"] }, [
      module,
      {
        ...player,
        hear: (text, wire) => {
          heard.push(text);
          player.hear(text, wire);
        },
      },
    ]);
    assert.ok(ours.length > 30 && heard.length > 30);
    assert.deepEqual(ours, told);
    for (const message of ours) checkServerMessage(message as { type: string });
  });

  it("is the same each time, and another one with another seed or id", () => {
    const play = (seed: number, matchId?: string) =>
      playMatch({ map: "keep", seed, bots: ["random", "kiter"], ...(matchId && { matchId }) })
        .replay;
    assert.equal(play(3), play(3));
    assert.notEqual(play(3), play(4));
    assert.notEqual(play(3).split("\n")[5], play(3, "other").split("\n")[5]);
  });

  it("shows each tick, called back or yielded", () => {
    const options: MatchOptions = { map: "trench", seed: 2, bots: ["greedy", "random"] };
    const seen: string[] = [];
    const result = playMatch(options, ({ tick, turns, hash, fight }) => {
      seen.push(JSON.stringify([tick, turns, hash, fight.hp[0]]));
    });
    const yielded: string[] = [];
    const ticks = playTicks(options);
    let next = ticks.next();
    for (; next.done !== true; next = ticks.next()) {
      const { tick, turns, hash, fight } = next.value;
      yielded.push(JSON.stringify([tick, turns, hash, fight.hp[0]]));
    }
    assert.equal(seen.length, result.ticks);
    assert.deepEqual(yielded, seen);
    assert.deepEqual(next.value, result);
  });

  for (const seats of [3, 4])
    it(`of ${seats} fighters leaves the fallen alone, and its replay is true`, () => {
      const fighter: Decide = ({ moves, fighters }) => {
        const target = moves[0]!;
        assert.equal(fighters.length, seats - 1);
        return { move: moves.at(-1)!, attack: { name: "bolt", target } };
      };
      const bots = Array.from({ length: seats }, () => fighter);
      let hadFallen = false;
      const result = playMatch({ map: "cage", seed: 11, bots }, ({ turns }) => {
        hadFallen ||= turns.includes(null);
      });
      assert.ok(hadFallen);
      assert.equal(verifyReplay(result.replay).ok, true);
    });

  it("names partners by themselves and others by letters", () => {
    const { stats } = playMatch({ map: "cage", seed: 1, bots: ["idle", wait] });
    assert.deepEqual(
      stats.fighters.map(({ name }) => name),
      ["idle", "b"],
    );
  });

  it("has every partner", () => {
    for (const name of PARTNER_NAMES) {
      const { ticks } = playMatch({ map: "cage", seed: 1, bots: [name, "idle"] });
      assert.ok(ticks > 0);
    }
  });
});

describe("a match that cannot be", () => {
  const cases: [what: string, options: Partial<MatchOptions>, problem: RegExp][] = [
    ["an unknown map", { map: "attic" }, /no map 'attic': courtyard, pillars/],
    ["a map of no name", { map: "__proto__" }, /no map/],
    ["a broken seed", { seed: 0.5 }, /seed is a whole number/],
    ["a seed below zero", { seed: -1 }, /seed is a whole number/],
    ["a seed that is too large", { seed: 2 ** 32 }, /seed is a whole number/],
    ["one bot", { bots: [wait] }, /no match has 1 seats/],
    ["five bots", { bots: [wait, wait, wait, wait, wait] }, /no match has 5 seats/],
    [
      "an unknown partner",
      { bots: [wait, "kiiter" as "kiter"] },
      /seat B .* no bot 'kiiter': idle/,
    ],
    ["a partner among three", { bots: [wait, "kiter", wait] }, /duels only/],
    [
      "no bot at all",
      { bots: [wait, {} as SimulatorBot] },
      /neither decide nor createBot: a bot has createBot/,
    ],
  ];
  for (const [what, options, problem] of cases)
    it(`is refused for ${what}`, () => {
      const play = () => playMatch({ map: "cage", seed: 1, bots: [wait, wait], ...options });
      assert.throws(play, problem);
    });
});

describe("a bot that breaks", () => {
  const broken = (bot: unknown): BotFailure => {
    try {
      playMatch({ map: "cage", seed: 1, bots: [wait, bot as SimulatorBot] });
    } catch (error) {
      assert.ok(error instanceof BotFailure);
      return error;
    }
    return assert.fail("it plays");
  };

  it("ends the match with its seat, its tick and what it threw", () => {
    const cause = new TypeError("no such thing");
    const failure = broken(({ tick }: ObservationMessage) => {
      if (tick === 4) throw cause;
      return null;
    });
    assert.deepEqual([failure.seat, failure.tick, failure.cause], [1, 4, cause]);
    assert.equal(failure.message, "the bot in seat B broke at tick 4: no such thing");
  });

  it("may break at hello", () => {
    const failure = broken({ createBot: () => assert.fail("early") });
    assert.deepEqual([failure.seat, failure.tick], [1, -1]);
  });

  it("may not answer later", () => {
    assert.match(broken(async () => null).message, /answer at once/);
  });

  it("is disqualified for ten failed ticks in a row; if both are, the standing decides", () => {
    const end = (bots: SimulatorBot[]): MatchResult => playMatch({ map: "cage", seed: 1, bots });
    const odd = (() => 5) as unknown as Decide;
    const one = end([odd, wait]);
    assert.deepEqual([one.winner, one.reason, one.ticks], ["B", "disqualification", 10]);
    assert.equal(one.stats.fighters[0]!.disqualified, true);
    const both = end([odd, odd]);
    assert.deepEqual([both.winner, both.reason], [null, "disqualification"]);
    for (const { replay } of [one, both]) assert.equal(verifyReplay(replay).ok, true);
  });
});

describe("what the simulator says of itself", () => {
  it("is the hash of the rules and maps that the server counts", () => {
    assert.equal(VERSIONS.rules_hash, rulesHash());
  });

  it("gives messages the fields of their schemas", () => {
    // Checked by the compiler: a missing or extra field makes one of these false.
    const hello: Same<keyof Static<typeof HelloSchema>, keyof HelloMessage> = true;
    const seen: Same<keyof Static<typeof ObservationSchema>, keyof ObservationMessage> = true;
    const turn: Same<keyof Static<typeof TurnSchema>, "type" | "tick" | keyof TurnMessage> = true;
    assert.deepEqual([hello, seen, turn], [true, true, true]);
  });
});

type Same<A, B> = [A, B] extends [B, A] ? true : false;
