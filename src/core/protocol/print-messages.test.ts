import assert from "node:assert/strict";
import { test } from "node:test";

import { Check } from "typebox/schema";

import { SERVER_MESSAGES } from "#core/api/socket-schemas.ts";
import { isOver, createFight } from "#core/engine/fight.ts";
import { gridOf, allGrids, mapView } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FightEvent, Refusal } from "#core/engine/types.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { matchDeadlines } from "./deadlines.ts";
import { ERROR_CATALOGUE } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import {
  printEnd,
  printError,
  printHello,
  printQueued,
  printReplaced,
  printServerDraining,
} from "./print-messages.ts";
import { printObservation } from "./print-observation.ts";

const deadlines = matchDeadlines(DEFAULT_LIMITS);
const fighters = [
  { id: "A", bot_id: "b_12", name: "my-bot", version: "v3" },
  { id: "B", bot_id: "b_31", name: "long-shot", version: "7" },
] as const;

function assertMatchesSchema(type: keyof typeof SERVER_MESSAGES, text: string): void {
  assert.ok(Check(SERVER_MESSAGES[type], JSON.parse(text)), `${type}: ${text.slice(0, 300)}`);
}

test("hello contains both sides, the map and the rules", () => {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const match = { matchId: "m_7f3a", ladderId: "public", mode: "ranked" } as const;
  const hello = { ...match, fighters, deadlines, rules: RULES };
  const text = printHello({ ...hello, fighter: "B", map: mapView(grid) });
  assertMatchesSchema("hello", text);
  const { bot_id, opponent, fighter, mode, protocol_version } = JSON.parse(text) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    { bot_id, fighter, mode, protocol_version, opponent },
    {
      mode: "ranked",
      bot_id: "b_31",
      fighter: "B",
      protocol_version: "0.6",
      opponent: { bot_id: "b_12", name: "my-bot", version: "v3", fighter: "A" },
    },
  );
  assert.match(text, /^\{"type":"hello","protocol_version":"0.6","match_id":"m_7f3a","ladder_id"/);
});

test("observations from complete matches fit their schema and parse back to the same value", () => {
  for (const [seed, grid] of allGrids().entries()) {
    const fight = createFight(grid, seed);
    const player = referencePlayer("fight", seed);
    while (!isOver(fight)) {
      for (const seat of [0, 1]) {
        const observation = observationFor(fight, seat);
        const text = printObservation("m", observation, 5, seat === 0 ? null : 14, null);
        assertMatchesSchema("observation", text);
        const { events, type, match_id, budget_ms, last_reply_ms, ...rest } = JSON.parse(
          text,
        ) as Record<string, unknown>;
        const { events: values, ...expected } = observation;
        assert.deepEqual(rest, JSON.parse(JSON.stringify(expected)));
        assert.deepEqual(Object.keys(rest), Object.keys(expected));
        assert.deepEqual([type, match_id, budget_ms], ["observation", "m", 5]);
        assert.equal(last_reply_ms, seat === 0 ? null : 14);
        for (const [at, event] of (events as Record<string, unknown>[]).entries())
          sameEvent(event, JSON.parse(JSON.stringify(values[at])) as Record<string, unknown>);
      }
      for (const seat of [0, 1]) setSeatTurn(fight, seat, player(fight, seat));
      step(fight);
    }
  }
});

function sameEvent(printed: Record<string, unknown>, value: Record<string, unknown>): void {
  const { message, ...rest } = printed;
  if (value.type === "rejected") {
    delete value.by;
    delete value.cause;
    assert.equal(typeof message, "string");
    assert.deepEqual(rest, value);
  } else assert.deepEqual(printed, value);
}

test("lists a failed tick as the first event, with its text escaped", () => {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const observation = observationFor(createFight(grid, 1), 0);
  const failed = { reason: "schema", message: 'say "n"\n' } as const;
  const text = printObservation("m", observation, 0, 0, failed);
  const { events } = JSON.parse(text) as { events: object[] };
  assert.deepEqual(events[0], { type: "rejected", part: "turn", ...failed });
});

