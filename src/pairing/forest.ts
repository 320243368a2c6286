import type { Graph } from "./graph.ts";

// The state of a search for a matching of greatest weight: Edmonds' primal-dual method in
// Galil's form (ACM Computing Surveys 18, 1986), after van Rantwijk's mwmatching.
//
// A node is a vertex (below `vertices`) or a blossom. An end is a place of `endpoint`: ends 2k and
// 2k + 1 are the two vertices of edge k, and `end ^ 1` is the other end of the same edge.

export const NONE = -1;

/** Node labels: outer nodes have an even way to a free vertex, inner ones an odd way. */
export const UNLABELLED = 0;
export const OUTER = 1;
export const INNER = 2;

export type Forest = {
  readonly vertices: number;
  readonly endpoint: Int32Array;
  readonly weight: Int32Array;
  /** The ends across from vertex v are `across[start[v]]` up to `across[start[v + 1]]`. */
  readonly start: Int32Array;
  readonly across: Int32Array;

  /** For each vertex the partner's end of its matched edge. */
  readonly mate: Int32Array;
  /** For each vertex the outermost blossom around it, itself when there is none. */
  readonly top: Int32Array;

  readonly label: Int32Array;
  /** For each labelled node the far end of the edge that gave the label, NONE for a root. */
  readonly labelEnd: Int32Array;
  readonly parent: Int32Array;
  /** For each node the one vertex of it that is matched outside or free; NONE for unused ones. */
  readonly base: Int32Array;
  /** For each blossom its odd cycle of nodes, the base first, and the ends that link them. */
  readonly children: number[][];
  readonly links: number[][];
  /** For each node the edge of least slack to an outer node of another tree, or NONE. */
  readonly bestEdge: Int32Array;
  readonly bestEdges: (number[] | null)[];
  readonly unused: number[];

  /** Vertex duals count once in an edge's slack, blossom duals twice. */
  readonly dual: Int32Array;
  /** For each edge whether the search has seen it without slack. */
  readonly tight: Uint8Array;
  readonly queue: number[];
};

export function createForest(graph: Graph): Forest {
  const { vertices } = graph;
  const nodes = 2 * vertices;
  const identity = Int32Array.from({ length: vertices }, (_, vertex) => vertex);
  const base = new Int32Array(nodes).fill(NONE);
  base.set(identity);
  const dual = new Int32Array(nodes);
  dual.fill(heaviest(graph.weight), 0, vertices);
  return {
    vertices,
    ...adjacency(graph),
    weight: Int32Array.from(graph.weight),
    mate: new Int32Array(vertices).fill(NONE),
    top: identity,
    label: new Int32Array(nodes),
    labelEnd: new Int32Array(nodes).fill(NONE),
    parent: new Int32Array(nodes).fill(NONE),
    base,
    children: Array.from({ length: nodes }, () => []),
    links: Array.from({ length: nodes }, () => []),
    bestEdge: new Int32Array(nodes).fill(NONE),
    bestEdges: Array.from({ length: nodes }, () => null),
    unused: Array.from({ length: vertices }, (_, place) => vertices + place),
    dual,
    tight: new Uint8Array(graph.weight.length),
    queue: [],
  };
}

/** Twice the reduced cost of an edge between different top nodes; always even for outer ones. */
export function slack(forest: Forest, edge: number): number {
  const { dual, endpoint, weight } = forest;
  return dual[endpoint[2 * edge]] + dual[endpoint[2 * edge + 1]] - 2 * weight[edge];
}

/** Of two edges the one with less slack, the first on a tie; NONE is worse than any. */
export function tighter(forest: Forest, edge: number, other: number): number {
  if (edge === NONE) return other;
  return other !== NONE && slack(forest, other) < slack(forest, edge) ? other : edge;
}

/** The vertices of a node. */
export function leaves(forest: Forest, node: number, found: number[] = []): number[] {
  if (node < forest.vertices) found.push(node);
  else for (const child of forest.children[node]) leaves(forest, child, found);
  return found;
}

/** Labels the top node of a vertex; an inner one makes its base's partner outer. */
export function assignLabel(forest: Forest, vertex: number, label: number, end: number): void {
  const { top, base, mate, endpoint } = forest;
  const node = top[vertex];
  for (const labelled of [vertex, node]) {
    forest.label[labelled] = label;
    forest.labelEnd[labelled] = end;
    forest.bestEdge[labelled] = NONE;
  }
  if (label === OUTER) leaves(forest, node, forest.queue);
  else {
    const outward = mate[base[node]];
    assignLabel(forest, endpoint[outward], OUTER, outward ^ 1);
  }
}

/** Forgets all trees, keeping matching, blossoms and duals. */
export function clearTrees(forest: Forest): void {
  forest.label.fill(UNLABELLED);
  forest.bestEdge.fill(NONE);
  forest.bestEdges.fill(null);
  forest.tight.fill(0);
  forest.queue.length = 0;
}

function heaviest(weights: readonly number[]): number {
  let most = 0;
  for (const weight of weights) most = Math.max(most, weight);
  return most;
}

function adjacency({ vertices, from, to }: Graph): Pick<Forest, "endpoint" | "start" | "across"> {
  const endpoint = new Int32Array(2 * from.length);
  const start = new Int32Array(vertices + 1);
  for (let edge = 0; edge < from.length; edge += 1) {
    endpoint[2 * edge] = from[edge];
    endpoint[2 * edge + 1] = to[edge];
    start[from[edge] + 1] += 1;
    start[to[edge] + 1] += 1;
  }
  for (let vertex = 0; vertex < vertices; vertex += 1) start[vertex + 1] += start[vertex];
  const next = start.slice();
  const across = new Int32Array(endpoint.length);
  for (let end = 0; end < endpoint.length; end += 1) across[next[endpoint[end]]++] = end ^ 1;
  return { endpoint, start, across };
}
