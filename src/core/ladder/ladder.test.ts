import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ladderCapacity,
  hasSeasons,
  isEligibleForLadder,
  ladderRefusal,
  phaseAt,
  PUBLIC_LADDER,
} from "./ladder.ts";
import type { LadderDefinition, LadderRefusal, WindowPhase } from "./ladder.ts";

const OPENS = "2026-02-01T10:00:00.000Z";
const CLOSES = "2026-02-02T10:00:00.000Z";
const LEAGUE: LadderDefinition = {
  ...PUBLIC_LADDER,
  id: "league",
  opensAt: OPENS,
  closesAt: CLOSES,
};
const DURING = "2026-02-01T12:00:00.000Z";

const PHASE_CASES: [window: Partial<LadderDefinition>, instant: string, phase: WindowPhase][] = [
  [{}, "2026-02-01T09:59:59.999Z", "upcoming"],
  [{}, OPENS, "open"],
  [{}, "2026-02-02T09:59:59.999Z", "open"],
  [{}, CLOSES, "closed"],
  [{ opensAt: null }, "2020-01-01T00:00:00.000Z", "open"],
  [{ closesAt: null }, "2120-01-01T00:00:00.000Z", "open"],
];
for (const [window, instant, phase] of PHASE_CASES)
  test(`at ${instant}, a ladder with ${JSON.stringify(window)} is ${phase}`, () => {
    assert.equal(phaseAt({ ...LEAGUE, ...window }, instant), phase);
  });

const playerBot = { id: "guest", name: "guest", house: false };
const kiter = { id: "kiter", name: "house-kiter", house: true };

type Change = Partial<LadderDefinition> | null;
const ENTRY_CASES: [
  what: string,
  change: Change,
  bot: typeof playerBot,
  code: LadderRefusal | null,
][] = [
  ["any bot on a missing ladder", null, playerBot, "unknown_ladder"],
  ["any bot on a disabled ladder", { enabled: false }, playerBot, "ladder_closed"],
  ["the house on a disabled ladder", { enabled: false }, kiter, "ladder_closed"],
  ["any bot before the window", { opensAt: CLOSES, closesAt: null }, playerBot, "ladder_closed"],
  ["any bot after the window", { closesAt: OPENS }, playerBot, "ladder_closed"],
  [
    "a stranger on an invitation-only ladder",
    { access: "invite" },
    playerBot,
    "enrollment_required",
  ],
  ["a house bot that isn't listed", { house: ["champion"] }, kiter, "enrollment_required"],
  ["no listed house bot", { access: "invite", house: ["kiter"] }, kiter, null],
];
for (const [description, change, bot, code] of ENTRY_CASES)
  test(`refuses ${description}`, () => {
    const ladder = change === null ? null : { ...LEAGUE, ...change };
    assert.equal(ladderRefusal(ladder, DURING, bot, "stranger"), code);
  });

test("a bot without an account can play on open ladders, and a bot with an account if its owner is a member", () => {
  const { access: _, ...closed } = LEAGUE;
  for (const access of ["open", "approval", "invite", "password"] as const) {
    const ladder: LadderDefinition = { ...closed, access };
    const isOpen = access === "open";
    assert.equal(isEligibleForLadder(ladder, "anonymous"), isOpen, access);
    assert.equal(isEligibleForLadder(ladder, "stranger"), false, access);
    assert.equal(isEligibleForLadder(ladder, "member"), true, access);
  }
  assert.equal(isEligibleForLadder(PUBLIC_LADDER, "stranger"), true);
});

test("members can play where non-members can't, but not on a closed ladder", () => {
  const ladder: LadderDefinition = { ...LEAGUE, access: "approval" };
  assert.equal(ladderRefusal(ladder, DURING, playerBot, "member"), null);
  assert.equal(ladderRefusal(ladder, CLOSES, playerBot, "member"), "ladder_closed");
});

test("settings override a ladder's own limits, up to the server's limits", () => {
  const limits = { max_concurrent: 10, owner_concurrency: 4 };
  const cases: [own: string, set: string, applied: string][] = [
    ["- -", "- -", "10 4"],
    ["3 1", "- -", "3 1"],
    ["30 9", "- -", "10 4"],
    ["0 2", "- -", "0 2"],
    ["- -", "3 1", "3 1"],
    ["3 1", "5 2", "5 2"],
    ["3 1", "0 -", "0 1"],
    ["3 1", "- 3", "3 3"],
    ["3 1", "30 9", "10 4"],
  ];
  const bounds = (text: string) => {
    const [maxConcurrent = null, ownerConcurrency = null] = text
      .split(" ")
      .map((oneOwner) => (oneOwner === "-" ? null : Number(oneOwner)));
    return { maxConcurrent, ownerConcurrency };
  };
  for (const [ladderBounds, settingsBounds, capacity] of cases) {
    const ladder = { ...LEAGUE, ...bounds(ladderBounds) };
    const holds = ladderCapacity(ladder, limits, bounds(settingsBounds));
    assert.deepEqual(holds, bounds(capacity), `${ladderBounds}, ${settingsBounds}`);
  }
});

test("only the public ladder has seasons", () => {
  assert.deepEqual(
    [PUBLIC_LADDER, LEAGUE].map(({ id }) => hasSeasons(id)),
    [true, false],
  );
});
