import { expand, rebase, shrink } from "./blossom.ts";
import { nextTime, takeEvent } from "./events.ts";
import {
  INNER,
  leaves,
  makeInner,
  makeOuter,
  NEVER,
  nodesOf,
  NONE,
  OUTER,
  UNLABELLED,
} from "./forest.ts";
import type { Forest } from "./forest.ts";

/** Augments until no free vertex has a positive dual: the matching then has maximum weight. */
export function search(forest: Forest): void {
  const { vertices, mate, dual } = forest;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    if (mate[vertex] === NONE && dual[vertex]! > 0) growTree(forest, vertex);
  }
}

/** Grows one tree until it reaches another free vertex or the dual of an outer vertex runs out. */
function growTree(forest: Forest, root: number): void {
  const { events, vertices } = forest;
  const nodes = nodesOf(forest);
  forest.end = NEVER;
  makeOuter(forest, forest.top[root]!, 0);
  for (let time = nextTime(events); time < forest.end; time = nextTime(events)) {
    const item = takeEvent(events);
    if (item < vertices) reach(forest, item, time);
    else if (item < nodes) expandDue(forest, item, time);
    else close(forest, item - nodes, time);
  }
  settle(forest);
  augment(forest);
}

/** Adds the node of a vertex, and the node matched with it, to the tree. */
function reach(forest: Forest, vertex: number, time: number): void {
  const { top, label, nearest, nearestFrom, dual, base, mate } = forest;
  const node = top[vertex]!;
  if (label[node] !== UNLABELLED || nearest[vertex]! + dual[vertex]! !== time) return;
  makeInner(forest, node, nearestFrom[vertex]!, vertex, time);
  makeOuter(forest, top[mate[base[node]!]!]!, time);
}

/** The event is stale if the blossom has since been absorbed or replaced. */
function expandDue(forest: Forest, node: number, time: number): void {
  const { label, parent, base, joined, relief } = forest;
  const stands = base[node] !== NONE && parent[node] === NONE && label[node] === INNER;
  if (stands && time === joined[node]! + relief[node]!) expand(forest, node, time);
}

/** A tight edge between two outer nodes closes an odd cycle. */
function close(forest: Forest, place: number, time: number): void {
  const { top, columns } = forest;
  const one = columns.origin[place]!;
  const other = columns.across[place]!;
  if (top[one] === top[other]) return;
  shrink(forest, meetingOf(forest, top[one]!, top[other]!), one, other, time);
}

/** The node where the paths of two outer nodes to the root meet. */
function meetingOf(forest: Forest, one: number, other: number): number {
  const { passed } = forest;
  forest.meetings += 1;
  for (let here = one, there = other; ; [here, there] = [there, here]) {
    if (here === NONE) continue;
    if (passed[here] === forest.meetings) return here;
    passed[here] = forest.meetings;
    here = outerAbove(forest, here);
  }
}

/** The next outer node on the path to the root, or NONE at the root. */
function outerAbove({ top, mate, base, reachedFrom }: Forest, node: number): number {
  const partner = mate[base[node]!]!;
  return partner === NONE ? NONE : top[reachedFrom[top[partner]!]!]!;
}

/** Writes back the duals of all nodes in the tree, then clears the tree. */
function settle(forest: Forest): void {
  const { labelled, approached, nearest, events } = forest;
  for (const node of labelled) {
    if (forest.parent[node] === NONE && forest.base[node] !== NONE) settleNode(forest, node);
    forest.label[node] = UNLABELLED;
  }
  for (const vertex of approached) nearest[vertex] = NEVER;
  labelled.length = 0;
  approached.length = 0;
  events.size = 0;
}

function settleNode(forest: Forest, node: number): void {
  const { end, dual, mark, relief, vertices } = forest;
  const gathered = end - forest.joined[node]!;
  if (forest.label[node] === OUTER) {
    for (const vertex of leaves(forest, node)) dual[vertex] = mark[vertex]! - end;
    if (node >= vertices) relief[node]! += gathered;
  } else if (forest.label[node] === INNER) {
    for (const vertex of leaves(forest, node)) dual[vertex]! += gathered;
    if (node >= vertices) relief[node]! -= gathered;
  }
}

/** Swaps the edges on the path from the vertex that ended the search to the root. */
function augment(forest: Forest): void {
  const { top, base, mate, reachedFrom, reachedAt, endTo } = forest;
  let vertex = forest.endFrom;
  let partner = endTo;
  if (endTo !== NONE) {
    rebase(forest, top[endTo]!, endTo);
    mate[endTo] = vertex;
  }
  for (;;) {
    const outer = top[vertex]!;
    const above = mate[base[outer]!]!;
    rebase(forest, outer, vertex);
    mate[vertex] = partner;
    if (above === NONE) return;
    const inner = top[above]!;
    const entry = reachedAt[inner]!;
    rebase(forest, inner, entry);
    vertex = reachedFrom[inner]!;
    partner = entry;
    mate[entry] = vertex;
  }
}
