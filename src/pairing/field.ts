import { CENTRE, POINTS_PER_UNIT } from "#rating/score.ts";

import type { Matchup } from "./matchups.ts";
import { heldBack, ownerKey } from "./rules.ts";
import type { Snapshot, WaitingBot } from "./types.ts";
import { ownWeight, settledShare } from "./weight.ts";

// A wave looks at every pair of waiting bots, hundreds of thousands of them. What depends on one bot
// alone is computed once per bot, and what few pairs have (a matchup, a hold) is spread out over a
// row before the pairs of one bot are looked at, so that no pair costs a look-up by text.

/** Matchups of a bot, and the places of those that it has met. */
type Met = { readonly places: number[]; readonly matchups: Matchup[] };

/** The bots of a wave, each known by its place. */
export type Field = {
  readonly bots: readonly WaitingBot[];
  readonly maps: readonly string[];
  /** Unrounded points, and the odds against a bot at the centre: finite up to 100,000 points. */
  readonly rating: Float64Array;
  readonly odds: Float64Array;
  /** How settled the versions are, 0 to 1. */
  readonly settled: Float64Array;
  readonly waitSeconds: Float64Array;
  /** What a bot adds to the weight of all its pairs. */
  readonly ownWeight: Int32Array;
  readonly house: Uint8Array;
  /** Equal for bots of one owner. */
  readonly owner: Int32Array;
  /** The order of the version ids: of two bots the lower one is the `first` of their matchup. */
  readonly rank: Int32Array;
  readonly held: readonly number[][];
  readonly met: readonly Met[];
  readonly row: Row;
};

/** The pairs of one bot with all others, by the place of the other. */
type Row = {
  /** Whether the two are held back from each other. */
  readonly held: Uint8Array;
  readonly matchup: (Matchup | null)[];
};

export function createField(snapshot: Snapshot, bots: readonly WaitingBot[]): Field {
  const rating = Float64Array.from(bots, estimatedRating);
  return {
    bots,
    maps: snapshot.maps,
    rating,
    odds: rating.map((points) => Math.exp((points - CENTRE) / POINTS_PER_UNIT)),
    settled: Float64Array.from(bots, settledShare),
    waitSeconds: Float64Array.from(bots, ({ waitSeconds }) => waitSeconds),
    ownWeight: Int32Array.from(bots, ownWeight),
    house: Uint8Array.from(bots, ({ house }) => (house ? 1 : 0)),
    owner: ownersOf(bots),
    rank: ranksOf(bots),
    held: heldPairs(bots),
    met: metPairs(snapshot, bots),
    row: { held: new Uint8Array(bots.length), matchup: bots.map(() => null) },
  };
}

/** Spreads out what a bot has with others; to be left before another bot's row is entered. */
export function enterRow({ held, met, row }: Field, place: number): void {
  for (const other of held[place]) row.held[other] = 1;
  const { places, matchups } = met[place];
  for (let rank = 0; rank < places.length; rank += 1) row.matchup[places[rank]] = matchups[rank];
}

export function leaveRow({ held, met, row }: Field, place: number): void {
  for (const other of held[place]) row.held[other] = 0;
  for (const other of met[place].places) row.matchup[other] = null;
}

/** Whether the bot whose row is entered may meet another at all; the rest is a matter of weight. */
export function mayMeet({ house, owner, row }: Field, one: number, other: number): boolean {
  return owner[one] !== owner[other] && (house[one] & house[other]) === 0 && row.held[other] === 0;
}

/** A new version starts where the one before it stands and moves to its own rating by its games. */
function estimatedRating({ rating, games, formerRating }: WaitingBot): number {
  if (formerRating === null) return rating;
  const own = settledShare({ games });
  return own * rating + (1 - own) * formerRating;
}

/** A number for each owner; a bot without one has a number of its own. */
function ownersOf(bots: readonly WaitingBot[]): Int32Array {
  const numbers = new Map<string, number>();
  return Int32Array.from(bots, ({ owner }, place) => {
    if (owner === null) return bots.length + place;
    const number = numbers.get(ownerKey(owner)) ?? numbers.size;
    numbers.set(ownerKey(owner), number);
    return number;
  });
}

function ranksOf(bots: readonly WaitingBot[]): Int32Array {
  const places = Array.from(bots.keys());
  places.sort((one, other) => (bots[one].version < bots[other].version ? -1 : 1));
  const ranks = new Int32Array(bots.length);
  for (const [rank, place] of places.entries()) ranks[place] = rank;
  return ranks;
}

/** For each bot the places of those that it is held back from. */
function heldPairs(bots: readonly WaitingBot[]): number[][] {
  const places = new Map(bots.map(({ bot }, place) => [bot, place]));
  const held: number[][] = bots.map(() => []);
  for (const [place, one] of bots.entries()) {
    for (const bot of [one.bot, one.lastOpponent, ...one.sinceMeetingSeconds.keys()]) {
      const other = bot === null ? undefined : places.get(bot);
      if (other === undefined || !heldBack(one, bots[other])) continue;
      held[place].push(other);
      held[other].push(place);
    }
  }
  return held;
}

/** For each bot its matchups with others of the field. */
function metPairs({ matchups }: Snapshot, bots: readonly WaitingBot[]): Met[] {
  const places = new Map(bots.map(({ version }, place) => [version, place]));
  const met: Met[] = bots.map(() => ({ places: [], matchups: [] }));
  const note = (place: number, other?: number, matchup?: Matchup): void => {
    if (other === undefined || matchup === undefined) return;
    met[place].places.push(other);
    met[place].matchups.push(matchup);
    met[other].places.push(place);
    met[other].matchups.push(matchup);
  };
  for (const [version, place] of places) {
    const row = matchups.get(version);
    if (row === undefined) continue;
    if (row.size < places.size) {
      for (const [opponent, matchup] of row) note(place, places.get(opponent), matchup);
    } else {
      for (const [opponent, other] of places) note(place, other, row.get(opponent));
    }
  }
  return met;
}
