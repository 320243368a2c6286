import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Static } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import type { HelloSchema, ObservationSchema, TurnSchema } from "#core/protocol/schema-message.ts";
import { rulesHash } from "#server/composition/versions.ts";
import { checkServerMessage } from "#testing/fixtures/message-check.ts";
import { findLocalBot } from "#tools/local-match/local-bot.ts";
import {
  STOPPED_CLOCK,
  localDeadlines,
  localSetup,
  playLocalMatch as playLocal,
  localMatchReplay,
  localMatchStats,
} from "#tools/local-match/local-match.ts";
import type { Player } from "#tools/local-match/local-match.ts";
import { openModuleBot } from "#tools/local-match/module-bot.ts";

import type { CreateBot, Decide } from "./bot-shape.ts";
import type { SimulatorBot } from "./bot.ts";
import { BotFailure, playMatch, playTicks } from "./match.ts";
import type { MatchOptions, MatchResult } from "./match.ts";
import type { HelloMessage, ObservationMessage, TurnMessage } from "./message.ts";
import { verifyReplay } from "./replay.ts";
import { PARTNER_NAMES } from "./sparring-partner.ts";
import { VERSIONS } from "./versions.ts";

/** Plays the match with the ladder's referee, passing messages as text. */
async function playWithReferee(options: MatchOptions, players: readonly Player[]) {
  const { map, seed, names = [], matchId = "local-0" } = options;
  const started = new Date(0).toISOString();
  const deadlines = localDeadlines();
  const setup = localSetup({ map, seed, names, matchId, started, deadlines });
  const match = await playLocal(setup, players, STOPPED_CLOCK);
  return { replay: localMatchReplay(match), stats: localMatchStats(match) };
}

async function assertSameMatch(options: MatchOptions, players: readonly Player[]) {
  const { replay, stats } = playMatch(options);
  const expected = await playWithReferee(options, players);
  assert.equal(replay, expected.replay);
  assert.equal(JSON.stringify(stats), JSON.stringify(expected.stats));
}

async function partner(name: string): Promise<Player> {
  const contestant = findLocalBot(name);
  assert.ok("open" in contestant);
  return contestant.open(
    () => {},
    () => {},
  );
}

const createWaitingTurn: Decide = () => null;

