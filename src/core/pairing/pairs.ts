import type { Graph } from "#core/graph-matching/graph.ts";
import { openness } from "#core/rating/forecast.ts";

import { assess, createAssessment, groundOf, letsStrangers } from "./assessment.ts";
import type { Rule } from "./assessment.ts";
import { enterRow, HELD_BACK, leaveRow, STRANGERS } from "./field.ts";
import type { Field } from "./field.ts";
import type { Assessment } from "./types.ts";
import type { Ground } from "./types.ts";
import { sharedWeight, strangersWeight } from "./weight.ts";

/** A pair that may play, why, and its weight. Bots are given by place in the field. */
export type Choice = {
  one: number;
  other: number;
  ground: Ground;
  countsQuality: boolean;
  weight: number;
};

/** Places of bots, in the narrowest type that fits, because a wave has millions of pairs. */
type Places = Uint16Array | Int32Array;

/** Pairs that may play, with room for more. */
type Edges = { count: number; from: Places; to: Places; weight: Int32Array };

/** The pairs among some bots that may play. Vertices are places in the field. */
export function pairGraph(field: Field, places: Int32Array, rule: Rule): Graph {
  const edges = roomFor(field, (places.length * (places.length - 1)) / 2);
  const assessment = createAssessment();
  for (let rank = 0; rank < places.length; rank += 1)
    gatherRow(field, places[rank]!, places.subarray(rank + 1), rule, assessment, edges);
  return graphOf(field.bots.length, edges);
}

function roomFor({ bots }: Field, count: number): Edges {
  const PlaceArray = bots.length <= 2 ** 16 ? Uint16Array : Int32Array;
  return {
    count: 0,
    from: new PlaceArray(count),
    to: new PlaceArray(count),
    weight: new Int32Array(count),
  };
}

function graphOf(vertices: number, { count, from, to, weight }: Edges): Graph {
  return {
    vertices,
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    weight: weight.subarray(0, count),
  };
}

/** Collects the pairs of one bot, which has met only few of the others. */
function gatherRow(
  field: Field,
  one: number,
  others: Int32Array,
  rule: Rule,
  assessment: Assessment,
  edges: Edges,
): void {
  enterRow(field, one);
  gatherStrangers(field, one, others, rule, edges);
  for (const other of others) {
    if (field.relation[other]! < 0 || isBarred(field, one, other)) continue;
    assess(assessment, field, one, other, rule.countsQuality);
    if (groundOf(rule, field, one, other, assessment) === null) continue;
    put(edges, one, other, weightOfPair(field, rule.countsQuality, one, other, assessment));
  }
  leaveRow(field, one);
}

/** The innermost loop of a wave, so what depends on the first bot is read once. */
function gatherStrangers(
  field: Field,
  one: number,
  others: Int32Array,
  rule: Rule,
  edges: Edges,
): void {
  const { rating, odds, settled, ownWeight, relation } = field;
  const { from, to, weight } = edges;
  const own = { rating: rating[one]!, odds: odds[one]! };
  const ownSettled = settled[one]!;
  const isGapless = letsStrangers(rule, field);
  let { count } = edges;
  for (let rank = 0; rank < others.length; rank += 1) {
    const other = others[rank]!;
    if (relation[other] !== STRANGERS || isBarred(field, one, other)) continue;
    const gap = Math.abs(own.rating - rating[other]!);
    if (!isGapless && rule.byGap(field, gap, one, other) === null) continue;
    const open = rule.countsQuality ? openness(own.odds / (own.odds + odds[other]!)) : 0;
    const shared = strangersWeight(open, ownSettled, settled[other]!);
    from[count] = one;
    to[count] = other;
    weight[count] = ownWeight[one]! + ownWeight[other]! + shared;
    count += 1;
  }
  edges.count = count;
}

/** Whether two bots may never meet, whatever their weight. */
function isBarred({ house, owner }: Field, one: number, other: number): boolean {
  return owner[one] === owner[other] || (house[one]! & house[other]!) === 1;
}

function put(edges: Edges, one: number, other: number, weight: number): void {
  edges.from[edges.count] = one;
  edges.to[edges.count] = other;
  edges.weight[edges.count] = weight;
  edges.count += 1;
}

function weightOfPair(
  { ownWeight, settled }: Field,
  countsQuality: boolean,
  one: number,
  other: number,
  assessment: Assessment,
): number {
  const { quality, games, contradicting } = assessment;
  const open = countsQuality ? quality : 0;
  const shared = sharedWeight(open, settled[one]!, settled[other]!, games, contradicting);
  return ownWeight[one]! + ownWeight[other]! + shared;
}

/** The heaviest pair of a bot with some others, or null if it may play none of them. */
export function heaviestChoice(
  field: Field,
  one: number,
  others: Int32Array,
  rule: Rule,
): Choice | null {
  const edges = roomFor(field, others.length);
  gatherRow(field, one, others, rule, createAssessment(), edges);
  let best = 0;
  for (let edge = 1; edge < edges.count; edge += 1)
    if (edges.weight[edge]! > edges.weight[best]!) best = edge;
  return edges.count === 0 ? null : choiceOf(field, one, edges.to[best]!, rule);
}

/** The first bot not yet taken that this one may play, or null. */
export function partnerOf(field: Field, one: number, taken: Uint8Array, rule: Rule): number | null {
  const assessment = createAssessment();
  enterRow(field, one);
  const partner = taken.findIndex((isTaken, other) => {
    const isOpen = isTaken === 0 && field.relation[other] !== HELD_BACK;
    if (!isOpen || isBarred(field, one, other)) return false;
    assess(assessment, field, one, other, rule.countsQuality);
    return groundOf(rule, field, one, other, assessment) !== null;
  });
  leaveRow(field, one);
  return partner === -1 ? null : partner;
}

/** A pair that the rule allows, with its reason and weight. */
export function choiceOf(field: Field, one: number, other: number, rule: Rule): Choice {
  const assessment = assessPair(field, one, other);
  const { countsQuality } = rule;
  const weight = weightOfPair(field, countsQuality, one, other, assessment);
  return {
    one,
    other,
    ground: groundOf(rule, field, one, other, assessment)!,
    countsQuality,
    weight,
  };
}

/** Everything known about a single pair. */
export function assessPair(field: Field, one: number, other: number): Assessment {
  const assessment = createAssessment();
  enterRow(field, one);
  assess(assessment, field, one, other, true);
  leaveRow(field, one);
  return assessment;
}
