// How a watch is proved where no run shows what it must see: it is told, notice by notice.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SECOND } from "#base/units/time.ts";
import { limitsWith } from "#core/words/limits.ts";
import type { FinalStanding } from "#data/store/season.ts";

import { allWatches } from "./all.ts";
import { show } from "./watch.ts";
import type { Notice, NoticeOf } from "./watch.ts";

export const START = "2026-01-30T00:00:00.000Z";

export type ToldStep = [second: number, notice: Notice];

/** With null all is well. */
export type ToldCase = [what: string, steps: ToldStep[], complaint: RegExp | null];

/** The first complaint about these notices, as invariant and text. */
function complaintAbout(steps: readonly ToldStep[]): string | null {
  const watches = allWatches({ limits: limitsWith({}), start: START, refitEvery: 1 });
  for (const [second, notice] of steps) {
    const moment = { at: second * SECOND, wall: Date.parse(START) + second * 1000 };
    const complaint = show(watches, notice, moment);
    if (complaint !== null) return `${complaint.invariant}: ${complaint.text}`;
  }
  return null;
}

/** One test for each. */
export function told(cases: readonly ToldCase[]): void {
  for (const [what, steps, complaint] of cases)
    void test(`${complaint === null ? "all is well" : "it is seen"} when ${what}`, () => {
      const said = complaintAbout(steps);
      if (complaint === null) assert.equal(said, null);
      else assert.match(said ?? "nothing was seen", complaint);
    });
}

export const STANDING: FinalStanding = {
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

export const started: NoticeOf<"started"> = {
  type: "started",
  matchId: "m-1",
  ladderId: "public",
  botIds: ["bot-a", "bot-b"],
};
export const known: ToldStep[] = ["a", "b"].map((name) => [
  0,
  {
    type: "registered",
    bot: { id: `bot-${name}`, name, owner: name, accountId: null, house: false },
  },
]);
