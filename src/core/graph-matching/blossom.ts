import {
  becomeOuter,
  INNER,
  verticesOf,
  makeInner,
  makeOuter,
  NO_NODE,
  OUTER,
  scheduleReach,
  releaseBlossom,
  makeOutermost,
  UNLABELLED,
} from "./forest.ts";
import type { Forest } from "./forest.ts";

/**
 * The path from a child of the new blossom up to the meeting node, which is excluded, with the
 * edges between its nodes.
 */
type TreePath = { nodes: number[]; lower: number[]; upper: number[] };

/**
 * Shrinks an odd cycle into a new blossom. The cycle consists of a tight edge between two outer
 * nodes and their paths up to `meeting`.
 */
export function shrinkCycle(
  forest: Forest,
  meeting: number,
  edgeFrom: number,
  edgeTo: number,
  time: number,
): void {
  const node = forest.freeSlots.pop()!;
  const pathA = pathToMeeting(forest, meeting, edgeFrom);
  const pathB = pathToMeeting(forest, meeting, edgeTo);
  const children = [meeting, ...pathA.nodes.reverse(), ...pathB.nodes];
  forest.children[node] = children;
  forest.linkFrom[node] = [...pathA.upper.reverse(), edgeFrom, ...pathB.lower];
  forest.linkTo[node] = [...pathA.lower.reverse(), edgeTo, ...pathB.upper];
  forest.base[node] = forest.base[meeting]!;
  forest.relief[node] = 0;
  const innerChildren = children.filter((child) => forest.label[child] === INNER);
  for (const child of children) absorb(forest, child, node, time);
  linkVertices(forest, node, children);
  makeOutermost(forest, node);
  forest.label[node] = OUTER;
  forest.joinedAt[node] = time;
  forest.labelledNodes.push(node);
  for (const child of innerChildren) {
    for (const vertex of verticesOf(forest, child)) becomeOuter(forest, vertex, time);
  }
}

/**
 * Makes a node a child of a new blossom and writes back the dual change that the node has
 * accumulated.
 */
function absorb(forest: Forest, child: number, node: number, time: number): void {
  const { label, joinedAt, relief, vertices, parent } = forest;
  const accumulated = time - joinedAt[child]!;
  if (label[child] === INNER) raiseDuals(forest, child, accumulated);
  if (child >= vertices) relief[child]! += label[child] === OUTER ? accumulated : -accumulated;
  parent[child] = node;
}

function linkVertices(
  { first, last, nextVertex }: Forest,
  node: number,
  children: readonly number[],
): void {
  for (let position = 1; position < children.length; position += 1) {
    nextVertex[last[children[position - 1]!]!] = first[children[position]!]!;
  }
  first[node] = first[children[0]!]!;
  last[node] = last[children.at(-1)!]!;
}

function raiseDuals(forest: Forest, node: number, amount: number): void {
  for (const vertex of verticesOf(forest, node)) forest.dual[vertex]! += amount;
}

function pathToMeeting(forest: Forest, meeting: number, vertex: number): TreePath {
  const { top, base, mate, reachedFrom, reachedAt } = forest;
  const path: TreePath = { nodes: [], lower: [], upper: [] };
  for (let node = top[vertex]!; node !== meeting; node = top[path.upper.at(-1)!]!) {
    const inner = top[mate[base[node]!]!]!;
    path.nodes.push(node, inner);
    path.lower.push(base[node]!, reachedAt[inner]!);
    path.upper.push(mate[base[node]!]!, reachedFrom[inner]!);
  }
  return path;
}

/**
 * Expands an inner blossom whose dual has reached zero. The even path from the reached child to the
 * base stays in the tree. All other children leave the tree until they are reached again.
 */
export function expandBlossom(forest: Forest, node: number, time: number): void {
  const { joinedAt, relief, label, reachedAt } = forest;
  raiseDuals(forest, node, time - joinedAt[node]!);
  relief[node] = 0;
  const children = forest.children[node]!;
  const entryIndex = children.indexOf(childContaining(forest, node, reachedAt[node]!));
  for (const child of children) {
    makeOutermost(forest, child);
    label[child] = UNLABELLED;
  }
  const outerChildren = labelInnerNodes(forest, node, entryIndex, time);
  for (const child of outerChildren) makeOuter(forest, child, time);
  for (const child of children) {
    if (label[child] !== UNLABELLED) continue;
    for (const vertex of verticesOf(forest, child)) scheduleReach(forest, vertex);
  }
  releaseBlossom(forest, node);
}

