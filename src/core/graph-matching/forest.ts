import type { Columns } from "./columns.ts";
import { addEvent, createEvents } from "./events.ts";
import type { Events } from "./events.ts";

// The state of a search for a maximum weight matching: Edmonds' primal-dual method with one search
// tree at a time (Kolmogorov, "Blossom V", Mathematical Programming Computation 1, 2009), with
// slacks kept as the time at which they vanish (Galil, ACM Computing Surveys 18, 1986).
//
// A node is a vertex (below `vertices`) or a blossom. Time is how much the duals of the tree's
// outer vertices have fallen since its search began. Duals are written back only when a vertex
// leaves its role, so an edge running out of slack is an event whose time is known when its outer
// end is scanned.

export const NONE = -1;

/** Node labels: outer nodes have an even path to the root, inner ones an odd path. */
export const UNLABELLED = 0;
export const OUTER = 1;
export const INNER = 2;

/** Later than any event. */
export const NEVER = 2 ** 31 - 1;

export type Forest = {
  readonly vertices: number;
  columns: Columns;

  /**
   * Twice the usual duals. An edge's slack is that of both ends and of the blossoms around both.
   */
  readonly dual: Int32Array;
  /** For each blossom, twice its dual, which relieves the edges inside. */
  readonly relief: Int32Array;
  /** The partner of each vertex. */
  readonly mate: Int32Array;
  /** The outermost blossom around each vertex, or the vertex itself. */
  readonly top: Int32Array;

  readonly parent: Int32Array;
  /** The vertices of a node are a linked list from `first` to `last`. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly following: Int32Array;
  /** For each node its one vertex that is matched outside or free; NONE for unused nodes. */
  readonly base: Int32Array;
  /** For each blossom, its odd cycle of nodes, base first. */
  readonly children: number[][];
  /**
   * For each blossom, the edges from each child to the next: the end in the child, the end in the
   * next.
   */
  readonly leaving: number[][];
  readonly entering: number[][];
  readonly unused: number[];

  /** Labels in the current tree; only meaningful for outermost nodes. */
  readonly label: Uint8Array;
  /** For each labelled node, the time it was labelled. */
  readonly joined: Int32Array;
  /** For each inner node, the edge that reached it: the outer vertex, then the vertex inside. */
  readonly reachedFrom: Int32Array;
  readonly reachedAt: Int32Array;
  readonly labelled: number[];
  /** For each outer vertex, its dual plus the time it became outer: constant from then on. */
  readonly mark: Int32Array;
  /**
   * For each other vertex, the least of mark minus doubled weight over its edges to outer vertices.
   */
  readonly nearest: Int32Array;
  readonly nearestFrom: Int32Array;
  readonly approached: number[];
  /** Nodes that the search for a meeting node has passed, by the number of that search. */
  readonly passed: Int32Array;
  meetings: number;

  /** A vertex to reach, a blossom to expand, or `nodes` plus the index of an edge to close. */
  readonly events: Events;
  /**
   * The latest time at which the search ends, and the outer vertex and the vertex across that end
   * it.
   */
  end: number;
  endFrom: number;
  endTo: number;
};

/**
 * Starts from a partial matching and duals that cover all columns and are tight on matched edges.
 */
export function createForest(columns: Columns, dual: Int32Array, mate: Int32Array): Forest {
  const vertices = dual.length;
  const nodes = vertices + (vertices >> 1);
  const base = new Int32Array(nodes).fill(NONE);
  for (let vertex = 0; vertex < vertices; vertex += 1) base[vertex] = vertex;
  return {
    vertices,
    columns,
    dual,
    relief: new Int32Array(nodes),
    mate,
    top: base.slice(0, vertices),
    parent: new Int32Array(nodes).fill(NONE),
    first: base.slice(),
    last: base.slice(),
    following: new Int32Array(vertices).fill(NONE),
    base,
    children: noLists(nodes),
    leaving: noLists(nodes),
    entering: noLists(nodes),
    unused: Array.from({ length: nodes - vertices }, (_, place) => vertices + place),
    label: new Uint8Array(nodes),
    joined: new Int32Array(nodes),
    reachedFrom: new Int32Array(nodes).fill(NONE),
    reachedAt: new Int32Array(nodes).fill(NONE),
    labelled: [],
    mark: new Int32Array(vertices),
    nearest: new Int32Array(vertices).fill(NEVER),
    nearestFrom: new Int32Array(vertices).fill(NONE),
    approached: [],
    passed: new Int32Array(nodes),
    meetings: 0,
    events: createEvents(),
    end: NEVER,
    endFrom: NONE,
    endTo: NONE,
  };
}

