// A ladder with two bots on it, for tests over real sockets.

import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";

import { resimulate, statsOfReplay } from "#core/engine/replay.ts";
import type { MatchStats, Replay } from "#core/engine/types.ts";
import { parseReplay } from "#core/replay/replay.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";

import { BotClient, register } from "./bot-client.ts";
import { startLadder } from "./test-server.ts";
import type { TestLadder } from "./test-server.ts";

/** Where a suite's hooks are registered. */
type Hooks = { after(call: () => Promise<void>): void };

/** Serves with these flags until the suite ends; a match still running then is abandoned. */
export async function ladderFor(
  hooks: Hooks,
  flags: readonly string[] = [],
  limits: Partial<Limits> = {},
): Promise<TestLadder> {
  const ladder = await startLadder(["--drain-timeout", "0", ...flags], limits);
  hooks.after(ladder.close);
  return ladder;
}

/** A bot of a test and its opponent. Who meets whom is the matchmaker's choice. */
export type Duel = {
  bot: BotClient;
  token: string;
  hello: Heard;
  opponent: BotClient;
};

export type Ring = {
  readonly ladder: TestLadder;
  /**
   * Registers a bot, connects and queues it, and gives it the next opponent. Safe to call
   * concurrently.
   */
  enter(name: string): Promise<Duel>;
};

/**
 * A ladder on which concurrent tests play without meeting each other: their bots have one owner,
 * and their opponents another. At most five duels, since an owner may not have more bots.
 */
export async function openRing(hooks: Hooks, flags: readonly string[] = []): Promise<Ring> {
  const ladder = await ladderFor(hooks, flags);
  const { baseUrl } = ladder;
  const opponents = new Map<string, BotClient>();

  async function connected(name: string, owner: string): Promise<[BotClient, string]> {
    const token = await register(baseUrl, name, owner);
    return [await BotClient.connect(baseUrl, token), token];
  }

  async function enter(name: string): Promise<Duel> {
    const sparring = `${name}-opponent`;
    const [opponent] = await connected(sparring, "sparring");
    opponents.set(sparring, opponent);
    const [bot, token] = await connected(name, "tested");
    for (const each of [opponent, bot]) each.queue();
    const hello = await bot.next("hello");
    return { bot, token, hello, opponent: opponents.get(opponentIn(hello))! };
  }

  return { ladder, enter };
}

const opponentIn = (hello: Heard): string => (hello.opponent as { name: string }).name;

/** Both say ready, so the first tick opens. */
export function ready(...bots: BotClient[]): void {
  for (const bot of bots) bot.say({ type: "ready" });
}

/** Answers the latest observation, and every later one. */
export function playOn(bot: BotClient): void {
  bot.autoplay();
  for (const seen of bot.heard.filter(({ type }) => type === "observation").slice(-1))
    bot.say({ type: "turn", tick: seen.tick });
}

export async function getJson<T>(baseUrl: string, path: string): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`);
  assert.equal(response.status, 200, path);
  return (await response.json()) as T;
}

/**
 * A stored match's replay. It simulates to what it says, and its statistics are those the match
 * reported.
 */
export async function replayOf(baseUrl: string, end: Heard): Promise<Replay> {
  const response = await fetch(`${baseUrl}/replays/${String(end.match_id)}.jsonl.gz`);
  assert.equal(response.status, 200);
  const replay = parseReplay(gunzipSync(await response.bytes()).toString());
  if ("error" in replay) throw new Error(replay.error);
  const played = resimulate(replay);
  assert.equal(played.ok, true, JSON.stringify(played));
  // A void match has no statistics, though its turns would give some.
  if (end.voided !== true) assert.deepEqual(statsOfReplay(replay), end.stats);
  return replay;
}

/** The fighter's part of the statistics in an `end`. */
export function statsIn(end: Heard, hello: Heard): MatchStats["fighters"][number] {
  return (end.stats as MatchStats).fighters.find(({ id }) => id === hello.fighter)!;
}
