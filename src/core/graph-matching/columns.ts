import type { Graph } from "./graph.ts";

// Column generation: a search sees a few promising edges of each vertex. Its duals then price all
// other edges, and those that are not covered join. Every edge is considered, but few are ever
// searched.

/**
 * The edges that a search sees, in both directions: those of v are at `start[v]` to `start[v + 1]`.
 */
export type Columns = {
  readonly start: Int32Array;
  readonly origin: Int32Array;
  readonly across: Int32Array;
  /** Twice the weight. */
  readonly cost: Int32Array;
};

const NO_EDGE = -1;

/** More than the slack of any edge. */
export const ANY_SLACK = 2 ** 31 - 1;

/**
 * A first guess at what each vertex adds to the weight of its edges, doubled like all duals: twice
 * its mean weight, less the overall mean. With these shares, a vertex whose edges are all heavy no
 * longer looks like everybody's best partner.
 */
export function meanShares({ vertices, from, to, weight }: Graph): Int32Array {
  const sum = new Float64Array(vertices);
  const count = new Int32Array(vertices);
  let total = 0;
  for (let edge = 0; edge < weight.length; edge += 1) {
    const own = Math.max(0, weight[edge]!);
    sum[from[edge]!]! += own;
    sum[to[edge]!]! += own;
    count[from[edge]!]! += 1;
    count[to[edge]!]! += 1;
    total += own;
  }
  const mean = total / Math.max(1, weight.length);
  return Int32Array.from(sum, (own, vertex) =>
    Math.max(0, (2 * own) / Math.max(1, count[vertex]!) - mean),
  );
}

/** Adjusts duals until they cover all edges with little slack left at any vertex. */
export function balance(graph: Graph, dual: Int32Array, rounds: number): void {
  const least = new Int32Array(dual.length);
  for (let round = 0; round < rounds; round += 1) {
    leastSlacks(graph, dual, least);
    for (let vertex = 0; vertex < dual.length; vertex += 1) {
      dual[vertex]! -= Math.min(dual[vertex]!, least[vertex]! >> 1);
    }
  }
}

function leastSlacks({ from, to, weight }: Graph, dual: Int32Array, least: Int32Array): void {
  least.fill(ANY_SLACK);
  for (let edge = 0; edge < weight.length; edge += 1) {
    const slack = dual[from[edge]!]! + dual[to[edge]!]! - 2 * weight[edge]!;
    if (slack < least[from[edge]!]!) least[from[edge]!] = slack;
    if (slack < least[to[edge]!]!) least[to[edge]!] = slack;
  }
}

/** What the blossoms around both ends of an edge add to its slack. */
export type Relief = (one: number, other: number) => number;

export const NO_RELIEF: Relief = () => 0;

/**
 * For each vertex, up to `limit` of its edges with the least slack, if less than `below`. An edge
 * among the least of both its ends is returned twice.
 */
export function leastEdges(
  graph: Graph,
  dual: Int32Array,
  limit: number,
  below: number,
  relief: Relief,
): Int32Array {
  const { vertices, from, to, weight } = graph;
  const best = {
    limit,
    slacks: new Int32Array(vertices * limit).fill(below),
    edges: new Int32Array(vertices * limit).fill(NO_EDGE),
    worst: new Int32Array(vertices).fill(below),
  };
  const { worst } = best;
  for (let edge = 0; edge < weight.length; edge += 1) {
    const one = from[edge]!;
    const other = to[edge]!;
    let slack = dual[one]! + dual[other]! - 2 * weight[edge]!;
    if ((slack >= worst[one]! && slack >= worst[other]!) || weight[edge]! <= 0) continue;
    if (slack < 0) slack += relief(one, other);
    if (slack < worst[one]!) insert(best, one, slack, edge);
    if (slack < worst[other]!) insert(best, other, slack, edge);
  }
  return best.edges.filter((edge) => edge !== NO_EDGE);
}

/** The best edges of each vertex so far: `limit` sorted places each, and the slack of the last. */
type Best = { limit: number; slacks: Int32Array; edges: Int32Array; worst: Int32Array };

function insert(
  { limit, slacks, edges, worst }: Best,
  vertex: number,
  slack: number,
  edge: number,
): void {
  const first = vertex * limit;
  const last = first + limit - 1;
  let place = last;
  for (; place > first && slacks[place - 1]! > slack; place -= 1) {
    slacks[place] = slacks[place - 1]!;
    edges[place] = edges[place - 1]!;
  }
  slacks[place] = slack;
  edges[place] = edge;
  worst[vertex] = slacks[last]!;
}

/** Groups edges by vertex. */
export function columnsOf({ vertices, from, to, weight }: Graph): Columns {
  const start = new Int32Array(vertices + 1);
  for (let edge = 0; edge < weight.length; edge += 1) {
    start[from[edge]! + 1]! += 1;
    start[to[edge]! + 1]! += 1;
  }
  for (let vertex = 0; vertex < vertices; vertex += 1) start[vertex + 1]! += start[vertex]!;
  const next = start.slice();
  const columns = emptyColumns(start, 2 * weight.length);
  for (let edge = 0; edge < weight.length; edge += 1) {
    put(columns, next[from[edge]!]!++, from[edge]!, to[edge]!, weight[edge]!);
    put(columns, next[to[edge]!]!++, to[edge]!, from[edge]!, weight[edge]!);
  }
  return columns;
}

function emptyColumns(start: Int32Array, places: number): Columns {
  return {
    start,
    origin: new Int32Array(places),
    across: new Int32Array(places),
    cost: new Int32Array(places),
  };
}

function put(columns: Columns, place: number, one: number, other: number, weight: number): void {
  columns.origin[place] = one;
  columns.across[place] = other;
  columns.cost[place] = 2 * weight;
}
