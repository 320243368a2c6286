// npm run bench site: runs Lighthouse on one page of each kind on an active ladder, and measures
// script time per frame of the viewer. `-- --runs N` takes the median of N runs, `-- --page PATH`
// measures a single page, and `-- --url URL` uses a running ladder.

import { parseArgs } from "node:util";

import { openBrowser } from "./site/browser.ts";
import type { DrivenBrowser } from "./site/browser.ts";
import { startDemoLadder } from "./site/demo-ladder.ts";
import type { DemoLadder } from "./site/demo-ladder.ts";
import { measureFrames } from "./site/frames.ts";
import { CATEGORIES, runLighthouse, medianReport } from "./site/lighthouse.ts";
import type { LighthouseReport } from "./site/lighthouse.ts";
import { listAllPaths, onePerKind } from "./site/page-paths.ts";

const MIN_SCORE = 95;
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
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error("--runs must be a whole number of at least 1");
  return { runs, pages: values.page, url: values.url };
}

async function measurePage(url: string, port: number, runs: number): Promise<LighthouseReport> {
  const reports: LighthouseReport[] = [];
  for (let run = 0; run < runs; run += 1) reports.push(await runLighthouse(url, port));
  return medianReport(reports);
}

/** Replaces the ID in a path, which means nothing to readers. */
const displayPath = (path: string) =>
  path.replace(/[0-9a-f]{8}-[0-9a-f-]+$/, "<id>").padEnd(PATH_WIDTH);

function printReport(path: string, { scores, loadingMs, failedAudits }: LighthouseReport): void {
  const pageScores = CATEGORIES.map((name) => scores[name]);
  const isLow = pageScores.some((score) => score < MIN_SCORE);
  const scoreText = pageScores.map((score) => String(score).padStart(3)).join(" ");
  const failedAuditText = failedAudits.length === 0 ? "" : `  (${failedAudits.join("; ")})`;
  const goalText = isLow ? `  below ${MIN_SCORE}` : "";
  console.log(
    `${displayPath(path)} ${scoreText}  ${loadingMs.toFixed(0).padStart(5)} ms${goalText}${failedAuditText}`,
  );
}

async function printFrames({ browser }: DrivenBrowser, url: string): Promise<void> {
  const { count, medianMs, p99Ms } = await measureFrames(browser, url);
  console.log(
    `${count} frames of the viewer: script ${medianMs.toFixed(2)} ms per frame, ` +
      `p99 ${p99Ms.toFixed(2)} ms`,
  );
}

/** `stop` does nothing, because this bench didn't start the ladder. */
const attachToLadder = (baseUrl: string): DemoLadder => ({ baseUrl, stop: async () => {} });

export async function run(): Promise<void> {
  const { runs, pages, url } = readOptions();
  const ladder = url === undefined ? await startDemoLadder() : attachToLadder(url);
  const { baseUrl } = ladder;
  try {
    const drivenBrowser = await openBrowser();
    const allPaths = await listAllPaths(baseUrl);
    console.log(
      `Lighthouse, mobile, median of ${runs}: ${CATEGORIES.join(", ")} (at least ${MIN_SCORE}); ` +
        "main thread while loading; audits that cost points",
    );
    for (const path of pages.length > 0 ? pages : onePerKind(allPaths))
      printReport(path, await measurePage(baseUrl + path, drivenBrowser.port, runs));
    const match = allPaths.find((path) => path.startsWith("/match/"));
    if (match !== undefined) await printFrames(drivenBrowser, baseUrl + match);
    await drivenBrowser.browser.close();
  } finally {
    await ladder.stop();
  }
}
