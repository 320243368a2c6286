// What Lighthouse says of a page, as a telephone on a slow network sees it.

import lighthouse from "lighthouse";

import { sure } from "#base/units/sure.ts";

import { median } from "../sockets/children.ts";

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
type Category = (typeof CATEGORIES)[number];

/** From here on Lighthouse itself shows an audit as passed. */
const ENOUGH = 0.9;

export type Report = {
  /** Of 100. */
  scores: Record<Category, number>;
  /** Time of the main thread until the page was quiet, at the speed of a slow telephone. */
  loadingMs: number;
  /** Names of the audits that cost points. */
  wanting: string[];
};

export async function inspect(url: string, port: number): Promise<Report> {
  const result = await lighthouse(url, {
    port,
    output: "json",
    logLevel: "silent",
    onlyCategories: [...CATEGORIES],
  });
  const { categories, audits, runtimeError } = sure(result, `report of ${url}`).lhr;
  if (runtimeError !== undefined) throw new Error(`${url}: ${runtimeError.message}`);
  const scoreOf = (name: Category) => Math.round(100 * (categories[name]?.score ?? 0));
  const counted = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []);
  const wanting = counted
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < ENOUGH)
    .map(({ id }) => `${id} ${audits[id]?.displayValue ?? ""}`.trim());
  return {
    scores: Object.fromEntries(CATEGORIES.map((name) => [name, scoreOf(name)])) as Report["scores"],
    loadingMs: audits["mainthread-work-breakdown"]?.numericValue ?? Number.NaN,
    wanting,
  };
}

/** The median of each figure; the audits that cost points in any run. */
export const medianOf = (reports: readonly Report[]): Report => ({
  scores: Object.fromEntries(
    CATEGORIES.map((name) => [name, median(reports.map(({ scores }) => scores[name]))]),
  ) as Report["scores"],
  loadingMs: median(reports.map(({ loadingMs }) => loadingMs)),
  wanting: [...new Set(reports.flatMap(({ wanting }) => wanting))],
});
