import { expandBlossom, moveBase, shrinkCycle } from "./blossom.ts";
import { nextEventTime, popEvent } from "./event-queue.ts";
import {
  INNER,
  verticesOf,
  makeInner,
  makeOuter,
  NEVER,
  nodeCount,
  NO_NODE,
  OUTER,
  UNLABELLED,
} from "./forest.ts";
import type { Forest } from "./forest.ts";

/** Augments the matching until no free vertex has a positive dual. Its weight is then maximal. */
export function findMaximumMatching(forest: Forest): void {
  const { vertices, mate, dual } = forest;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    if (mate[vertex] === NO_NODE && dual[vertex]! > 0) growTree(forest, vertex);
  }
}

/** Grows one tree until it reaches another free vertex or an outer vertex's dual reaches zero. */
function growTree(forest: Forest, root: number): void {
  const { events, vertices } = forest;
  const nodes = nodeCount(forest);
  forest.end = NEVER;
  makeOuter(forest, forest.top[root]!, 0);
  for (let time = nextEventTime(events); time < forest.end; time = nextEventTime(events)) {
    const event = popEvent(events);
    if (event < vertices) reachVertex(forest, event, time);
    else if (event < nodes) expandIfDue(forest, event, time);
    else closeCycle(forest, event - nodes, time);
  }
  settleTree(forest);
  augment(forest);
}

function reachVertex(forest: Forest, vertex: number, time: number): void {
  const { top, label, nearestMark, nearestFrom, dual, base, mate } = forest;
  const node = top[vertex]!;
  if (label[node] !== UNLABELLED || nearestMark[vertex]! + dual[vertex]! !== time) return;
  makeInner(forest, node, nearestFrom[vertex]!, vertex, time);
  makeOuter(forest, top[mate[base[node]!]!]!, time);
}

/** The event is stale if the blossom has been absorbed or replaced since. */
function expandIfDue(forest: Forest, node: number, time: number): void {
  const { label, parent, base, joinedAt, relief } = forest;
  const isCurrent = base[node] !== NO_NODE && parent[node] === NO_NODE && label[node] === INNER;
  if (isCurrent && time === joinedAt[node]! + relief[node]!) expandBlossom(forest, node, time);
}

function closeCycle(forest: Forest, position: number, time: number): void {
  const { top, columns } = forest;
  const vertexA = columns.origin[position]!;
  const vertexB = columns.across[position]!;
  if (top[vertexA] === top[vertexB]) return;
  shrinkCycle(forest, meetingNode(forest, top[vertexA]!, top[vertexB]!), vertexA, vertexB, time);
}

function meetingNode(forest: Forest, vertexA: number, vertexB: number): number {
  const { visitedInSearch } = forest;
  forest.searchCount += 1;
  for (let nodeA = vertexA, nodeB = vertexB; ; [nodeA, nodeB] = [nodeB, nodeA]) {
    if (nodeA === NO_NODE) continue;
    if (visitedInSearch[nodeA] === forest.searchCount) return nodeA;
    visitedInSearch[nodeA] = forest.searchCount;
    nodeA = outerAbove(forest, nodeA);
  }
}

function outerAbove({ top, mate, base, reachedFrom }: Forest, node: number): number {
  const partner = mate[base[node]!]!;
  return partner === NO_NODE ? NO_NODE : top[reachedFrom[top[partner]!]!]!;
}

function settleTree(forest: Forest): void {
  const { labelledNodes, approachedVertices, nearestMark, events } = forest;
  for (const node of labelledNodes) {
    if (forest.parent[node] === NO_NODE && forest.base[node] !== NO_NODE) settleNode(forest, node);
    forest.label[node] = UNLABELLED;
  }
  for (const vertex of approachedVertices) nearestMark[vertex] = NEVER;
  labelledNodes.length = 0;
  approachedVertices.length = 0;
  events.size = 0;
}

function settleNode(forest: Forest, node: number): void {
  const { end, dual, mark, relief, vertices } = forest;
  const accumulated = end - forest.joinedAt[node]!;
  if (forest.label[node] === OUTER) {
    for (const vertex of verticesOf(forest, node)) dual[vertex] = mark[vertex]! - end;
    if (node >= vertices) relief[node]! += accumulated;
  } else if (forest.label[node] === INNER) {
    for (const vertex of verticesOf(forest, node)) dual[vertex]! += accumulated;
    if (node >= vertices) relief[node]! -= accumulated;
  }
}

function augment(forest: Forest): void {
  const { top, base, mate, reachedFrom, reachedAt, endTo } = forest;
  let vertex = forest.endFrom;
  let partner = endTo;
  if (endTo !== NO_NODE) {
    moveBase(forest, top[endTo]!, endTo);
    mate[endTo] = vertex;
  }
  for (;;) {
    const outer = top[vertex]!;
    const partnerVertex = mate[base[outer]!]!;
    moveBase(forest, outer, vertex);
    mate[vertex] = partner;
    if (partnerVertex === NO_NODE) return;
    const inner = top[partnerVertex]!;
    const entryVertex = reachedAt[inner]!;
    moveBase(forest, inner, entryVertex);
    vertex = reachedFrom[inner]!;
    partner = entryVertex;
    mate[entryVertex] = vertex;
  }
}