describe("a match", () => {
  const pairs = [
    ["random", "greedy"],
    ["kiter", "brawler"],
    ["brawler", "ts-starter"],
    ["greedy", "champion"],
  ] as const;
  for (const [at, map] of MAP_NAMES.entries()) {
    const bots = pairs[at % pairs.length]!;
    it(`on ${map} between ${bots.join(" and ")} is identical to the match played by the ladder's referee`, async () => {
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
    ["an invalid direction", (tick) => ({ move: tick % 3 === 0 ? "up" : "n" })],
    ["null parts", () => ({ move: null, dash: null, attack: null, shout: null })],
    ["its own tick number", (tick) => ({ tick: tick + 7, type: "queue", move: "s" })],
    ["move and dash together", () => ({ move: "n", dash: "s" })],
    ["an unknown attack with a long name", () => ({ attack: { name: "x".repeat(99) } })],
    ["a target of the wrong type", () => ({ attack: { name: "blast", target: "n" } })],
    ["a target off the map", () => ({ attack: { name: "blast", target: [99, -3] } })],
    ["invalid targets", () => ({ attack: { name: "bolt", target: { x: 1 } } })],
    ["shouts that need cleaning", (tick) => ({ shout: ` \u0007hi${"!".repeat(tick % 50)} ` })],
    ["blank shouts", () => ({ shout: "   " })],
  ];
  for (const [label, answer] of answers)
    it(`treats ${label} as the ladder's referee does`, async () => {
      const bot = (({ tick }) => answer(tick)) as Decide;
      const bots: SimulatorBot[] = [bot, "kiter"];
      const players = [openModuleBot({ decide: bot }), await partner("kiter")];
      await assertSameMatch({ map: "cage", seed: 9, bots, names: ["odd", "kiter"] }, players);
    });

  it("sends bots the exact messages that the protocol specifies", async () => {
    const messages: unknown[] = [];
    const receivedMessages: unknown[] = [];
    const createBot: CreateBot = (hello) => {
      messages.push(hello);
      return {
        turn: (observed) => {
          messages.push(observed);
          return observed.tick % 20 === 3
            ? { move: "up" as "n" }
            : { move: observed.moves[0]!, shout: "hi" };
        },
      };
    };
    const player = await partner("random");
    const module = openModuleBot({ createBot });
    playMatch({ map: "halls", seed: 4, bots: [{ createBot }, "random"], names: ["l", "random"] });
    const simulatorText = messages.splice(0);
    await playWithReferee({ map: "halls", seed: 4, bots: [], names: ["l", "random"] }, [
      module,
      {
        ...player,
        handleMessage: (text, wire) => {
          receivedMessages.push(text);
          player.handleMessage(text, wire);
        },
      },
    ]);
    assert.ok(simulatorText.length > 30 && receivedMessages.length > 30);
    assert.deepEqual(simulatorText, messages);
    for (const message of simulatorText) checkServerMessage(message as { type: string });
  });

  it("is the same each time, and differs if the seed or id differs", () => {
    const play = (seed: number, matchId?: string) =>
      playMatch({ map: "keep", seed, bots: ["random", "kiter"], ...(matchId && { matchId }) })
        .replay;
    assert.equal(play(3), play(3));
    assert.notEqual(play(3), play(4));
    assert.notEqual(play(3).split("\n")[5], play(3, "other").split("\n")[5]);
  });

  it("reports each tick, by callback or generator", () => {
    const options: MatchOptions = { map: "trench", seed: 2, bots: ["greedy", "random"] };
    const observed: string[] = [];
    const result = playMatch(options, ({ tick, turns, hash, fight }) => {
      observed.push(JSON.stringify([tick, turns, hash, fight.hp[0]]));
    });
    const yielded: string[] = [];
    const ticks = playTicks(options);
    let next = ticks.next();
    for (; next.done !== true; next = ticks.next()) {
      const { tick, turns, hash, fight } = next.value;
      yielded.push(JSON.stringify([tick, turns, hash, fight.hp[0]]));
    }
    assert.equal(observed.length, result.ticks);
    assert.deepEqual(yielded, observed);
    assert.deepEqual(next.value, result);
  });

  for (const seats of [3, 4])
    it(`of ${seats} fighters skips fallen fighters, and its replay is genuine`, () => {
      const fighter: Decide = ({ moves, fighters }) => {
        const target = moves[0]!;
        assert.equal(fighters.length, seats - 1);
        return { move: moves.at(-1)!, attack: { name: "bolt", target } };
      };
      const bots = Array.from({ length: seats }, () => fighter);
      let wasDead = false;
      const result = playMatch({ map: "cage", seed: 11, bots }, ({ turns }) => {
        wasDead ||= turns.includes(null);
      });
      assert.ok(wasDead);
      assert.equal(verifyReplay(result.replay).ok, true);
    });

  it("gives sparring partners their own names, and other bots letters", () => {
    const { stats } = playMatch({ map: "cage", seed: 1, bots: ["idle", createWaitingTurn] });
    assert.deepEqual(
      stats.fighters.map(({ name }) => name),
      ["idle", "b"],
    );
  });

  it("accepts every sparring partner by name", () => {
    for (const name of PARTNER_NAMES) {
      const { ticks } = playMatch({ map: "cage", seed: 1, bots: [name, "idle"] });
      assert.ok(ticks > 0);
    }
  });
});

describe("an invalid match", () => {
  const cases: [what: string, options: Partial<MatchOptions>, problem: RegExp][] = [
    ["an unknown map", { map: "attic" }, /no map 'attic'\. Maps: courtyard, pillars/],
    ["a map name that is not a string", { map: "__proto__" }, /no map/],
    ["a seed with a fraction", { seed: 0.5 }, /seed must be a whole number/],
    ["a negative seed", { seed: -1 }, /seed must be a whole number/],
    ["a seed that is too large", { seed: 2 ** 32 }, /seed must be a whole number/],
    ["one bot", { bots: [createWaitingTurn] }, /no match has 1 seats/],
    [
      "five bots",
      {
        bots: [
          createWaitingTurn,
          createWaitingTurn,
          createWaitingTurn,
          createWaitingTurn,
          createWaitingTurn,
        ],
      },
      /no match has 5 seats/,
    ],
    [
      "an unknown partner",
      { bots: [createWaitingTurn, "kiiter" as "kiter"] },
      /seat B .* no bot 'kiiter'\. Bots: idle/,
    ],
    [
      "a partner in a match of three",
      { bots: [createWaitingTurn, "kiter", createWaitingTurn] },
      /support only duels/,
    ],
    [
      "a value that is not a bot",
      { bots: [createWaitingTurn, {} as SimulatorBot] },
      /exports neither decide nor createBot: a bot exports createBot/,
    ],
  ];
  for (const [label, options, problem] of cases)
    it(`is rejected for ${label}`, () => {
      const play = () =>
        playMatch({
          map: "cage",
          seed: 1,
          bots: [createWaitingTurn, createWaitingTurn],
          ...options,
        });
      assert.throws(play, problem);
    });
});

describe("a bot that fails", () => {
  const brokenBot = (bot: unknown): BotFailure => {
    try {
      playMatch({ map: "cage", seed: 1, bots: [createWaitingTurn, bot as SimulatorBot] });
    } catch (error) {
      assert.ok(error instanceof BotFailure);
      return error;
    }
    return assert.fail("it plays");
  };

  it("ends the match with an error that contains the seat, the tick and the cause", () => {
    const cause = new TypeError("no such thing");
    const failure = brokenBot(({ tick }: ObservationMessage) => {
      if (tick === 4) throw cause;
      return null;
    });
    assert.deepEqual([failure.seat, failure.tick, failure.cause], [1, 4, cause]);
    assert.equal(failure.message, "the bot in seat B failed at tick 4: no such thing");
  });

  it("can fail as early as hello", () => {
    const failure = brokenBot({ createBot: () => assert.fail("early") });
    assert.deepEqual([failure.seat, failure.tick], [1, -1]);
  });

  it("fails if it answers asynchronously", () => {
    assert.match(brokenBot(async () => null).message, /must answer synchronously/);
  });

  it("is disqualified after ten consecutive failed ticks; if both bots are, the standing decides", () => {
    const endTick = (bots: SimulatorBot[]): MatchResult =>
      playMatch({ map: "cage", seed: 1, bots });
    const oddBot = (() => 5) as unknown as Decide;
    const firstBot = endTick([oddBot, createWaitingTurn]);
    assert.deepEqual(
      [firstBot.winner, firstBot.reason, firstBot.ticks],
      ["B", "disqualification", 10],
    );
    assert.equal(firstBot.stats.fighters[0]!.disqualified, true);
    const bothBots = endTick([oddBot, oddBot]);
    assert.deepEqual([bothBots.winner, bothBots.reason], [null, "disqualification"]);
    for (const { replay } of [firstBot, bothBots]) assert.equal(verifyReplay(replay).ok, true);
  });
});

describe("the versions of the simulator", () => {
  it("include the hash of rules and maps that the server computes", () => {
    assert.equal(VERSIONS.rules_hash, rulesHash());
  });

  it("messages have the same fields as their schemas", () => {
    // Checked by the compiler: if a field is missing or added, one of these constants becomes
    // false.
    const hello: Same<keyof Static<typeof HelloSchema>, keyof HelloMessage> = true;
    const observed: Same<keyof Static<typeof ObservationSchema>, keyof ObservationMessage> = true;
    const turn: Same<keyof Static<typeof TurnSchema>, "type" | "tick" | keyof TurnMessage> = true;
    assert.deepEqual([hello, observed, turn], [true, true, true]);
  });
});

type Same<A, B> = [A, B] extends [B, A] ? true : false;
