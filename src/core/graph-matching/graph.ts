/** Undirected edges between vertices 0 to vertices - 1. The arrays are indexed by edge. */
export type Graph = {
  readonly vertices: number;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /**
   * Integers with a magnitude up to WEIGHT_LIMIT. Edges with a weight of 0 or less are never
   * matched.
   */
  readonly weight: ArrayLike<number>;
};

/** Duals can reach twice a weight, and the sum of two must fit into 32 bits. */
export const WEIGHT_LIMIT = 2 ** 28;

/** An odd set of vertices. Its dual, 0 or more, relieves the edges inside. */
type BlossomDual = { readonly members: readonly number[]; readonly dual: number };

/**
 * A maximum weight matching with a proof: non-negative duals. For every edge, the duals of its ends
 * and of the blossoms that contain it sum to at least twice its weight.
 */
export type Matching = {
  /** By vertex, its partner or -1. */
  readonly partner: Int32Array;
  readonly weight: number;
  readonly vertexDual: Int32Array;
  readonly blossoms: readonly BlossomDual[];
};

/**
 * Checks a matching against its duals. Returns the first error, or null if the duals prove that no
 * matching of the graph weighs more. If they cover every edge, any matching weighs at most (sum of
 * vertex duals + sum of blossom duals * (size - 1) / 2) / 2.
 */
export function verifyMatching(graph: Graph, matching: Matching): string | null {
  return partnerError(graph, matching) ?? dualError(matching) ?? edgeError(graph, matching);
}

function partnerError(graph: Graph, { partner, weight }: Matching): string | null {
  const bestWeight = new Map<number, number>();
  for (let edge = 0; edge < graph.weight.length; edge += 1) {
    const from = graph.from[edge]!;
    if (partner[from] !== graph.to[edge]) continue;
    const key = Math.min(from, graph.to[edge]!);
    bestWeight.set(key, Math.max(bestWeight.get(key) ?? -Infinity, graph.weight[edge]!));
  }
  let sum = 0;
  for (const [vertex, partnerVertex] of partner.entries()) {
    if (partnerVertex === -1) continue;
    if (partner[partnerVertex] !== vertex)
      return `vertex ${vertex} is matched in one direction only`;
    const edge = bestWeight.get(Math.min(vertex, partnerVertex));
    if (edge === undefined) return `vertices ${vertex} and ${partnerVertex} share no edge`;
    if (vertex < partnerVertex) sum += edge;
  }
  return sum === weight ? null : `the edges weigh ${sum}, not ${weight}`;
}

function dualError({ vertexDual, blossoms, weight }: Matching): string | null {
  let bound = 0;
  for (const dual of vertexDual) {
    if (dual < 0) return "a vertex dual is negative";
    bound += dual;
  }
  for (const { members, dual } of blossoms) {
    if (dual < 0) return "a blossom dual is negative";
    if (members.length % 2 === 0) return "a blossom has an even size";
    if (new Set(members).size !== members.length) return "a blossom has a duplicate member";
    bound += (dual * (members.length - 1)) / 2;
  }
  return bound === 2 * weight ? null : `the bound is ${bound / 2}, not ${weight}`;
}

function edgeError(graph: Graph, { vertexDual, blossoms }: Matching): string | null {
  const blossomsByVertex: Set<number>[] = Array.from({ length: graph.vertices }, () => new Set());
  for (const [blossomIndex, { members }] of blossoms.entries()) {
    for (const member of members) blossomsByVertex[member]!.add(blossomIndex);
  }
  for (let edge = 0; edge < graph.weight.length; edge += 1) {
    const from = graph.from[edge]!;
    const to = graph.to[edge]!;
    let cover = vertexDual[from]! + vertexDual[to]!;
    for (const blossomIndex of blossomsByVertex[from]!)
      if (blossomsByVertex[to]!.has(blossomIndex)) cover += blossoms[blossomIndex]!.dual;
    if (cover < 2 * graph.weight[edge]!) return `edge ${from}-${to} is not covered`;
  }
  return null;
}
