import type { Columns } from "./columns.ts";
import { addEvent, createEvents, nextTime, takeEvent } from "./events.ts";
import type { Events } from "./events.ts";
import { INNER, NEVER, NONE, OUTER, UNLABELLED } from "./forest.ts";

// The fractional start: the maximum weight if an edge may also be half taken. Halves lie on odd
// cycles, so no blossoms are needed, and most vertices end up as in the final matching (Applegate
// and Cook, "Solving large-scale matching problems", 1993; Kolmogorov, "Blossom V", Mathematical
// Programming Computation 1, 2009).
//
// A search tree grows from one free vertex. Time is how much the duals of its outer vertices have
// fallen and those of its inner ones risen. Duals are written back only when the search ends.

export type Halves = {
  columns: Columns;
  /** Twice the usual duals, to stay integral: those of both ends cover twice an edge's weight. */
  readonly dual: Int32Array;
  /** The partner of a wholly matched vertex, else NONE. */
  readonly mate: Int32Array;
  /** The next vertex on the odd cycle of halves through a vertex, else NONE. */
  readonly next: Int32Array;

  readonly label: Uint8Array;
  /** For outer vertices, the dual plus the time of joining; for inner ones, the time of joining. */
  readonly mark: Int32Array;
  /** When a vertex can be reached, and the outer vertex it is then reached from. */
  readonly reach: Int32Array;
  readonly parent: Int32Array;
  readonly touched: number[];
  readonly events: Events;
  /**
   * The latest time at which the search ends, and the outer vertex and the vertex across that end
   * it.
   */
  end: number;
  endFrom: number;
  endTo: number;
};

/** Augments until no free vertex has a positive dual. */
export function solveHalves(halves: Halves): void {
  const { mate, next, dual } = halves;
  for (let vertex = 0; vertex < dual.length; vertex += 1) {
    const free = mate[vertex] === NONE && next[vertex] === NONE;
    if (free && dual[vertex]! > 0) search(halves, vertex);
  }
}

/** Raises a dual, which frees the vertex because its edges are no longer tight. */
export function raiseHalf(halves: Halves, vertex: number, by: number): void {
  const { mate, next, dual } = halves;
  if (next[vertex] !== NONE) openCycle(halves, vertex);
  if (mate[vertex] !== NONE) mate[mate[vertex]!] = NONE;
  mate[vertex] = NONE;
  dual[vertex]! += by;
}

/** Resolves all halves: every odd cycle is matched wholly except for one vertex. */
export function openCycles(halves: Halves): void {
  for (let vertex = 0; vertex < halves.next.length; vertex += 1) {
    if (halves.next[vertex] !== NONE) openCycle(halves, vertex);
  }
}

/** Starts with an empty matching and duals that cover all columns. */
export function createHalves(columns: Columns, dual: Int32Array): Halves {
  const vertices = dual.length;
  return {
    columns,
    dual,
    mate: new Int32Array(vertices).fill(NONE),
    next: new Int32Array(vertices).fill(NONE),
    label: new Uint8Array(vertices),
    mark: new Int32Array(vertices),
    reach: new Int32Array(vertices).fill(NEVER),
    parent: new Int32Array(vertices).fill(NONE),
    touched: [],
    events: createEvents(),
    end: NEVER,
    endFrom: NONE,
    endTo: NONE,
  };
}

/** Matches a free vertex, wholly or by halves, or frees one whose dual is zero instead. */
function search(halves: Halves, root: number): void {
  const { events, label, reach, mark, mate } = halves;
  halves.end = NEVER;
  makeOuter(halves, root, 0);
  for (let time = nextTime(events); time < halves.end; time = nextTime(events)) {
    const vertex = takeEvent(events);
    if (label[vertex] !== UNLABELLED || reach[vertex] !== time) continue;
    label[vertex] = INNER;
    mark[vertex] = time;
    makeOuter(halves, mate[vertex]!, time);
  }
  const { endFrom, endTo } = halves;
  const closes = endTo !== NONE && label[endTo] === OUTER;
  if (closes) closeCycle(halves, endFrom, endTo);
  else {
    if (endTo !== NONE && halves.next[endTo] !== NONE) openCycle(halves, endTo);
    flip(halves, endFrom, endTo);
  }
  settle(halves);
}

