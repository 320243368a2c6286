import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";

import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import type { MatchStats, Replay } from "#core/engine/types.ts";
import type { Limits } from "#core/limits/limits.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";

import { BotClient, registerBot } from "./bot-client.ts";
import { startLadder } from "./test-server.ts";
import type { TestLadder } from "./test-server.ts";

type SuiteHooks = { after(call: () => Promise<void>): void };

/** Serves a ladder with these flags until the suite ends. Matches still running are abandoned. */
export async function startSuiteLadder(
  hooks: SuiteHooks,
  flags: readonly string[] = [],
  limits: Partial<Limits> = {},
): Promise<TestLadder> {
  const ladder = await startLadder(["--drain-timeout", "0", ...flags], limits);
  hooks.after(ladder.close);
  return ladder;
}

export type TestMatch = {
  bot: BotClient;
  token: string;
  hello: SocketMessage;
  opponent: BotClient;
};

export type TestMatches = {
  readonly ladder: TestLadder;
  /**
   * Registers, connects and queues a bot, and assigns the next opponent. Safe to call concurrently.
   */
  startMatch(name: string): Promise<TestMatch>;
};

/**
 * Opens a ladder on which concurrent tests never meet: all their bots share one owner, and all
 * opponents share another. Supports up to 5 pairs, the number of bots per owner.
 */
export async function openTestMatches(
  hooks: SuiteHooks,
  flags: readonly string[] = [],
): Promise<TestMatches> {
  const ladder = await startSuiteLadder(hooks, flags);
  const { baseUrl } = ladder;
  const opponents = new Map<string, BotClient>();

  async function connectBot(name: string, owner: string): Promise<[BotClient, string]> {
    const token = await registerBot(baseUrl, name, owner);
    return [await BotClient.connect(baseUrl, token), token];
  }

  async function startMatch(name: string): Promise<TestMatch> {
    const opponentName = `${name}-opponent`;
    const [opponent] = await connectBot(opponentName, "sparring");
    opponents.set(opponentName, opponent);
    const [bot, token] = await connectBot(name, "tested");
    for (const client of [opponent, bot]) client.queue();
    const hello = await bot.waitFor("hello");
    return { bot, token, hello, opponent: opponents.get(opponentNameOf(hello))! };
  }

  return { ladder, startMatch };
}

const opponentNameOf = (hello: SocketMessage): string => (hello.opponent as { name: string }).name;

/** Sends `ready` for both bots, which starts the first tick. */
export function sendReady(...bots: BotClient[]): void {
  for (const bot of bots) bot.send({ type: "ready" });
}

/** Responds to the latest observation and all later ones. */
export function playFromNow(bot: BotClient): void {
  bot.autoplay();
  for (const observation of bot.messages.filter(({ type }) => type === "observation").slice(-1))
    bot.send({ type: "turn", tick: observation.tick });
}

export async function getJson<T>(baseUrl: string, path: string): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

/**
 * Returns a stored match's replay. Asserts that simulating it gives the same result and statistics.
 */
export async function fetchVerifiedReplay(baseUrl: string, end: SocketMessage): Promise<Replay> {
  const response = await fetch(`${baseUrl}/replays/${String(end.match_id)}.jsonl.gz`);
  assert.equal(response.status, 200);
  const replay = parseReplay(gunzipSync(await response.bytes()).toString());
  if ("error" in replay) throw new Error(replay.error);
  const resimulation = resimulate(replay);
  assert.equal(resimulation.ok, true, JSON.stringify(resimulation));
  // A void match has no statistics, even though they could be computed from its turns.
  if (end.voided !== true) assert.deepEqual(statsOfReplay(replay), end.stats);
  return replay;
}

export function fighterStatsOf(
  end: SocketMessage,
  hello: SocketMessage,
): MatchStats["fighters"][number] {
  return (end.stats as MatchStats).fighters.find(({ id }) => id === hello.fighter)!;
}
