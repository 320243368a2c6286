// Compares a leaderboard with all public data about its ladder.

import { setTimeout as sleep } from "node:timers/promises";

import { DEFAULT_LADDER, hasSeasons } from "#core/ladder/ladder.ts";
import { totalGames } from "#core/ladder/version-record.ts";

import type { Difference } from "./board-differences.ts";
import type { PublicBot } from "./computed-board.ts";
import { explainBoard, findFreshGames, countWrongDifferences } from "./explanation.ts";
import type { Explanation, BoardSnapshot, BoardRules } from "./explanation.ts";
import { readMatchHistory, readMatchesSince } from "./history.ts";
import type { MatchHistory } from "./history.ts";
import { withMatches, endedLater } from "./match-count.ts";
import type { MatchCount, MatchEndTime } from "./match-count.ts";
import { findMatchProblems } from "./match-problems.ts";
import type { MatchProblem, ListedCompetition } from "./match-problems.ts";
import { RESPONSE_SCHEMAS } from "./response-schemas.ts";
import type { BotPage, ListedSeason, ListedVersion, LeaderboardEntry } from "./response-schemas.ts";
import { UnreadableSourceError } from "./source.ts";
import type { LadderSource } from "./source.ts";

/** `season` defaults to the current season, if the ladder has seasons. */
export type VerifyQuery = { ladder: string; season?: string | undefined };

export type VerificationReport = {
  /** True if there are no differences beyond the tolerance and no faulty matches. */
  agrees: boolean;
  /** True if the leaderboard differs, but matches kept ending during verification. */
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
  /**
   * The newest match that the leaderboard counts, and the number of newer matches that it doesn't
   * count yet.
   */
  newest: MatchEndTime | null;
  uncounted: number;
  /** Versions whose mean rating is fixed at 1500, as `name@label`. */
  anchors: readonly string[];
  differences: readonly Difference[];
  faults: readonly MatchProblem[];
};

/** Maximum number of reads of a changing leaderboard, and the delay between two reads in ms. */
const MAX_SNAPSHOTS = 6;
const SNAPSHOT_DELAY_MS = 1500;

type VerificationRun = {
  source: LadderSource;
  scope: ListedCompetition;
  rules: BoardRules;
  pageSize: number;
  history: MatchHistory;
  publicBots: Map<string, PublicBot>;
  reportProgress: (progress: string) => void;
};

/**
 * Reads everything once, then the leaderboard. If the leaderboard differs, reads it again after a
 * while, because matches that have ended in the meantime may explain the difference. Calls `tell`
 * with progress.
 * @throws Unreadable
 */
export async function verifyLadder(
  source: LadderSource,
  query: VerifyQuery,
  reportProgress: (progress: string) => void,
): Promise<VerificationReport> {
  const verificationRun = await startRun(source, query, reportProgress);
  let previousSnapshot: BoardSnapshot | null = null;
  for (let remainingSnapshots = MAX_SNAPSHOTS; ; remainingSnapshots -= 1) {
    const boardSnapshot = await readSnapshot(verificationRun);
    await readBotPages(verificationRun, boardSnapshot);
    const explanation = explainBoard(
      boardSnapshot,
      verificationRun.history.settledCount,
      verificationRun.publicBots,
      verificationRun.rules,
    );
    const isConclusive =
      verificationRun.rules.isFrozen || isUnchanged(previousSnapshot, boardSnapshot);
    if (
      countWrongDifferences(explanation.differences) === 0 ||
      isConclusive ||
      remainingSnapshots === 1
    )
      return createVerificationReport(verificationRun, boardSnapshot, explanation, isConclusive);
    dropBotPages(verificationRun, explanation);
    previousSnapshot = boardSnapshot;
    await sleep(SNAPSHOT_DELAY_MS);
  }
}

async function startRun(
  source: LadderSource,
  query: VerifyQuery,
  reportProgress: VerificationRun["reportProgress"],
): Promise<VerificationRun> {
  const { ladder, http } = (await source.readRequired("/api", RESPONSE_SCHEMAS.index)).value
    .operational_policy;
  const season = await findSeason(source, query);
  const scope = { ladder: query.ladder, season };
  const pageSize = http.matches_list_max;
  const history = await readMatchHistory(source, scope, pageSize, ({ matches, oldestEnd }) =>
    reportProgress(`${matches} matches read, back to ${oldestEnd}`),
  );
  const rules = {
    qualifyingGames: ladder.qualifying_games,
    isFrozen: season !== null && season.archived_at !== null,
  };
  return { source, scope, rules, pageSize, history, publicBots: new Map(), reportProgress };
}

const CURRENT_SEASON = "current";

async function findSeason(source: LadderSource, query: VerifyQuery): Promise<ListedSeason | null> {
  const { ladder, season: id = CURRENT_SEASON } = query;
  if (!hasSeasons(ladder)) {
    if (query.season === undefined) return null;
    throw new UnreadableSourceError(`only the ladder ${DEFAULT_LADDER} has seasons`);
  }
  const seasons = (await source.readRequired("/api/seasons", RESPONSE_SCHEMAS.seasons)).value;
  const season = seasons.find((candidate) =>
    id === CURRENT_SEASON ? candidate.state === "live" : candidate.id === id,
  );
  if (season !== undefined) return season;
  const known = seasons.map((candidate) => candidate.id).join(", ");
  throw new UnreadableSourceError(`there is no season ${id}. Seasons: ${known}`);
}

