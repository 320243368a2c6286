// Compares the final standings in an archive with the matches and replays in it. Makes no requests.

import { assertDefined } from "#base/util/assert-defined.ts";
import { ARCHIVE_FORMAT } from "#core/api/archive.ts";
import type { Archive } from "#core/api/archive.ts";
import type { BotId } from "#core/ids/ids.ts";
import { totalGames } from "#core/ladder/version-record.ts";
import { isJsonTooDeep } from "#core/protocol/json-depth.ts";
import { checkReplay } from "#tools/author-commands/replay-check.ts";
import { decodeReplay } from "#tools/local-match/replay-file.ts";

import { readArchive } from "./archive-file.ts";
import { checkArchivedReplay } from "./archived-replay.ts";
import type { Difference } from "./board-differences.ts";
import type { PublicBot } from "./computed-board.ts";
import { explainBoard } from "./explanation.ts";
import { addMatchToCount, createMatchCount, endedLater } from "./match-count.ts";
import type { MatchCount, MatchEndTime } from "./match-count.ts";
import { findMatchProblems } from "./match-problems.ts";
import type { MatchProblem } from "./match-problems.ts";
import { RESPONSE_SCHEMAS } from "./response-schemas.ts";
import type { ArchivedMatch, LeaderboardEntry } from "./response-schemas.ts";
import { UnreadableSourceError } from "./source.ts";

export type ArchiveReport = {
  /** True if there are no differences and no faulty matches or replays. */
  agrees: boolean;
  ladder: string;
  made: string;
  release: string;
  rows: number;
  versions: number;
  games: number;
  voided: number;
  /** Neither void nor rated. */
  unrated: number;
  newest: MatchEndTime | null;
  /** Versions whose mean rating is fixed at 1500, as `name@label`. */
  anchors: readonly string[];
  differences: readonly Difference[];
  faults: readonly MatchProblem[];
  /**
   * Numbers of replays that were simulated, that were recorded by another engine, and that are
   * missing.
   */
  replays: { checked: number; foreign: number; absent: number };
  unchecked: readonly string[];
};

type ArchiveReading = {
  archiveHeader: Archive | null;
  standings: LeaderboardEntry[] | null;
  /** Ids of matches that should have a replay. */
  listedReplayIds: readonly string[] | null;
  readonly matchCount: MatchCount;
  readonly matches: Map<string, ArchivedMatch>;
  readonly faults: MatchProblem[];
  newest: MatchEndTime | null;
  readonly replays: Set<string>;
  foreign: number;
  reportProgress: (progress: string) => void;
};

const MAX_FAULTS = 1000;
const PROGRESS_INTERVAL = 100;

/**
 * Reads an archive once, simulates its replays, and fits the ratings. Calls `tell` with progress.
 * @throws Unreadable
 */
export async function verifyArchive(
  path: string,
  reportProgress: (progress: string) => void,
): Promise<ArchiveReport> {
  const reading: ArchiveReading = {
    archiveHeader: null,
    standings: null,
    listedReplayIds: null,
    matchCount: createMatchCount(),
    matches: new Map(),
    faults: [],
    newest: null,
    replays: new Set(),
    foreign: 0,
    reportProgress,
  };
  await readArchive(path, {
    document: (name, text) => readDocument(reading, name, text),
    match: (line) => readMatch(reading, line),
    replay: (id, bytes) => readReplay(reading, id, bytes),
  });
  return createReport(reading);
}

function readDocument(reading: ArchiveReading, name: string, text: string): void {
  if (name === "archive.json") reading.archiveHeader = parseArchiveHeader(text);
  else if (name === "standings.json")
    reading.standings = parseEntry(name, text, RESPONSE_SCHEMAS.leaderboard);
  else if (name === "replays.json")
    reading.listedReplayIds = parseEntry(name, text, RESPONSE_SCHEMAS.archivedReplays);
}

function parseArchiveHeader(text: string): Archive {
  const archiveHeader = parseEntry("archive.json", text, RESPONSE_SCHEMAS.archive);
  if (archiveHeader.format === ARCHIVE_FORMAT) return archiveHeader;
  throw new UnreadableSourceError(
    `the archive has format ${archiveHeader.format}, but this release supports only format ${ARCHIVE_FORMAT}`,
  );
}

type Validator<T> = { Check(value: unknown): value is T };

