// Compares the final standings in an archive with the matches and replays in it, and with nothing
// else: no server is asked.

import { sure } from "#base/units/sure.ts";
import { gamesOf } from "#core/ladder/version-record.ts";
import { isTooDeep } from "#core/protocol/json-depth.ts";
import { ARCHIVE_FORMAT } from "#core/resources/archive.ts";
import type { Archive } from "#core/resources/archive.ts";
import type { BotId } from "#core/words/ids.ts";
import { checkReplay } from "#tools/cli/replay-check.ts";
import { replayTextOf } from "#tools/local/replay-file.ts";

import { SHAPES } from "./answers.ts";
import type { ArchivedMatch, ShownRow } from "./answers.ts";
import { readArchive } from "./archive-file.ts";
import { replayProblem } from "./archived-replay.ts";
import type { PublicBot } from "./board.ts";
import { countMatch, createCount, isLater } from "./count.ts";
import type { Count, EndMoment } from "./count.ts";
import type { Difference } from "./difference.ts";
import { explain } from "./explanation.ts";
import { faultsOf } from "./fault.ts";
import type { MatchFault } from "./fault.ts";
import { Unreadable } from "./source.ts";

export type ArchiveReport = {
  /** Nothing differs, and neither a match nor a replay is faulty. */
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
  newest: EndMoment | null;
  /** The versions whose mean is 1500, as `name@label`. */
  anchors: readonly string[];
  differences: readonly Difference[];
  faults: readonly MatchFault[];
  /** Replays that were played again, that another engine recorded, and that matches do without. */
  replays: { checked: number; foreign: number; absent: number };
  /** What cannot be told from an archive, in words. */
  unchecked: readonly string[];
};

type Reading = {
  about: Archive | null;
  standings: ShownRow[] | null;
  /** Ids of the matches that should have a replay. */
  listed: readonly string[] | null;
  readonly count: Count;
  readonly matches: Map<string, ArchivedMatch>;
  readonly faults: MatchFault[];
  newest: EndMoment | null;
  readonly replays: Set<string>;
  foreign: number;
  tell: (progress: string) => void;
};

/** Faults that are kept; one is enough to report. */
const MOST_FAULTS = 1000;
/** Matches and replays between two words of progress. */
const TELL_EVERY = 100;

/**
 * Reads an archive once, playing its replays again, and fits the ratings. `tell` reports progress.
 * @throws Unreadable
 */
export async function verifyArchive(
  path: string,
  tell: (progress: string) => void,
): Promise<ArchiveReport> {
  const reading: Reading = {
    about: null,
    standings: null,
    listed: null,
    count: createCount(),
    matches: new Map(),
    faults: [],
    newest: null,
    replays: new Set(),
    foreign: 0,
    tell,
  };
  await readArchive(path, {
    document: (name, text) => readDocument(reading, name, text),
    match: (line) => readMatch(reading, line),
    replay: (id, bytes) => readReplay(reading, id, bytes),
  });
  return reportOf(reading);
}

function readDocument(reading: Reading, name: string, text: string): void {
  if (name === "archive.json") reading.about = aboutOf(text);
  else if (name === "standings.json") reading.standings = parsed(name, text, SHAPES.leaderboard);
  else if (name === "replays.json") reading.listed = parsed(name, text, SHAPES.archivedReplays);
}

function aboutOf(text: string): Archive {
  const about = parsed("archive.json", text, SHAPES.archive);
  if (about.format === ARCHIVE_FORMAT) return about;
  throw new Unreadable(`it has format ${about.format}, and only ${ARCHIVE_FORMAT} is known here`);
}

type Shape<T> = { Check(value: unknown): value is T };

