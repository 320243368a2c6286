import type { Graph } from "#matching/graph.ts";
import { maximumWeightMatching } from "#matching/matching.ts";

import { addedGround, competitiveGround, reservedGround } from "./assessment.ts";
import { createField } from "./field.ts";
import type { Field } from "./field.ts";
import { assessPair, heaviestChoice, pairGraph, weightOfPair, withoutPlaces } from "./pairs.ts";
import type { Choice, GroundOf } from "./pairs.ts";
import { createDraw, shuffled } from "./random.ts";
import type { Draw } from "./random.ts";
import { readyBots } from "./rules.ts";
import { leastPlayedMap, seated } from "./seating.ts";
import type { Pairing, Snapshot, WaveLimits } from "./types.ts";
import { termsOf, weightOf } from "./weight.ts";

/** One in so many starts is reserved for under-tested version pairs. */
const STARTS_PER_DISCOVERY = 7;

/**
 * Chooses the matches to start now: reserved discovery first, then the matching of greatest weight
 * among competitive pairs, then discovery among those it left over; heavier pairs first where the
 * server is short of matches. The same snapshot, limits and seed give the same pairings.
 * @throws RangeError without a map to play on.
 */
export function pairWave(snapshot: Snapshot, limits: WaveLimits, seed: number): Pairing[] {
  if (snapshot.maps.length === 0) throw new RangeError("there is no map to play on");
  if (limits.freeMatches <= 0) return [];
  const draw = createDraw(seed);
  const field = createField(snapshot, shuffled(readyBots(snapshot, limits), draw));
  const taken = new Uint8Array(field.bots.length);
  const competitive = pairGraph(field, placesLeft(taken), competitiveGround);
  const starts = Math.min(limits.freeMatches, plainStarts(competitive));
  const reserved = reserve(field, taken, Math.floor(starts / STARTS_PER_DISCOVERY + draw()));
  const matched = heaviest(field, withoutPlaces(competitive, taken), competitiveGround);
  for (const choice of matched) take(taken, choice);
  const left = pairGraph(field, placesLeft(taken), addedGround);
  const chosen = [...reserved, ...matched, ...heaviest(field, left, addedGround)];
  return chosen
    .slice(0, limits.freeMatches)
    .map((choice) => pairingOf(snapshot, field, choice, draw));
}

function take(taken: Uint8Array, { one, other }: Choice): void {
  taken[one] = 1;
  taken[other] = 1;
}

function placesLeft(taken: Uint8Array): Int32Array {
  return Int32Array.from(taken.keys()).filter((place) => taken[place] === 0);
}

/** Starts that some pairs allow at least, counted without weighing anything. */
function plainStarts({ vertices, from, to }: Graph): number {
  const taken = new Uint8Array(vertices);
  let starts = 0;
  for (let edge = 0; edge < from.length; edge += 1) {
    if (taken[from[edge]] === 1 || taken[to[edge]] === 1) continue;
    taken[from[edge]] = 1;
    taken[to[edge]] = 1;
    starts += 1;
  }
  return starts;
}

/** Takes up to `count` under-tested pairs: bots in the drawn order, each with its best partner. */
function reserve(field: Field, taken: Uint8Array, count: number): Choice[] {
  const reserved: Choice[] = [];
  for (let one = 0; one < taken.length && reserved.length < count; one += 1) {
    if (taken[one] === 1) continue;
    const best = heaviestChoice(field, one, taken, reservedGround);
    if (best === null) continue;
    reserved.push(best);
    take(taken, best);
  }
  return reserved;
}

/** The pairs of the matching of greatest weight, the heaviest first. */
function heaviest(field: Field, pairs: Graph, groundOf: GroundOf): Choice[] {
  if (pairs.weight.length === 0) return [];
  const { partner } = maximumWeightMatching(pairs);
  const chosen: Choice[] = [];
  for (const [one, other] of partner.entries()) {
    if (other < one) continue;
    const assessment = assessPair(field, one, other);
    const ground = groundOf(assessment)!;
    const weight = weightOfPair(field, one, other, ground, assessment);
    chosen.push({ one, other, ground, weight });
  }
  return chosen.sort((one, other) => other.weight - one.weight);
}

function pairingOf(snapshot: Snapshot, field: Field, choice: Choice, draw: Draw): Pairing {
  const { one, other, ground } = choice;
  const [first, second] = seated(field.bots[one], field.bots[other], draw);
  const assessment = assessPair(field, one, other);
  const terms = termsOf(ground, assessment, first, second);
  const { gap, window, expected, quality } = assessment;
  return {
    bots: [first.bot, second.bot],
    versions: [first.version, second.version],
    map: leastPlayedMap(snapshot, first, second, draw),
    ground,
    discovery: ground !== "window" && ground !== "established",
    gap,
    window,
    expected: first === field.bots[one] ? expected : 1 - expected,
    quality,
    terms,
    weight: weightOf(terms),
  };
}