/** Reads the leaderboard first, so that the matches read afterwards include all that it counts. */
async function readSnapshot({
  source,
  scope,
  pageSize,
  history,
}: VerificationRun): Promise<BoardSnapshot> {
  const query = new URLSearchParams({ ladder: scope.ladder });
  if (scope.season !== null) query.set("season", scope.season.id);
  const { value, atMs } = await source.readRequired(
    `/api/leaderboard?${query.toString()}`,
    RESPONSE_SCHEMAS.leaderboard,
  );
  const matches = await readMatchesSince(source, scope, pageSize, history.since);
  return { shown: value, atMs, matches };
}

async function readBotPages(
  { source, scope, rules, history, publicBots, reportProgress }: VerificationRun,
  boardSnapshot: BoardSnapshot,
) {
  const count = withMatches(history.settledCount, boardSnapshot.matches);
  const missingBots = findRankedBots(count, rules, boardSnapshot.shown).filter(
    ([id]) => !publicBots.has(id),
  );
  for (const [index, [id, name]] of missingBots.entries()) {
    reportProgress(`reading bot page ${index + 1} of ${missingBots.length}`);
    publicBots.set(id, await readPublicBot(source, name, scope.ladder));
  }
}

const VERSIONS_PAGE_SIZE = 500;

/** A bot without a page no longer exists. */
async function readPublicBot(
  source: LadderSource,
  name: string,
  ladder: string,
): Promise<PublicBot> {
  const path = `/api/bots/${encodeURIComponent(name)}`;
  const scope = new URLSearchParams({ ladder });
  const page = await source.readIfPresent(`${path}?${scope.toString()}`, RESPONSE_SCHEMAS.bot);
  if (page === null) return { isInactive: true, retired: new Set() };
  const versions = await readVersions(source, path, page.value, ladder);
  const labels = versions.filter(({ retired }) => retired).map(({ label }) => label);
  return { isInactive: (page.value.status ?? "active") !== "active", retired: new Set(labels) };
}

/** Versions missing from the page are listed separately. */
async function readVersions(
  source: LadderSource,
  path: string,
  { versions, versions_total: total = versions.length }: BotPage,
  ladder: string,
): Promise<readonly ListedVersion[]> {
  if (total <= versions.length) return versions;
  const listedVersions: ListedVersion[] = [];
  const query = new URLSearchParams({ ladder, limit: String(VERSIONS_PAGE_SIZE) });
  while (listedVersions.length < total) {
    const { value } = await source.readRequired(
      `${path}/versions?${query.toString()}`,
      RESPONSE_SCHEMAS.versions,
    );
    const last = value.at(-1);
    if (last === undefined) break;
    listedVersions.push(...value);
    query.set("before", last.label);
  }
  return listedVersions;
}

function findRankedBots(
  { versions, bots }: MatchCount,
  { qualifyingGames }: BoardRules,
  shown: readonly LeaderboardEntry[],
): [id: string, name: string][] {
  const listedNames = new Set(shown.map(({ name }) => name));
  const qualifiedIds = new Set(
    [...versions.values()]
      .filter((version) => totalGames(version) >= qualifyingGames)
      .map(({ botId }) => botId),
  );
  return [...bots]
    .filter(([id, { name }]) => qualifiedIds.has(id) || listedNames.has(name))
    .map(([id, { name }]) => [id, name]);
}

/** A bot with a difference may have changed since its page was read. */
function dropBotPages({ publicBots }: VerificationRun, { count, differences }: Explanation): void {
  const names = new Set(differences.map(({ bot }) => bot));
  for (const [id, { name }] of count.bots) if (names.has(name)) publicBots.delete(id);
}

/**
 * True if no match was added between two reads, and the last match ended long enough before both.
 */
function isUnchanged(
  previousSnapshot: BoardSnapshot | null,
  boardSnapshot: BoardSnapshot,
): boolean {
  if (previousSnapshot === null || findFreshGames(boardSnapshot).length > 0) return false;
  return (
    boardFingerprint(previousSnapshot) === boardFingerprint(boardSnapshot) &&
    previousSnapshot.matches[0]?.id === boardSnapshot.matches[0]?.id
  );
}

/** Connection status isn't part of the standings. */
function boardFingerprint({ shown }: BoardSnapshot): string {
  return JSON.stringify(
    shown.map(({ rank, name, version, rating, rating_deviation, wins, losses, draws }) => {
      return [rank, name, version, rating, rating_deviation, wins, losses, draws];
    }),
  );
}

function createVerificationReport(
  verificationRun: VerificationRun,
  boardSnapshot: BoardSnapshot,
  explanation: Explanation,
  isConclusive: boolean,
): VerificationReport {
  const { scope, history } = verificationRun;
  const { count, board, uncounted, differences } = explanation;
  const faults = [
    ...boardSnapshot.matches.flatMap((match) => findMatchProblems(match, scope)),
    ...history.faults,
  ];
  const isCorrect = countWrongDifferences(differences) === 0;
  return {
    agrees: isCorrect && faults.length === 0,
    moved: !isCorrect && !isConclusive,
    ladder: scope.ladder,
    season: scope.season?.id ?? null,
    state: scope.season?.state ?? null,
    rows: boardSnapshot.shown.length,
    versions: count.versions.size,
    games: count.games,
    voided: count.voided,
    unrated: count.unrated,
    newest: findNewestEnd(count),
    uncounted: uncounted.size,
    anchors: board.anchors,
    differences,
    faults,
  };
}

function findNewestEnd({ versions }: MatchCount): MatchEndTime | null {
  let newest: MatchEndTime | null = null;
  for (const { lastEnd } of versions.values())
    if (newest === null || endedLater(lastEnd, newest)) newest = lastEnd;
  return newest;
}
