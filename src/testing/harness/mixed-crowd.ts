// An ordinary evening's crowd for a ladder with anonymous bots and accounts: bots that are quick,
// slow, late, silent or come and go, people with accounts, people who fight by hand, readers, and
// an operator.

import { setTimeout as sleep } from "node:timers/promises";

import type { WebSocket } from "ws";

import { sure } from "#base/units/sure.ts";

import { personAt } from "./account-client.ts";
import { challenge } from "./challenger.ts";
import { QuickBot, registerQuickBots } from "./quick-bot.ts";
import type { ToldEnd } from "./quick-bot.ts";

/** How many of each kind, and how long they think. A silent one never answers. */
const KINDS = [
  { prefix: "quick", count: 6, thinkMs: 0 },
  { prefix: "steady", count: 6, thinkMs: 60 },
  { prefix: "slow", count: 3, thinkMs: 700 },
  { prefix: "late", count: 2, thinkMs: 1300 },
  { prefix: "silent", count: 1, thinkMs: 3_600_000 },
] as const;
const RESTLESS = 4;
const HOLDERS = 4;
const READERS = 4;
const READ_EVERY_MS = 400;
const LOOK_EVERY_MS = 5000;
const HAND_MS = 200;

const PUBLIC = [
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
const OPERATORS = [
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

export const OPERATOR = "operator@bout.example";

type Asked = { path: string; status: number; ms: number };

export type CrowdReport = {
  ends: ToldEnd[];
  asked: Asked[];
  /** What people did that was answered otherwise than it should have been. */
  odd: string[];
  /** Fights by hand that were played to their end. */
  fights: number;
};

/**
 * Until the signal; the bots that do not come and go play on for as long as the server does. Rejects
 * if somebody cannot come in at all.
 */
export async function mixedCrowd(baseUrl: string, signal: AbortSignal): Promise<CrowdReport> {
  const report: CrowdReport = { ends: [], asked: [], odd: [], fights: 0 };
  const told = (end: ToldEnd) => void report.ends.push(end);
  const sockets: WebSocket[] = [];
  for (const { prefix, count, thinkMs } of KINDS) {
    const bots = await registerQuickBots(baseUrl, prefix, count, { thinkMs, told });
    sockets.push(...(await Promise.all(bots.map((bot) => bot.play(baseUrl)))));
  }
  const restless = await registerQuickBots(baseUrl, "restless", RESTLESS, { thinkMs: 30, told });
  await Promise.all([
    ...restless.map((bot, number) => comeAndGo(bot, baseUrl, 3000 * (number + 1), signal)),
    ...each(HOLDERS, (number) => hold(baseUrl, number, sockets, report, signal)),
    ...each(READERS, (number) => read(baseUrl, number, report, signal)),
    fightByHand(baseUrl, report, signal),
    operate(baseUrl, report, signal),
  ]);
  return report;
}

const each = (count: number, run: (number: number) => Promise<void>): Promise<void>[] =>
  Array.from({ length: count }, (_, number) => run(number));

/** Resolves early, without an error, when the time is over. */
const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

async function comeAndGo(bot: QuickBot, baseUrl: string, stayMs: number, signal: AbortSignal) {
  while (!signal.aborted) {
    const socket = await bot.play(baseUrl);
    await pause(stayMs, signal);
    socket.terminate();
    await pause(stayMs / 2, signal);
  }
}

/** Somebody with an account: a handle, a bot that plays, another name for it now and then. */
async function hold(
  baseUrl: string,
  number: number,
  sockets: WebSocket[],
  { odd, ends }: CrowdReport,
  signal: AbortSignal,
): Promise<void> {
  const client = await personAt(baseUrl);
  const token = await client.enter(`holder-${number}@bout.example`);
  const ask = async (method: string, path: string, wanted: readonly number[], body?: object) => {
    const answer = await client.ladder(method, path, { token, ...(body && { body }) });
    if (!wanted.includes(answer.status))
      odd.push(`${answer.status} ${method} ${path} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await ask("PUT", "/api/account/handle", [200], { handle: `holder-${number}` });
  const made = await ask("POST", "/api/account/bots", [201], { name: `held-${number}` });
  const options = { thinkMs: 40, told: (end: ToldEnd) => void ends.push(end) };
  const bot = new QuickBot(`held-${number}`, String(made["token"]), options);
  sockets.push(await bot.play(baseUrl));
  let name = `held-${number}`;
  for (let turn = 0; !signal.aborted; turn += 1) {
    await pause(LOOK_EVERY_MS, signal);
    await ask("GET", "/api/account", [200]);
    const next = `held-${number}-${turn % 2}`;
    const path = `/api/account/bots/${name}/name`;
    const renamed = await ask("PUT", path, [200, 409], { name: next });
    if (renamed["name"] === next) name = next;
  }
}

async function read(baseUrl: string, first: number, report: CrowdReport, signal: AbortSignal) {
  for (let turn = first; !signal.aborted; turn += 1) {
    const path = sure(PUBLIC[(turn * 7) % PUBLIC.length], "page");
    await ask(baseUrl, path, report);
    const matches = `/api/matches?limit=1`;
    if (turn % 10 === 0) await readNewest(baseUrl, matches, report);
    await pause(READ_EVERY_MS, signal);
  }
}

/** The newest match: its page, its data and its replay. */
async function readNewest(baseUrl: string, matches: string, report: CrowdReport): Promise<void> {
  const [newest] = (await (await fetch(baseUrl + matches)).json()) as { id: string }[];
  if (newest === undefined) return;
  for (const path of [
    `/match/${newest.id}`,
    `/api/matches/${newest.id}`,
    `/api/matches/${newest.id}/stats`,
    `/replays/${newest.id}.jsonl.gz`,
  ])
    await ask(baseUrl, path, report);
}

async function ask(
  baseUrl: string,
  path: string,
  { asked }: CrowdReport,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const from = performance.now();
  const response = await fetch(baseUrl + path, { headers });
  await response.arrayBuffer();
  asked.push({ path, status: response.status, ms: performance.now() - from });
}

async function fightByHand(baseUrl: string, report: CrowdReport, signal: AbortSignal) {
  while (!signal.aborted) {
    const { page } = await challenge(baseUrl, "ts-starter");
    page.say({ type: "ready" });
    let tick = 0;
    page.socket.on("message", (data: Buffer) => {
      const said = JSON.parse(data.toString()) as { type: string; tick: number };
      if (said.type === "observation") ({ tick } = said);
      if (said.type === "end") report.fights += 1;
    });
    while (!signal.aborted && page.socket.readyState === page.socket.OPEN) {
      page.say({ type: "turn", tick, move: "n" });
      await pause(HAND_MS, signal);
    }
    page.socket.terminate();
    // A person may start a few fights a minute.
    await pause(LOOK_EVERY_MS, signal);
  }
}

async function operate(baseUrl: string, report: CrowdReport, signal: AbortSignal): Promise<void> {
  const client = await personAt(baseUrl);
  const token = await client.enter(OPERATOR);
  const draft = { title: "An evening", body: "Good bouts, all.", in_game: true, email: false };
  const path = "/api/admin/announcements";
  const { body } = await client.ladder("POST", `${path}/preview`, { token, body: draft });
  const { status } = await client.ladder("POST", `${path}/${String(body["id"])}/publish`, {
    token,
  });
  if (status !== 200) report.odd.push(`${status} publishing ${JSON.stringify(body)}`);
  const headers = { Authorization: `Bearer ${token}` };
  while (!signal.aborted) {
    for (const operators of OPERATORS) await ask(baseUrl, operators, report, headers);
    await pause(LOOK_EVERY_MS, signal);
  }
}
