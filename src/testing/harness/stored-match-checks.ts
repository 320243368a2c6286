import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import type { BotId } from "#core/ids/ids.ts";
import { addRatedGame, createCompetitionResults } from "#core/rating/competition-results.ts";
import { ratingOf, refit } from "#core/rating/fit.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { openStore } from "#server/composition/open-store.ts";

import type { ReceivedMatchEnd } from "./quick-bot.ts";
import { getJson } from "./test-match.ts";

const PAGE_SIZE = 500;

export async function fetchAllMatches(baseUrl: string): Promise<Match[]> {
  const allRows: Match[] = [];
  for (let before = ""; ; before = `&before=${allRows[allRows.length - 1]!.id}`) {
    const page = await getJson<Match[]>(baseUrl, `/api/matches?limit=${PAGE_SIZE}${before}`);
    allRows.push(...page);
    if (page.length < PAGE_SIZE) return allRows;
  }
}

/**
 * Asserts that each received end belongs to exactly one stored match and that the list has no
 * duplicates.
 */
export function assertEndsStored(
  matches: readonly Match[],
  matchEnds: readonly ReceivedMatchEnd[],
): void {
  const byId = new Map(matches.map((match) => [match.id, match]));
  assert.equal(byId.size, matches.length, "no match is listed twice");
  const missingEnds = matchEnds.filter(({ matchId }) => !byId.has(matchId));
  assert.deepEqual(missingEnds, [], "every reported match is stored");
  for (const end of matchEnds)
    assert.deepEqual(end, expectedEnd(byId.get(end.matchId)!, end.botId));
}

function expectedEnd({ id, bots, winner, reason, voided }: Match, botId: BotId): ReceivedMatchEnd {
  const ownSeat = bots.find((bot) => bot.id === botId)!;
  const { fighter, rating_before, rating_after } = ownSeat;
  return {
    matchId: id,
    botId,
    fighter: fighter!,
    winner: bots.find((bot) => bot.id === winner)?.fighter ?? null,
    reason,
    voided,
    ratingChange: rating_after === undefined ? null : rating_after - rating_before!,
  };
}

/**
 * Asserts that every reported match is stored once and as reported, that every replay is intact,
 * and that ratings equal a refit. Skips the replays of matches in `verifiedMatchIds`, and adds the
 * checked ids to it. Returns the number of stored matches.
 */
export async function assertMatchesIntact(
  baseUrl: string,
  matchEnds: readonly ReceivedMatchEnd[],
  verifiedMatchIds = new Set<string>(),
): Promise<number> {
  const matches = await fetchAllMatches(baseUrl);
  assertEndsStored(matches, matchEnds);
  for (const match of matches.filter(({ id }) => !verifiedMatchIds.has(id))) {
    await assertReplayMatches(baseUrl, match);
    verifiedMatchIds.add(match.id);
  }
  await assertRatingsMatchRefit(baseUrl, matches);
  return matches.length;
}

/**
 * Asserts that a stopped server's data is consistent and has exactly one replay per match. Returns
 * all match ids.
 */
export async function assertDataUndamaged(data: string): Promise<ReadonlySet<string>> {
  const store = await openStore({ data });
  try {
    assert.deepEqual(await store.database.faults(), []);
    const ids = await store.matches.ids();
    const names = ids.map((id) => `${id}.jsonl.gz`);
    assert.deepEqual((await readdir(join(data, "replays"))).toSorted(), names.toSorted());
    return new Set<string>(ids);
  } finally {
    await store.close();
  }
}

/** Asserts that a stopped server has stored every match whose end a bot received. */
export async function assertEndsInData(
  data: string,
  matchEnds: readonly ReceivedMatchEnd[],
): Promise<void> {
  const ids = await assertDataUndamaged(data);
  assert.deepEqual(
    matchEnds.filter(({ matchId }) => !ids.has(matchId)),
    [],
  );
}

async function assertReplayMatches(baseUrl: string, match: Match): Promise<void> {
  const response = await fetch(baseUrl + match.replay_url);
  assert.equal(response.status, 200, match.replay_url);
  const replay = parseReplay(gunzipSync(await response.bytes()).toString());
  assert.ok(!("error" in replay), match.id);
  assert.equal(replay.header.match_id, match.id);
  assert.equal(replay.ticks.length, match.final_tick);
  assert.equal(replay.result.reason, match.reason);
}

/**
 * Asserts that ratings equal a fit of the listed matches. Requires one version per bot and no house
 * bots.
 */
async function assertRatingsMatchRefit(baseUrl: string, matches: readonly Match[]): Promise<void> {
  const scope = createCompetitionResults();
  const names = new Map<string, string>();
  for (const { bots, winner, voided } of matches) {
    for (const { id, name } of bots) names.set(id, name);
    if (voided) continue;
    const [first, second] = firstTwo(bots);
    const score = winner === null ? 0.5 : winner === first.id ? 1 : 0;
    addRatedGame(scope, first.id, second.id, score);
  }
  refit(scope);
  for (const [id, name] of names) {
    const { versions } = await getJson<{ versions: { rating: number }[] }>(
      baseUrl,
      `/api/bots/${name}`,
    );
    assert.deepEqual(
      versions.map((version) => version.rating),
      [Math.round(ratingOf(scope, id))],
      name,
    );
  }
}
