// A bot's progress towards a condition. Computed from its rated games in the order in which they
// ended, so it can be recomputed from the stored matches at any time.

import type { HouseKind } from "#core/ids/house-bots.ts";
import type { MatchId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { Condition } from "./event.ts";

/** A game that counts for an event, from one bot's point of view. */
export type CountedGame = {
  matchId: MatchId;
  ended: string;
  map: string;
  result: "W" | "L" | "D";
  /** Short name of the opponent; null unless it's a house bot. */
  opponent: HouseKind | null;
  /** Number of the last tick; 0 if a bot wasn't ready in time. */
  ticks: number;
  /** Whether the bot had no refused or idle turns; null if unknown. */
  isClean: boolean | null;
  /** Leaderboard score right after the game; null if the version wasn't ranked. */
  score: number | null;
};

/** `evidence` lists the games that counted, the deciding one last. */
export type Earned = { at: string; evidence: readonly MatchId[] };

export type ProgressTally = {
  /** Best value so far, in games, consecutive games or points. */
  best: number;
  /** Latest games that contributed to `best`. */
  evidence: readonly MatchId[];
  /** Current streak, for conditions that require consecutive games. */
  run: { length: number; last: readonly MatchId[] };
  maps: Readonly<Record<string, MatchId>>;
  /** Null until the condition is met. Later games never revoke it. */
  earned: Earned | null;
};

export const EMPTY_PROGRESS_TALLY: ProgressTally = {
  best: 0,
  evidence: [],
  run: { length: 0, last: [] },
  maps: {},
  earned: null,
};

/** Returns the target of a condition, in the unit of `best`. */
export function conditionTarget(condition: Condition): number {
  switch (condition.kind) {
    case "games":
    case "wins":
      return condition.count;
    case "defeat":
    case "streak":
      return condition.wins;
    case "clean":
      return condition.games;
    case "score":
      return condition.least;
  }
}

export function addGameToTally(
  condition: Condition,
  tally: ProgressTally,
  game: CountedGame,
): ProgressTally {
  const next = TALLY_STEPS[tallyMethod(condition)](condition, tally, game);
  const isMet =
    tally.earned === null &&
    next.best >= conditionTarget(condition) &&
    hasRequiredMaps(condition, next);
  return isMet
    ? { ...next, earned: { at: game.ended, evidence: selectEvidence(condition, next) } }
    : next;
}

type TallyStep = (condition: Condition, tally: ProgressTally, game: CountedGame) => ProgressTally;

/** Conditions count games, consecutive games, or the points after a game. */
const TALLY_STEPS: Record<"sum" | "row" | "points", TallyStep> = {
  sum: (condition, tally, game) =>
    gameVerdict(condition, game) === "counts" ? addCountedGame(tally, game) : tally,
  row: (condition, tally, game) => updateStreak(tally, game, gameVerdict(condition, game)),
  points: (_, tally, { score, matchId }) =>
    score !== null && score > tally.best ? { ...tally, best: score, evidence: [matchId] } : tally,
};

function tallyMethod({ kind }: Condition): keyof typeof TALLY_STEPS {
  if (kind === "score") return "points";
  return kind === "streak" || kind === "clean" ? "row" : "sum";
}

type GameVerdict = "counts" | "breaks" | "neither";

function gameVerdict(condition: Condition, game: CountedGame): GameVerdict {
  const { result, opponent, ticks, isClean } = game;
  switch (condition.kind) {
    case "games":
      return "counts";
    case "wins":
      return result === "W" ? "counts" : "neither";
    case "streak":
      return result === "W" ? "counts" : "breaks";
    case "defeat":
      return result === "W" && opponent === condition.opponent ? "counts" : "neither";
    case "clean":
      if (ticks === 0 || isClean === null) return "neither";
      return isClean ? "counts" : "breaks";
    case "score":
      return "neither";
  }
}

function addCountedGame(tally: ProgressTally, { matchId, map }: CountedGame): ProgressTally {
  const maps = map in tally.maps ? tally.maps : { ...tally.maps, [map]: matchId };
  return {
    ...tally,
    best: tally.best + 1,
    evidence: appendEvidence(tally.evidence, matchId),
    maps,
  };
}

function updateStreak(
  tally: ProgressTally,
  { matchId }: CountedGame,
  verdict: GameVerdict,
): ProgressTally {
  if (verdict === "neither") return tally;
  if (verdict === "breaks") return { ...tally, run: EMPTY_PROGRESS_TALLY.run };
  const run = { length: tally.run.length + 1, last: appendEvidence(tally.run.last, matchId) };
  const isBest = run.length > tally.best;
  return isBest ? { ...tally, run, best: run.length, evidence: run.last } : { ...tally, run };
}

const appendEvidence = (ids: readonly MatchId[], id: MatchId): readonly MatchId[] =>
  [...ids, id].slice(-FIXED_LIMITS.evidence_shown);

function requiredMapCount(condition: Condition): number {
  return "maps" in condition ? (condition.maps ?? 1) : 1;
}

const hasRequiredMaps = (condition: Condition, { maps }: ProgressTally): boolean =>
  tallyMethod(condition) !== "sum" || Object.keys(maps).length >= requiredMapCount(condition);

/** Selects the latest games that counted. If maps matter, one game on each map takes precedence. */
function selectEvidence(
  condition: Condition,
  { evidence, maps }: ProgressTally,
): readonly MatchId[] {
  const mapCount = requiredMapCount(condition);
  const mapMatchIds = mapCount === 1 ? [] : Object.values(maps).slice(0, mapCount);
  const missingMatchIds = mapMatchIds.filter((id) => !evidence.includes(id));
  const droppedMatchIds = evidence
    .filter((id) => !mapMatchIds.includes(id))
    .slice(0, missingMatchIds.length);
  return [...missingMatchIds, ...evidence.filter((id) => !droppedMatchIds.includes(id))];
}
