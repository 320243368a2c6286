import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { LeaderboardRow } from "#core/api/ladder.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import {
  PROTOCOL_PAGES,
  blockWithInfo,
  readJoinedPages,
  readDocPage,
} from "#testing/fixtures/doc-page.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { getJson } from "#testing/harness/test-match.ts";
import { startLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import { TEMPERS, createBot } from "#tools/starters/starter.ts";

const BOT_NAME = "by-the-page";
/** Enough opponents of each type that the bot doesn't have to wait for a rematch. */
const OPPONENTS = 17;
const POLL_MS = 50;
const HANG_TIMEOUT_MS = 240_000;

// Waves are more frequent than in production. All opponents have the same owner, so they are paired
// only with the bot.
const limits = { wave_every_s: 0.25, bots_per_owner: 2 * OPPONENTS };
const folder = await createTemporaryFolder();
const ladder = await startLadder(["--drain-timeout", "0"], limits);
const { baseUrl } = ladder;
after(async () => {
  await ladder.close();
  await folder.remove();
});

const protocol = readJoinedPages(PROTOCOL_PAGES);
const example = (type: string) => JSON.parse(blockWithInfo(protocol, type)) as object;

type Hello = Parameters<typeof createBot>[0];
type BotObservation = Parameters<ReturnType<typeof createBot>["turn"]>[0];
type TurnFunction = (observation: SocketMessage, hello: SocketMessage) => object;

/** Turns exactly as shown on the protocol page, except for the tick. */
const exampleMoves = example("turn") as object[];
const exampleTurns: TurnFunction = ({ tick }) => exampleMoves[Number(tick) % exampleMoves.length]!;

/**
 * Turns of an opponent that beats the bot. Losses keep the bot's rating close to its opponents'
 * ratings.
 */
const starterTurns = (temper: string): TurnFunction => {
  return (observation, { map }) =>
    createBot({ map } as Hello, temper).turn(observation as unknown as BotObservation);
};

async function openOpponent(name: string, turnFunction: TurnFunction): Promise<void> {
  const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, name, "opponents"));
  const queue = example("queue");
  let hello: SocketMessage;
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as SocketMessage;
    const { type, tick, match_id } = message;
    if (type === "hello") {
      hello = message;
      bot.send({ ...example("ready"), match_id });
    }
    if (type === "observation") bot.send({ type: "turn", ...turnFunction(message, hello), tick });
    if (type === "end") bot.send(queue);
    bot.messages.length = 0;
  });
  bot.send(queue);
}

async function openOpponents(): Promise<void> {
  const tempers = Object.keys(TEMPERS);
  for (let number = 0; number < OPPONENTS; number += 1) {
    await openOpponent(`example-${number}`, exampleTurns);
    await openOpponent(`starter-${number}`, starterTurns(tempers[number % tempers.length]!));
  }
}

async function startBot(): Promise<() => Promise<void>> {
  const cwd = join(folder.path, BOT_NAME);
  await mkdir(cwd);
  const registration = await fetch(`${baseUrl}/api/bots`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: BOT_NAME }),
  });
  await writeFile(join(cwd, "bot.json"), await registration.text());
  await writeFile(join(cwd, "bot.mjs"), blockWithInfo(readDocPage("quick-start-bots"), "bot.mjs"));
  const child = spawn(process.execPath, ["bot.mjs"], { cwd, stdio: "ignore" });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return async () => {
    child.kill();
    await exited;
  };
}

const countGames = ({ wins, losses, draws }: Pick<LeaderboardRow, "wins" | "losses" | "draws">) =>
  wins + losses + draws;

type BotPage = {
  versions: (Pick<LeaderboardRow, "wins" | "losses" | "draws"> & { rank: number | null })[];
};

/**
 * Returns the bot's number of rated games and its leaderboard row. The row is read after the
 * number.
 */
async function readStanding(): Promise<{ games: number; row: LeaderboardRow | undefined }> {
  const { versions } = await getJson<BotPage>(baseUrl, `/api/bots/${BOT_NAME}`);
  const rows = await getJson<LeaderboardRow[]>(baseUrl, "/api/leaderboard");
  const games = versions.map(countGames).reduce((sum, count) => sum + count, 0);
  return { games, row: rows.find(({ name }) => name === BOT_NAME) };
}

test(
  "a bot built from the docs queues, plays and is ranked after exactly thirty games",
  { timeout: HANG_TIMEOUT_MS },
  async (context) => {
    await openOpponents();
    const stop = await startBot();
    context.after(stop);
    const unranked = new Set<number>();
    let { games, row } = await readStanding();
    for (; row === undefined; { games, row } = await readStanding()) {
      assert.ok(games < DEFAULT_LIMITS.qualifying_games, `${games} games and no rank`);
      unranked.add(games);
      await sleep(POLL_MS);
    }
    context.diagnostic(`${countGames(row)} games: ${JSON.stringify(row)}`);
    assert.ok(countGames(row) >= DEFAULT_LIMITS.qualifying_games);
    assert.equal(row.rank, 1);
    assert.ok(unranked.size > DEFAULT_LIMITS.qualifying_games / 2, "it was observed throughout");
    const { versions } = await getJson<BotPage>(baseUrl, `/api/bots/${BOT_NAME}`);
    assert.equal(versions[0]!.rank, 1);
  },
);
