import type { EdgeColumns } from "./edge-columns.ts";
import { addEvent, createEventQueue, nextEventTime, popEvent } from "./event-queue.ts";
import type { EventQueue } from "./event-queue.ts";
import { INNER, NEVER, NO_NODE, OUTER, UNLABELLED } from "./forest.ts";

// Finds a fractional matching to start from: the maximum weight if edges may also be half matched.
// Half edges lie on odd cycles, so no blossoms are needed, and most vertices already have their
// final partner (Applegate and Cook, "Solving large-scale matching problems", 1993; Kolmogorov,
// "Blossom V", Mathematical Programming Computation 1, 2009).
//
// A search tree grows from one free vertex. Time is the amount by which the duals of the tree's
// outer vertices have fallen and those of its inner vertices have risen. Duals are written back
// only when the search ends.

export type FractionalMatching = {
  columns: EdgeColumns;
  /**
   * Duals of vertices, doubled to stay integers. The duals of both ends cover twice an edge's
   * weight.
   */
  readonly dual: Int32Array;
  /** Partner of a fully matched vertex, else NONE. */
  readonly mate: Int32Array;
  /** Next vertex on the odd cycle of half edges through the vertex, else NONE. */
  readonly next: Int32Array;

  readonly label: Uint8Array;
  /**
   * For an outer vertex, its dual plus the time at which it joined the tree. For an inner vertex,
   * only that time.
   */
  readonly mark: Int32Array;
  /** Time at which the vertex can be reached, and the outer vertex that reaches it. */
  readonly reachTime: Int32Array;
  readonly parent: Int32Array;
  readonly touchedVertices: number[];
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
 * Augments the matching until no free vertex has a positive dual. Its weight is then maximal among
 * fractional matchings.
 */
export function solveFractional(fractional: FractionalMatching): void {
  const { mate, next, dual } = fractional;
  for (let vertex = 0; vertex < dual.length; vertex += 1) {
    const isFree = mate[vertex] === NO_NODE && next[vertex] === NO_NODE;
    if (isFree && dual[vertex]! > 0) search(fractional, vertex);
  }
}

/** Raises a vertex's dual. Frees the vertex, because its edges are no longer tight. */
export function raiseDual(fractional: FractionalMatching, vertex: number, amount: number): void {
  const { mate, next, dual } = fractional;
  if (next[vertex] !== NO_NODE) openCycle(fractional, vertex);
  if (mate[vertex] !== NO_NODE) mate[mate[vertex]!] = NO_NODE;
  mate[vertex] = NO_NODE;
  dual[vertex]! += amount;
}

/** Replaces half edges with full ones. In each odd cycle, one vertex stays free. */
export function openCycles(fractional: FractionalMatching): void {
  for (let vertex = 0; vertex < fractional.next.length; vertex += 1) {
    if (fractional.next[vertex] !== NO_NODE) openCycle(fractional, vertex);
  }
}

export function createFractionalMatching(
  columns: EdgeColumns,
  dual: Int32Array,
): FractionalMatching {
  const vertices = dual.length;
  return {
    columns,
    dual,
    mate: new Int32Array(vertices).fill(NO_NODE),
    next: new Int32Array(vertices).fill(NO_NODE),
    label: new Uint8Array(vertices),
    mark: new Int32Array(vertices),
    reachTime: new Int32Array(vertices).fill(NEVER),
    parent: new Int32Array(vertices).fill(NO_NODE),
    touchedVertices: [],
    events: createEventQueue(),
    end: NEVER,
    endFrom: NO_NODE,
    endTo: NO_NODE,
  };
}

function search(fractional: FractionalMatching, root: number): void {
  const { events, label, reachTime, mark, mate } = fractional;
  fractional.end = NEVER;
  makeOuter(fractional, root, 0);
  for (let time = nextEventTime(events); time < fractional.end; time = nextEventTime(events)) {
    const vertex = popEvent(events);
    if (label[vertex] !== UNLABELLED || reachTime[vertex] !== time) continue;
    label[vertex] = INNER;
    mark[vertex] = time;
    makeOuter(fractional, mate[vertex]!, time);
  }
  const { endFrom, endTo } = fractional;
  const closesCycle = endTo !== NO_NODE && label[endTo] === OUTER;
  if (closesCycle) closeCycle(fractional, endFrom, endTo);
  else {
    if (endTo !== NO_NODE && fractional.next[endTo] !== NO_NODE) openCycle(fractional, endTo);
    flipPath(fractional, endFrom, endTo);
  }
  resetTree(fractional);
}

function makeOuter(fractional: FractionalMatching, vertex: number, time: number): void {
  fractional.label[vertex] = OUTER;
  fractional.mark[vertex] = fractional.dual[vertex]! + time;
  fractional.touchedVertices.push(vertex);
  if (fractional.mark[vertex] < fractional.end)
    endAt(fractional, fractional.mark[vertex], vertex, NO_NODE);
  scan(fractional, vertex);
}

function endAt(fractional: FractionalMatching, time: number, from: number, to: number): void {
  fractional.end = time;
  fractional.endFrom = from;
  fractional.endTo = to;
}

function scan(fractional: FractionalMatching, vertex: number): void {
  const { columns, dual, mate, label, mark, reachTime, parent, touchedVertices } = fractional;
  const { across, cost } = columns;
  const ownMark = mark[vertex]!;
  const endPosition = columns.start[vertex + 1]!;
  for (let position = columns.start[vertex]!; position < endPosition; position += 1) {
    const vertexB = across[position]!;
    if (label[vertexB] === INNER) continue;
    if (label[vertexB] === OUTER) {
      const time = (ownMark + mark[vertexB]! - cost[position]!) / 2;
      if (time < fractional.end) endAt(fractional, time, vertex, vertexB);
      continue;
    }
    const time = ownMark + dual[vertexB]! - cost[position]!;
    if (time >= fractional.end || time >= reachTime[vertexB]!) continue;
    if (mate[vertexB] === NO_NODE) endAt(fractional, time, vertex, vertexB);
    else {
      if (reachTime[vertexB] === NEVER) touchedVertices.push(vertexB);
      reachTime[vertexB] = time;
      parent[vertexB] = vertex;
      addEvent(fractional.events, time, vertexB);
    }
  }
}

function flipPath({ mate, parent }: FractionalMatching, outer: number, partner: number): void {
  for (;;) {
    const inner = mate[outer]!;
    mate[outer] = partner;
    if (partner !== NO_NODE) mate[partner] = outer;
    if (inner === NO_NODE) return;
    outer = parent[inner]!;
    partner = inner;
  }
}

/** Turns the paths of two outer vertices, up to where they meet, into a cycle of half edges. */
function closeCycle(fractional: FractionalMatching, vertexA: number, vertexB: number): void {
  const { mate, next } = fractional;
  const meeting = meetingVertex(fractional, vertexA, vertexB);
  const cycle = [
    ...pathTo(fractional, meeting, vertexA).reverse(),
    ...pathTo(fractional, meeting, vertexB),
  ];
  flipPath(fractional, meeting, NO_NODE);
  cycle.push(meeting);
  for (const [position, vertex] of cycle.entries()) {
    mate[vertex] = NO_NODE;
    next[vertex] = cycle[(position + 1) % cycle.length]!;
  }
}

function pathTo({ mate, parent }: FractionalMatching, ancestor: number, outer: number): number[] {
  const path: number[] = [];
  for (; outer !== ancestor; outer = parent[mate[outer]!]!) path.push(outer, mate[outer]!);
  return path;
}

function meetingVertex(
  { mate, parent }: FractionalMatching,
  vertexA: number,
  vertexB: number,
): number {
  const ancestors = new Set<number>();
  for (let outer = vertexA; ; outer = parent[mate[outer]!]!) {
    ancestors.add(outer);
    if (mate[outer] === NO_NODE) break;
  }
  let outer = vertexB;
  while (!ancestors.has(outer)) outer = parent[mate[outer]!]!;
  return outer;
}

function openCycle({ mate, next }: FractionalMatching, freeVertex: number): void {
  let vertexA = next[freeVertex]!;
  next[freeVertex] = NO_NODE;
  while (vertexA !== freeVertex) {
    const vertexB = next[vertexA]!;
    const following = next[vertexB]!;
    mate[vertexA] = vertexB;
    mate[vertexB] = vertexA;
    next[vertexA] = next[vertexB] = NO_NODE;
    vertexA = following;
  }
}

function resetTree({
  end,
  touchedVertices,
  label,
  dual,
  mark,
  reachTime,
  events,
}: FractionalMatching): void {
  for (const vertex of touchedVertices) {
    if (label[vertex] === OUTER) dual[vertex] = mark[vertex]! - end;
    else if (label[vertex] === INNER) dual[vertex]! += end - mark[vertex]!;
    label[vertex] = UNLABELLED;
    reachTime[vertex] = NEVER;
  }
  touchedVertices.length = 0;
  events.size = 0;
}
