// Mixed traffic for a ladder with anonymous bots and accounts. Bots are fast, slow, late, silent or
// reconnecting. Players own bots, play human matches and read pages, while an operator works
// alongside.

import { setTimeout as sleep } from "node:timers/promises";

import type { WebSocket } from "ws";

import { assertDefined } from "#base/util/assert-defined.ts";

import { createAccountClient } from "./account-client.ts";
import { startHumanMatch } from "./human-match-client.ts";
import { QuickBot, registerQuickBots } from "./quick-bot.ts";
import type { ReceivedMatchEnd } from "./quick-bot.ts";

/** Number and think time of each kind of bot. Silent bots never respond. */
const BOT_GROUPS = [
  { prefix: "quick", count: 6, thinkMs: 0 },
  { prefix: "steady", count: 6, thinkMs: 60 },
  { prefix: "slow", count: 3, thinkMs: 700 },
  { prefix: "late", count: 2, thinkMs: 1300 },
  { prefix: "silent", count: 1, thinkMs: 3_600_000 },
] as const;
const RECONNECTING_BOTS = 4;
const ACCOUNT_OWNERS = 4;
const READER_COUNT = 4;
const READ_INTERVAL_MS = 400;
const POLL_INTERVAL_MS = 5000;
const HUMAN_TURN_MS = 200;

const PUBLIC_PATHS = [
  "/",
  "/ladder",
  "/ladders",
  "/results",
  "/achievements",
  "/create-bot",
  "/play",
  "/guide",
  "/guide/protocol",
  "/changelog",
  "/bot/house-kiter",
  "/bot/quick-0",
  "/account",
  "/admin",
  "/api",
  "/api/status",
  "/api/lobby",
  "/api/leaderboard",
  "/api/standings",
  "/api/matches?limit=50&stats=1",
  "/api/bots/house-champion",
  "/api/bots/quick-1/ratings",
  "/api/bots/steady-0/opponents",
  "/api/ladders",
  "/api/ladders/public/results",
  "/api/announcements",
  "/api/search?q=qu",
  "/openapi.json",
  "/llms.txt",
  "/healthz",
] as const;
const OPERATOR_PATHS = [
  "/api/admin/overview",
  "/api/admin/health",
  "/api/admin/metrics",
  "/api/admin/usage",
  "/api/admin/audit",
  "/api/admin/analytics",
  "/api/admin/emails",
  "/api/admin/accounts",
  "/api/admin/settings",
  "/api/admin/announcements",
  "/api/admin/ladders",
  "/api/admin/events",
] as const;

export const TRAFFIC_OPERATOR_EMAIL = "operator@bout.example";

type TimedRequest = { path: string; status: number; ms: number };

export type TrafficReport = {
  matchEnds: ReceivedMatchEnd[];
  requests: TimedRequest[];
  unexpectedAnswers: string[];
  humanMatches: number;
};

/**
 * Runs until `signal` aborts. Bots that don't reconnect keep playing until the server stops.
 * Rejects if a client can't connect at all.
 */
export async function runMixedTraffic(
  baseUrl: string,
  signal: AbortSignal,
): Promise<TrafficReport> {
  const report: TrafficReport = {
    matchEnds: [],
    requests: [],
    unexpectedAnswers: [],
    humanMatches: 0,
  };
  const told = (end: ReceivedMatchEnd) => void report.matchEnds.push(end);
  const sockets: WebSocket[] = [];
  for (const { prefix, count, thinkMs } of BOT_GROUPS) {
    const bots = await registerQuickBots(baseUrl, prefix, count, { thinkMs, onEnd: told });
    sockets.push(...(await Promise.all(bots.map((bot) => bot.play(baseUrl)))));
  }
  const reconnectingBots = await registerQuickBots(baseUrl, "restless", RECONNECTING_BOTS, {
    thinkMs: 30,
    onEnd: told,
  });
  await Promise.all([
    ...reconnectingBots.map((bot, number) =>
      reconnectRepeatedly(bot, baseUrl, 3000 * (number + 1), signal),
    ),
    ...startMany(ACCOUNT_OWNERS, (number) =>
      simulateOwner(baseUrl, number, sockets, report, signal),
    ),
    ...startMany(READER_COUNT, (number) => simulateReader(baseUrl, number, report, signal)),
    playHumanMatches(baseUrl, report, signal),
    simulateOperator(baseUrl, report, signal),
  ]);
  return report;
}

const startMany = (count: number, startOne: (number: number) => Promise<void>): Promise<void>[] =>
  Array.from({ length: count }, (_, number) => startOne(number));

/** Resolves early when the signal aborts, without throwing. */
const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

async function reconnectRepeatedly(
  bot: QuickBot,
  baseUrl: string,
  connectedMs: number,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const socket = await bot.play(baseUrl);
    await pause(connectedMs, signal);
    socket.terminate();
    await pause(connectedMs / 2, signal);
  }
}

