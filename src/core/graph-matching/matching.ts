import { dissolve, unmatch } from "./blossom.ts";
import { ANY_SLACK, balance, columnsOf, leastEdges, meanShares, NO_RELIEF } from "./columns.ts";
import type { Columns } from "./columns.ts";
import { createForest, leaves, NONE } from "./forest.ts";
import type { Forest } from "./forest.ts";
import { WEIGHT_LIMIT } from "./graph.ts";
import type { Graph, Matching } from "./graph.ts";
import { createHalves, openCycles, raiseHalf, solveHalves } from "./halves.ts";
import type { Halves } from "./halves.ts";
import { reliefs } from "./relief.ts";
import { search } from "./search.ts";

/** Edges per vertex that the searches start with; more join if the duals do not cover them. */
const FIRST_EDGES = 10;

/** Uncovered edges per vertex that may join at once. */
const MORE_EDGES = 8;

/** Rounds of balancing the first duals on the first edges. Each makes the searches shorter. */
const BALANCING_ROUNDS = 8;

/** The edges of a graph that the searches see. */
type Choice = {
  readonly graph: Graph;
  readonly seen: { vertices: number; from: number[]; to: number[]; weight: number[] };
  readonly taken: Uint8Array;
};

/**
 * Finds a maximum weight matching of any graph, with its proof. Exact: it searches among a few
 * promising edges, prices all others with the duals, and repeats with those that are not covered
 * until none are left; first with half edges allowed, then without.
 * @throws RangeError for a weight that is not an integer below WEIGHT_LIMIT.
 */
export function maximumWeightMatching(graph: Graph): Matching {
  refuseWeights(graph);
  const choice = createChoice(graph);
  const forest = startingForest(choice);
  for (;;) {
    search(forest);
    const missing = leastEdges(graph, forest.dual, MORE_EDGES, 0, reliefs(forest));
    if (missing.length === 0) return matchingOf(forest);
    forest.columns = columnsWith(choice, missing);
    for (const edge of missing) cover(forest, graph, edge);
  }
}

function refuseWeights({ weight }: Graph): void {
  for (let edge = 0; edge < weight.length; edge += 1) {
    if (!Number.isInteger(weight[edge]) || weight[edge]! >= WEIGHT_LIMIT) {
      throw new RangeError(`an edge cannot weigh ${weight[edge]}`);
    }
  }
}

function createChoice(graph: Graph): Choice {
  const seen = { vertices: graph.vertices, from: [], to: [], weight: [] };
  return { graph, seen, taken: new Uint8Array(graph.weight.length) };
}

function columnsWith({ graph, seen, taken }: Choice, more: Int32Array): Columns {
  for (const edge of more) {
    if (taken[edge] === 1) continue;
    taken[edge] = 1;
    seen.from.push(graph.from[edge]!);
    seen.to.push(graph.to[edge]!);
    seen.weight.push(graph.weight[edge]!);
  }
  return columnsOf(seen);
}

/**
 * Solves with half edges over all edges, makes the result whole, and starts from it with its
 * tightest edges.
 */
function startingForest(choice: Choice): Forest {
  const { graph } = choice;
  const dual = meanShares(graph);
  const nearest = (): Columns =>
    columnsWith(choice, leastEdges(graph, dual, FIRST_EDGES, ANY_SLACK, NO_RELIEF));
  const columns = nearest();
  balance(choice.seen, dual, BALANCING_ROUNDS);
  const { mate } = fractionalSolution(choice, createHalves(columns, dual));
  return createForest(nearest(), dual, mate);
}

function fractionalSolution(choice: Choice, halves: Halves): Halves {
  const { graph } = choice;
  for (;;) {
    solveHalves(halves);
    const missing = leastEdges(graph, halves.dual, MORE_EDGES, 0, NO_RELIEF);
    if (missing.length === 0) break;
    halves.columns = columnsWith(choice, missing);
    for (const edge of missing) coverHalf(halves, graph, edge);
  }
  openCycles(halves);
  return halves;
}

function coverHalf(halves: Halves, { from, to, weight }: Graph, edge: number): void {
  const lack = 2 * weight[edge]! - halves.dual[from[edge]!]! - halves.dual[to[edge]!]!;
  if (lack > 0) raiseHalf(halves, from[edge]!, lack);
}

/** What the blossoms around both ends add to an edge's slack. */
function reliefOf({ top, parent, relief }: Forest, one: number, other: number): number {
  if (top[one] !== top[other]) return 0;
  const around = new Set<number>();
  for (let node = parent[one]!; node !== NONE; node = parent[node]!) around.add(node);
  let sum = 0;
  for (let node = parent[other]!; node !== NONE; node = parent[node]!) {
    if (around.has(node)) sum += 2 * relief[node]!;
  }
  return sum;
}

/** Raises the dual of one end until the edge is covered. */
function cover(forest: Forest, graph: Graph, edge: number): void {
  const { dual, mate } = forest;
  const one = graph.from[edge]!;
  const other = graph.to[edge]!;
  const lack = (): number =>
    2 * graph.weight[edge]! - dual[one]! - dual[other]! - reliefOf(forest, one, other);
  if (lack() <= 0) return;
  dissolve(forest, one);
  if (lack() <= 0) return;
  dual[one]! += lack();
  unmatch(mate, one);
}

/** A blossom's relief counts twice in a slack, hence twice in the proof. */
function matchingOf(forest: Forest): Matching {
  const { vertices, mate, base, relief, dual } = forest;
  const blossoms = [];
  for (let node = vertices; node < base.length; node += 1) {
    if (base[node] === NONE || relief[node] === 0) continue;
    blossoms.push({ members: leaves(forest, node), dual: 2 * relief[node]! });
  }
  return { partner: mate, weight: weightOf(forest), vertexDual: dual, blossoms };
}

/** Of parallel edges, the heaviest is the matched one. */
function weightOf({ columns, mate }: Forest): number {
  const { origin, across, cost } = columns;
  const matched = new Int32Array(mate.length);
  for (let place = 0; place < cost.length; place += 1) {
    const vertex = origin[place]!;
    if (mate[vertex] === across[place]) matched[vertex] = Math.max(matched[vertex]!, cost[place]!);
  }
  let sum = 0;
  for (const doubled of matched) sum += doubled;
  return sum / 4;
}
