import type { Relief } from "./columns.ts";
import { NONE } from "./forest.ts";
import type { Forest } from "./forest.ts";

// What the blossoms around both ends of an edge add to its slack. Blossoms may nest hundreds of
// levels deep and hundreds of thousands of edges may ask, so the answer is a range minimum: in an
// order of the vertices that keeps every blossom together, two vertices share the least that any
// neighbours between them share (lowest common ancestors as range minima; Bender and Farach-Colton,
// LATIN 2000).

/** The relief of any two vertices, for the present blossoms. */
export function reliefs(forest: Forest): Relief {
  const { order, shared } = neighbours(forest);
  const place = new Int32Array(order.length);
  for (const [rank, vertex] of order.entries()) place[vertex] = rank;
  const minima = rangeMinima(shared);
  return (one, other) => {
    if (forest.top[one] !== forest.top[other]) return 0;
    const from = Math.min(place[one]!, place[other]!);
    const length = Math.max(place[one]!, place[other]!) - from;
    const level = 31 - Math.clz32(length);
    const row = minima[level]!;
    return Math.min(row[from]!, row[from + length - (1 << level)]!);
  };
}

/** All vertices in such an order, and what each shares with the next. */
function neighbours(forest: Forest): { order: Int32Array; shared: Int32Array } {
  const { vertices, parent, first, last, following, base } = forest;
  const order = new Int32Array(vertices);
  const shared = new Int32Array(vertices);
  const sums = new Int32Array(base.length).fill(NONE);
  let rank = 0;
  for (let node = 0; node < base.length; node += 1) {
    if (base[node] === NONE || parent[node] !== NONE) continue;
    for (let vertex = first[node]!; vertex !== last[node]; vertex = following[vertex]!) {
      order[rank] = vertex;
      shared[rank] = reliefSum(forest, sums, lowestBeyond(forest, vertex));
      rank += 1;
    }
    order[rank] = last[node]!;
    rank += 1;
  }
  return { order, shared };
}

/** The innermost blossom that holds both a vertex and the one after it. */
function lowestBeyond({ parent, last }: Forest, vertex: number): number {
  let node = parent[vertex]!;
  while (last[node] === vertex) node = parent[node]!;
  return node;
}

/** The relief of a blossom and all around it, as it counts in slacks; cached in `sums`. */
function reliefSum(forest: Forest, sums: Int32Array, node: number): number {
  if (node === NONE) return 0;
  if (sums[node] === NONE) {
    sums[node] = 2 * forest.relief[node]! + reliefSum(forest, sums, forest.parent[node]!);
  }
  return sums[node]!;
}

/** Row k holds the minimum of each run of 2^k values. */
function rangeMinima(values: Int32Array): Int32Array[] {
  const rows = [values];
  for (let width = 1; 2 * width <= values.length; width *= 2) {
    const above = rows.at(-1)!;
    const size = values.length - 2 * width + 1;
    const row = new Int32Array(size);
    for (let place = 0; place < size; place += 1) {
      row[place] = Math.min(above[place]!, above[place + width]!);
    }
    rows.push(row);
  }
  return rows;
}
