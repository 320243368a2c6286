import type { EdgeColumns } from "./columns.ts";
import { addEvent, createEventQueue } from "./event-queue.ts";
import type { EventQueue } from "./event-queue.ts";

// State of a search for a maximum weight matching: Edmonds' primal-dual method with one search tree
// at a time (Kolmogorov, "Blossom V", Mathematical Programming Computation 1, 2009). Slacks are
// stored as the time at which they vanish (Galil, ACM Computing Surveys 18, 1986).
//
// A node is a vertex (below `vertices`) or a blossom. Time is the amount by which the duals of the
// tree's outer vertices have fallen since its search began. Duals are written back only when a
// vertex leaves its role. An edge running out of slack is therefore an event whose time is known
// when its outer end is scanned.

export const NO_NODE = -1;

/** Node labels: outer nodes have an even path to the root, inner ones an odd path. */
export const UNLABELLED = 0;
export const OUTER = 1;
export const INNER = 2;

/** Later than any event. */
export const NEVER = 2 ** 31 - 1;

export type Forest = {
  readonly vertices: number;
  columns: EdgeColumns;

  /** Twice the usual duals. An edge's slack includes both ends and the blossoms around both. */
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
  readonly nextVertex: Int32Array;
  /** For each node, its one vertex that is free or matched outside; NO_NODE for unused nodes. */
  readonly base: Int32Array;
  /** For each blossom, its odd cycle of nodes, base first. */
  readonly children: number[][];
  /**
   * For each blossom, the edges from each child to the next: the end in the child, the end in the
   * next.
   */
  readonly linkFrom: number[][];
  readonly linkTo: number[][];
  readonly freeSlots: number[];

  /** Labels in the current tree; only meaningful for outermost nodes. */
  readonly label: Uint8Array;
  /** For each labelled node, the time it was labelled. */
  readonly joinedAt: Int32Array;
  /** For each inner node, the edge that reached it: the outer vertex, then the vertex inside. */
  readonly reachedFrom: Int32Array;
  readonly reachedAt: Int32Array;
  readonly labelledNodes: number[];
  /** For each outer vertex, its dual plus the time it became outer: constant from then on. */
  readonly mark: Int32Array;
  /**
   * For each other vertex, the minimum of mark minus doubled weight over its edges to outer
   * vertices.
   */
  readonly nearestMark: Int32Array;
  readonly nearestFrom: Int32Array;
  readonly approachedVertices: number[];
  /** Nodes visited by the search for a meeting node, by the number of that search. */
  readonly visitedInSearch: Int32Array;
  searchCount: number;

  /** A vertex to reach, a blossom to expand, or `nodes` plus the index of an edge to close. */
  readonly events: EventQueue;
  /**
   * The latest time at which the search ends, and the outer vertex and opposite vertex that end it.
   */
  end: number;
  endFrom: number;
  endTo: number;
};

/**
 * Starts from a partial matching and duals that cover all columns and are tight on matched edges.
 */
export function createForest(columns: EdgeColumns, dual: Int32Array, mate: Int32Array): Forest {
  const vertices = dual.length;
  const nodes = vertices + (vertices >> 1);
  const base = new Int32Array(nodes).fill(NO_NODE);
  for (let vertex = 0; vertex < vertices; vertex += 1) base[vertex] = vertex;
  return {
    vertices,
    columns,
    dual,
    relief: new Int32Array(nodes),
    mate,
    top: base.slice(0, vertices),
    parent: new Int32Array(nodes).fill(NO_NODE),
    first: base.slice(),
    last: base.slice(),
    nextVertex: new Int32Array(vertices).fill(NO_NODE),
    base,
    children: emptyLists(nodes),
    linkFrom: emptyLists(nodes),
    linkTo: emptyLists(nodes),
    freeSlots: Array.from({ length: nodes - vertices }, (_, position) => vertices + position),
    label: new Uint8Array(nodes),
    joinedAt: new Int32Array(nodes),
    reachedFrom: new Int32Array(nodes).fill(NO_NODE),
    reachedAt: new Int32Array(nodes).fill(NO_NODE),
    labelledNodes: [],
    mark: new Int32Array(vertices),
    nearestMark: new Int32Array(vertices).fill(NEVER),
    nearestFrom: new Int32Array(vertices).fill(NO_NODE),
    approachedVertices: [],
    visitedInSearch: new Int32Array(nodes),
    searchCount: 0,
    events: createEventQueue(),
    end: NEVER,
    endFrom: NO_NODE,
    endTo: NO_NODE,
  };
}

