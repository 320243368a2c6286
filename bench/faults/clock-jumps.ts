// T45, T46: the wall clock of an active ladder jumps 40 days ahead and an hour back, then a month
// ends while matches run. Checks that the jumps cause no failed ticks, that each season closes
// once, that each match counts in the month in which it started, and that frozen standings never
// change. Run manually, on Debian with the libfaketime package.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Match } from "#core/api/match.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { fetchAllMatches } from "#testing/harness/stored-match-checks.ts";
import { getJson } from "#testing/harness/test-match.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

import { pause } from "../sockets/children.ts";

const FAKETIME_LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const BOTS = 8;
/** Long enough that most matches are in progress when the clock changes. */
const THINK_MS = 40;
const PHASE_MS = 20_000;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const BEFORE_MIDNIGHT_S = 8;

type Season = { id: string; state: string };
type PlayTotals = { matchEnds: number; failedTicks: Record<string, number> };

async function startBots(baseUrl: string): Promise<PlayTotals> {
  const totals: PlayTotals = { matchEnds: 0, failedTicks: {} };
  for (let number = 0; number < BOTS; number += 1) {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, `bot-${number}`));
    bot.socket.on("message", (data) =>
      handleMessage(bot, JSON.parse((data as Buffer).toString()) as SocketMessage, totals),
    );
    bot.queue();
  }
  return totals;
}

function handleMessage(bot: BotClient, message: SocketMessage, totals: PlayTotals): void {
  if (message.type === "hello") bot.send({ type: "ready" });
  if (message.type === "observation")
    setTimeout(() => bot.send({ type: "turn", tick: message.tick }), THINK_MS);
  if (message.type !== "end") return;
  totals.matchEnds += 1;
  const { fighters } = message.stats as { fighters: { server_idles: Record<string, number> }[] };
  for (const { server_idles } of fighters)
    for (const [reason, count] of Object.entries(server_idles))
      totals.failedTicks[reason] = (totals.failedTicks[reason] ?? 0) + count;
  bot.queue();
}

/**
 * Returns the offset in seconds that moves the clock from now to `BEFORE_MIDNIGHT_S` before the end
 * of the month of `date`.
 */
function secondsUntilMonthEnd(date: Date): number {
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return nextMonth / 1000 - BEFORE_MIDNIGHT_S - Date.now() / 1000;
}

const readStandings = async (baseUrl: string, id: string): Promise<string> =>
  JSON.stringify(await getJson(baseUrl, `/api/seasons/${id}`));

async function printState(
  baseUrl: string,
  label: string,
  { matchEnds, failedTicks }: PlayTotals,
): Promise<void> {
  const seasons = await getJson<Season[]>(baseUrl, "/api/seasons");
  const states = seasons.map(({ id, state }) => `${id} ${state}`).join(", ");
  const failedTicksText = JSON.stringify(failedTicks);
  console.log(
    `${label}: ${matchEnds} results received, failed ticks ${failedTicksText}, seasons ${states}`,
  );
  const [liveSeason, ...archivedSeasons] = seasons;
  assert.equal(liveSeason!.state, "live");
  assert.ok(archivedSeasons.every(({ state }) => state === "archived"));
  assert.ok(Object.values(failedTicks).every((count) => count === 0));
}

async function checkMonths(baseUrl: string): Promise<void> {
  let listedCount = 0;
  let endedLaterCount = 0;
  for (const { id } of await getJson<Season[]>(baseUrl, "/api/seasons")) {
    const matches = await getJson<Match[]>(baseUrl, `/api/matches?limit=500&season=${id}`);
    assert.ok(matches.every(({ started }) => started?.startsWith(id) === true));
    listedCount += matches.length;
    endedLaterCount += matches.filter(({ ended }) => !ended.startsWith(id)).length;
  }
  const storedCount = (await fetchAllMatches(baseUrl)).length;
  console.log(
    `${listedCount} of ${storedCount} matches are in the season of the month they started in, ` +
      `${endedLaterCount} ended in the next month`,
  );
  assert.equal(listedCount, storedCount);
  assert.ok(endedLaterCount > 0);
}

async function moveClocks(baseUrl: string, setOffset: (seconds: number) => void): Promise<void> {
  const totals = await startBots(baseUrl);
  await pause(PHASE_MS);
  await printState(baseUrl, "before", totals);
  for (const [label, offset] of [
    ["40 days ahead", 40 * DAY_S],
    ["an hour back", 40 * DAY_S - HOUR_S],
  ] as const) {
    const { matchEnds } = totals;
    setOffset(offset);
    await pause(PHASE_MS);
    await printState(baseUrl, label, totals);
    assert.ok(totals.matchEnds > matchEnds, "play continues");
  }
  const shiftedDate = new Date(Date.now() + 40 * DAY_S * 1000);
  const { id: endingSeasonId } = (await getJson<Season[]>(baseUrl, "/api/seasons"))[0]!;
  setOffset(secondsUntilMonthEnd(shiftedDate));
  await pause(PHASE_MS);
  await printState(baseUrl, "a month ended", totals);
  const frozenStandings = await readStandings(baseUrl, endingSeasonId);
  await pause(PHASE_MS);
  assert.equal(await readStandings(baseUrl, endingSeasonId), frozenStandings);
  console.log(
    `the standings of ${endingSeasonId}, ${frozenStandings.length} characters, did not change again`,
  );
  await checkMonths(baseUrl);
}

const folder = await createTemporaryFolder();
const clockFile = join(folder.path, "clock");
const setOffset = (seconds: number) =>
  writeFileSync(clockFile, `${seconds >= 0 ? "+" : ""}${seconds}`);
setOffset(0);
Object.assign(process.env, {
  LD_PRELOAD: FAKETIME_LIBRARY,
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
