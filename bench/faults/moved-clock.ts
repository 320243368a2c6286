// T45, T46: the wall clock of an active ladder jumps 40 days ahead and an hour back, then a month
// ends during matches. Run by hand, on Debian with the package libfaketime. No tick may fail because
// of it, each season closes once, each match counts in the month in which it started, and frozen
// standings never change.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Match } from "#core/resources/match.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson } from "#testing/harness/duel.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { allMatches } from "#testing/harness/told-ends.ts";

import { pause } from "../sockets/children.ts";

const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const BOTS = 8;
/** Long enough that most matches are under way when the clock moves. */
const THINK_MS = 40;
const PLAY_MS = 20_000;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
/** How long before the end of a month the clock is set. */
const BEFORE_MIDNIGHT_S = 8;

type Season = { id: string; state: string };
type Played = { ends: number; failedTicks: Record<string, number> };

/** Bots that play forever; what they are told at the ends is summed up. */
async function play(baseUrl: string): Promise<Played> {
  const played: Played = { ends: 0, failedTicks: {} };
  for (let number = 0; number < BOTS; number += 1) {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, `bot-${number}`));
    bot.socket.on("message", (data) =>
      answer(bot, JSON.parse((data as Buffer).toString()) as Heard, played),
    );
    bot.queue();
  }
  return played;
}

function answer(bot: BotClient, message: Heard, played: Played): void {
  if (message.type === "hello") bot.say({ type: "ready" });
  if (message.type === "observation")
    setTimeout(() => bot.say({ type: "turn", tick: message.tick }), THINK_MS);
  if (message.type !== "end") return;
  played.ends += 1;
  const { fighters } = message.stats as { fighters: { server_idles: Record<string, number> }[] };
  for (const { server_idles } of fighters)
    for (const [reason, count] of Object.entries(server_idles))
      played.failedTicks[reason] = (played.failedTicks[reason] ?? 0) + count;
  bot.queue();
}

/** Seconds from the real time to shortly before the first month change after a given moment. */
function untilMonthEnds(from: Date): number {
  const next = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1);
  return next / 1000 - BEFORE_MIDNIGHT_S - Date.now() / 1000;
}

/** The result of an archived season, as the API shows it. */
const standings = async (baseUrl: string, id: string): Promise<string> =>
  JSON.stringify(await getJson(baseUrl, `/api/seasons/${id}`));

async function look(baseUrl: string, what: string, { ends, failedTicks }: Played): Promise<void> {
  const seasons = await getJson<Season[]>(baseUrl, "/api/seasons");
  const states = seasons.map(({ id, state }) => `${id} ${state}`).join(", ");
  const failed = JSON.stringify(failedTicks);
  console.log(`${what}: ${ends} ends heard, failed ticks ${failed}, seasons ${states}`);
  const [live, ...others] = seasons;
  assert.equal(live!.state, "live");
  assert.ok(others.every(({ state }) => state === "archived"));
  assert.ok(Object.values(failedTicks).every((count) => count === 0));
}

/** Each season's list has the matches that started in its month, and every match is in a list. */
async function checkMonths(baseUrl: string): Promise<void> {
  let listed = 0;
  let across = 0;
  for (const { id } of await getJson<Season[]>(baseUrl, "/api/seasons")) {
    const matches = await getJson<Match[]>(baseUrl, `/api/matches?limit=500&season=${id}`);
    assert.ok(matches.every(({ started }) => started?.startsWith(id) === true));
    listed += matches.length;
    across += matches.filter(({ ended }) => !ended.startsWith(id)).length;
  }
  const stored = (await allMatches(baseUrl)).length;
  console.log(
    `${listed} of ${stored} matches are in the season of the month they started in, ` +
      `${across} of them ended in the next`,
  );
  assert.equal(listed, stored);
  assert.ok(across > 0);
}

async function moveClocks(baseUrl: string, setOffset: (seconds: number) => void): Promise<void> {
  const played = await play(baseUrl);
  await pause(PLAY_MS);
  await look(baseUrl, "before", played);
  for (const [what, offset] of [
    ["40 days ahead", 40 * DAY_S],
    ["an hour back", 40 * DAY_S - HOUR_S],
  ] as const) {
    const { ends } = played;
    setOffset(offset);
    await pause(PLAY_MS);
    await look(baseUrl, what, played);
    assert.ok(played.ends > ends, "play goes on");
  }
  const moved = new Date(Date.now() + 40 * DAY_S * 1000);
  const { id: ending } = (await getJson<Season[]>(baseUrl, "/api/seasons"))[0]!;
  setOffset(untilMonthEnds(moved));
  await pause(PLAY_MS);
  await look(baseUrl, "a month ended", played);
  const frozen = await standings(baseUrl, ending);
  await pause(PLAY_MS);
  assert.equal(await standings(baseUrl, ending), frozen);
  console.log(`the standings of ${ending}, ${frozen.length} characters, did not change again`);
  await checkMonths(baseUrl);
}

const folder = await temporaryFolder();
const clockFile = join(folder.path, "clock");
const setOffset = (seconds: number) =>
  writeFileSync(clockFile, `${seconds >= 0 ? "+" : ""}${seconds}`);
setOffset(0);
Object.assign(process.env, {
  LD_PRELOAD: LIBRARY,
  FAKETIME_TIMESTAMP_FILE: clockFile,
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
  FAKETIME_CACHE_DURATION: "1",
});
const ladder = await spawnLadder(join(folder.path, "ladder"));
try {
  await moveClocks(ladder.baseUrl, setOffset);
} finally {
  ladder.child.kill("SIGKILL");
  await ladder.exited;
  await folder.remove();
}
process.exit();