async function simulateOwner(
  baseUrl: string,
  number: number,
  sockets: WebSocket[],
  { unexpectedAnswers, matchEnds }: TrafficReport,
  signal: AbortSignal,
): Promise<void> {
  const client = await createAccountClient(baseUrl);
  const token = await client.signUp(`holder-${number}@bout.example`);
  const ask = async (
    method: string,
    path: string,
    expectedStatuses: readonly number[],
    body?: object,
  ) => {
    const answer = await client.requestLadder(method, path, { token, ...(body && { body }) });
    if (!expectedStatuses.includes(answer.status))
      unexpectedAnswers.push(`${answer.status} ${method} ${path} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ask("PUT", "/api/account/handle", [200], { handle: `holder-${number}` });
  const createdBot = await ask("POST", "/api/account/bots", [201], { name: `held-${number}` });
  const options = { thinkMs: 40, onEnd: (end: ReceivedMatchEnd) => void matchEnds.push(end) };
  const bot = new QuickBot(`held-${number}`, String(createdBot["token"]), options);
  sockets.push(await bot.play(baseUrl));
  let name = `held-${number}`;
  for (let round = 0; !signal.aborted; round += 1) {
    await pause(POLL_INTERVAL_MS, signal);
    await ask("GET", "/api/account", [200]);
    const nextName = `held-${number}-${round % 2}`;
    const path = `/api/account/bots/${name}/name`;
    const renameResult = await ask("PUT", path, [200, 409], { name: nextName });
    if (renameResult["name"] === nextName) name = nextName;
  }
}

async function simulateReader(
  baseUrl: string,
  first: number,
  report: TrafficReport,
  signal: AbortSignal,
) {
  for (let round = first; !signal.aborted; round += 1) {
    const path = assertDefined(PUBLIC_PATHS[(round * 7) % PUBLIC_PATHS.length], "page");
    await timedGet(baseUrl, path, report);
    const matches = `/api/matches?limit=1`;
    if (round % 10 === 0) await readNewestMatch(baseUrl, matches, report);
    await pause(READ_INTERVAL_MS, signal);
  }
}

async function readNewestMatch(
  baseUrl: string,
  matches: string,
  report: TrafficReport,
): Promise<void> {
  const [newest] = (await (await fetch(baseUrl + matches)).json()) as { id: string }[];
  if (newest === undefined) return;
  for (const path of [
    `/match/${newest.id}`,
    `/api/matches/${newest.id}`,
    `/api/matches/${newest.id}/stats`,
    `/replays/${newest.id}.jsonl.gz`,
  ])
    await timedGet(baseUrl, path, report);
}

async function timedGet(
  baseUrl: string,
  path: string,
  { requests }: TrafficReport,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const startTime = performance.now();
  const response = await fetch(baseUrl + path, { headers });
  await response.arrayBuffer();
  requests.push({ path, status: response.status, ms: performance.now() - startTime });
}

async function playHumanMatches(baseUrl: string, report: TrafficReport, signal: AbortSignal) {
  while (!signal.aborted) {
    const { page } = await startHumanMatch(baseUrl, "ts-starter");
    page.send({ type: "ready" });
    let tick = 0;
    page.socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; tick: number };
      if (message.type === "observation") ({ tick } = message);
      if (message.type === "end") report.humanMatches += 1;
    });
    while (!signal.aborted && page.socket.readyState === page.socket.OPEN) {
      page.send({ type: "turn", tick, move: "n" });
      await pause(HUMAN_TURN_MS, signal);
    }
    page.socket.terminate();
    // Each player may start only a few human matches per minute.
    await pause(POLL_INTERVAL_MS, signal);
  }
}

async function simulateOperator(
  baseUrl: string,
  report: TrafficReport,
  signal: AbortSignal,
): Promise<void> {
  const client = await createAccountClient(baseUrl);
  const token = await client.signUp(TRAFFIC_OPERATOR_EMAIL);
  const draft = { title: "An evening", body: "Good bouts, all.", in_game: true, email: false };
  const path = "/api/admin/announcements";
  const { body } = await client.requestLadder("POST", `${path}/preview`, { token, body: draft });
  const { status } = await client.requestLadder("POST", `${path}/${String(body["id"])}/publish`, {
    token,
  });
  if (status !== 200) report.unexpectedAnswers.push(`${status} publishing ${JSON.stringify(body)}`);
  const headers = { Authorization: `Bearer ${token}` };
  while (!signal.aborted) {
    for (const operatorPath of OPERATOR_PATHS)
      await timedGet(baseUrl, operatorPath, report, headers);
    await pause(POLL_INTERVAL_MS, signal);
  }
}
