import type { Graph } from "#matching/graph.ts";

import { assess, createAssessment } from "./assessment.ts";
import type { Assessment } from "./assessment.ts";
import { enterRow, leaveRow, mayMeet } from "./field.ts";
import type { Field } from "./field.ts";
import type { Ground } from "./types.ts";
import { sharedWeight } from "./weight.ts";

/** Why a pair may play; null for a pair that may not, which has no edge at all. */
export type GroundOf = (assessment: Assessment) => Ground | null;

/** A pair that may play, why, and what it weighs; bots by their places in the field. */
export type Choice = { one: number; other: number; ground: Ground; weight: number };

/** The pairs among some bots that have a ground to play; vertices are places in the field. */
export function pairGraph(field: Field, places: Int32Array, groundOf: GroundOf): Graph {
  const room = (places.length * (places.length - 1)) / 2;
  const edges = {
    count: 0,
    from: new Int32Array(room),
    to: new Int32Array(room),
    weight: new Int32Array(room),
  };
  const assessment = createAssessment();
  for (let rank = 0; rank < places.length; rank += 1) {
    enterRow(field, places[rank]);
    gatherRow(field, places, rank, groundOf, assessment, edges);
    leaveRow(field, places[rank]);
  }
  const { count, from, to, weight } = edges;
  return {
    vertices: field.bots.length,
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    weight: weight.subarray(0, count),
  };
}

type Edges = { count: number; from: Int32Array; to: Int32Array; weight: Int32Array };

/** The innermost loop of a wave: one assessment serves all pairs. */
function gatherRow(
  field: Field,
  places: Int32Array,
  rank: number,
  groundOf: GroundOf,
  assessment: Assessment,
  edges: Edges,
): void {
  const one = places[rank];
  for (let next = rank + 1; next < places.length; next += 1) {
    const other = places[next];
    if (!mayMeet(field, one, other)) continue;
    assess(assessment, field, one, other);
    const ground = groundOf(assessment);
    if (ground === null) continue;
    edges.from[edges.count] = one;
    edges.to[edges.count] = other;
    edges.weight[edges.count] = weightOfPair(field, one, other, ground, assessment);
    edges.count += 1;
  }
}

/** The pairs of a graph without the bots at some places. */
export function withoutPlaces(graph: Graph, taken: Uint8Array): Graph {
  const { vertices } = graph;
  const from = new Int32Array(graph.from.length);
  const to = new Int32Array(from.length);
  const weight = new Int32Array(from.length);
  let count = 0;
  for (let edge = 0; edge < from.length; edge += 1) {
    if (taken[graph.from[edge]] === 1 || taken[graph.to[edge]] === 1) continue;
    from[count] = graph.from[edge];
    to[count] = graph.to[edge];
    weight[count] = graph.weight[edge];
    count += 1;
  }
  return {
    vertices,
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    weight: weight.subarray(0, count),
  };
}

/** The heaviest pair of a bot with one that is not taken; null when none has a ground and weight. */
export function heaviestChoice(
  field: Field,
  one: number,
  taken: Uint8Array,
  groundOf: GroundOf,
): Choice | null {
  const assessment = createAssessment();
  let best: Choice | null = null;
  enterRow(field, one);
  for (let other = 0; other < taken.length; other += 1) {
    if (taken[other] === 1 || !mayMeet(field, one, other)) continue;
    assess(assessment, field, one, other);
    const ground = groundOf(assessment);
    if (ground === null) continue;
    const weight = weightOfPair(field, one, other, ground, assessment);
    if (weight > (best?.weight ?? 0)) best = { one, other, ground, weight };
  }
  leaveRow(field, one);
  return best;
}

/** What is known of a single pair. */
export function assessPair(field: Field, one: number, other: number): Assessment {
  const assessment = createAssessment();
  enterRow(field, one);
  assess(assessment, field, one, other);
  leaveRow(field, one);
  return assessment;
}

export function weightOfPair(
  { ownWeight, settled }: Field,
  one: number,
  other: number,
  ground: Ground,
  assessment: Assessment,
): number {
  const shared = sharedWeight(ground, assessment, settled[one], settled[other]);
  return ownWeight[one] + ownWeight[other] + shared;
}