const refused: [part: "turn" | "dash" | "move" | "attack", reason: Refusal, text: RegExp][] = [
  ["turn", "not_ready", /stunned/],
  ["dash", "not_ready", /^The dash is still cooling down/],
  ["attack", "not_ready", /cooling down, or you are recovering/],
  ["attack", "blocked", /not a floor tile/],
  ["move", "blocked", /^A wall or a fighter/],
  ["attack", "unknown_attack", /^No attack has this name: strike, bolt/],
];
for (const [part, reason, expected] of refused)
  test(`explains a ${part} refused as ${reason}`, () => {
    assert.match(messageOf({ type: "rejected", part, reason }), expected);
  });

test("explains which target an attack needs and what blocked a step", () => {
  const wrongTurn = { type: "rejected", part: "attack", reason: "unknown_attack" } as const;
  for (const cause of ATTACKS) {
    const eventForm = { direction: /a direction/, tile: /a tile \[x, y\]/, none: /no target/ };
    const text = messageOf({ ...wrongTurn, cause });
    assert.match(text, new RegExp(`^The ${cause} needs `));
    assert.match(text, eventForm[RULES.attacks[cause].target]);
  }
  const stoppedMatch = { type: "rejected", part: "move", reason: "blocked" } as const;
  assert.match(messageOf({ ...stoppedMatch, cause: "wall" }), /low wall or a corner/);
  assert.match(messageOf({ ...stoppedMatch, cause: "fighter" }), /A fighter is in the way/);
  assert.match(messageOf({ ...stoppedMatch, cause: "thrown" }), /pushed or pulled/);
});

test("distinguishes a shout on cooldown from a turn lost to a stun", () => {
  const event = { type: "rejected", part: "turn", reason: "not_ready", field: "shout" } as const;
  assert.equal(messageOf(event), "The shout is still cooling down.");
});

function messageOf(event: FightEvent): string {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const observation = { ...observationFor(createFight(grid, 1), 0), events: [event] };
  const { events } = JSON.parse(printObservation("m", observation, 0, 0, null)) as {
    events: { message: string }[];
  };
  return events[0]!.message;
}

test("prints observations in ASCII, even with non-ASCII shouts", () => {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const observation = observationFor(createFight(grid, 1), 0);
  for (const text of ["è un pugno", "\u{1f94a} 拳", '"\\u0041"', "\u2028\u007f"]) {
    const events = [{ type: "shout", by: "A", text }] as const;
    const printed = printObservation("m", { ...observation, events: [...events] }, 0, 0, null);
    assert.match(printed, /^[\x20-\x7e]*$/);
    assert.deepEqual((JSON.parse(printed) as { events: object[] }).events, events);
  }
});

test("the other messages match their schemas", () => {
  assertMatchesSchema("queued", printQueued("v1", 2.5, "public"));
  assertMatchesSchema("replaced", printReplaced());
  assertMatchesSchema("server_draining", printServerDraining("2026-11-21T00:00:00.000Z"));
  for (const code of Object.keys(ERROR_CATALOGUE) as ErrorCode[])
    assertMatchesSchema("error", printError(code));
});

test("end includes the statistics, or null for a void match", () => {
  const end = { matchId: "m", ladderId: "public", winner: null, ratingChange: null } as const;
  const text = printEnd({
    ...end,
    mode: "human",
    reason: "forfeit",
    voided: true,
    unratedReason: "nobody_ready",
    stats: "null",
  });
  assertMatchesSchema("end", text);
  assert.deepEqual(JSON.parse(text), {
    type: "end",
    match_id: "m",
    winner: null,
    reason: "forfeit",
    voided: true,
    rated: false,
    unrated_reason: "nobody_ready",
    watch_url: "/match/m",
    rating_change: null,
    ladder_id: "public",
    mode: "human",
    stats: null,
  });
});