/**
 * Labels every second child on the path from the entry to the base as inner. Returns the children
 * between them.
 */
function labelInnerNodes(forest: Forest, node: number, entryIndex: number, time: number): number[] {
  const children = forest.children[node]!;
  const cycleStep = stepToBase(entryIndex);
  const outerChildren: number[] = [];
  let reachedFromVertex = forest.reachedFrom[node]!;
  let reachedVertex = forest.reachedAt[node]!;
  for (let position = entryIndex; ; position = wrapIndex(children, position + 2 * cycleStep)) {
    makeInner(forest, children[position]!, reachedFromVertex, reachedVertex, time);
    if (position === 0) return outerChildren;
    const outer = wrapIndex(children, position + cycleStep);
    outerChildren.push(children[outer]!);
    [reachedFromVertex, reachedVertex] = linkToward(forest, node, outer, cycleStep);
  }
}

/**
 * Makes a vertex the base of its node by swapping matched and unmatched edges on the path to the
 * old base.
 */
export function moveBase(forest: Forest, node: number, vertex: number): void {
  if (node < forest.vertices || forest.base[node] === vertex) return;
  const children = forest.children[node]!;
  const child = childContaining(forest, node, vertex);
  moveBase(forest, child, vertex);
  const entryIndex = children.indexOf(child);
  const cycleStep = stepToBase(entryIndex);
  for (
    let position = entryIndex;
    position !== 0;
    position = wrapIndex(children, position + 2 * cycleStep)
  ) {
    const next = wrapIndex(children, position + cycleStep);
    const [edgeFrom, edgeTo] = linkToward(forest, node, next, cycleStep);
    moveBase(forest, children[next]!, edgeFrom);
    moveBase(forest, children[wrapIndex(children, next + cycleStep)]!, edgeTo);
    forest.mate[edgeFrom] = edgeTo;
    forest.mate[edgeTo] = edgeFrom;
  }
  forest.children[node] = rotate(children, entryIndex);
  forest.linkFrom[node] = rotate(forest.linkFrom[node]!, entryIndex);
  forest.linkTo[node] = rotate(forest.linkTo[node]!, entryIndex);
  forest.base[node] = vertex;
}

/** Expands all blossoms around a vertex, whatever their duals. Call this only between searches. */
export function dissolveBlossoms(forest: Forest, vertex: number): void {
  const { vertices, top, base, mate, relief } = forest;
  for (let node = top[vertex]!; node >= vertices; node = top[vertex]!) {
    raiseDuals(forest, node, relief[node]!);
    relief[node] = 0;
    unmatch(mate, base[node]!);
    for (const child of forest.children[node]!) makeOutermost(forest, child);
    releaseBlossom(forest, node);
  }
}

export function unmatch(mate: Int32Array, vertex: number): void {
  if (mate[vertex] !== NO_NODE) mate[mate[vertex]!] = NO_NODE;
  mate[vertex] = NO_NODE;
}

function childContaining({ parent }: Forest, node: number, vertex: number): number {
  let child = vertex;
  while (parent[child] !== node) child = parent[child]!;
  return child;
}

/**
 * Returns the direction around the cycle that reaches the base, at position 0, in an even number of
 * links.
 */
function stepToBase(position: number): 1 | -1 {
  return position % 2 === 1 ? 1 : -1;
}

/**
 * Returns the edge from a child to its neighbour in a direction: first the end in the child, then
 * the end in the neighbour.
 */
function linkToward(
  { linkFrom, linkTo }: Forest,
  node: number,
  position: number,
  cycleStep: 1 | -1,
): readonly [number, number] {
  if (cycleStep === 1) return [linkFrom[node]![position]!, linkTo[node]![position]!];
  const previousIndex = wrapIndex(linkFrom[node]!, position - 1);
  return [linkTo[node]![previousIndex]!, linkFrom[node]![previousIndex]!];
}

function wrapIndex(cycle: readonly number[], position: number): number {
  return (position + cycle.length) % cycle.length;
}

function rotate(cycle: readonly number[], position: number): number[] {
  return [...cycle.slice(position), ...cycle.slice(0, position)];
}
