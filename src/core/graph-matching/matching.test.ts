import assert from "node:assert/strict";
import { test } from "node:test";

import { createRandomDraw } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";

import { verifyMatching, WEIGHT_LIMIT } from "./graph.ts";
import type { Graph } from "./graph.ts";
import { maximumWeightMatching } from "./matching.ts";

type TestGraph = Graph & { from: number[]; to: number[]; weight: number[] };
type Edge = readonly [from: number, to: number, weight: number];

function graphOf(vertices: number, edges: readonly Edge[]): TestGraph {
  return {
    vertices,
    from: edges.map(([from]) => from),
    to: edges.map(([, to]) => to),
    weight: edges.map(([, , weight]) => weight),
  };
}

/**
 * Brute force: tries every partner of the first remaining vertex. Shares no code with the
 * implementation.
 */
function greatestWeight({ vertices, from, to, weight }: TestGraph): number {
  const best = Array.from({ length: vertices }, () => Array.from({ length: vertices }, () => 0));
  for (const [edge, vertexA] of from.entries()) {
    best[vertexA]![to[edge]!] = best[to[edge]!]![vertexA] = Math.max(
      best[vertexA]![to[edge]!]!,
      weight[edge]!,
    );
  }
  const knownWeight = new Map<number, number>();
  const weightWithout = (usedVertices: number): number => {
    const stored = knownWeight.get(usedVertices);
    if (stored !== undefined) return stored;
    let first = 0;
    while (usedVertices & (1 << first)) first += 1;
    if (first >= vertices) return 0;
    let maxWeight = weightWithout(usedVertices | (1 << first));
    for (let vertexB = first + 1; vertexB < vertices; vertexB += 1) {
      if (usedVertices & (1 << vertexB) || best[first]![vertexB] === 0) continue;
      maxWeight = Math.max(
        maxWeight,
        best[first]![vertexB]! + weightWithout(usedVertices | (1 << first) | (1 << vertexB)),
      );
    }
    knownWeight.set(usedVertices, maxWeight);
    return maxWeight;
  };
  return weightWithout(0);
}

function assertExact(graph: TestGraph): void {
  const matching = maximumWeightMatching(graph);
  const printedGraph = (): string =>
    graph.from.map((f, e) => [f, graph.to[e], graph.weight[e]]).join(" ");
  assert.equal(verifyMatching(graph, matching), null, printedGraph());
  assert.equal(matching.weight, greatestWeight(graph), printedGraph());
}

function randomEdges(draw: RandomDraw, vertices: number, density: number, values: number): Edge[] {
  const edges: Edge[] = [];
  for (let from = 0; from < vertices; from += 1) {
    for (let to = from + 1; to < vertices; to += 1) {
      if (draw() >= density) continue;
      const weight = 1 + Math.floor(draw() * values);
      edges.push(draw() < 0.5 ? [from, to, weight] : [to, from, weight]);
    }
  }
  return edges;
}

