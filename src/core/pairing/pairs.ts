import type { Graph } from "#core/graph-matching/graph.ts";
import { matchQuality } from "#core/rating/forecast.ts";

import { assess, createAssessment, groundOf, allowsStrangers } from "./assessment.ts";
import type { PairingRule } from "./assessment.ts";
import { enterRow, ON_REMATCH_HOLD, leaveRow, NEVER_MET } from "./pairing-field.ts";
import type { PairingField } from "./pairing-field.ts";
import type { PairAssessment } from "./types.ts";
import type { PairingGround } from "./types.ts";
import { pairWeight as sharedWeight, unmetPairWeight } from "./weight.ts";

/** A pair that may play, with the reason and weight. Bots are indices in the field. */
export type PairChoice = {
  a: number;
  b: number;
  ground: PairingGround;
  countsQuality: boolean;
  weight: number;
};

/** Uses the narrowest type that fits, because a wave can have millions of pairs. */
type BotIndices = Uint16Array | Int32Array;

type Edges = { count: number; from: BotIndices; to: BotIndices; weight: Int32Array };

/**
 * Returns a graph of the pairs among `botIndices` that a rule allows. Vertices are indices in the
 * field.
 */
export function pairGraph(field: PairingField, botIndices: Int32Array, rule: PairingRule): Graph {
  const edges = allocateEdges(field, (botIndices.length * (botIndices.length - 1)) / 2);
  const assessment = createAssessment();
  for (let position = 0; position < botIndices.length; position += 1)
    collectRow(
      field,
      botIndices[position]!,
      botIndices.subarray(position + 1),
      rule,
      assessment,
      edges,
    );
  return toGraph(field.bots.length, edges);
}

function allocateEdges({ bots }: PairingField, count: number): Edges {
  const PlaceArray = bots.length <= 2 ** 16 ? Uint16Array : Int32Array;
  return {
    count: 0,
    from: new PlaceArray(count),
    to: new PlaceArray(count),
    weight: new Int32Array(count),
  };
}

function toGraph(vertices: number, { count, from, to, weight }: Edges): Graph {
  return {
    vertices,
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    weight: weight.subarray(0, count),
  };
}

/**
 * Adds the allowed pairs of one bot. A bot has met only a few of the candidates, so unmet ones have
 * their own fast loop.
 */
function collectRow(
  field: PairingField,
  a: number,
  candidates: Int32Array,
  rule: PairingRule,
  assessment: PairAssessment,
  edges: Edges,
): void {
  enterRow(field, a);
  collectUnmetPairs(field, a, candidates, rule, edges);
  for (const b of candidates) {
    if (field.relation[b]! < 0 || isBarred(field, a, b)) continue;
    assess(assessment, field, a, b, rule.countsQuality);
    if (groundOf(rule, field, a, b, assessment) === null) continue;
    addEdge(edges, a, b, weightOfPair(field, rule.countsQuality, a, b, assessment));
  }
  leaveRow(field, a);
}

/** The innermost loop of a wave, so values of the first bot are read only once. */
function collectUnmetPairs(
  field: PairingField,
  a: number,
  candidates: Int32Array,
  rule: PairingRule,
  edges: Edges,
): void {
  const { rating, odds, settled, ownWeight, relation } = field;
  const { from, to, weight } = edges;
  const ownValues = { rating: rating[a]!, odds: odds[a]! };
  const ownSettled = settled[a]!;
  const ignoresGap = allowsStrangers(rule, field);
  let { count } = edges;
  for (let position = 0; position < candidates.length; position += 1) {
    const b = candidates[position]!;
    if (relation[b] !== NEVER_MET || isBarred(field, a, b)) continue;
    const gap = Math.abs(ownValues.rating - rating[b]!);
    if (!ignoresGap && rule.byGap(field, gap, a, b) === null) continue;
    const countedQuality = rule.countsQuality
      ? matchQuality(ownValues.odds / (ownValues.odds + odds[b]!))
      : 0;
    const pairWeight = unmetPairWeight(countedQuality, ownSettled, settled[b]!);
    from[count] = a;
    to[count] = b;
    weight[count] = ownWeight[a]! + ownWeight[b]! + pairWeight;
    count += 1;
  }
  edges.count = count;
}

/** Returns whether two bots may never meet: they have the same owner or are both house bots. */
function isBarred({ house, owner }: PairingField, a: number, b: number): boolean {
  return owner[a] === owner[b] || (house[a]! & house[b]!) === 1;
}

function addEdge(edges: Edges, a: number, b: number, weight: number): void {
  edges.from[edges.count] = a;
  edges.to[edges.count] = b;
  edges.weight[edges.count] = weight;
  edges.count += 1;
}

function weightOfPair(
  { ownWeight, settled }: PairingField,
  countsQuality: boolean,
  a: number,
  b: number,
  assessment: PairAssessment,
): number {
  const { quality, games, contradicting } = assessment;
  const countedQuality = countsQuality ? quality : 0;
  const shared = sharedWeight(countedQuality, settled[a]!, settled[b]!, games, contradicting);
  return ownWeight[a]! + ownWeight[b]! + shared;
}

/**
 * Returns a bot's heaviest allowed pair with any of the candidates, or null if no pair is allowed.
 */
export function findHeaviestPair(
  field: PairingField,
  a: number,
  candidates: Int32Array,
  rule: PairingRule,
): PairChoice | null {
  const edges = allocateEdges(field, candidates.length);
  collectRow(field, a, candidates, rule, createAssessment(), edges);
  let bestEdge = 0;
  for (let edge = 1; edge < edges.count; edge += 1)
    if (edges.weight[edge]! > edges.weight[bestEdge]!) bestEdge = edge;
  return edges.count === 0 ? null : toPairChoice(field, a, edges.to[bestEdge]!, rule);
}

/** Returns the first untaken bot that this one may play, or null. */
export function findPartner(
  field: PairingField,
  a: number,
  takenBots: Uint8Array,
  rule: PairingRule,
): number | null {
  const assessment = createAssessment();
  enterRow(field, a);
  const partner = takenBots.findIndex((isTaken, b) => {
    const isFree = isTaken === 0 && field.relation[b] !== ON_REMATCH_HOLD;
    if (!isFree || isBarred(field, a, b)) return false;
    assess(assessment, field, a, b, rule.countsQuality);
    return groundOf(rule, field, a, b, assessment) !== null;
  });
  leaveRow(field, a);
  return partner === -1 ? null : partner;
}

export function toPairChoice(
  field: PairingField,
  a: number,
  b: number,
  rule: PairingRule,
): PairChoice {
  const assessment = assessPair(field, a, b);
  const { countsQuality } = rule;
  const weight = weightOfPair(field, countsQuality, a, b, assessment);
  return {
    a,
    b,
    ground: groundOf(rule, field, a, b, assessment)!,
    countsQuality,
    weight,
  };
}

export function assessPair(field: PairingField, a: number, b: number): PairAssessment {
  const assessment = createAssessment();
  enterRow(field, a);
  assess(assessment, field, a, b, true);
  leaveRow(field, a);
  return assessment;
}
