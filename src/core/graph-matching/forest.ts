import type { EdgeColumns } from "./edge-columns.ts";
import { addEvent, createEventQueue } from "./event-queue.ts";
import type { EventQueue } from "./event-queue.ts";

// State of a search for a maximum weight matching with Edmonds' primal-dual method, one search tree
// at a time (Kolmogorov, "Blossom V", Mathematical Programming Computation 1, 2009). Slacks are
// stored as the time at which they reach zero (Galil, ACM Computing Surveys 18, 1986).
//
// A node is a vertex (numbers below `vertices`) or a blossom. Time is the amount by which the duals
// of the tree's outer vertices have fallen since the search of this tree began. Duals are written
// back only when a vertex changes its label. The time at which an edge runs out of slack is
// therefore known when its outer end is scanned, and becomes an event.

export const NO_NODE = -1;

/**
 * Labels of nodes in the tree. Outer nodes have an even path to the root, inner nodes an odd one.
 */
export const UNLABELLED = 0;
export const OUTER = 1;
export const INNER = 2;

export const NEVER = 2 ** 31 - 1;

export type Forest = {
  readonly vertices: number;
  columns: EdgeColumns;

  /**
   * Duals of vertices, doubled. The slack of an edge includes both ends and the blossoms that
   * contain both.
   */
  readonly dual: Int32Array;
  /** Duals of blossoms, doubled. They relieve the edges inside. */
  readonly relief: Int32Array;
  readonly mate: Int32Array;
  /** By vertex, the outermost blossom that contains it, or the vertex itself. */
  readonly top: Int32Array;

  readonly parent: Int32Array;
  /** The vertices of a node form a linked list from `first` to `last`. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  readonly nextVertex: Int32Array;
  /** By node, its one vertex that is free or matched outside the node. NO_NODE for unused nodes. */
  readonly base: Int32Array;
  /** By blossom, its odd cycle of nodes, starting with the base. */
  readonly children: number[][];
  /**
   * By blossom, the edges from each child to the next: first the ends in the child, then the ends
   * in the next.
   */
  readonly linkFrom: number[][];
  readonly linkTo: number[][];
  readonly freeSlots: number[];

  /** Label in the current tree. Only meaningful for outermost nodes. */
  readonly label: Uint8Array;
  readonly joinedAt: Int32Array;
  /** By inner node, the edge that reached it: first the outer vertex, then the vertex inside. */
  readonly reachedFrom: Int32Array;
  readonly reachedAt: Int32Array;
  readonly labelledNodes: number[];
  /**
   * By outer vertex, its dual plus the time at which it became outer. Stays constant from then on.
   */
  readonly mark: Int32Array;
  /**
   * Keyed by the vertex at the other end: the minimum of the mark minus twice the edge weight, over
   * that vertex's edges to outer vertices.
   */
  readonly nearestMark: Int32Array;
  readonly nearestFrom: Int32Array;
  readonly approachedVertices: number[];
  /** By node, the number of the last search for a meeting node that visited it. */
  readonly visitedInSearch: Int32Array;
  searchCount: number;

  /**
   * The item of an event is a vertex to reach, a blossom to expand, or `nodes` plus the index of an
   * edge to close.
   */
  readonly events: EventQueue;
  /**
   * Latest time at which the search ends, and the outer vertex and opposite vertex at which it
   * ends.
   */
  end: number;
  endFrom: number;
  endTo: number;
};

/**
 * Creates the state from a partial matching. The duals must cover all columns and be tight on
 * matched edges.
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
 * All entries share one empty list, because most nodes never need their own. Replace an entry and
 * don't modify it.
 */
function emptyLists(count: number): number[][] {
  const sharedEmptyList: number[] = [];
  return Array.from({ length: count }, () => sharedEmptyList);
}

export function nodeCount({ base }: Forest): number {
  return base.length;
}

export function verticesOf({ first, last, nextVertex }: Forest, node: number): number[] {
  const members = [first[node]!];
  for (let vertex = first[node]!; vertex !== last[node];) {
    vertex = nextVertex[vertex]!;
    members.push(vertex);
  }
  return members;
}

/** Makes a node the outermost one for all of its vertices. */
export function makeOutermost(forest: Forest, node: number): void {
  forest.parent[node] = NO_NODE;
  for (const vertex of verticesOf(forest, node)) forest.top[vertex] = node;
}

/** Makes a blossom's number available again. Its children must already be outermost. */
export function releaseBlossom(forest: Forest, node: number): void {
  forest.base[node] = NO_NODE;
  forest.label[node] = UNLABELLED;
  forest.children[node] = [];
  forest.freeSlots.push(node);
}

/** Labels an outermost node as outer and scans its vertices. The node must be unlabelled. */
export function makeOuter(forest: Forest, node: number, time: number): void {
  forest.label[node] = OUTER;
  forest.joinedAt[node] = time;
  forest.labelledNodes.push(node);
  if (node < forest.vertices) becomeOuter(forest, node, time);
  else for (const vertex of verticesOf(forest, node)) becomeOuter(forest, vertex, time);
}

/**
 * Labels an outermost node as inner, with the edge that reached it. The node must be unlabelled.
 */
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

/** Updates a vertex whose node has been labelled outer, and schedules the events of its edges. */
export function becomeOuter(forest: Forest, vertex: number, time: number): void {
  const mark = forest.dual[vertex]! + time;
  forest.mark[vertex] = mark;
  if (mark < forest.end) setEnd(forest, mark, vertex, NO_NODE);
  scan(forest, vertex);
}

/** Schedules the event in which an outer vertex reaches this unlabelled vertex. */
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
 * The innermost loop of the search. An edge between two outer vertices loses slack at both ends
 * simultaneously.
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