/** Empty lists that must be replaced, never written to: most nodes never need one. */
function noLists(count: number): number[][] {
  const none: number[] = [];
  return Array.from({ length: count }, () => none);
}

export function nodesOf({ base }: Forest): number {
  return base.length;
}

/** The vertices of a node. */
export function leaves({ first, last, following }: Forest, node: number): number[] {
  const found = [first[node]!];
  for (let vertex = first[node]!; vertex !== last[node];) {
    vertex = following[vertex]!;
    found.push(vertex);
  }
  return found;
}

/** Makes a node outermost. */
export function surface(forest: Forest, node: number): void {
  forest.parent[node] = NONE;
  for (const vertex of leaves(forest, node)) forest.top[vertex] = node;
}

/** Frees a blossom's slot; its children must have been surfaced. */
export function release(forest: Forest, node: number): void {
  forest.base[node] = NONE;
  forest.label[node] = UNLABELLED;
  forest.children[node] = [];
  forest.unused.push(node);
}

/** Makes an unlabelled outermost node outer and scans its vertices. */
export function makeOuter(forest: Forest, node: number, time: number): void {
  forest.label[node] = OUTER;
  forest.joined[node] = time;
  forest.labelled.push(node);
  if (node < forest.vertices) becomeOuter(forest, node, time);
  else for (const vertex of leaves(forest, node)) becomeOuter(forest, vertex, time);
}

/** Makes an unlabelled outermost node inner, reached by an edge. */
export function makeInner(
  forest: Forest,
  node: number,
  from: number,
  at: number,
  time: number,
): void {
  forest.label[node] = INNER;
  forest.joined[node] = time;
  forest.reachedFrom[node] = from;
  forest.reachedAt[node] = at;
  forest.labelled.push(node);
  if (node >= forest.vertices) plan(forest, time + forest.relief[node]!, node);
}

/**
 * Marks a vertex of a node that is already labelled outer, and schedules what its edges lead to.
 */
export function becomeOuter(forest: Forest, vertex: number, time: number): void {
  const mark = forest.dual[vertex]! + time;
  forest.mark[vertex] = mark;
  if (mark < forest.end) endAt(forest, mark, vertex, NONE);
  scan(forest, vertex);
}

/** Schedules the reaching of an unlabelled vertex that an outer one has approached. */
export function planReach(forest: Forest, vertex: number): void {
  const { nearest, nearestFrom, dual, mate, base, top } = forest;
  if (nearest[vertex] === NEVER) return;
  const time = nearest[vertex]! + dual[vertex]!;
  if (mate[base[top[vertex]!]!] !== NONE) plan(forest, time, vertex);
  else if (time < forest.end) endAt(forest, time, nearestFrom[vertex]!, vertex);
}

function plan(forest: Forest, time: number, item: number): void {
  if (time < forest.end) addEvent(forest.events, time, item);
}

function endAt(forest: Forest, time: number, from: number, to: number): void {
  forest.end = time;
  forest.endFrom = from;
  forest.endTo = to;
}

/** The innermost loop. An edge between two outer vertices loses slack at both ends at once. */
function scan(forest: Forest, vertex: number): void {
  const { columns, top, label, mark, nearest, nearestFrom, approached } = forest;
  const { across, cost } = columns;
  const own = mark[vertex]!;
  const stop = columns.start[vertex + 1]!;
  for (let place = columns.start[vertex]!; place < stop; place += 1) {
    const other = across[place]!;
    const role = label[top[other]!];
    if (role === OUTER) {
      if (top[other] === top[vertex]) continue;
      plan(forest, (own + mark[other]! - cost[place]!) / 2, nodesOf(forest) + place);
      continue;
    }
    const near = own - cost[place]!;
    if (near >= nearest[other]!) continue;
    if (nearest[other] === NEVER) approached.push(other);
    nearest[other] = near;
    nearestFrom[other] = vertex;
    if (role === UNLABELLED) planReach(forest, other);
  }
}
