// Compares a leaderboard with everything public about its ladder.

import { setTimeout as sleep } from "node:timers/promises";

import { DEFAULT_LADDER, hasSeasons } from "#core/ladder/ladder.ts";
import { gamesOf } from "#core/ladder/version-record.ts";

import { SHAPES } from "./answers.ts";
import type { BotPage, ListedSeason, ListedVersion, ShownRow } from "./answers.ts";
import type { PublicBot } from "./board.ts";
import { countMore, isLater } from "./count.ts";
import type { Count, EndMoment } from "./count.ts";
import type { Difference } from "./difference.ts";
import { explain, freshGames, wrongs } from "./explanation.ts";
import type { Explanation, Look, BoardRules } from "./explanation.ts";
import { faultsOf } from "./fault.ts";
import type { MatchFault, ListedCompetition } from "./fault.ts";
import { readHistory, readSince } from "./history.ts";
import type { History } from "./history.ts";
import { Unreadable } from "./source.ts";
import type { Source } from "./source.ts";

/** The default is the current season, if the ladder has seasons. */
export type Asked = { ladder: string; season?: string | undefined };

export type Report = {
  /** Nothing differs beyond the tolerance, and no match is faulty. */
  agrees: boolean;
  /** It differs, but games kept ending all the time. */
  moved: boolean;
  ladder: string;
  season: string | null;
  state: string | null;
  rows: number;
  versions: number;
  games: number;
  voided: number;
  /** Neither void nor rated. */
  unrated: number;
  /** The newest game that the leaderboard counts, and how many newer ones it does not count yet. */
  newest: EndMoment | null;
  uncounted: number;
  /** The versions whose mean is 1500, as `name@label`. */
  anchors: readonly string[];
  differences: readonly Difference[];
  faults: readonly MatchFault[];
};

/** Looks at a moving leaderboard, and the time between two of them. */
const MOST_LOOKS = 6;
const PAUSE_MS = 1500;

type Run = {
  source: Source;
  scope: ListedCompetition;
  rules: BoardRules;
  pageSize: number;
  history: History;
  /** What each bot's page says, by bot id. */
  known: Map<string, PublicBot>;
  tell: (progress: string) => void;
};

/**
 * Reads everything once, then the leaderboard, and again after a while if it differs, since games
 * that end meanwhile may explain it. `tell` reports progress.
 * @throws Unreadable
 */
export async function verifyLadder(
  source: Source,
  asked: Asked,
  tell: (progress: string) => void,
): Promise<Report> {
  const run = await openRun(source, asked, tell);
  let former: Look | null = null;
  for (let left = MOST_LOOKS; ; left -= 1) {
    const look = await lookAt(run);
    await readPages(run, look);
    const explanation = explain(look, run.history.settled, run.known, run.rules);
    const isCertain = run.rules.isFrozen || isStill(former, look);
    if (wrongs(explanation.differences) === 0 || isCertain || left === 1)
      return reportOf(run, look, explanation, isCertain);
    forgetPages(run, explanation);
    former = look;
    await sleep(PAUSE_MS);
  }
}

async function openRun(source: Source, asked: Asked, tell: Run["tell"]): Promise<Run> {
  const { ladder, http } = (await source.read("/api", SHAPES.index)).value.operational_policy;
  const season = await seasonOf(source, asked);
  const scope = { ladder: asked.ladder, season };
  const pageSize = http.matches_list_max;
  const history = await readHistory(source, scope, pageSize, ({ matches, back }) =>
    tell(`${matches} matches read, back to ${back}`),
  );
  const rules = {
    qualifyingGames: ladder.qualifying_games,
    isFrozen: season !== null && season.archived_at !== null,
  };
  return { source, scope, rules, pageSize, history, known: new Map(), tell };
}

const CURRENT = "current";

async function seasonOf(source: Source, asked: Asked): Promise<ListedSeason | null> {
  const { ladder, season: id = CURRENT } = asked;
  if (!hasSeasons(ladder)) {
    if (asked.season === undefined) return null;
    throw new Unreadable(`only the ladder ${DEFAULT_LADDER} has seasons`);
  }
  const seasons = (await source.read("/api/seasons", SHAPES.seasons)).value;
  const season = seasons.find((one) => (id === CURRENT ? one.state === "live" : one.id === id));
  if (season !== undefined) return season;
  const known = seasons.map((one) => one.id).join(", ");
  throw new Unreadable(`there is no season ${id}; there are ${known}`);
}

