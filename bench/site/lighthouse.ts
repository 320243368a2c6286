// Runs Lighthouse on a page, simulating a phone on a slow network.

import lighthouse from "lighthouse";

import { assertDefined } from "#base/util/assert-defined.ts";

import { middleValue } from "../sockets/children.ts";

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** Lighthouse shows an audit as passed at this score or higher. */
const PASSING_SCORE = 0.9;

export type LighthouseReport = {
  /** Scores from 0 to 100. */
  scores: Record<Category, number>;
  /** Main thread time until the page is idle, at the speed of a slow phone. */
  loadingMs: number;
  failedAudits: string[];
};

export async function runLighthouse(url: string, port: number): Promise<LighthouseReport> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "silent",
    onlyCategories: [...CATEGORIES],
  });
  const { categories, audits, runtimeError } = assertDefined(result, `report for ${url}`).lhr;
  if (runtimeError !== undefined) throw new Error(`${url}: ${runtimeError.message}`);
  const scoreOf = (name: Category) => Math.round(100 * (categories[name]?.score ?? 0));
  const auditRefs = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []);
  const failedAudits = auditRefs
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < PASSING_SCORE)
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ""}`.trim());
  return {
    scores: Object.fromEntries(
      CATEGORIES.map((name) => [name, scoreOf(name)]),
    ) as LighthouseReport["scores"],
    loadingMs: audits["mainthread-work-breakdown"]?.numericValue ?? Number.NaN,
    failedAudits,
  };
}

/** Returns the median of each measurement, and every audit that lowers a score in any run. */
export const medianReport = (reports: readonly LighthouseReport[]): LighthouseReport => ({
  scores: Object.fromEntries(
    CATEGORIES.map((name) => [name, middleValue(reports.map(({ scores }) => scores[name]))]),
  ) as LighthouseReport["scores"],
  loadingMs: middleValue(reports.map(({ loadingMs }) => loadingMs)),
  failedAudits: [...new Set(reports.flatMap(({ failedAudits }) => failedAudits))],
});
