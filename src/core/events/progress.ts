// How far a bot has come with a condition: a fold over its rated games, in the order of their ends.
// So progress is a function of the stored matches, and may be computed again at any time.

import type { HouseKind } from "#core/words/house.ts";
import type { MatchId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { Condition } from "./event.ts";

/** A game that counts for an event, as one of its bots saw it. */
export type CountedGame = {
  matchId: MatchId;
  ended: string;
  map: string;
  result: "W" | "L" | "D";
  /** Short name of the house bot that was met; null for any other bot. */
  opponent: HouseKind | null;
  /** The last tick; 0 for a game that one bot was not ready for. */
  ticks: number;
  /** Whether no turn of the bot was refused or idle; null where that is not known. */
  isClean: boolean | null;
  /** The leaderboard score right after the game; null unless the version was ranked then. */
  score: number | null;
};

/** What earned an achievement: the games that counted, the deciding one last. */
export type Earned = { at: string; evidence: readonly MatchId[] };

export type ProgressTally = {
  /** The most so far: of games, of games in a row, or of points. */
  best: number;
  /** The last of the games that made it so. */
  evidence: readonly MatchId[];
  /** Games in a row up to now, where they must be in a row. */
  run: { length: number; last: readonly MatchId[] };
  /** The first of the games that count on each map. */
  maps: Readonly<Record<string, MatchId>>;
  /** Null until the condition is met. What is earned stays as it is. */
  earned: Earned | null;
};

export const NOTHING: ProgressTally = {
  best: 0,
  evidence: [],
  run: { length: 0, last: [] },
  maps: {},
  earned: null,
};

/** What the condition asks for, in what `best` counts. */
export function targetOf(condition: Condition): number {
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

/** The tally after one more game. */
export function withGame(
  condition: Condition,
  tally: ProgressTally,
  game: CountedGame,
): ProgressTally {
  const next = STEPS[kindOf(condition)](condition, tally, game);
  const isMet =
    tally.earned === null && next.best >= targetOf(condition) && hasMaps(condition, next);
  return isMet ? { ...next, earned: { at: game.ended, evidence: proof(condition, next) } } : next;
}

type Step = (condition: Condition, tally: ProgressTally, game: CountedGame) => ProgressTally;

/** Games count one by one, in a row, or by the points that they lead to. */
const STEPS: Record<"sum" | "row" | "points", Step> = {
  sum: (condition, tally, game) =>
    verdictOn(condition, game) === "counts" ? withOneMore(tally, game) : tally,
  row: (condition, tally, game) => inARow(tally, game, verdictOn(condition, game)),
  points: (_, tally, { score, matchId }) =>
    score !== null && score > tally.best ? { ...tally, best: score, evidence: [matchId] } : tally,
};

function kindOf({ kind }: Condition): keyof typeof STEPS {
  if (kind === "score") return "points";
  return kind === "streak" || kind === "clean" ? "row" : "sum";
}

type OnGame = "counts" | "breaks" | "neither";

function verdictOn(condition: Condition, game: CountedGame): OnGame {
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

function withOneMore(tally: ProgressTally, { matchId, map }: CountedGame): ProgressTally {
  const maps = map in tally.maps ? tally.maps : { ...tally.maps, [map]: matchId };
  return { ...tally, best: tally.best + 1, evidence: latest(tally.evidence, matchId), maps };
}

function inARow(tally: ProgressTally, { matchId }: CountedGame, verdict: OnGame): ProgressTally {
  if (verdict === "neither") return tally;
  if (verdict === "breaks") return { ...tally, run: NOTHING.run };
  const run = { length: tally.run.length + 1, last: latest(tally.run.last, matchId) };
  const isBest = run.length > tally.best;
  return isBest ? { ...tally, run, best: run.length, evidence: run.last } : { ...tally, run };
}

const latest = (ids: readonly MatchId[], id: MatchId): readonly MatchId[] =>
  [...ids, id].slice(-FIXED.evidence_shown);

function mapsOf(condition: Condition): number {
  return "maps" in condition ? (condition.maps ?? 1) : 1;
}

const hasMaps = (condition: Condition, { maps }: ProgressTally): boolean =>
  kindOf(condition) !== "sum" || Object.keys(maps).length >= mapsOf(condition);

/** The last games that counted. Where maps matter, one on each of them comes before further ones. */
function proof(condition: Condition, { evidence, maps }: ProgressTally): readonly MatchId[] {
  const many = mapsOf(condition);
  const needed = many === 1 ? [] : Object.values(maps).slice(0, many);
  const older = needed.filter((id) => !evidence.includes(id));
  const further = evidence.filter((id) => !needed.includes(id)).slice(0, older.length);
  return [...older, ...evidence.filter((id) => !further.includes(id))];
}
