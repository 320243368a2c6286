import type { MapColumns } from "#core/rating/forecast.ts";
import { CENTRE, POINTS_PER_UNIT } from "#core/rating/score.ts";

import { mapColumnsOf } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import { isOnRematchHold, windowAfterWait } from "./rules.ts";
import type { PairingParameters, QueueSnapshot, WaitingBot } from "./types.ts";
import { botWeight, settledShare } from "./weight.ts";

// A wave considers hundreds of thousands of pairs of waiting bots. Values that depend on one bot
// are therefore computed once per bot. Matchups and rematch holds are sparse; `enterRow` writes
// those of one bot into an array before its pairs are visited, so that no pair needs a lookup by
// string.

export type PairingField = {
  readonly bots: readonly WaitingBot[];
  readonly numbers: PairingParameters;
  /** All results, and the columns of the ladder's maps in the results table. */
  readonly matchups: Matchups;
  readonly maps: MapColumns;
  /**
   * Rating in unrounded points, and the odds against a bot rated `CENTRE`. The odds stay finite up
   * to 100,000 points.
   */
  readonly rating: Float64Array;
  readonly odds: Float64Array;
  readonly settled: Float64Array;
  readonly waitSeconds: Float64Array;
  /** Maximum rating gap for the bot's wait time, and whether the wait gives the bot priority. */
  readonly window: Float64Array;
  readonly hasPriority: Uint8Array;
  readonly ownWeight: Int32Array;
  readonly house: Uint8Array;
  readonly owner: Int32Array;
  /** Number of the bot's version. In a matchup, the lower number comes first. */
  readonly number: Int32Array;
  /** Bot index by version number, or ABSENT. */
  readonly indexByNumber: Int32Array;
  readonly rematchHolds: readonly number[][];
  /**
   * Relation of the entered bot to each other bot: the table row of their matchup, NEVER_MET or
   * ON_REMATCH_HOLD.
   */
  readonly relation: Int32Array;
};

export const NEVER_MET = -1;
export const ON_REMATCH_HOLD = -2;

/** The version hasn't played, or its bot isn't waiting. */
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
 * Returns the rating gap at which two bots may play, in points. The shorter wait determines it, or
 * the longer one once that wait gives priority.
 */
export function ratingWindow({ window, hasPriority }: PairingField, a: number, b: number): number {
  const usesLongerWait = (hasPriority[a]! | hasPriority[b]!) === 1;
  return usesLongerWait ? Math.max(window[a]!, window[b]!) : Math.min(window[a]!, window[b]!);
}

/** Writes a bot's relations into `relation`. Call `leaveRow` before entering another bot's row. */
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

/** A new version starts at its predecessor's rating and moves to its own as it settles. */
function estimatedRating({ rating, formerRating }: WaitingBot, settled: number): number {
  if (formerRating === null) return rating;
  return settled * rating + (1 - settled) * formerRating;
}

function ownersOf(bots: readonly WaitingBot[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(bots, ({ owner }, index) => {
    if (owner === null) return bots.length + index;
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    return number;
  });
}

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
