import type { Relief } from "./edge-columns.ts";
import { NO_NODE } from "./forest.ts";
import type { Forest } from "./forest.ts";

// The slack of an edge includes relief from the blossoms that contain both ends. Blossoms can nest
// hundreds of levels deep, and hundreds of thousands of edges need a lookup, so it is a range
// minimum query. In a vertex order that keeps every blossom contiguous, the relief two vertices
// share is the minimum over all neighbours between them (lowest common ancestors as range minima;
// Bender and Farach-Colton, LATIN 2000).

/**
 * Returns a function that looks up the relief between two vertices. Valid until the blossoms
 * change.
 */
export function createReliefLookup(forest: Forest): Relief {
  const { order, sharedRelief } = adjacentRelief(forest);
  const rankOf = new Int32Array(order.length);
  for (const [rank, vertex] of order.entries()) rankOf[vertex] = rank;
  const minima = rangeMinima(sharedRelief);
  return (vertexA, vertexB) => {
    if (forest.top[vertexA] !== forest.top[vertexB]) return 0;
    const from = Math.min(rankOf[vertexA]!, rankOf[vertexB]!);
    const length = Math.max(rankOf[vertexA]!, rankOf[vertexB]!) - from;
    const level = 31 - Math.clz32(length);
    const row = minima[level]!;
    return Math.min(row[from]!, row[from + length - (1 << level)]!);
  };
}

/**
 * Returns all vertices in an order that keeps blossoms contiguous, and the relief that each shares
 * with the next.
 */
function adjacentRelief(forest: Forest): { order: Int32Array; sharedRelief: Int32Array } {
  const { vertices, parent, first, last, nextVertex, base } = forest;
  const order = new Int32Array(vertices);
  const sharedRelief = new Int32Array(vertices);
  const sums = new Int32Array(base.length).fill(NO_NODE);
  let rank = 0;
  for (let node = 0; node < base.length; node += 1) {
    if (base[node] === NO_NODE || parent[node] !== NO_NODE) continue;
    for (let vertex = first[node]!; vertex !== last[node]; vertex = nextVertex[vertex]!) {
      order[rank] = vertex;
      sharedRelief[rank] = reliefSum(forest, sums, innermostShared(forest, vertex));
      rank += 1;
    }
    order[rank] = last[node]!;
    rank += 1;
  }
  return { order, sharedRelief };
}

function innermostShared({ parent, last }: Forest, vertex: number): number {
  let node = parent[vertex]!;
  while (last[node] === vertex) node = parent[node]!;
  return node;
}

/** Returns the relief of a blossom and its ancestors, doubled as in slacks. Caches it in `sums`. */
function reliefSum(forest: Forest, sums: Int32Array, node: number): number {
  if (node === NO_NODE) return 0;
  if (sums[node] === NO_NODE) {
    sums[node] = 2 * forest.relief[node]! + reliefSum(forest, sums, forest.parent[node]!);
  }
  return sums[node]!;
}

function rangeMinima(values: Int32Array): Int32Array[] {
  const rows = [values];
  for (let width = 1; 2 * width <= values.length; width *= 2) {
    const previousRow = rows.at(-1)!;
    const size = values.length - 2 * width + 1;
    const row = new Int32Array(size);
    for (let position = 0; position < size; position += 1) {
      row[position] = Math.min(previousRow[position]!, previousRow[position + width]!);
    }
    rows.push(row);
  }
  return rows;
}
