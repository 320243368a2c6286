import type { MapPlaces } from "#core/rating/forecast.ts";
import { CENTRE, POINTS_PER_UNIT } from "#core/rating/score.ts";

import { placesOfMaps } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import { heldBack, windowAfter } from "./rules.ts";
import type { PairingNumbers, Snapshot, WaitingBot } from "./types.ts";
import { ownWeight, settledShare } from "./weight.ts";

// A wave looks at every pair of waiting bots, hundreds of thousands of them. What depends on one
// bot alone is computed once per bot. What only few pairs have (a matchup, a hold) is spread over a
// row before the pairs of one bot are visited, so that no pair costs a look-up by text.

/** The bots of a wave, each identified by its place. */
export type Field = {
  readonly bots: readonly WaitingBot[];
  readonly numbers: PairingNumbers;
  /** All results, and the columns of the configured maps in their table. */
  readonly matchups: Matchups;
  readonly maps: MapPlaces;
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
  /** What a bot adds to the weight of all its pairs. */
  readonly ownWeight: Int32Array;
  readonly house: Uint8Array;
  /** Equal for bots of one owner. */
  readonly owner: Int32Array;
  /** The version's number; in a matchup, the lesser number comes first. */
  readonly number: Int32Array;
  /** The place of the bot with a number, or NOWHERE. */
  readonly placeOf: Int32Array;
  readonly held: readonly number[][];
  /**
   * The current row, by the place of the other bot: a place in the table, or one of the two below.
   */
  readonly relation: Int32Array;
};

export const STRANGERS = -1;
export const HELD_BACK = -2;

/** The version has not played, or is not waiting. */
const NOWHERE = -1;

export function createField(snapshot: Snapshot, bots: readonly WaitingBot[]): Field {
  const { matchups, maps, numbers } = snapshot;
  const settled = Float64Array.from(bots, (bot) => settledShare(numbers, bot));
  const rating = Float64Array.from(bots, (bot, place) => estimatedRating(bot, settled[place]!));
  const number = Int32Array.from(bots, ({ version }) => matchups.numbers.get(version) ?? NOWHERE);
  return {
    bots,
    numbers,
    matchups,
    maps: placesOfMaps(matchups, maps),
    rating,
    odds: rating.map((points) => Math.exp((points - CENTRE) / POINTS_PER_UNIT)),
    settled,
    waitSeconds: Float64Array.from(bots, ({ waitSeconds }) => waitSeconds),
    window: Float64Array.from(bots, ({ waitSeconds }) => windowAfter(numbers, waitSeconds)),
    hasPriority: Uint8Array.from(bots, ({ waitSeconds }) =>
      Number(waitSeconds >= numbers.priorityWaitSeconds),
    ),
    ownWeight: Int32Array.from(bots, (bot) => ownWeight(numbers, bot)),
    house: Uint8Array.from(bots, ({ house }) => (house ? 1 : 0)),
    owner: ownersOf(bots),
    number,
    placeOf: placesOf(matchups, number),
    held: heldPairs(numbers, bots),
    relation: new Int32Array(bots.length).fill(STRANGERS),
  };
}

/**
 * The allowed gap of two bots in points. It grows with the shorter wait, or with the longer once
 * that gives priority; and the longer wait allows the wider gap.
 */
export function ratingWindow({ window, hasPriority }: Field, one: number, other: number): number {
  const isLonger = (hasPriority[one]! | hasPriority[other]!) === 1;
  return isLonger ? Math.max(window[one]!, window[other]!) : Math.min(window[one]!, window[other]!);
}

/** Spreads a bot's relations over the row. Leave it before entering another bot's row. */
export function enterRow(field: Field, place: number): void {
  const { matchups, number, placeOf, held, relation } = field;
  const { opponents, places } = matchups.met[number[place]!] ?? NOBODY;
  for (let rank = 0; rank < opponents.length; rank += 1) {
    const other = placeOf[opponents[rank]!]!;
    if (other !== NOWHERE) relation[other] = places[rank]!;
  }
  for (const other of held[place]!) relation[other] = HELD_BACK;
}

const NOBODY: Matchups["met"][number] = { opponents: [], places: [] };

export function leaveRow(
  { matchups, number, placeOf, held, relation }: Field,
  place: number,
): void {
  for (const other of held[place]!) relation[other] = STRANGERS;
  for (const opponent of (matchups.met[number[place]!] ?? NOBODY).opponents) {
    const other = placeOf[opponent]!;
    if (other !== NOWHERE) relation[other] = STRANGERS;
  }
}

/** A new version starts at its predecessor's rating and moves to its own as it plays. */
function estimatedRating({ rating, formerRating }: WaitingBot, settled: number): number {
  if (formerRating === null) return rating;
  return settled * rating + (1 - settled) * formerRating;
}

/** A number for each owner; a bot without an owner gets its own number. */
function ownersOf(bots: readonly WaitingBot[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(bots, ({ owner }, place) => {
    if (owner === null) return bots.length + place;
    const number = numbers.get(owner) ?? numbers.size;
    numbers.set(owner, number);
    return number;
  });
}

/** For each bot, the places of those it is held back from. */
function heldPairs(numbers: PairingNumbers, bots: readonly WaitingBot[]): number[][] {
  const places = new Map(bots.map(({ bot }, place) => [bot, place]));
  const held: number[][] = bots.map(() => []);
  for (const [place, one] of bots.entries()) {
    for (const bot of [one.bot, one.lastOpponent, ...one.sinceMeetingSeconds.keys()]) {
      const other = bot === null ? undefined : places.get(bot);
      if (other === undefined || !heldBack(numbers, one, bots[other]!)) continue;
      held[place]!.push(other);
      held[other]!.push(place);
    }
  }
  return held;
}

function placesOf({ numbers }: Matchups, number: Int32Array): Int32Array {
  const places = new Int32Array(numbers.size).fill(NOWHERE);
  for (const [place, own] of number.entries()) if (own !== NOWHERE) places[own] = place;
  return places;
}
