import assert from "node:assert/strict";
import { test } from "node:test";

import { capacityOf, hasSeasons, isTaken, ladderRefusal, phaseAt, PUBLIC } from "./ladder.ts";
import type { LadderDefinition, LadderRefusal, Phase } from "./ladder.ts";

const OPENS = "2026-02-01T10:00:00.000Z";
const CLOSES = "2026-02-02T10:00:00.000Z";
const LEAGUE: LadderDefinition = { ...PUBLIC, id: "league", opensAt: OPENS, closesAt: CLOSES };
const DURING = "2026-02-01T12:00:00.000Z";

const phases: [window: Partial<LadderDefinition>, instant: string, phase: Phase][] = [
  [{}, "2026-02-01T09:59:59.999Z", "upcoming"],
  [{}, OPENS, "open"],
  [{}, "2026-02-02T09:59:59.999Z", "open"],
  [{}, CLOSES, "closed"],
  [{ opensAt: null }, "2020-01-01T00:00:00.000Z", "open"],
  [{ closesAt: null }, "2120-01-01T00:00:00.000Z", "open"],
];
for (const [window, instant, phase] of phases)
  test(`at ${instant} a ladder with ${JSON.stringify(window)} changed is ${phase}`, () => {
    assert.equal(phaseAt({ ...LEAGUE, ...window }, instant), phase);
  });

const guest = { id: "guest", name: "guest", house: false };
const kiter = { id: "kiter", name: "house-kiter", house: true };

type Change = Partial<LadderDefinition> | null;
const entries: [what: string, change: Change, bot: typeof guest, code: LadderRefusal | null][] = [
  ["anybody where there is no ladder", null, guest, "unknown_ladder"],
  ["anybody on a disabled ladder", { enabled: false }, guest, "ladder_closed"],
  ["the house on a disabled ladder", { enabled: false }, kiter, "ladder_closed"],
  ["anybody before the window", { opensAt: CLOSES, closesAt: null }, guest, "ladder_closed"],
  ["anybody after the window", { closesAt: OPENS }, guest, "ladder_closed"],
  ["a stranger by invitation", { access: "invite" }, guest, "enrollment_required"],
  ["a house bot that is not listed", { house: ["champion"] }, kiter, "enrollment_required"],
  ["no house bot that is listed", { access: "invite", house: ["kiter"] }, kiter, null],
];
for (const [what, change, bot, code] of entries)
  test(`keeps out ${what}`, () => {
    const ladder = change === null ? null : { ...LEAGUE, ...change };
    assert.equal(ladderRefusal(ladder, DURING, bot, "stranger"), code);
  });

test("a bot without an account plays where anybody may, and one with an account as a member", () => {
  const { access: _, ...closed } = LEAGUE;
  for (const access of ["open", "approval", "invite", "password"] as const) {
    const ladder: LadderDefinition = { ...closed, access };
    const isOpen = access === "open";
    assert.equal(isTaken(ladder, "anonymous"), isOpen, access);
    assert.equal(isTaken(ladder, "stranger"), false, access);
    assert.equal(isTaken(ladder, "member"), true, access);
  }
  assert.equal(isTaken(PUBLIC, "stranger"), true);
});

test("members play where strangers may not, and nobody where nothing is played", () => {
  const ladder: LadderDefinition = { ...LEAGUE, access: "approval" };
  assert.equal(ladderRefusal(ladder, DURING, guest, "member"), null);
  assert.equal(ladderRefusal(ladder, CLOSES, guest, "member"), "ladder_closed");
});

test("what settings say of a ladder, else its own bounds, apply within the server's", () => {
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
      .map((one) => (one === "-" ? null : Number(one)));
    return { maxConcurrent, ownerConcurrency };
  };
  for (const [own, set, applied] of cases) {
    const ladder = { ...LEAGUE, ...bounds(own) };
    const holds = capacityOf(ladder, limits, bounds(set));
    assert.deepEqual(holds, bounds(applied), `${own}, ${set}`);
  }
});

test("only public has seasons", () => {
  assert.deepEqual(
    [PUBLIC, LEAGUE].map(({ id }) => hasSeasons(id)),
    [true, false],
  );
});
