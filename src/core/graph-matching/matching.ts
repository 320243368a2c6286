import { createReliefLookup } from "./blossom-relief.ts";
import { dissolveBlossoms, unmatch } from "./blossom.ts";
import {
  ANY_SLACK,
  balanceDuals,
  groupByVertex,
  leastEdges,
  initialDuals,
  zeroRelief,
} from "./edge-columns.ts";
import type { EdgeColumns } from "./edge-columns.ts";
import { createForest, verticesOf, NO_NODE } from "./forest.ts";
import type { Forest } from "./forest.ts";
import {
  createFractionalMatching,
  openCycles,
  raiseDual,
  solveFractional,
} from "./fractional-matching.ts";
import type { FractionalMatching } from "./fractional-matching.ts";
import { WEIGHT_LIMIT } from "./graph.ts";
import type { Graph, Matching } from "./graph.ts";
import { findMaximumMatching } from "./search.ts";

/** Edges per vertex in the first search. More are added if the duals don't cover them. */
const INITIAL_EDGES = 10;

/** Maximum number of uncovered edges to add per vertex and round. */
const EXTRA_EDGES = 8;

const BALANCING_ROUNDS = 8;

type EdgeSelection = {
  readonly graph: Graph;
  readonly visibleEdges: { vertices: number; from: number[]; to: number[]; weight: number[] };
  readonly selectedFlags: Uint8Array;
};

/**
 * Finds a maximum weight matching of any graph, with its proof. Searches a few promising edges and
 * prices all others with the duals. Repeats with the uncovered edges added until the duals cover
 * every edge, so the result is exact. The first pass allows half edges.
 * @throws RangeError for a weight that is not an integer below WEIGHT_LIMIT.
 */
export function maximumWeightMatching(graph: Graph): Matching {
  checkWeights(graph);
  const selection = createSelection(graph);
  const forest = startingForest(selection);
  for (;;) {
    findMaximumMatching(forest);
    const uncovered = leastEdges(graph, forest.dual, EXTRA_EDGES, 0, createReliefLookup(forest));
    if (uncovered.length === 0) return toMatching(forest);
    forest.columns = columnsWith(selection, uncovered);
    for (const edge of uncovered) coverEdge(forest, graph, edge);
  }
}

function checkWeights({ weight }: Graph): void {
  for (let edge = 0; edge < weight.length; edge += 1) {
    if (!Number.isInteger(weight[edge]) || weight[edge]! >= WEIGHT_LIMIT) {
      throw new RangeError(`invalid edge weight: ${weight[edge]}`);
    }
  }
}

function createSelection(graph: Graph): EdgeSelection {
  const visibleEdges = { vertices: graph.vertices, from: [], to: [], weight: [] };
  return { graph, visibleEdges, selectedFlags: new Uint8Array(graph.weight.length) };
}

function columnsWith(
  { graph, visibleEdges, selectedFlags }: EdgeSelection,
  edges: Int32Array,
): EdgeColumns {
  for (const edge of edges) {
    if (selectedFlags[edge] === 1) continue;
    selectedFlags[edge] = 1;
    visibleEdges.from.push(graph.from[edge]!);
    visibleEdges.to.push(graph.to[edge]!);
    visibleEdges.weight.push(graph.weight[edge]!);
  }
  return groupByVertex(visibleEdges);
}

/**
 * Solves the fractional problem over all edges, removes the half edges, and continues from there
 * with the tightest edges of each vertex.
 */
function startingForest(selection: EdgeSelection): Forest {
  const { graph } = selection;
  const dual = initialDuals(graph);
  const selectNearest = (): EdgeColumns =>
    columnsWith(selection, leastEdges(graph, dual, INITIAL_EDGES, ANY_SLACK, zeroRelief));
  const columns = selectNearest();
  balanceDuals(selection.visibleEdges, dual, BALANCING_ROUNDS);
  const { mate } = solveFractionalStart(selection, createFractionalMatching(columns, dual));
  return createForest(selectNearest(), dual, mate);
}

function solveFractionalStart(
  selection: EdgeSelection,
  fractional: FractionalMatching,
): FractionalMatching {
  const { graph } = selection;
  for (;;) {
    solveFractional(fractional);
    const uncovered = leastEdges(graph, fractional.dual, EXTRA_EDGES, 0, zeroRelief);
    if (uncovered.length === 0) break;
    fractional.columns = columnsWith(selection, uncovered);
    for (const edge of uncovered) coverFractional(fractional, graph, edge);
  }
  openCycles(fractional);
  return fractional;
}

function coverFractional(
  fractional: FractionalMatching,
  { from, to, weight }: Graph,
  edge: number,
): void {
  const shortfall = 2 * weight[edge]! - fractional.dual[from[edge]!]! - fractional.dual[to[edge]!]!;
  if (shortfall > 0) raiseDual(fractional, from[edge]!, shortfall);
}

function sharedRelief({ top, parent, relief }: Forest, vertexA: number, vertexB: number): number {
  if (top[vertexA] !== top[vertexB]) return 0;
  const ancestors = new Set<number>();
  for (let node = parent[vertexA]!; node !== NO_NODE; node = parent[node]!) ancestors.add(node);
  let sum = 0;
  for (let node = parent[vertexB]!; node !== NO_NODE; node = parent[node]!) {
    if (ancestors.has(node)) sum += 2 * relief[node]!;
  }
  return sum;
}

function coverEdge(forest: Forest, graph: Graph, edge: number): void {
  const { dual, mate } = forest;
  const vertexA = graph.from[edge]!;
  const vertexB = graph.to[edge]!;
  const shortfall = (): number =>
    2 * graph.weight[edge]! -
    dual[vertexA]! -
    dual[vertexB]! -
    sharedRelief(forest, vertexA, vertexB);
  if (shortfall() <= 0) return;
  dissolveBlossoms(forest, vertexA);
  if (shortfall() <= 0) return;
  dual[vertexA]! += shortfall();
  unmatch(mate, vertexA);
}

/** A blossom's relief counts twice in a slack, so it is doubled in the proof. */
function toMatching(forest: Forest): Matching {
  const { vertices, mate, base, relief, dual } = forest;
  const blossoms = [];
  for (let node = vertices; node < base.length; node += 1) {
    if (base[node] === NO_NODE || relief[node] === 0) continue;
    blossoms.push({ members: verticesOf(forest, node), dual: 2 * relief[node]! });
  }
  return { partner: mate, weight: matchingWeight(forest), vertexDual: dual, blossoms };
}

/** Among parallel edges, the heaviest one is matched. */
function matchingWeight({ columns, mate }: Forest): number {
  const { origin, across, cost } = columns;
  const matchedCost = new Int32Array(mate.length);
  for (let position = 0; position < cost.length; position += 1) {
    const vertex = origin[position]!;
    if (mate[vertex] === across[position])
      matchedCost[vertex] = Math.max(matchedCost[vertex]!, cost[position]!);
  }
  let sum = 0;
  for (const doubledWeight of matchedCost) sum += doubledWeight;
  return sum / 4;
}
