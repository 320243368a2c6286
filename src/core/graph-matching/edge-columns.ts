import type { Graph } from "./graph.ts";

// Column generation: a search uses only a few promising edges per vertex. Its duals then price all
// other edges, and edges that the duals don't cover are added. All edges count, but few are ever
// searched.

/**
 * Edges visible to a search, in both directions. The edges of vertex v have the indices `start[v]`
 * up to but excluding `start[v + 1]`.
 */
export type EdgeColumns = {
  readonly start: Int32Array;
  readonly origin: Int32Array;
  readonly across: Int32Array;
  readonly cost: Int32Array;
};

const NO_EDGE = -1;

export const ANY_SLACK = 2 ** 31 - 1;

/**
 * Returns initial duals, doubled like all duals: twice the mean weight of the vertex's edges minus
 * the overall mean. Otherwise a vertex with only heavy edges would look like the best partner for
 * every vertex.
 */
export function initialDuals({ vertices, from, to, weight }: Graph): Int32Array {
  const sum = new Float64Array(vertices);
  const count = new Int32Array(vertices);
  let total = 0;
  for (let edge = 0; edge < weight.length; edge += 1) {
    const edgeWeight = Math.max(0, weight[edge]!);
    sum[from[edge]!]! += edgeWeight;
    sum[to[edge]!]! += edgeWeight;
    count[from[edge]!]! += 1;
    count[to[edge]!]! += 1;
    total += edgeWeight;
  }
  const mean = total / Math.max(1, weight.length);
  return Int32Array.from(sum, (edgeWeight, vertex) =>
    Math.max(0, (2 * edgeWeight) / Math.max(1, count[vertex]!) - mean),
  );
}

/**
 * Adjusts duals so that they cover all edges with little slack at any vertex. More rounds leave
 * less slack.
 */
export function balanceDuals(graph: Graph, dual: Int32Array, rounds: number): void {
  const leastSlack = new Int32Array(dual.length);
  for (let round = 0; round < rounds; round += 1) {
    updateLeastSlacks(graph, dual, leastSlack);
    for (let vertex = 0; vertex < dual.length; vertex += 1) {
      dual[vertex]! -= Math.min(dual[vertex]!, leastSlack[vertex]! >> 1);
    }
  }
}

function updateLeastSlacks(
  { from, to, weight }: Graph,
  dual: Int32Array,
  leastSlack: Int32Array,
): void {
  leastSlack.fill(ANY_SLACK);
  for (let edge = 0; edge < weight.length; edge += 1) {
    const slack = dual[from[edge]!]! + dual[to[edge]!]! - 2 * weight[edge]!;
    if (slack < leastSlack[from[edge]!]!) leastSlack[from[edge]!] = slack;
    if (slack < leastSlack[to[edge]!]!) leastSlack[to[edge]!] = slack;
  }
}

export type Relief = (vertexA: number, vertexB: number) => number;

export const zeroRelief: Relief = () => 0;

/**
 * Returns, for each vertex, up to `limit` edges with the least slack, if it is less than `below`.
 * An edge selected at both ends appears twice.
 */
export function leastEdges(
  graph: Graph,
  dual: Int32Array,
  limit: number,
  below: number,
  relief: Relief,
): Int32Array {
  const { vertices, from, to, weight } = graph;
  const bestEdges = {
    limit,
    slacks: new Int32Array(vertices * limit).fill(below),
    edges: new Int32Array(vertices * limit).fill(NO_EDGE),
    worst: new Int32Array(vertices).fill(below),
  };
  const { worst } = bestEdges;
  for (let edge = 0; edge < weight.length; edge += 1) {
    const vertexA = from[edge]!;
    const vertexB = to[edge]!;
    let slack = dual[vertexA]! + dual[vertexB]! - 2 * weight[edge]!;
    if ((slack >= worst[vertexA]! && slack >= worst[vertexB]!) || weight[edge]! <= 0) continue;
    if (slack < 0) slack += relief(vertexA, vertexB);
    if (slack < worst[vertexA]!) insertEdge(bestEdges, vertexA, slack, edge);
    if (slack < worst[vertexB]!) insertEdge(bestEdges, vertexB, slack, edge);
  }
  return bestEdges.edges.filter((edge) => edge !== NO_EDGE);
}

/**
 * The best edges found so far: `limit` sorted entries per vertex. `worst` is the slack of the last
 * entry.
 */
type BestEdges = { limit: number; slacks: Int32Array; edges: Int32Array; worst: Int32Array };

function insertEdge(
  { limit, slacks, edges, worst }: BestEdges,
  vertex: number,
  slack: number,
  edge: number,
): void {
  const first = vertex * limit;
  const last = first + limit - 1;
  let position = last;
  for (; position > first && slacks[position - 1]! > slack; position -= 1) {
    slacks[position] = slacks[position - 1]!;
    edges[position] = edges[position - 1]!;
  }
  slacks[position] = slack;
  edges[position] = edge;
  worst[vertex] = slacks[last]!;
}

export function groupByVertex({ vertices, from, to, weight }: Graph): EdgeColumns {
  const start = new Int32Array(vertices + 1);
  for (let edge = 0; edge < weight.length; edge += 1) {
    start[from[edge]! + 1]! += 1;
    start[to[edge]! + 1]! += 1;
  }
  for (let vertex = 0; vertex < vertices; vertex += 1) start[vertex + 1]! += start[vertex]!;
  const next = start.slice();
  const columns = emptyColumns(start, 2 * weight.length);
  for (let edge = 0; edge < weight.length; edge += 1) {
    setColumn(columns, next[from[edge]!]!++, from[edge]!, to[edge]!, weight[edge]!);
    setColumn(columns, next[to[edge]!]!++, to[edge]!, from[edge]!, weight[edge]!);
  }
  return columns;
}

function emptyColumns(start: Int32Array, columnCount: number): EdgeColumns {
  return {
    start,
    origin: new Int32Array(columnCount),
    across: new Int32Array(columnCount),
    cost: new Int32Array(columnCount),
  };
}

function setColumn(
  columns: EdgeColumns,
  position: number,
  vertexA: number,
  vertexB: number,
  weight: number,
): void {
  columns.origin[position] = vertexA;
  columns.across[position] = vertexB;
  columns.cost[position] = 2 * weight;
}
