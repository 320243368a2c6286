// Tests watches by sending them notices directly, for violations that no simulated run produces.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND_US } from "#base/util/time.ts";
import { limitsWith } from "#core/limits/limits.ts";
import type { FinalStanding } from "#data/store/season.ts";

import { createWatches } from "./all-watches.ts";
import { notifyWatches } from "./watch.ts";
import type { Notice, NoticeOf } from "./watch.ts";

export const NOTICE_CASE_START = "2026-01-30T00:00:00.000Z";

export type NoticeStep = [second: number, notice: Notice];

export type NoticeCase = [what: string, steps: NoticeStep[], complaint: RegExp | null];

function findComplaint(steps: readonly NoticeStep[]): string | null {
  const watches = createWatches({
    limits: limitsWith({}),
    start: NOTICE_CASE_START,
    refitEvery: 1,
  });
  for (const [second, notice] of steps) {
    const moment = { at: second * SECOND_US, wall: Date.parse(NOTICE_CASE_START) + second * 1000 };
    const complaint = notifyWatches(watches, notice, moment);
    if (complaint !== null) return `${complaint.invariant}: ${complaint.text}`;
  }
  return null;
}

export function testNoticeCases(cases: readonly NoticeCase[]): void {
  for (const [description, steps, complaint] of cases)
    void test(`${complaint === null ? "no complaint" : "complains"} when ${description}`, () => {
      const complaintText = findComplaint(steps);
      if (complaint === null) assert.equal(complaintText, null);
      else assert.match(complaintText ?? "no complaint", complaint);
    });
}

export const SAMPLE_STANDING: FinalStanding = {
  rank: 1,
  botId: "bot-a",
  versionId: "v-a",
  name: "alpha",
  owner: "alpha",
  house: false,
  label: "v1",
  rating: 1500,
  deviation: 347,
  wins: 0,
  draws: 0,
  losses: 0,
};

export const startedNotice: NoticeOf<"started"> = {
  type: "started",
  matchId: "m-1",
  ladderId: "public",
  botIds: ["bot-a", "bot-b"],
};
export const registrationSteps: NoticeStep[] = ["a", "b"].map((name) => [
  0,
  {
    type: "registered",
    bot: { id: `bot-${name}`, name, owner: name, accountId: null, house: false },
  },
]);
