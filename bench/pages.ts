// npm run bench pages: measures every page in the results table on a ladder with `--stored N`
// matches (default 200,000) among `--bots N` bots (default 500). Compares the rate of cached
// responses with a bare Fastify server that sends the same bytes, and measures how much rendering
// costs the thread that runs ticks. `--data DIR` keeps the ladder for the next run. `--only NAME`
// measures a single page.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PAGES } from "#web/pages/page-table.ts";
import type { PageName } from "#web/pages/page-table.ts";

import type { StaticResponse } from "./http/bare-server.ts";
import type { LoadOrder, LoadReport } from "./http/load.ts";
import type { LoopReport } from "./http/loop-watch.ts";
import { seedLadder } from "./http/seed-ladder.ts";
import { ask, nextMessage, middleValue, pause } from "./sockets/children.ts";

const MIN_CACHED_SHARE = 0.3;
const MAX_RENDER_MS = 5;
const ROUNDS = 3;
const RENDER_ROUNDS = 5;
/** Share of CPU time that timers and the measurement use on an idle server. */
const QUIET_SHARE = 0.05;
/** Longer than a page stays cached. */
const CACHE_EXPIRY_MS = 1200;
const CONNECTIONS = 16;
const WARM_UP_MS = 250;
const MEASURED_MS = 1000;

type PageUnderTest = { name: PageName; path: string };
type PageRender = { cpuMs: number; longestMs: number; page: StaticResponse };
type Servers = { bout: string; bare: string; server: ChildProcess; load: ChildProcess };

function forkChild(file: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [...args], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [...flags],
  });
}

const ACCOUNT_PAGES: readonly PageName[] = ["user"];

async function listPages(baseUrl: string): Promise<PageUnderTest[]> {
  const list = (await (await fetch(`${baseUrl}/api/matches?limit=1`)).json()) as { id: string }[];
  const parameterValues = { id: list[0]!.id, bot: "Bot-1", guide: "rules" };
  const names = (Object.keys(PAGES) as PageName[]).filter((name) => !ACCOUNT_PAGES.includes(name));
  return names.map((name) => {
    const parameterValue = name.startsWith("guide") ? parameterValues.guide : parameterValues.bot;
    const [path] = PAGES[name].paths;
    return { name, path: path.replace(":id", parameterValues.id).replace(/:\w+/, parameterValue) };
  });
}

async function fetchPage(baseUrl: string, { path }: PageUnderTest): Promise<StaticResponse> {
  const response = await fetch(baseUrl + path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return { path, type: response.headers.get("content-type") ?? "", body: await response.text() };
}

/** Waits until the server has finished its startup reads, ratings and cleanup. */
async function waitUntilQuiet(server: ChildProcess): Promise<void> {
  for (let previous = await ask<LoopReport>(server, "loop"), quietChecks = 0; quietChecks < 2;) {
    await pause(MEASURED_MS);
    const current = await ask<LoopReport>(server, "loop");
    const busyMs = (current.cpuSeconds - previous.cpuSeconds) * 1000;
    [previous, quietChecks] = [current, busyMs < MEASURED_MS * QUIET_SHARE ? quietChecks + 1 : 0];
  }
}

/**
 * Measures one request: CPU time on the server's main thread, in ms, and the thread's longest task.
 */
async function measureRender(
  { bout, server }: Pick<Servers, "bout" | "server">,
  page: PageUnderTest,
): Promise<PageRender> {
  const before = await ask<LoopReport>(server, "loop");
  const response = await fetchPage(bout, page);
  const after = await ask<LoopReport>(server, "loop");
  const cpuMs = (after.cpuSeconds - before.cpuSeconds) * 1000;
  return { cpuMs, longestMs: after.workMs.max, page: response };
}

async function laterRenderMs(servers: Servers, page: PageUnderTest): Promise<number> {
  const renderTimes: number[] = [];
  for (let number = 0; number < RENDER_ROUNDS; number += 1) {
    await pause(CACHE_EXPIRY_MS);
    renderTimes.push((await measureRender(servers, page)).cpuMs);
  }
  return middleValue(renderTimes);
}

async function requestsPerSecond(load: ChildProcess, url: string): Promise<number> {
  const loadOrder = {
    url,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    measuredMs: MEASURED_MS,
  };
  const report = nextMessage<LoadReport>(load);
  load.send(loadOrder satisfies LoadOrder);
  return (await report).requestsPerSecond;
}

async function cachedShare(
  { bout, bare, load }: Servers,
  { path }: PageUnderTest,
): Promise<number> {
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const boutRate = await requestsPerSecond(load, bout + path);
    shares.push(boutRate / (await requestsPerSecond(load, bare + path)));
  }
  return middleValue(shares);
}

