import type { Relief } from "./columns.ts";
import { NO_NODE } from "./forest.ts";
import type { Forest } from "./forest.ts";

// Relief that the blossoms around both ends of an edge add to its slack. Blossoms may nest hundreds
// of levels deep and hundreds of thousands of edges may need it, so the lookup is a range minimum.
// In a vertex order that keeps every blossom contiguous, two vertices share the minimum that any
// neighbours between them share (lowest common ancestors as range minima; Bender and Farach-Colton,
// LATIN 2000).

/** Returns a lookup for the relief of any two vertices, for the current blossoms. */
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

/** Returns all vertices in such an order, and the relief each shares with the next. */
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

/** Returns the innermost blossom that contains both a vertex and the one after it. */
function innermostShared({ parent, last }: Forest, vertex: number): number {
  let node = parent[vertex]!;
  while (last[node] === vertex) node = parent[node]!;
  return node;
}

/** Returns the relief of a blossom and its ancestors, as counted in slacks; cached in `sums`. */
function reliefSum(forest: Forest, sums: Int32Array, node: number): number {
  if (node === NO_NODE) return 0;
  if (sums[node] === NO_NODE) {
    sums[node] = 2 * forest.relief[node]! + reliefSum(forest, sums, forest.parent[node]!);
  }
  return sums[node]!;
}

/** Row k holds the minimum of each run of 2^k values. */
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