// Graphs on which faulty implementations are known to fail. Vertices are numbered from 1.
const TRICKY_GRAPHS: { name: string; edges: readonly Edge[] }[] = [
  { name: "no edges", edges: [] },
  { name: "one edge", edges: [[1, 2, 1]] },
  {
    name: "a middle edge worth both others",
    edges: [
      [1, 2, 5],
      [2, 3, 11],
      [3, 4, 5],
    ],
  },
  {
    name: "a middle edge worth less",
    edges: [
      [1, 2, 6],
      [2, 3, 11],
      [3, 4, 6],
    ],
  },
  {
    name: "an outer blossom used for augmenting",
    edges: [
      [1, 2, 8],
      [1, 3, 9],
      [2, 3, 10],
      [3, 4, 7],
      [1, 6, 5],
      [4, 5, 6],
    ],
  },
  {
    name: "an outer blossom turned inner",
    edges: [
      [1, 2, 9],
      [1, 3, 8],
      [2, 3, 10],
      [1, 4, 5],
      [4, 5, 4],
      [1, 6, 3],
    ],
  },
  {
    name: "a blossom in a blossom used for augmenting",
    edges: [
      [1, 2, 9],
      [1, 3, 9],
      [2, 3, 10],
      [2, 4, 8],
      [3, 5, 8],
      [4, 5, 10],
      [5, 6, 6],
    ],
  },
  {
    name: "an outer blossom turned inner and put into a nested one",
    edges: [
      [1, 2, 10],
      [1, 7, 10],
      [2, 3, 12],
      [3, 4, 20],
      [3, 5, 20],
      [4, 5, 25],
      [5, 6, 10],
      [6, 7, 10],
      [7, 8, 8],
    ],
  },
  {
    name: "a nested blossom expanded again",
    edges: [
      [1, 2, 8],
      [1, 3, 8],
      [2, 3, 10],
      [2, 4, 12],
      [3, 5, 12],
      [4, 5, 14],
      [4, 6, 12],
      [5, 7, 12],
      [6, 7, 14],
      [7, 8, 12],
    ],
  },
  {
    name: "an outer blossom turned inner and expanded",
    edges: [
      [1, 2, 23],
      [1, 5, 22],
      [1, 6, 15],
      [2, 3, 25],
      [3, 4, 22],
      [4, 5, 25],
      [4, 8, 14],
      [5, 7, 13],
    ],
  },
  {
    name: "a nested blossom turned inner and expanded",
    edges: [
      [1, 2, 19],
      [1, 3, 20],
      [1, 8, 8],
      [2, 3, 25],
      [2, 4, 18],
      [3, 5, 18],
      [4, 5, 13],
      [4, 7, 7],
      [5, 6, 7],
    ],
  },
  {
    name: "an expansion that leaves reached vertices behind",
    edges: [
      [1, 2, 45],
      [1, 5, 45],
      [2, 3, 50],
      [3, 4, 45],
      [4, 5, 50],
      [1, 6, 30],
      [3, 9, 35],
      [4, 8, 35],
      [5, 7, 26],
      [9, 10, 5],
    ],
  },
  {
    name: "the same the other way round",
    edges: [
      [1, 2, 45],
      [1, 5, 45],
      [2, 3, 50],
      [3, 4, 45],
      [4, 5, 50],
      [1, 6, 30],
      [3, 9, 35],
      [4, 8, 26],
      [5, 7, 40],
      [9, 10, 5],
    ],
  },
  {
    name: "an expansion with a new minimum slack between outer nodes",
    edges: [
      [1, 2, 45],
      [1, 5, 45],
      [2, 3, 50],
      [3, 4, 45],
      [4, 5, 50],
      [1, 6, 30],
      [3, 9, 35],
      [4, 8, 28],
      [5, 7, 26],
      [9, 10, 5],
    ],
  },
  {
    name: "a nested inner blossom expanded, with reached vertices inside",
    edges: [
      [1, 2, 45],
      [1, 7, 45],
      [2, 3, 50],
      [3, 4, 45],
      [4, 5, 95],
      [4, 6, 94],
      [5, 6, 94],
      [6, 7, 50],
      [1, 8, 30],
      [3, 11, 35],
      [5, 9, 36],
      [7, 10, 26],
      [11, 12, 5],
    ],
  },
  {
    name: "a nested blossom relabelled and expanded",
    edges: [
      [1, 2, 40],
      [1, 3, 40],
      [2, 3, 60],
      [2, 4, 55],
      [3, 5, 55],
      [4, 5, 50],
      [1, 8, 15],
      [5, 7, 30],
      [7, 6, 10],
      [8, 10, 10],
      [4, 9, 30],
    ],
  },
];
for (const { name, edges } of TRICKY_GRAPHS) {
  test(`finds the maximum matching with ${name}`, () => {
    assertExact(graphOf(13, edges));
  });
}

test("finds the maximum matching of every graph with five vertices and weights up to two", () => {
  const vertexCount: [number, number][] = [];
  for (let from = 0; from < 5; from += 1) {
    for (let to = from + 1; to < 5; to += 1) vertexCount.push([from, to]);
  }
  for (let code = 0; code < 3 ** vertexCount.length; code += 1) {
    const edges = vertexCount.map(([from, to], vertex): Edge => {
      return [from, to, Math.floor(code / 3 ** vertex) % 3];
    });
    assertExact(
      graphOf(
        5,
        edges.filter(([, , weight]) => weight > 0),
      ),
    );
  }
});

const DENSE_GRAPHS = [
  { density: 0.25, values: 1000 },
  { density: 0.5, values: 3 },
  { density: 0.5, values: 30 },
  { density: 0.75, values: 10 },
  { density: 1, values: 1 },
  { density: 1, values: 5 },
  { density: 1, values: 1_000_000 },
];
for (const { density, values } of DENSE_GRAPHS) {
  test(`agrees with brute force for 3,000 graphs of density ${density} with ${values} weights`, () => {
    const draw = createRandomDraw(values + 100 * density);
    for (let roundNumber = 0; roundNumber < 3000; roundNumber += 1) {
      const vertices = 2 + (roundNumber % 8);
      assertExact(graphOf(vertices, randomEdges(draw, vertices, density, values)));
    }
  });
}