function makeOuter(halves: Halves, vertex: number, time: number): void {
  halves.label[vertex] = OUTER;
  halves.mark[vertex] = halves.dual[vertex]! + time;
  halves.touched.push(vertex);
  if (halves.mark[vertex] < halves.end) endAt(halves, halves.mark[vertex], vertex, NONE);
  scan(halves, vertex);
}

function endAt(halves: Halves, time: number, from: number, to: number): void {
  halves.end = time;
  halves.endFrom = from;
  halves.endTo = to;
}

/** Records when each vertex across an edge can be reached, and what would end the search. */
function scan(halves: Halves, vertex: number): void {
  const { columns, dual, mate, label, mark, reach, parent, touched } = halves;
  const { across, cost } = columns;
  const own = mark[vertex]!;
  const stop = columns.start[vertex + 1]!;
  for (let place = columns.start[vertex]!; place < stop; place += 1) {
    const other = across[place]!;
    if (label[other] === INNER) continue;
    if (label[other] === OUTER) {
      const time = (own + mark[other]! - cost[place]!) / 2;
      if (time < halves.end) endAt(halves, time, vertex, other);
      continue;
    }
    const time = own + dual[other]! - cost[place]!;
    if (time >= halves.end || time >= reach[other]!) continue;
    if (mate[other] === NONE) endAt(halves, time, vertex, other);
    else {
      if (reach[other] === NEVER) touched.push(other);
      reach[other] = time;
      parent[other] = vertex;
      addEvent(halves.events, time, other);
    }
  }
}

/** Swaps the edges on the path from an outer vertex to the root, which frees it for a partner. */
function flip({ mate, parent }: Halves, outer: number, partner: number): void {
  for (;;) {
    const inner = mate[outer]!;
    mate[outer] = partner;
    if (partner !== NONE) mate[partner] = outer;
    if (inner === NONE) return;
    outer = parent[inner]!;
    partner = inner;
  }
}

/** Two outer vertices meet: their paths to the common part of the tree become a cycle of halves. */
function closeCycle(halves: Halves, one: number, other: number): void {
  const { mate, next } = halves;
  const meeting = meetingOf(halves, one, other);
  const cycle = [...wayTo(halves, meeting, one).reverse(), ...wayTo(halves, meeting, other)];
  flip(halves, meeting, NONE);
  cycle.push(meeting);
  for (const [place, vertex] of cycle.entries()) {
    mate[vertex] = NONE;
    next[vertex] = cycle[(place + 1) % cycle.length]!;
  }
}

/** The vertices from an outer one up to, but not including, an outer one above it. */
function wayTo({ mate, parent }: Halves, above: number, outer: number): number[] {
  const way: number[] = [];
  for (; outer !== above; outer = parent[mate[outer]!]!) way.push(outer, mate[outer]!);
  return way;
}

function meetingOf({ mate, parent }: Halves, one: number, other: number): number {
  const above = new Set<number>();
  for (let outer = one; ; outer = parent[mate[outer]!]!) {
    above.add(outer);
    if (mate[outer] === NONE) break;
  }
  let outer = other;
  while (!above.has(outer)) outer = parent[mate[outer]!]!;
  return outer;
}

function openCycle({ mate, next }: Halves, free: number): void {
  let one = next[free]!;
  next[free] = NONE;
  while (one !== free) {
    const other = next[one]!;
    const after = next[other]!;
    mate[one] = other;
    mate[other] = one;
    next[one] = next[other] = NONE;
    one = after;
  }
}

/** Writes the duals back and forgets the tree. */
function settle({ end, touched, label, dual, mark, reach, events }: Halves): void {
  for (const vertex of touched) {
    if (label[vertex] === OUTER) dual[vertex] = mark[vertex]! - end;
    else if (label[vertex] === INNER) dual[vertex]! += end - mark[vertex]!;
    label[vertex] = UNLABELLED;
    reach[vertex] = NEVER;
  }
  touched.length = 0;
  events.size = 0;
}