/**
 * Shared empty lists, which must be replaced and never written to: most nodes never need their own.
 */
function emptyLists(count: number): number[][] {
  const sharedEmptyList: number[] = [];
  return Array.from({ length: count }, () => sharedEmptyList);
}

export function nodeCount({ base }: Forest): number {
  return base.length;
}

/** Returns the vertices of a node. */
export function verticesOf({ first, last, nextVertex }: Forest, node: number): number[] {
  const members = [first[node]!];
  for (let vertex = first[node]!; vertex !== last[node];) {
    vertex = nextVertex[vertex]!;
    members.push(vertex);
  }
  return members;
}

/** Makes a node outermost. */
export function makeOutermost(forest: Forest, node: number): void {
  forest.parent[node] = NO_NODE;
  for (const vertex of verticesOf(forest, node)) forest.top[vertex] = node;
}

/** Frees a blossom's slot; its children must already be outermost. */
export function releaseBlossom(forest: Forest, node: number): void {
  forest.base[node] = NO_NODE;
  forest.label[node] = UNLABELLED;
  forest.children[node] = [];
  forest.freeSlots.push(node);
}

/** Makes an unlabelled outermost node outer and scans its vertices. */
export function makeOuter(forest: Forest, node: number, time: number): void {
  forest.label[node] = OUTER;
  forest.joinedAt[node] = time;
  forest.labelledNodes.push(node);
  if (node < forest.vertices) becomeOuter(forest, node, time);
  else for (const vertex of verticesOf(forest, node)) becomeOuter(forest, vertex, time);
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
  forest.joinedAt[node] = time;
  forest.reachedFrom[node] = from;
  forest.reachedAt[node] = at;
  forest.labelledNodes.push(node);
  if (node >= forest.vertices) schedule(forest, time + forest.relief[node]!, node);
}

/**
 * Marks a vertex of a node that is already labelled outer, and schedules the events of its edges.
 */
export function becomeOuter(forest: Forest, vertex: number, time: number): void {
  const mark = forest.dual[vertex]! + time;
  forest.mark[vertex] = mark;
  if (mark < forest.end) setEnd(forest, mark, vertex, NO_NODE);
  scan(forest, vertex);
}

/** Schedules the reaching of an unlabelled vertex near an outer one. */
export function scheduleReach(forest: Forest, vertex: number): void {
  const { nearestMark, nearestFrom, dual, mate, base, top } = forest;
  if (nearestMark[vertex] === NEVER) return;
  const time = nearestMark[vertex]! + dual[vertex]!;
  if (mate[base[top[vertex]!]!] !== NO_NODE) schedule(forest, time, vertex);
  else if (time < forest.end) setEnd(forest, time, nearestFrom[vertex]!, vertex);
}

function schedule(forest: Forest, time: number, item: number): void {
  if (time < forest.end) addEvent(forest.events, time, item);
}

function setEnd(forest: Forest, time: number, from: number, to: number): void {
  forest.end = time;
  forest.endFrom = from;
  forest.endTo = to;
}

/**
 * The innermost loop. An edge between two outer vertices loses slack at both ends simultaneously.
 */
function scan(forest: Forest, vertex: number): void {
  const { columns, top, label, mark, nearestMark, nearestFrom, approachedVertices } = forest;
  const { across, cost } = columns;
  const ownMark = mark[vertex]!;
  const endPosition = columns.start[vertex + 1]!;
  for (let position = columns.start[vertex]!; position < endPosition; position += 1) {
    const neighbour = across[position]!;
    const otherLabel = label[top[neighbour]!];
    if (otherLabel === OUTER) {
      if (top[neighbour] === top[vertex]) continue;
      schedule(
        forest,
        (ownMark + mark[neighbour]! - cost[position]!) / 2,
        nodeCount(forest) + position,
      );
      continue;
    }
    const candidate = ownMark - cost[position]!;
    if (candidate >= nearestMark[neighbour]!) continue;
    if (nearestMark[neighbour] === NEVER) approachedVertices.push(neighbour);
    nearestMark[neighbour] = candidate;
    nearestFrom[neighbour] = vertex;
    if (otherLabel === UNLABELLED) scheduleReach(forest, neighbour);
  }
}
