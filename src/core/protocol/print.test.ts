import assert from "node:assert/strict";
import { test } from "node:test";

import { Check } from "typebox/schema";

import { isOver, startFight } from "#core/engine/fight.ts";
import { gridOf, allGrids, mapView } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { RULES } from "#core/engine/rules.ts";
import { step } from "#core/engine/step.ts";
import { setTurn } from "#core/engine/turn.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FightEvent, Refusal } from "#core/engine/types.ts";
import { SERVER_MESSAGES } from "#core/resources/socket-schemas.ts";
import { LIMITS } from "#core/words/limits.ts";
import { referencePlayer } from "#testing/fixtures/reference-play.ts";

import { deadlinesOf } from "./deadlines.ts";
import { ERRORS } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { printObservation } from "./print-observation.ts";
import {
  printEnd,
  printError,
  printHello,
  printQueued,
  printReplaced,
  printServerDraining,
} from "./print.ts";

const deadlines = deadlinesOf(LIMITS);
const fighters = [
  { id: "A", bot_id: "b_12", name: "my-bot", version: "v3" },
  { id: "B", bot_id: "b_31", name: "long-shot", version: "7" },
] as const;

function fits(type: keyof typeof SERVER_MESSAGES, text: string): void {
  assert.ok(Check(SERVER_MESSAGES[type], JSON.parse(text)), `${type}: ${text.slice(0, 300)}`);
}

test("hello names both sides and holds map and rules", () => {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const match = { matchId: "m_7f3a", ladderId: "public", mode: "ranked" } as const;
  const hello = { ...match, fighters, deadlines, rules: RULES };
  const text = printHello({ ...hello, fighter: "B", map: mapView(grid) });
  fits("hello", text);
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

test("every observation of whole fights fits its schema and says what the value says", () => {
  for (const [seed, grid] of allGrids().entries()) {
    const fight = startFight(grid, seed);
    const player = referencePlayer("fight", seed);
    while (!isOver(fight)) {
      for (const seat of [0, 1]) {
        const seen = observe(fight, seat);
        const text = printObservation("m", seen, 5, seat === 0 ? null : 14, null);
        fits("observation", text);
        const { events, type, match_id, budget_ms, last_reply_ms, ...rest } = JSON.parse(
          text,
        ) as Record<string, unknown>;
        const { events: values, ...expected } = seen;
        assert.deepEqual(rest, JSON.parse(JSON.stringify(expected)));
        assert.deepEqual(Object.keys(rest), Object.keys(expected));
        assert.deepEqual([type, match_id, budget_ms], ["observation", "m", 5]);
        assert.equal(last_reply_ms, seat === 0 ? null : 14);
        for (const [at, event] of (events as Record<string, unknown>[]).entries())
          sameEvent(event, JSON.parse(JSON.stringify(values[at])) as Record<string, unknown>);
      }
      for (const seat of [0, 1]) setTurn(fight, seat, player(fight, seat));
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

test("a failed tick is the first event, its text escaped", () => {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const seen = observe(startFight(grid, 1), 0);
  const failed = { reason: "schema", message: 'say "n"\n' } as const;
  const text = printObservation("m", seen, 0, 0, failed);
  const { events } = JSON.parse(text) as { events: object[] };
  assert.deepEqual(events[0], { type: "rejected", part: "turn", ...failed });
});

const refused: [part: "turn" | "dash" | "move" | "attack", reason: Refusal, text: RegExp][] = [
  ["turn", "not_ready", /stunned/],
  ["dash", "not_ready", /^The dash is still cooling down/],
  ["attack", "not_ready", /cooling down, or you recover/],
  ["attack", "blocked", /no floor tile/],
  ["move", "blocked", /^A wall or a fighter/],
  ["attack", "unknown_attack", /^No attack has this name: strike, bolt/],
];
for (const [part, reason, expected] of refused)
  test(`a refused ${part} says why it was ${reason}`, () => {
    assert.match(messageOf({ type: "rejected", part, reason }), expected);
  });

test("a refused attack says which target it needs, and a step what was in its way", () => {
  const wrong = { type: "rejected", part: "attack", reason: "unknown_attack" } as const;
  for (const cause of ATTACKS) {
    const form = { direction: /a direction/, tile: /a tile \[x, y\]/, none: /no target/ };
    const text = messageOf({ ...wrong, cause });
    assert.match(text, new RegExp(`^The ${cause} needs `));
    assert.match(text, form[RULES.attacks[cause].target]);
  }
  const stopped = { type: "rejected", part: "move", reason: "blocked" } as const;
  assert.match(messageOf({ ...stopped, cause: "wall" }), /low wall or a corner/);
  assert.match(messageOf({ ...stopped, cause: "fighter" }), /A fighter is in the way/);
  assert.match(messageOf({ ...stopped, cause: "thrown" }), /pushed or pulled/);
});

test("a shout that cools down is told apart from a turn lost to a stun", () => {
  const event = { type: "rejected", part: "turn", reason: "not_ready", field: "shout" } as const;
  assert.equal(messageOf(event), "The shout is still cooling down.");
});

/** The text of the message for this event in an observation. */
function messageOf(event: FightEvent): string {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const seen = { ...observe(startFight(grid, 1), 0), events: [event] };
  const { events } = JSON.parse(printObservation("m", seen, 0, 0, null)) as {
    events: { message: string }[];
  };
  return events[0]!.message;
}

test("an observation is pure ASCII, whatever is shouted in it", () => {
  const grid = gridOf("cage");
  assert.ok(grid !== null);
  const seen = observe(startFight(grid, 1), 0);
  for (const text of ["è un pugno", "\u{1f94a} 拳", '"\\u0041"', "\u2028\u007f"]) {
    const events = [{ type: "shout", by: "A", text }] as const;
    const printed = printObservation("m", { ...seen, events: [...events] }, 0, 0, null);
    assert.match(printed, /^[\x20-\x7e]*$/);
    assert.deepEqual((JSON.parse(printed) as { events: object[] }).events, events);
  }
});

test("the other messages fit their schemas", () => {
  fits("queued", printQueued("v1", 2.5, "public"));
  fits("replaced", printReplaced());
  fits("server_draining", printServerDraining("2026-11-21T00:00:00.000Z"));
  for (const code of Object.keys(ERRORS) as ErrorCode[]) fits("error", printError(code));
});

test("end carries the statistics it is given, null for a void match", () => {
  const end = { matchId: "m", ladderId: "public", winner: null, ratingChange: null } as const;
  const text = printEnd({
    ...end,
    mode: "human",
    reason: "forfeit",
    voided: true,
    unratedReason: "nobody_ready",
    stats: "null",
  });
  fits("end", text);
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