/** Counts renders by ETag. Every render has a new ETag, because shared pages show a clock. */
async function rendersPerSecond(bout: string, { path }: PageUnderTest): Promise<number> {
  const tags = new Set<string | null>();
  const startMs = performance.now();
  while (performance.now() - startMs < 2 * MEASURED_MS)
    tags.add((await fetch(bout + path, { method: "HEAD" })).headers.get("etag"));
  return (tags.size - 1) / 2;
}

async function measurePage(
  servers: Servers,
  page: PageUnderTest,
  firstRender: PageRender,
): Promise<void> {
  const laterRenderMsMedian = await laterRenderMs(servers, page);
  const share = await cachedShare(servers, page);
  const renderRate = (await rendersPerSecond(servers.bout, page)).toFixed(1);
  const verdicts = [
    ...(share < MIN_CACHED_SHARE ? ["responses too slow"] : []),
    ...(laterRenderMsMedian > MAX_RENDER_MS ? ["rendering too slow"] : []),
  ];
  const columns = [
    (Buffer.byteLength(firstRender.page.body) / 1024).toFixed(0).padStart(6),
    share.toFixed(2).padStart(6),
    firstRender.cpuMs.toFixed(1).padStart(8),
    firstRender.longestMs.toFixed(1).padStart(8),
    laterRenderMsMedian.toFixed(1).padStart(8),
    renderRate.padStart(8),
  ];
  console.log(`  ${page.name.padEnd(12)} ${columns.join(" ")}  ${verdicts.join(", ")}`);
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stored: { type: "string", default: "200000" },
      bots: { type: "string", default: "500" },
      data: { type: "string" },
      only: { type: "string" },
    },
    strict: false,
  });
  const { only, data: dataOption } = values as { only?: string; data?: string };
  const data = dataOption ?? (await mkdtemp(join(tmpdir(), "bout-bench-pages-")));
  if (dataOption === undefined || !existsSync(dataOption))
    await seedLadder(data, { bots: Number(values.bots), matches: Number(values.stored) });
  const loopWatchUrl = new URL("./http/loop-watch.ts", import.meta.url).href;
  const children = [
    forkChild("./sockets/bout-server.ts", [data], ["--import", loopWatchUrl]),
    forkChild("./http/bare-server.ts"),
    forkChild("./http/load.ts"),
  ] as const;
  const [server, bareServer, load] = children;
  try {
    const { baseUrl: bout } = await nextMessage<{ baseUrl: string }>(server);
    console.log(
      `${values.stored} matches of ${values.bots} bots: kB; response rate relative to bare Fastify`,
    );
    console.log(
      `(at least ${MIN_CACHED_SHARE}); ms of the first render, its longest task, a later`,
    );
    console.log(`render (max ${MAX_RENDER_MS}); renders per second while requested:`);
    const allPages = await listPages(bout);
    const pages = allPages.filter(({ name }) => only === undefined || name === only);
    await waitUntilQuiet(server);
    const firstRenders: PageRender[] = [];
    for (const page of pages) firstRenders.push(await measureRender({ bout, server }, page));
    bareServer.send(firstRenders.map(({ page }) => page));
    const { baseUrl: bare } = await nextMessage<{ baseUrl: string }>(bareServer);
    const servers = { bout, bare, server, load };
    for (const [index, page] of pages.entries())
      await measurePage(servers, page, firstRenders[index]!);
  } finally {
    for (const child of children) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
    if (dataOption === undefined) await rm(data, { recursive: true, force: true });
  }
}
