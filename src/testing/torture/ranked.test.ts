import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import type { LeaderboardRow } from "#core/resources/ladder.ts";
import { LIMITS } from "#core/words/limits.ts";
import { PROTOCOL_PAGES, blockOf, joinedPage, pageOf } from "#testing/fixtures/doc-page.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson } from "#testing/harness/duel.ts";
import { startLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { TEMPERS, createBot } from "#tools/starters/starter.ts";

const NAME = "by-the-page";
/** Of each kind: enough that the bot need not wait until it may meet one again. */
const OPPONENTS = 17;
const LOOK_EVERY_MS = 50;
/** Thirty games never take this long; a test that waits for one in vain must end. */
const HANG_MS = 240_000;

// Waves are more frequent than on a real ladder. The opponents have one owner, so they meet only
// the bot.
const limits = { wave_every_s: 0.25, bots_per_owner: 2 * OPPONENTS };
const folder = await temporaryFolder();
const ladder = await startLadder(["--drain-timeout", "0"], limits);
const { baseUrl } = ladder;
after(async () => {
  await ladder.close();
  await folder.remove();
});

const protocol = joinedPage(PROTOCOL_PAGES);
const example = (type: string) => JSON.parse(blockOf(protocol, type)) as object;

type Hello = Parameters<typeof createBot>[0];
type Seen = Parameters<ReturnType<typeof createBot>["turn"]>[0];
type Play = (observation: Heard, hello: Heard) => object;

/** Sends exactly what the protocol page shows, except for the tick. */
const turns = example("turn") as object[];
const byExample: Play = ({ tick }) => turns[Number(tick) % turns.length]!;

/** An opponent to lose to, so that the bot's rating stays near those of its opponents. */
const starting = (temper: string): Play => {
  return (observation, { map }) =>
    createBot({ map } as Hello, temper).turn(observation as unknown as Seen);
};

/** Queues with the page's own words, and keeps playing. */
async function openOpponent(name: string, play: Play): Promise<void> {
  const bot = await BotClient.connect(baseUrl, await register(baseUrl, name, "opponents"));
  const queue = example("queue");
  let hello: Heard;
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Heard;
    const { type, tick, match_id } = message;
    if (type === "hello") {
      hello = message;
      bot.say({ ...example("ready"), match_id });
    }
    if (type === "observation") bot.say({ type: "turn", ...play(message, hello), tick });
    if (type === "end") bot.say(queue);
    bot.heard.length = 0;
  });
  bot.say(queue);
}

async function openOpponents(): Promise<void> {
  const tempers = Object.keys(TEMPERS);
  for (let number = 0; number < OPPONENTS; number += 1) {
    await openOpponent(`example-${number}`, byExample);
    await openOpponent(`starter-${number}`, starting(tempers[number % tempers.length]!));
  }
}

/** Registers and starts the bot of the quick start's page, unchanged. */
async function startBot(): Promise<() => Promise<void>> {
  const cwd = join(folder.path, NAME);
  await mkdir(cwd);
  const registration = await fetch(`${baseUrl}/api/bots`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: NAME }),
  });
  await writeFile(join(cwd, "bot.json"), await registration.text());
  await writeFile(join(cwd, "bot.mjs"), blockOf(pageOf("quick-start-bots"), "bot.mjs"));
  const child = spawn(process.execPath, ["bot.mjs"], { cwd, stdio: "ignore" });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return async () => {
    child.kill();
    await exited;
  };
}

const gamesOf = ({ wins, losses, draws }: Pick<LeaderboardRow, "wins" | "losses" | "draws">) =>
  wins + losses + draws;

type BotPage = {
  versions: (Pick<LeaderboardRow, "wins" | "losses" | "draws"> & { rank: number | null })[];
};

/** Games so far, and the row once there is one. The row is requested after the games. */
async function standing(): Promise<{ games: number; row: LeaderboardRow | undefined }> {
  const { versions } = await getJson<BotPage>(baseUrl, `/api/bots/${NAME}`);
  const rows = await getJson<LeaderboardRow[]>(baseUrl, "/api/leaderboard");
  const games = versions.map(gamesOf).reduce((sum, count) => sum + count, 0);
  return { games, row: rows.find(({ name }) => name === NAME) };
}

test(
  "a bot that says what the pages say is queued, fights, and is ranked after thirty games, not before",
  { timeout: HANG_MS },
  async (context) => {
    await openOpponents();
    const stop = await startBot();
    context.after(stop);
    const unranked = new Set<number>();
    let { games, row } = await standing();
    for (; row === undefined; { games, row } = await standing()) {
      assert.ok(games < LIMITS.qualifying_games, `${games} games and no rank`);
      unranked.add(games);
      await sleep(LOOK_EVERY_MS);
    }
    context.diagnostic(`${gamesOf(row)} games: ${JSON.stringify(row)}`);
    assert.ok(gamesOf(row) >= LIMITS.qualifying_games);
    assert.equal(row.rank, 1);
    assert.ok(unranked.size > LIMITS.qualifying_games / 2, "it was looked at all the way");
    const { versions } = await getJson<BotPage>(baseUrl, `/api/bots/${NAME}`);
    assert.equal(versions[0]!.rank, 1);
  },
);
