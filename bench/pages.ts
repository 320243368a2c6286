// npm run bench pages: each page of the table on a ladder with a past of `--stored N` matches
// (default 200,000) among `--bots N` bots (500). How often a kept page is sent, compared with a
// bare Fastify that sends the same bytes; and what making it takes of the thread that serves ticks.
// `--data DIR` keeps the ladder there for the next run, `--only NAME` measures one page.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PAGES } from "#web/pages/table.ts";
import type { PageName } from "#web/pages/table.ts";

import type { Given } from "./http/bare-server.ts";
import { seed } from "./http/ladder.ts";
import type { LoadOrder, LoadReport } from "./http/load.ts";
import type { LoopReport } from "./http/loop-watch.ts";
import { ask, hear, median, pause } from "./sockets/children.ts";

const KEPT_AT_LEAST = 0.3;
const MAKING_AT_MOST_MS = 5;
const ROUNDS = 3;
const MAKINGS = 5;
/** Of a second, by timers and by the measurement itself. */
const QUIET_SHARE = 0.05;
/** Longer than a page is kept. */
const MOMENT_MS = 1200;
const CONNECTIONS = 16;
const WARM_UP_MS = 250;
const MEASURED_MS = 1000;

type PageUnderTest = { name: PageName; path: string };
type Making = { cpuMs: number; longestMs: number; page: Given };
type Servers = { bout: string; bare: string; server: ChildProcess; load: ChildProcess };

function start(file: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [...args], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [...flags],
  });
}

/** A seeded ladder has nobody with an account. */
const OF_PEOPLE: readonly PageName[] = ["user"];

/** The first address of each page, about something that exists. */
async function pagesOf(baseUrl: string): Promise<PageUnderTest[]> {
  const list = (await (await fetch(`${baseUrl}/api/matches?limit=1`)).json()) as { id: string }[];
  const parts = { id: list[0]!.id, bot: "Bot-1", guide: "rules" };
  const names = (Object.keys(PAGES) as PageName[]).filter((name) => !OF_PEOPLE.includes(name));
  return names.map((name) => {
    const about = name.startsWith("guide") ? parts.guide : parts.bot;
    const [path] = PAGES[name].paths;
    return { name, path: path.replace(":id", parts.id).replace(/:\w+/, about) };
  });
}

async function bodyOf(baseUrl: string, { path }: PageUnderTest): Promise<Given> {
  const response = await fetch(baseUrl + path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return { path, type: response.headers.get("content-type") ?? "", body: await response.text() };
}

/** After a start the server reads, rates and cleans up; that belongs to no page. */
async function quiet(server: ChildProcess): Promise<void> {
  for (let last = await ask<LoopReport>(server, "loop"), calm = 0; calm < 2;) {
    await pause(MEASURED_MS);
    const next = await ask<LoopReport>(server, "loop");
    const busyMs = (next.cpuSeconds - last.cpuSeconds) * 1000;
    [last, calm] = [next, busyMs < MEASURED_MS * QUIET_SHARE ? calm + 1 : 0];
  }
}

/** Processor milliseconds of the server's first thread, and its longest turn, for one request. */
async function making(
  { bout, server }: Pick<Servers, "bout" | "server">,
  page: PageUnderTest,
): Promise<Making> {
  const before = await ask<LoopReport>(server, "loop");
  const made = await bodyOf(bout, page);
  const after = await ask<LoopReport>(server, "loop");
  const cpuMs = (after.cpuSeconds - before.cpuSeconds) * 1000;
  return { cpuMs, longestMs: after.workMs.max, page: made };
}

/** The middle of makings after the first. */
async function laterMakings(servers: Servers, page: PageUnderTest): Promise<number> {
  const later: number[] = [];
  for (let number = 0; number < MAKINGS; number += 1) {
    await pause(MOMENT_MS);
    later.push((await making(servers, page)).cpuMs);
  }
  return median(later);
}

async function requestsPerSecond(load: ChildProcess, url: string): Promise<number> {
  const order = { url, connections: CONNECTIONS, warmUpMs: WARM_UP_MS, measuredMs: MEASURED_MS };
  const report = hear<LoadReport>(load);
  load.send(order satisfies LoadOrder);
  return (await report).requestsPerSecond;
}

/** Requests a second, as a share of those that a bare server answers. */
async function keptShare({ bout, bare, load }: Servers, { path }: PageUnderTest): Promise<number> {
  const shares: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = await requestsPerSecond(load, bout + path);
    shares.push(own / (await requestsPerSecond(load, bare + path)));
  }
  return median(shares);
}

/** Pages that are made for everybody at once show a clock: each making has a tag of its own. */
async function makingsPerSecond(bout: string, { path }: PageUnderTest): Promise<number> {
  const tags = new Set<string | null>();
  const startMs = performance.now();
  while (performance.now() - startMs < 2 * MEASURED_MS)
    tags.add((await fetch(bout + path, { method: "HEAD" })).headers.get("etag"));
  return (tags.size - 1) / 2;
}

async function measure(servers: Servers, page: PageUnderTest, first: Making): Promise<void> {
  const laterMs = await laterMakings(servers, page);
  const share = await keptShare(servers, page);
  const often = (await makingsPerSecond(servers.bout, page)).toFixed(1);
  const verdicts = [
    ...(share < KEPT_AT_LEAST ? ["sent too slowly"] : []),
    ...(laterMs > MAKING_AT_MOST_MS ? ["made too slowly"] : []),
  ];
  const figures = [
    (Buffer.byteLength(first.page.body) / 1024).toFixed(0).padStart(6),
    share.toFixed(2).padStart(6),
    first.cpuMs.toFixed(1).padStart(8),
    first.longestMs.toFixed(1).padStart(8),
    laterMs.toFixed(1).padStart(8),
    often.padStart(8),
  ];
  console.log(`  ${page.name.padEnd(12)} ${figures.join(" ")}  ${verdicts.join(", ")}`);
}

/** Prints the figures of docs/performance.md, section "Pages". */
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
  const { only, data: kept } = values as { only?: string; data?: string };
  const data = kept ?? (await mkdtemp(join(tmpdir(), "bout-bench-pages-")));
  if (kept === undefined || !existsSync(kept))
    await seed(data, { bots: Number(values.bots), matches: Number(values.stored) });
  const watch = new URL("./http/loop-watch.ts", import.meta.url).href;
  const children = [
    start("./sockets/bout-server.ts", [data], ["--import", watch]),
    start("./http/bare-server.ts"),
    start("./http/load.ts"),
  ] as const;
  const [server, bareServer, load] = children;
  try {
    const { baseUrl: bout } = await hear<{ baseUrl: string }>(server);
    console.log(
      `${values.stored} matches of ${values.bots} bots: kB; sent as often as a bare Fastify`,
    );
    console.log(
      `does (at least ${KEPT_AT_LEAST}); ms of the first making, its longest turn, a later`,
    );
    console.log(`making (at most ${MAKING_AT_MOST_MS}); makings a second while it is asked for:`);
    const all = await pagesOf(bout);
    const pages = all.filter(({ name }) => only === undefined || name === only);
    await quiet(server);
    const firsts: Making[] = [];
    for (const page of pages) firsts.push(await making({ bout, server }, page));
    bareServer.send(firsts.map(({ page }) => page));
    const { baseUrl: bare } = await hear<{ baseUrl: string }>(bareServer);
    const servers = { bout, bare, server, load };
    for (const [at, page] of pages.entries()) await measure(servers, page, firsts[at]!);
  } finally {
    for (const child of children) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
    if (kept === undefined) await rm(data, { recursive: true, force: true });
  }
}
