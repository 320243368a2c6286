/** Undirected edges between vertices 0 to vertices - 1, by index of the edge. */
export type Graph = {
  readonly vertices: number;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  /** Integers up to WEIGHT_LIMIT in magnitude. An edge with a weight of 0 or less is never used. */
  readonly weight: ArrayLike<number>;
};

/** Duals grow to twice a weight, and the sum of two must fit into 32 bits. */
export const WEIGHT_LIMIT = 2 ** 28;

/** An odd set of vertices whose dual, 0 or more, relieves the edges inside. */
type BlossomDual = { readonly members: readonly number[]; readonly dual: number };

/**
 * A maximum weight matching with its own proof: non-negative duals that, summed over the ends of an
 * edge and the blossoms around it, reach twice the weight of every edge.
 */
export type Matching = {
  /** The partner of each vertex, or -1. */
  readonly partner: Int32Array;
  readonly weight: number;
  readonly vertexDual: Int32Array;
  readonly blossoms: readonly BlossomDual[];
};

/**
 * Checks a matching against its duals. Returns the first error, or null if they prove that no
 * matching of the graph weighs more. Once every edge is covered, the weight of any matching is
 * bounded by (sum of vertex duals + sum of blossom duals (size - 1) / 2) / 2.
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