/** Reads the leaderboard first: whatever it counts is then in the matches read after it. */
async function lookAt({ source, scope, pageSize, history }: Run): Promise<Look> {
  const query = new URLSearchParams({ ladder: scope.ladder });
  if (scope.season !== null) query.set("season", scope.season.id);
  const { value, atMs } = await source.read(
    `/api/leaderboard?${query.toString()}`,
    SHAPES.leaderboard,
  );
  const matches = await readSince(source, scope, pageSize, history.since);
  return { shown: value, atMs, matches };
}

/** Pages of all bots that have or show a row. */
async function readPages({ source, scope, rules, history, known, tell }: Run, look: Look) {
  const count = countMore(history.settled, look.matches);
  const wanted = rankedBots(count, rules, look.shown).filter(([id]) => !known.has(id));
  for (const [place, [id, name]] of wanted.entries()) {
    tell(`bot page ${place + 1} of ${wanted.length}`);
    known.set(id, await readFacts(source, name, scope.ladder));
  }
}

/** Versions per answer. */
const VERSIONS_PAGE = 500;

/** A bot without a page no longer exists. */
async function readFacts(source: Source, name: string, ladder: string): Promise<PublicBot> {
  const path = `/api/bots/${encodeURIComponent(name)}`;
  const scope = new URLSearchParams({ ladder });
  const page = await source.find(`${path}?${scope.toString()}`, SHAPES.bot);
  if (page === null) return { isOut: true, retired: new Set() };
  const versions = await readVersions(source, path, page.value, ladder);
  const labels = versions.filter(({ retired }) => retired).map(({ label }) => label);
  return { isOut: (page.value.status ?? "active") !== "active", retired: new Set(labels) };
}

/** Versions that the page leaves out are listed separately. */
async function readVersions(
  source: Source,
  path: string,
  { versions, versions_total: total = versions.length }: BotPage,
  ladder: string,
): Promise<readonly ListedVersion[]> {
  if (total <= versions.length) return versions;
  const listed: ListedVersion[] = [];
  const query = new URLSearchParams({ ladder, limit: String(VERSIONS_PAGE) });
  while (listed.length < total) {
    const { value } = await source.read(`${path}/versions?${query.toString()}`, SHAPES.versions);
    const last = value.at(-1);
    if (last === undefined) break;
    listed.push(...value);
    query.set("before", last.label);
  }
  return listed;
}

function rankedBots(
  { versions, bots }: Count,
  { qualifyingGames }: BoardRules,
  shown: readonly ShownRow[],
): [id: string, name: string][] {
  const listed = new Set(shown.map(({ name }) => name));
  const ranked = new Set(
    [...versions.values()]
      .filter((version) => gamesOf(version) >= qualifyingGames)
      .map(({ botId }) => botId),
  );
  return [...bots]
    .filter(([id, { name }]) => ranked.has(id) || listed.has(name))
    .map(([id, { name }]) => [id, name]);
}

/** A bot with a difference may have changed since its page was read. */
function forgetPages({ known }: Run, { count, differences }: Explanation): void {
  const names = new Set(differences.map(({ bot }) => bot));
  for (const [id, { name }] of count.bots) if (names.has(name)) known.delete(id);
}

/** Nothing was added between two looks, and the last game ended long enough before both. */
function isStill(former: Look | null, look: Look): boolean {
  if (former === null || freshGames(look).length > 0) return false;
  return figuresOf(former) === figuresOf(look) && former.matches[0]?.id === look.matches[0]?.id;
}

/** Who is online is not part of the standings. */
function figuresOf({ shown }: Look): string {
  return JSON.stringify(
    shown.map(({ rank, name, version, rating, rating_deviation, wins, losses, draws }) => {
      return [rank, name, version, rating, rating_deviation, wins, losses, draws];
    }),
  );
}

function reportOf(run: Run, look: Look, explanation: Explanation, isCertain: boolean): Report {
  const { scope, history } = run;
  const { count, board, uncounted, differences } = explanation;
  const faults = [...look.matches.flatMap((match) => faultsOf(match, scope)), ...history.faults];
  const isRight = wrongs(differences) === 0;
  return {
    agrees: isRight && faults.length === 0,
    moved: !isRight && !isCertain,
    ladder: scope.ladder,
    season: scope.season?.id ?? null,
    state: scope.season?.state ?? null,
    rows: look.shown.length,
    versions: count.versions.size,
    games: count.games,
    voided: count.voided,
    unrated: count.unrated,
    newest: newestOf(count),
    uncounted: uncounted.size,
    anchors: board.anchors,
    differences,
    faults,
  };
}

function newestOf({ versions }: Count): EndMoment | null {
  let newest: EndMoment | null = null;
  for (const { last } of versions.values())
    if (newest === null || isLater(last, newest)) newest = last;
  return newest;
}
