// Compares what bots were told at the ends of their matches with what a ladder has stored.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { bothOf } from "#base/units/sure.ts";
import { addGame, createCompetitionResults } from "#core/rating/competition-results.ts";
import { rating, refit } from "#core/rating/fit.ts";
import { parseReplay } from "#core/replay/replay.ts";
import type { Match } from "#core/resources/match.ts";
import type { BotId } from "#core/words/ids.ts";
import { openStore } from "#server/composition/open-store.ts";

import { getJson } from "./duel.ts";
import type { ToldEnd } from "./quick-bot.ts";

/** Longest page of the list. */
const PAGE = 500;

/** Every stored match as the API lists them, newest first, page by page. */
export async function allMatches(baseUrl: string): Promise<Match[]> {
  const all: Match[] = [];
  for (let before = ""; ; before = `&before=${all[all.length - 1]!.id}`) {
    const page = await getJson<Match[]>(baseUrl, `/api/matches?limit=${PAGE}${before}`);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/** Each `end` is about one stored match that says the same; no match is listed twice. */
export function assertStored(matches: readonly Match[], ends: readonly ToldEnd[]): void {
  const byId = new Map(matches.map((match) => [match.id, match]));
  assert.equal(byId.size, matches.length, "no match is listed twice");
  const lost = ends.filter(({ matchId }) => !byId.has(matchId));
  assert.deepEqual(lost, [], "every told match is stored");
  for (const end of ends) assert.deepEqual(end, endIn(byId.get(end.matchId)!, end.botId));
}

/** What the stored match would have told this bot. */
function endIn({ id, bots, winner, reason, voided }: Match, botId: BotId): ToldEnd {
  const own = bots.find((bot) => bot.id === botId)!;
  const { fighter, rating_before, rating_after } = own;
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
 * Asserts that a ladder has every reported match once and as reported, that each replay it lists is
 * intact (except those with ids in `read`), and that its ratings are a refit of its matches. Adds
 * to `read` and returns the number of stored matches.
 */
export async function assertKept(
  baseUrl: string,
  ends: readonly ToldEnd[],
  read = new Set<string>(),
): Promise<number> {
  const matches = await allMatches(baseUrl);
  assertStored(matches, ends);
  for (const match of matches.filter(({ id }) => !read.has(id))) {
    await assertReplay(baseUrl, match);
    read.add(match.id);
  }
  await assertRefit(baseUrl, matches);
  return matches.length;
}

/**
 * Asserts that the data of a stopped server adds up and has exactly one replay for each match, and
 * resolves with the ids of all matches.
 */
export async function assertUndamaged(data: string): Promise<ReadonlySet<string>> {
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

/** Asserts that a stopped server has each match whose end somebody was told. */
export async function assertAllThere(data: string, ends: readonly ToldEnd[]): Promise<void> {
  const ids = await assertUndamaged(data);
  assert.deepEqual(
    ends.filter(({ matchId }) => !ids.has(matchId)),
    [],
  );
}

/** Asserts that the match's replay is served intact and has the same result. */
async function assertReplay(baseUrl: string, match: Match): Promise<void> {
  const response = await fetch(baseUrl + match.replay_url);
  assert.equal(response.status, 200, match.replay_url);
  const replay = parseReplay(gunzipSync(await response.bytes()).toString());
  assert.ok(!("error" in replay), match.id);
  assert.equal(replay.header.match_id, match.id);
  assert.equal(replay.ticks.length, match.final_tick);
  assert.equal(replay.result.reason, match.reason);
}

/**
 * Asserts that the ladder's ratings are those of a fit to the listed matches alone. For bots with
 * one version each, on a ladder without house bots.
 */
async function assertRefit(baseUrl: string, matches: readonly Match[]): Promise<void> {
  const scope = createCompetitionResults();
  const names = new Map<string, string>();
  for (const { bots, winner, voided } of matches) {
    for (const { id, name } of bots) names.set(id, name);
    if (voided) continue;
    const [first, second] = bothOf(bots);
    const score = winner === null ? 0.5 : winner === first.id ? 1 : 0;
    addGame(scope, first.id, second.id, score);
  }
  refit(scope);
  for (const [id, name] of names) {
    const { versions } = await getJson<{ versions: { rating: number }[] }>(
      baseUrl,
      `/api/bots/${name}`,
    );
    assert.deepEqual(
      versions.map((version) => version.rating),
      [Math.round(rating(scope, id))],
      name,
    );
  }
}
