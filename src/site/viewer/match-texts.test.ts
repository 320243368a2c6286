import assert from "node:assert/strict";
import { test } from "node:test";

import type { Match } from "#core/api/match.ts";
import { REFUSALS } from "#core/engine/types.ts";
import type { FightEvent } from "#core/engine/types.ts";

import {
  REFUSAL_TEXTS,
  formatAge,
  describeEnding,
  shortEndingText,
  describeEvent,
  formatSignedChange,
} from "./match-texts.ts";

const NAMES = { A: "Kiter", B: "Brawler" } as const;

const EVENTS: [event: FightEvent, words: string][] = [
  [{ type: "shout", by: "A", text: "<b>hi</b>" }, "Kiter: “<b>hi</b>”"],
  [
    { type: "rejected", by: "B", part: "attack", reason: "not_ready" },
    `Brawler’s attack is rejected: ${REFUSAL_TEXTS.not_ready}`,
  ],
  [
    { type: "rejected", by: "A", part: "turn", reason: "not_ready" },
    "Kiter is stunned and loses its turn",
  ],
  [
    { type: "rejected", by: "A", part: "turn", reason: "conflicting_moves" },
    `Kiter’s turn is rejected: ${REFUSAL_TEXTS.conflicting_moves}`,
  ],
  [
    { type: "rejected", by: "A", part: "turn", reason: "bad_text", field: "shout" },
    `Kiter’s shout is rejected: ${REFUSAL_TEXTS.bad_text}`,
  ],
  [
    { type: "attack", by: "A", name: "bolt", x: 1, y: 1, target: "ne" },
    "Kiter fires a bolt north-east",
  ],
  [
    { type: "attack", by: "B", name: "blast", x: 1, y: 1, target: [4, 5] },
    "Brawler casts a blast at 4,5",
  ],
  [{ type: "attack", by: "B", name: "repulse", x: 1, y: 1, target: null }, "Brawler repulses"],
  [
    { type: "hit", by: "A", target: "B", name: "bolt", damage: 10, ricochet: true, x: 2, y: 2 },
    "Brawler is hit by Kiter’s bounced bolt, −10",
  ],
  [
    { type: "hit", by: "A", target: "A", name: "scorch", damage: 4, x: 2, y: 2 },
    "Kiter is hit by its own scorch, −4",
  ],
  [
    { type: "hit", by: "A", target: "B", name: "wall_slam", damage: 6, x: 2, y: 2 },
    "Brawler slams into a wall, −6, stunned",
  ],
  [
    { type: "hit", by: "A", target: "B", name: "collision", damage: 4, x: 2, y: 2 },
    "Brawler is rammed, −4",
  ],
  [
    { type: "repulse", by: "A", target: "B", direction: "e", tiles: 2, slam: true, x: 2, y: 2 },
    "Brawler is thrown 2 tiles east into a wall",
  ],
  [
    { type: "repulse", by: "A", target: "B", direction: "e", tiles: 0, slam: true, x: 2, y: 2 },
    "Brawler is thrown into a wall",
  ],
  [
    { type: "pull", by: "A", target: "B", direction: "w", tiles: 1, x: 2, y: 2 },
    "Brawler is pulled 1 tile west",
  ],
  [
    { type: "area_spawn", by: "A", name: "blast", x: 1, y: 1, radius: 2, damage: 12, in: 2 },
    "Kiter’s blast is placed, 2 ticks to go",
  ],
  [{ type: "pickup", by: "A", kind: "health", healed: 15 }, "Kiter takes health, +15 HP"],
  [{ type: "zone_damage", target: "A", damage: 4, x: 1, y: 1 }, "Kiter is outside the zone, −4"],
  [{ type: "pickup_spawn", kind: "power", x: 1, y: 1, in: 10 }, "Power announced, in 10 ticks"],
  [{ type: "death", target: "B", x: 1, y: 1 }, "Brawler falls"],
];

for (const [event, expectedText] of EVENTS) {
  test(`describes an event of type ${event.type} as “${expectedText}”`, () => {
    assert.equal(describeEvent(event, NAMES), expectedText);
  });
}

test("shows a fighter without a name by its letter", () => {
  assert.equal(describeEvent({ type: "death", target: "C", x: 1, y: 1 }, NAMES), "C falls");
});

test("has a text for every rejection", () => {
  assert.equal(new Set(REFUSALS.map((reason) => REFUSAL_TEXTS[reason])).size, REFUSALS.length);
});

const bot = { version: "v1", house: false, avatar: null };
const MATCH: Match = {
  id: "m",
  ladder_id: "public",
  mode: "ranked",
  map: "cage",
  seed: 1,
  ended: "2026-11-21T12:00:00Z",
  duration_ms: null,
  final_tick: 100,
  reason: "last_standing",
  winner: "a",
  voided: false,
  rated: true,
  unrated_reason: null,
  bots: [
    { ...bot, id: "a", name: "one", display_name: "One" },
    { ...bot, id: "b", name: "two", display_name: "Two" },
  ],
  replay_url: "/r",
  stats_url: "/s",
  watch_url: "/w",
};

const ENDINGS: [change: Partial<Match>, short: string, sentence: RegExp][] = [
  [{}, "knockout", /^One won by knockout in the last of 100 ticks\.$/],
  [{ reason: "timeout_hp", winner: "b" }, "on HP", /^Two won on HP/],
  [{ reason: "timeout_damage" }, "on damage", /^One won on damage/],
  [{ reason: "timeout_draw", winner: null }, "draw", /^A draw: equal HP/],
  [{ reason: "forfeit", final_tick: 0 }, "forfeit", /^Two was not ready in time/],
  [{ reason: "forfeit" }, "forfeit", /^Two left the match/],
  [{ reason: "disqualification" }, "disqualified", /^Two failed too many ticks/],
  [{ reason: "forfeit", voided: true, winner: null }, "void", /^Void because neither bot/],
  [{ reason: "server_fault", voided: true, winner: null }, "void", /^Void because of a server/],
];

for (const [change, shortText, sentence] of ENDINGS) {
  test(`describes the ending ${JSON.stringify(change)} as “${shortText}”`, () => {
    const match = { ...MATCH, ...change };
    assert.equal(shortEndingText(match), shortText);
    assert.match(describeEnding(match), sentence);
  });
}

const AGES: [passedSeconds: number, words: string][] = [
  [-5, "just now"],
  [59, "just now"],
  [60, "1 min ago"],
  [3599, "59 min ago"],
  [3600, "1 h ago"],
  [90_000, "1 d ago"],
];

for (const [passed, expectedText] of AGES) {
  test(`formats ${passed} seconds as “${expectedText}”`, () => {
    assert.equal(formatAge(0, passed * 1000), expectedText);
  });
}

test("shows a rating change with its sign", () => {
  assert.deepEqual([12, 0, -7].map(formatSignedChange), ["+12", "±0", "−7"]);
});
