import type { MapColumns } from "#core/rating/forecast.ts";
import { CENTRE, POINTS_PER_UNIT } from "#core/rating/score.ts";

import { mapColumnsOf } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import { isOnRematchHold, windowAfterWait } from "./rules.ts";
import type { PairingParameters, QueueSnapshot, WaitingBot } from "./types.ts";
import { botWeight, settledShare } from "./weight.ts";

// A wave considers every pair of waiting bots, which are hundreds of thousands. Values of a single
// bot are computed once per bot. Sparse relations (matchups, holds) are spread over a row before
// the pairs of a bot are visited, so that no pair needs a lookup by text.

/** The bots of a wave, each identified by its index. */
export type PairingField = {
  readonly bots: readonly WaitingBot[];
  readonly numbers: PairingParameters;
  /** All results, and the columns of the configured maps in their table. */
  readonly matchups: Matchups;
  readonly maps: MapColumns;
  /**
   * Unrounded points, and the odds against a bot at the centre, which are finite up to 100,000
   * points.
   */
  readonly rating: Float64Array;
  readonly odds: Float64Array;
  /** How settled the versions are, 0 to 1. */
  readonly settled: Float64Array;
  readonly waitSeconds: Float64Array;
  /** The gap that a bot's own wait allows, and whether that wait gives priority. */
  readonly window: Float64Array;
  readonly hasPriority: Uint8Array;
  /** Part of the weight that a bot contributes to all its pairs. */
  readonly ownWeight: Int32Array;
  readonly house: Uint8Array;
  /** Equal for bots of the same owner. */
  readonly owner: Int32Array;
  /** The version's number; in a matchup, the lesser number comes first. */
  readonly number: Int32Array;
  /** The index of the bot with a version number, or ABSENT. */
  readonly indexByNumber: Int32Array;
  readonly rematchHolds: readonly number[][];
  /**
   * The current row, by the index of the other bot: a row of the table, or one of the two below.
   */
  readonly relation: Int32Array;
};

export const NEVER_MET = -1;
export const ON_REMATCH_HOLD = -2;

/** The version has not played, or isn't waiting. */
const ABSENT = -1;

export function createField(snapshot: QueueSnapshot, bots: readonly WaitingBot[]): PairingField {
  const { matchups, maps, numbers } = snapshot;
  const settled = Float64Array.from(bots, (bot) => settledShare(numbers, bot));
  const rating = Float64Array.from(bots, (bot, index) => estimatedRating(bot, settled[index]!));
  const number = Int32Array.from(bots, ({ version }) => matchups.numbers.get(version) ?? ABSENT);
  return {
    bots,
    numbers,
    matchups,
    maps: mapColumnsOf(matchups, maps),
    rating,
    odds: rating.map((points) => Math.exp((points - CENTRE) / POINTS_PER_UNIT)),
    settled,
    waitSeconds: Float64Array.from(bots, ({ waitSeconds }) => waitSeconds),
    window: Float64Array.from(bots, ({ waitSeconds }) => windowAfterWait(numbers, waitSeconds)),
    hasPriority: Uint8Array.from(bots, ({ waitSeconds }) =>
      Number(waitSeconds >= numbers.priorityWaitSeconds),
    ),
    ownWeight: Int32Array.from(bots, (bot) => botWeight(numbers, bot)),
    house: Uint8Array.from(bots, ({ house }) => (house ? 1 : 0)),
    owner: ownersOf(bots),
    number,
    indexByNumber: indicesByNumber(matchups, number),
    rematchHolds: rematchHoldPairs(numbers, bots),
    relation: new Int32Array(bots.length).fill(NEVER_MET),
  };
}

/**
 * Returns the allowed gap of two bots in points. It grows with the shorter wait, or with the longer
 * once that gives priority; and the longer wait allows the wider gap.
 */
export function ratingWindow({ window, hasPriority }: PairingField, a: number, b: number): number {
  const usesLongerWait = (hasPriority[a]! | hasPriority[b]!) === 1;
  return usesLongerWait ? Math.max(window[a]!, window[b]!) : Math.min(window[a]!, window[b]!);
}

/** Spreads a bot's relations over the row. Leave it before entering another bot's row. */
export function enterRow(field: PairingField, index: number): void {
  const { matchups, number, indexByNumber, rematchHolds, relation } = field;
  const { opponents, matchupRows: indices } = matchups.metOpponents[number[index]!] ?? NO_OPPONENTS;
  for (let position = 0; position < opponents.length; position += 1) {
    const b = indexByNumber[opponents[position]!]!;
    if (b !== ABSENT) relation[b] = indices[position]!;
  }
  for (const b of rematchHolds[index]!) relation[b] = ON_REMATCH_HOLD;
}

const NO_OPPONENTS: Matchups["metOpponents"][number] = { opponents: [], matchupRows: [] };

export function leaveRow(
  { matchups, number, indexByNumber, rematchHolds, relation }: PairingField,
  index: number,
): void {
  for (const b of rematchHolds[index]!) relation[b] = NEVER_MET;
  for (const opponent of (matchups.metOpponents[number[index]!] ?? NO_OPPONENTS).opponents) {
    const b = indexByNumber[opponent]!;
    if (b !== ABSENT) relation[b] = NEVER_MET;
  }
}

/** A new version starts at its predecessor's rating and moves to its own as it plays. */
function estimatedRating({ rating, formerRating }: WaitingBot, settled: number): number {
  if (formerRating === null) return rating;
  return settled * rating + (1 - settled) * formerRating;
}

/** Returns a number for each owner; a bot without an owner gets its own number. */
function ownersOf(bots: readonly WaitingBot[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(bots, ({ owner }, index) => {
    if (owner === null) return bots.length + index;
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    return number;
  });
}

/** Returns for each bot the indices of bots on a rematch hold with it. */
function rematchHoldPairs(numbers: PairingParameters, bots: readonly WaitingBot[]): number[][] {
  const indices = new Map(bots.map(({ bot }, index) => [bot, index]));
  const rematchHolds: number[][] = bots.map(() => []);
  for (const [index, a] of bots.entries()) {
    for (const bot of [a.bot, a.lastOpponent, ...a.sinceMeetingSeconds.keys()]) {
      const b = bot === null ? undefined : indices.get(bot);
      if (b === undefined || !isOnRematchHold(numbers, a, bots[b]!)) continue;
      rematchHolds[index]!.push(b);
      rematchHolds[b]!.push(index);
    }
  }
  return rematchHolds;
}

function indicesByNumber({ numbers }: Matchups, number: Int32Array): Int32Array {
  const indices = new Int32Array(numbers.size).fill(ABSENT);
  for (const [index, versionNumber] of number.entries())
    if (versionNumber !== ABSENT) indices[versionNumber] = index;
  return indices;
}
