import assert from "node:assert/strict";
import { test } from "node:test";

import { REFUSALS } from "#core/engine/types.ts";
import type { FightEvent } from "#core/engine/types.ts";
import type { Match } from "#core/resources/match.ts";

import {
  REFUSAL_WORDS,
  agoWords,
  endingSentence,
  endingShort,
  eventWords,
  signed,
} from "./words.ts";

const NAMES = { A: "Kiter", B: "Brawler" } as const;

const EVENTS: [event: FightEvent, words: string][] = [
  [{ type: "shout", by: "A", text: "<b>hi</b>" }, "Kiter: “<b>hi</b>”"],
  [
    { type: "rejected", by: "B", part: "attack", reason: "not_ready" },
    `Brawler’s attack is refused: ${REFUSAL_WORDS.not_ready}`,
  ],
  [
    { type: "rejected", by: "A", part: "turn", reason: "not_ready" },
    "Kiter is stunned: its turn is lost",
  ],
  [
    { type: "rejected", by: "A", part: "turn", reason: "conflicting_moves" },
    `Kiter’s turn is refused: ${REFUSAL_WORDS.conflicting_moves}`,
  ],
  [
    { type: "rejected", by: "A", part: "turn", reason: "bad_text", field: "shout" },
    `Kiter’s shout is refused: ${REFUSAL_WORDS.bad_text}`,
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
    "Kiter’s blast is set, 2 ticks to go",
  ],
  [{ type: "pickup", by: "A", kind: "health", healed: 15 }, "Kiter takes health, +15 hp"],
  [{ type: "zone_damage", target: "A", damage: 4, x: 1, y: 1 }, "Kiter is outside the zone, −4"],
  [{ type: "pickup_spawn", kind: "power", x: 1, y: 1, in: 10 }, "Power announced, in 10 ticks"],
  [{ type: "death", target: "B", x: 1, y: 1 }, "Brawler falls"],
];

for (const [event, words] of EVENTS) {
  test(`an event of type ${event.type} reads: ${words}`, () => {
    assert.equal(eventWords(event, NAMES), words);
  });
}

test("a fighter without a name goes by its letter", () => {
  assert.equal(eventWords({ type: "death", target: "C", x: 1, y: 1 }, NAMES), "C falls");
});

test("every refusal has its own words", () => {
  assert.equal(new Set(REFUSALS.map((reason) => REFUSAL_WORDS[reason])).size, REFUSALS.length);
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
  [{ reason: "timeout_hp", winner: "b" }, "on hp", /^Two won on hp/],
  [{ reason: "timeout_damage" }, "on damage", /^One won on damage/],
  [{ reason: "timeout_draw", winner: null }, "draw", /^A draw: equal hp/],
  [{ reason: "forfeit", final_tick: 0 }, "forfeit", /^Two was not ready in time/],
  [{ reason: "forfeit" }, "forfeit", /^Two left the bout/],
  [{ reason: "disqualification" }, "disqualified", /^Two failed too many ticks/],
  [{ reason: "forfeit", voided: true, winner: null }, "void", /^Void: neither bot/],
  [{ reason: "server_fault", voided: true, winner: null }, "void", /^Void: the server/],
];

for (const [change, short, sentence] of ENDINGS) {
  test(`the ending ${JSON.stringify(change)} is called ${short}`, () => {
    const match = { ...MATCH, ...change };
    assert.equal(endingShort(match), short);
    assert.match(endingSentence(match), sentence);
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

for (const [passed, words] of AGES) {
  test(`${passed} seconds are ${words}`, () => {
    assert.equal(agoWords(0, passed * 1000), words);
  });
}

test("a change of rating carries its sign", () => {
  assert.deepEqual([12, 0, -7].map(signed), ["+12", "±0", "−7"]);
});