function parsed<T>(name: string, text: string, shape: Shape<T>): T {
  const value = isTooDeep(text) ? null : jsonOf(text);
  if (shape.Check(value)) return value;
  throw new Unreadable(`${name} in it is not understood`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function note({ faults }: Reading, ...more: MatchFault[]): void {
  if (faults.length < MOST_FAULTS) faults.push(...more);
}

function readMatch(reading: Reading, line: string): void {
  const { count, matches, newest } = reading;
  const match = parsed(`line ${matches.size + 1} of matches.jsonl`, line, SHAPES.archivedMatch);
  const scope = { ladder: present(reading.about, "archive.json").ladder_id, season: null };
  note(reading, ...faultsOf(match, scope));
  if (newest !== null && !isLater(match, newest))
    note(reading, { match: match.id, problem: "stands after a match that ended later" });
  if (matches.has(match.id)) note(reading, { match: match.id, problem: "is there twice" });
  else countMatch(count, match);
  matches.set(match.id, match);
  reading.newest = { ended: match.ended, id: match.id };
  if (matches.size % TELL_EVERY === 0) reading.tell(`${matches.size} matches read`);
}

async function readReplay(reading: Reading, id: string, bytes: Uint8Array): Promise<void> {
  const { matches, replays } = reading;
  const fault = (problem: string) => note(reading, { match: id, problem });
  const match = matches.get(id);
  replays.add(id);
  if (replays.size % TELL_EVERY === 0) reading.tell(`${replays.size} replays played again`);
  if (match === undefined) return fault("has a replay, but is not among the matches");
  const text = await replayTextOf(bytes);
  const checked = typeof text === "string" ? checkReplay(text) : text;
  if ("error" in checked) return fault(`has a replay that cannot be read: ${checked.error}`);
  const { problem, isForeign } = replayProblem(match, checked);
  if (problem !== null) fault(problem);
  else if (isForeign) reading.foreign += 1;
}

function present<T>(value: T | null, name: string): T {
  if (value !== null) return value;
  throw new Unreadable(`it has no ${name}, or has it too late`);
}

function reportOf(reading: Reading): ArchiveReport {
  const about = present(reading.about, "archive.json");
  const shown = present(reading.standings, "standings.json");
  noteListed(reading, present(reading.listed, "replays.json"));
  const { count, faults, matches, replays, foreign } = reading;
  const rules = { qualifyingGames: about.qualifying_games, isFrozen: true };
  const look = { shown, atMs: Infinity, matches: [] };
  const { board, differences } = explain(look, count, outsiders(count), rules);
  const absent = [...matches.keys()].filter((id) => !replays.has(id)).length;
  return {
    agrees: differences.length === 0 && faults.length === 0,
    ladder: about.ladder_id,
    made: about.made,
    release: about.versions.release,
    rows: shown.length,
    versions: count.versions.size,
    games: count.games,
    voided: count.voided,
    unrated: count.unrated,
    newest: reading.newest,
    anchors: board.anchors,
    differences,
    faults,
    replays: { checked: replays.size - foreign, foreign, absent },
    unchecked: [
      ...missingBots(count, shown, about.qualifying_games),
      ...olderVersions(count, shown),
    ],
  };
}

/** The list of replays against those that were found. */
function noteListed(reading: Reading, listed: readonly string[]): void {
  const names = new Set(listed);
  for (const match of names.difference(reading.replays))
    note(reading, { match, problem: "lacks its replay, which is listed" });
  for (const match of reading.replays.difference(names))
    note(reading, { match, problem: "has a replay that is not listed" });
}

/**
 * Who retired, was suspended or lost a membership is not in an archive. So no bot must have a row,
 * and a row may be of any version that its bot played; what such a row says has to be right.
 */
function outsiders({ versions, bots }: Count): Map<BotId, PublicBot> {
  const labels = Map.groupBy(versions.values(), ({ botId }) => botId);
  return new Map(
    [...bots.keys()].map((id) => [
      id,
      { isOut: true, retired: new Set(labels.get(id)?.map(({ label }) => label)) },
    ]),
  );
}

/** The versions that their bots played last, with the names of these. */
function lastVersions({ versions, bots }: Count) {
  return [...Map.groupBy(versions.values(), ({ botId }) => botId)].map(([botId, all]) => ({
    name: sure(bots.get(botId), "bot").name,
    version: all.reduce((last, one) => (isLater(one.last, last.last) ? one : last)),
  }));
}

function missingBots(count: Count, shown: readonly ShownRow[], qualifying: number): string[] {
  const rows = new Set(shown.map(({ name }) => name));
  const missing = lastVersions(count)
    .filter(({ name, version }) => !rows.has(name) && gamesOf(version) >= qualifying)
    .map(({ name }) => name);
  if (missing.length === 0) return [];
  return [`why these have no row, though they played enough: ${missing.toSorted().join(", ")}`];
}

function olderVersions(count: Count, shown: readonly ShownRow[]): string[] {
  const labels = new Map(lastVersions(count).map(({ name, version }) => [name, version.label]));
  const older = shown.filter(({ name, version }) => (labels.get(name) ?? version) !== version);
  const names = older.map(({ name, version }) => `${name}@${version}`);
  return names.length === 0 ? [] : [`why these stand by an older version: ${names.join(", ")}`];
}
