// npm run bench site: Lighthouse for one page of each kind on a living ladder, and the script time of
// a frame of the viewer. `-- --runs N` takes the median of N runs, `-- --page PATH` only that page, and
// `-- --url URL` a ladder that runs already.

import { parseArgs } from "node:util";

import { everyPage, oneOfEach } from "./site/addresses.ts";
import { openBrowser } from "./site/browser.ts";
import type { DrivenBrowser } from "./site/browser.ts";
import { framesOf } from "./site/frames.ts";
import { CATEGORIES, inspect, medianOf } from "./site/lighthouse.ts";
import type { Report } from "./site/lighthouse.ts";
import { startLivingLadder } from "./site/living-ladder.ts";
import type { LivingLadder } from "./site/living-ladder.ts";

const AT_LEAST = 95;
const PATH_WIDTH = 22;

function readOptions() {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      runs: { type: "string", default: "5" },
      page: { type: "string", multiple: true, default: [] },
      url: { type: "string" },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error("--runs is a whole number from 1");
  return { runs, pages: values.page, url: values.url };
}

async function measure(url: string, port: number, runs: number): Promise<Report> {
  const reports: Report[] = [];
  for (let run = 0; run < runs; run += 1) reports.push(await inspect(url, port));
  return medianOf(reports);
}

/** Ids in a path say nothing to readers. */
const shown = (path: string) => path.replace(/[0-9a-f]{8}-[0-9a-f-]+$/, "<id>").padEnd(PATH_WIDTH);

function print(path: string, { scores, loadingMs, wanting }: Report): void {
  const all = CATEGORIES.map((name) => scores[name]);
  const isLow = all.some((score) => score < AT_LEAST);
  const figures = all.map((score) => String(score).padStart(3)).join(" ");
  const rest = wanting.length === 0 ? "" : `  (${wanting.join("; ")})`;
  const goal = isLow ? `  below ${AT_LEAST}` : "";
  console.log(`${shown(path)} ${figures}  ${loadingMs.toFixed(0).padStart(5)} ms${goal}${rest}`);
}

async function printFrames({ browser }: DrivenBrowser, url: string): Promise<void> {
  const { count, medianMs, p99Ms } = await framesOf(browser, url);
  console.log(
    `${count} frames of the viewer: script ${medianMs.toFixed(2)} ms a frame, ` +
      `p99 ${p99Ms.toFixed(2)} ms`,
  );
}

/** A ladder that is somebody else's to stop. */
const runningAt = (baseUrl: string): LivingLadder => ({ baseUrl, stop: async () => {} });

/** Prints the figures of docs/performance.md, section "Site". */
export async function run(): Promise<void> {
  const { runs, pages, url } = readOptions();
  const ladder = url === undefined ? await startLivingLadder() : runningAt(url);
  const { baseUrl } = ladder;
  try {
    const driven = await openBrowser();
    const every = await everyPage(baseUrl);
    console.log(
      `Lighthouse, mobile, median of ${runs}: ${CATEGORIES.join(", ")} (at least ${AT_LEAST}); ` +
        "main thread while loading; what costs points",
    );
    for (const path of pages.length > 0 ? pages : oneOfEach(every))
      print(path, await measure(baseUrl + path, driven.port, runs));
    const match = every.find((path) => path.startsWith("/match/"));
    if (match !== undefined) await printFrames(driven, baseUrl + match);
    await driven.browser.close();
  } finally {
    await ladder.stop();
  }
}
