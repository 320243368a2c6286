// A ladder with two bots on it, for tests over real sockets.

import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";

import { resimulate, statsOfReplay } from "#engine/replay.ts";
import type { MatchStats, Replay } from "#engine/types.ts";
import { parseReplay } from "#protocol/replay.ts";

import { BotClient, register } from "./bot-client.ts";
import { startLadder } from "./ladder.ts";
import type { TestLadder } from "./ladder.ts";
import type { Heard } from "./message-check.ts";

export type Duel = {
  ladder: TestLadder;
  tokens: readonly [string, string];
  alpha: BotClient;
  beta: BotClient;
};

/** What a test context offers for tidying up. */
type Context = { after(call: () => Promise<void>): void };

/** Serves with these flags until the test is over; a match that still runs then is abandoned. */
export async function ladderFor(
  context: Context,
  flags: readonly string[] = [],
): Promise<TestLadder> {
  const ladder = await startLadder(["--drain-timeout", "0", ...flags]);
  context.after(ladder.close);
  return ladder;
}

/** Two bots of two owners, connected. */
export async function duelFor(context: Context, flags: readonly string[] = []): Promise<Duel> {
  const ladder = await ladderFor(context, flags);
  const { baseUrl } = ladder;
  const tokens = [await register(baseUrl, "alpha"), await register(baseUrl, "beta")] as const;
  const [alpha, beta] = await Promise.all(tokens.map((token) => BotClient.connect(baseUrl, token)));
  return { ladder, tokens, alpha, beta };
}

/** Both queue, and meet: their hellos. */
export async function meet(...bots: BotClient[]): Promise<Heard[]> {
  for (const bot of bots) bot.queue();
  return Promise.all(bots.map((bot) => bot.next("hello")));
}

/** Both have met and said ready: the match plays, its first tick is open. */
export async function begin(...bots: BotClient[]): Promise<Heard[]> {
  const hellos = await meet(...bots);
  for (const bot of bots) bot.say({ type: "ready" });
  return hellos;
}

/** Plays from this observation on, and every later one. */
export async function playOn(bot: BotClient): Promise<void> {
  bot.autoplay();
  for (const seen of bot.heard.filter(({ type }) => type === "observation").slice(-1))
    bot.say({ type: "turn", tick: seen.tick });
}

export async function getJson<T>(baseUrl: string, path: string): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

/** A stored match's replay, which simulates to what it says and counts to what the match told. */
export async function replayOf(baseUrl: string, end: Heard): Promise<Replay> {
  const response = await fetch(`${baseUrl}/replays/${String(end.match_id)}.jsonl.gz`);
  assert.equal(response.status, 200);
  const replay = parseReplay(gunzipSync(await response.bytes()).toString());
  if ("error" in replay) throw new Error(replay.error);
  const played = resimulate(replay);
  assert.equal(played.ok, true, JSON.stringify(played));
  assert.deepEqual(statsOfReplay(replay), end.stats);
  return replay;
}

/** The fighter's part of the statistics in an `end`. */
export function statsIn(end: Heard, hello: Heard): MatchStats["fighters"][number] {
  return (end.stats as MatchStats).fighters.find(({ id }) => id === hello.fighter)!;
}
