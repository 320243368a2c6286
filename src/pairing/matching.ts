import { createForest, NONE } from "./forest.ts";
import type { Forest } from "./forest.ts";
import { WEIGHT_LIMIT } from "./graph.ts";
import type { Graph, Matching } from "./graph.ts";
import { search, standingBlossoms } from "./search.ts";

/** Edges per vertex that the first search sees; later ones see what its duals do not cover. */
const FIRST_EDGES = 40;

/** Uncovered edges per vertex that a further search is given at most. */
const MORE_EDGES = 20;

/** An edge that is not worth taking. */
const NOTHING = -Infinity;

/**
 * A matching of greatest weight in any graph, with its proof. Exact: it searches among a few
 * promising edges and prices all others with the duals until they cover every edge.
 * @throws RangeError for a weight that is not a whole number below WEIGHT_LIMIT.
 */
export function maximumWeightMatching(graph: Graph): Matching {
  for (const weight of graph.weight) {
    if (!Number.isInteger(weight) || weight >= WEIGHT_LIMIT) {
      throw new RangeError(`an edge cannot weigh ${weight}`);
    }
  }
  const taken = new Uint8Array(graph.weight.length);
  takeBest(graph, promises(graph), FIRST_EDGES, taken);
  for (;;) {
    const matching = matchingAmong(graph, taken);
    const lacks = lacksOf(graph, matching);
    if (lacks.every((lack) => lack === NOTHING)) return matching;
    takeBest(graph, lacks, MORE_EDGES, taken);
  }
}

/** Weights relative to the best that the ends can have: popular vertices do not take all places. */
function promises({ vertices, from, to, weight }: Graph): Float64Array {
  const best = new Float64Array(vertices);
  for (let edge = 0; edge < weight.length; edge += 1) {
    best[from[edge]] = Math.max(best[from[edge]], weight[edge]);
    best[to[edge]] = Math.max(best[to[edge]], weight[edge]);
  }
  return Float64Array.from(weight, (own, edge) =>
    own > 0 ? 2 * own - best[from[edge]] - best[to[edge]] : NOTHING,
  );
}

/** What the duals lack to cover each edge; NOTHING for covered edges. */
function lacksOf({ vertices, from, to, weight }: Graph, matching: Matching): Float64Array {
  const { vertexDual, blossoms } = matching;
  const around: number[][] = Array.from({ length: vertices }, () => []);
  for (const [place, { members }] of blossoms.entries()) {
    for (const member of members) around[member].push(place);
  }
  const lacks = new Float64Array(weight.length).fill(NOTHING);
  for (let edge = 0; edge < weight.length; edge += 1) {
    let lack = 2 * weight[edge] - vertexDual[from[edge]] - vertexDual[to[edge]];
    if (lack <= 0) continue;
    const shared = around[from[edge]].filter((place) => around[to[edge]].includes(place));
    for (const place of shared) lack -= blossoms[place].dual;
    if (lack > 0) lacks[edge] = lack;
  }
  return lacks;
}

/** Takes the edges that are among the `limit` most promising ones of either end. */
function takeBest(graph: Graph, promise: Float64Array, limit: number, taken: Uint8Array): void {
  const best = new Int32Array(graph.vertices * limit).fill(NONE);
  for (let edge = 0; edge < promise.length; edge += 1) {
    if (promise[edge] === NOTHING) continue;
    insertBest(best, promise, graph.from[edge] * limit, limit, edge);
    insertBest(best, promise, graph.to[edge] * limit, limit, edge);
  }
  for (const edge of best) if (edge !== NONE) taken[edge] = 1;
}

/** Keeps the `limit` places from `start` sorted, the most promising edge first. */
function insertBest(
  best: Int32Array,
  promise: Float64Array,
  start: number,
  limit: number,
  edge: number,
): void {
  let place = start + limit - 1;
  const worse = (other: number): boolean => other === NONE || promise[other] < promise[edge];
  if (!worse(best[place])) return;
  for (; place > start && worse(best[place - 1]); place -= 1) best[place] = best[place - 1];
  best[place] = edge;
}

function matchingAmong(graph: Graph, taken: Uint8Array): Matching {
  const chosen = Array.from(taken.keys()).filter((edge) => taken[edge] === 1);
  const forest = createForest({
    vertices: graph.vertices,
    from: chosen.map((edge) => graph.from[edge]),
    to: chosen.map((edge) => graph.to[edge]),
    weight: chosen.map((edge) => graph.weight[edge]),
  });
  search(forest);
  return matchingOf(forest);
}

/** A blossom's dual counts twice in a slack, hence twice in the proof. */
function matchingOf(forest: Forest): Matching {
  const { vertices, mate, endpoint, dual } = forest;
  let weight = 0;
  for (const end of mate) if (end !== NONE && end % 2 === 0) weight += forest.weight[end >> 1];
  return {
    partner: mate.map((end) => (end === NONE ? NONE : endpoint[end])),
    weight,
    vertexDual: dual.slice(0, vertices),
    blossoms: standingBlossoms(forest).map(({ members, dual }) => ({ members, dual: 2 * dual })),
  };
}