function parseEntry<T>(name: string, text: string, validator: Validator<T>): T {
  const value = isJsonTooDeep(text) ? null : tryParseJson(text);
  if (validator.Check(value)) return value;
  throw new UnreadableSourceError(`${name} is invalid`);
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function addFaults({ faults }: ArchiveReading, ...newFaults: MatchProblem[]): void {
  if (faults.length < MAX_FAULTS) faults.push(...newFaults);
}

function readMatch(reading: ArchiveReading, line: string): void {
  const { matchCount, matches, newest } = reading;
  const match = parseEntry(
    `line ${matches.size + 1} of matches.jsonl`,
    line,
    RESPONSE_SCHEMAS.archivedMatch,
  );
  const scope = {
    ladder: requirePresent(reading.archiveHeader, "archive.json").ladder_id,
    season: null,
  };
  addFaults(reading, ...findMatchProblems(match, scope));
  if (newest !== null && !endedLater(match, newest))
    addFaults(reading, { match: match.id, problem: "is listed after a match that ended later" });
  if (matches.has(match.id)) addFaults(reading, { match: match.id, problem: "is listed twice" });
  else addMatchToCount(matchCount, match);
  matches.set(match.id, match);
  reading.newest = { ended: match.ended, id: match.id };
  if (matches.size % PROGRESS_INTERVAL === 0)
    reading.reportProgress(`${matches.size} matches read`);
}

async function readReplay(reading: ArchiveReading, id: string, bytes: Uint8Array): Promise<void> {
  const { matches, replays } = reading;
  const addFault = (problem: string) => addFaults(reading, { match: id, problem });
  const match = matches.get(id);
  replays.add(id);
  if (replays.size % PROGRESS_INTERVAL === 0)
    reading.reportProgress(`${replays.size} matches replayed`);
  if (match === undefined) return addFault("has a replay, but is not in the list of matches");
  const text = await decodeReplay(bytes);
  const checkedReplay = typeof text === "string" ? checkReplay(text) : text;
  if ("error" in checkedReplay)
    return addFault(`has a replay that can't be read: ${checkedReplay.error}`);
  const { problem, isOtherEngine } = checkArchivedReplay(match, checkedReplay);
  if (problem !== null) addFault(problem);
  else if (isOtherEngine) reading.foreign += 1;
}

function requirePresent<T>(value: T | null, name: string): T {
  if (value !== null) return value;
  throw new UnreadableSourceError(`it has no ${name}, or has it in the wrong place`);
}

function createReport(reading: ArchiveReading): ArchiveReport {
  const archiveHeader = requirePresent(reading.archiveHeader, "archive.json");
  const shown = requirePresent(reading.standings, "standings.json");
  checkListedReplays(reading, requirePresent(reading.listedReplayIds, "replays.json"));
  const { matchCount, faults, matches, replays, foreign } = reading;
  const rules = { qualifyingGames: archiveHeader.qualifying_games, isFrozen: true };
  const boardSnapshot = { shown, atMs: Infinity, matches: [] };
  const { board, differences } = explainBoard(
    boardSnapshot,
    matchCount,
    botsOutsideBoard(matchCount),
    rules,
  );
  const absent = [...matches.keys()].filter((id) => !replays.has(id)).length;
  return {
    agrees: differences.length === 0 && faults.length === 0,
    ladder: archiveHeader.ladder_id,
    made: archiveHeader.made,
    release: archiveHeader.versions.release,
    rows: shown.length,
    versions: matchCount.versions.size,
    games: matchCount.games,
    voided: matchCount.voided,
    unrated: matchCount.unrated,
    newest: reading.newest,
    anchors: board.anchors,
    differences,
    faults,
    replays: { checked: replays.size - foreign, foreign, absent },
    unchecked: [
      ...describeMissingBots(matchCount, shown, archiveHeader.qualifying_games),
      ...describeOlderVersions(matchCount, shown),
    ],
  };
}

function checkListedReplays(reading: ArchiveReading, listedReplayIds: readonly string[]): void {
  const listedNames = new Set(listedReplayIds);
  for (const match of listedNames.difference(reading.replays))
    addFaults(reading, { match, problem: "has no replay, but is listed as having one" });
  for (const match of reading.replays.difference(listedNames))
    addFaults(reading, { match, problem: "has a replay that is not listed" });
}

/**
 * An archive doesn't show which bots retired, were suspended or lost their membership. So no bot is
 * required to have a row, and a row may show any version that its bot played. Whatever the row
 * shows must be correct.
 */
function botsOutsideBoard({ versions, bots }: MatchCount): Map<BotId, PublicBot> {
  const labels = Map.groupBy(versions.values(), ({ botId }) => botId);
  return new Map(
    [...bots.keys()].map((id) => [
      id,
      { isInactive: true, retired: new Set(labels.get(id)?.map(({ label }) => label)) },
    ]),
  );
}

/** Returns the version that each bot played last, with the bot's name. */
function findLastVersions({ versions, bots }: MatchCount) {
  return [...Map.groupBy(versions.values(), ({ botId }) => botId)].map(([botId, botVersions]) => ({
    name: assertDefined(bots.get(botId), "bot").name,
    version: botVersions.reduce((latest, candidate) =>
      endedLater(candidate.lastEnd, latest.lastEnd) ? candidate : latest,
    ),
  }));
}

function describeMissingBots(
  matchCount: MatchCount,
  shown: readonly LeaderboardEntry[],
  qualifyingGames: number,
): string[] {
  const rows = new Set(shown.map(({ name }) => name));
  const missing = findLastVersions(matchCount)
    .filter(({ name, version }) => !rows.has(name) && totalGames(version) >= qualifyingGames)
    .map(({ name }) => name);
  if (missing.length === 0) return [];
  return [`why these bots with enough matches have no row: ${missing.toSorted().join(", ")}`];
}

function describeOlderVersions(
  matchCount: MatchCount,
  shown: readonly LeaderboardEntry[],
): string[] {
  const labels = new Map(
    findLastVersions(matchCount).map(({ name, version }) => [name, version.label]),
  );
  const olderRows = shown.filter(({ name, version }) => (labels.get(name) ?? version) !== version);
  const names = olderRows.map(({ name, version }) => `${name}@${version}`);
  return names.length === 0
    ? []
    : [`why these bots are ranked by an older version: ${names.join(", ")}`];
}