test("never matches edges with a weight of 0 or less", () => {
  const draw = createRandomDraw(7);
  for (let roundNumber = 0; roundNumber < 500; roundNumber += 1) {
    const edges = randomEdges(draw, 8, 0.7, 20).map(([a, b, w]): Edge => [a, b, w - 8]);
    assertExact(graphOf(8, edges));
  }
  assert.equal(maximumWeightMatching(graphOf(2, [[0, 1, -3]])).partner[0], -1);
});

const PAIRING_GRAPHS = [
  { vertices: 30, density: 0.1, values: 50 },
  { vertices: 61, density: 0.05, values: 4 },
  { vertices: 100, density: 1, values: 4000 },
  { vertices: 101, density: 0.9, values: 10 },
  { vertices: 150, density: 0.03, values: 100 },
  { vertices: 200, density: 0.8, values: 1500 },
  { vertices: 200, density: 0.02, values: 3 },
];
for (const { vertices, density, values } of PAIRING_GRAPHS) {
  test(`proves the matching of ${vertices} vertices, density ${density}, ${values} weights`, () => {
    const draw = createRandomDraw(vertices * values);
    for (let roundNumber = 0; roundNumber < 4; roundNumber += 1) {
      const graph = graphOf(vertices, randomEdges(draw, vertices, density, values));
      assert.equal(verifyMatching(graph, maximumWeightMatching(graph)), null);
    }
  });
}

test("proves the matching of a line of equal neighbours, which grows deep trees", () => {
  const edges: Edge[] = [];
  for (let from = 0; from < 199; from += 1) edges.push([from, from + 1, 10 + (from % 3)]);
  for (let from = 0; from < 198; from += 1) edges.push([from, from + 2, 9]);
  const graph = graphOf(200, edges);
  assert.equal(verifyMatching(graph, maximumWeightMatching(graph)), null);
});

// Bots in a row, with weights that fall with distance. Blossoms nest hundreds of levels deep.
for (const vertices of [120, 301, 500]) {
  test(`proves the matching of ${vertices} vertices in a row, which nests blossoms deeply`, () => {
    const draw = createRandomDraw(vertices);
    const vertex = Array.from({ length: vertices }, () => 40 * draw());
    const popularity = vertex.map(() => Math.floor(300 * draw()));
    const edges = randomEdges(draw, vertices, 0.85, 1).map(([a, b]): Edge => {
      const closeness = Math.round(1000 / (1 + Math.abs(vertex[a]! - vertex[b]!)));
      return [a, b, popularity[a]! + popularity[b]! + closeness];
    });
    const graph = graphOf(vertices, edges);
    assert.equal(verifyMatching(graph, maximumWeightMatching(graph)), null);
  });
}

test("rejects weights that are too large or not integers", () => {
  for (const weight of [0.5, Number.NaN, WEIGHT_LIMIT, Infinity]) {
    assert.throws(() => maximumWeightMatching(graphOf(2, [[0, 1, weight]])), RangeError);
  }
});

test("rejects a false proof", () => {
  const graph = graphOf(3, [
    [0, 1, 4],
    [1, 2, 5],
    [0, 2, 3],
  ]);
  const expectedWeight = maximumWeightMatching(graph);
  const noEdges = new Int32Array(3).fill(-1);
  const wrongMatching = [
    { ...expectedWeight, partner: noEdges, weight: 0 },
    { ...expectedWeight, weight: 6 },
    { ...expectedWeight, partner: Int32Array.of(1, 0, 0) },
    { ...expectedWeight, partner: Int32Array.of(1, 0, -1), weight: 4 },
    { ...expectedWeight, vertexDual: expectedWeight.vertexDual.map((dual) => dual - 1) },
    { ...expectedWeight, vertexDual: expectedWeight.vertexDual.map((dual) => dual + 1) },
    { ...expectedWeight, blossoms: [{ members: [0, 1], dual: 2 }] },
    { ...expectedWeight, blossoms: [{ members: [0, 1, 2], dual: -2 }] },
  ];
  assert.equal(verifyMatching(graph, expectedWeight), null);
  for (const matching of wrongMatching) assert.notEqual(verifyMatching(graph, matching), null);
});
