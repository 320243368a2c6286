import {
  becomeOuter,
  INNER,
  leaves,
  makeInner,
  makeOuter,
  NONE,
  OUTER,
  planReach,
  release,
  surface,
  UNLABELLED,
} from "./forest.ts";
import type { Forest } from "./forest.ts";

/**
 * Nodes from a child of the new blossom up to, not including, the meeting node; and their links.
 */
type Way = { nodes: number[]; lower: number[]; upper: number[] };

/**
 * Shrinks the odd cycle closed by a tight edge between two outer nodes, below the node where their
 * paths meet.
 */
export function shrink(
  forest: Forest,
  meeting: number,
  one: number,
  other: number,
  time: number,
): void {
  const node = forest.unused.pop()!;
  const down = wayTo(forest, meeting, one);
  const up = wayTo(forest, meeting, other);
  const children = [meeting, ...down.nodes.reverse(), ...up.nodes];
  forest.children[node] = children;
  forest.leaving[node] = [...down.upper.reverse(), one, ...up.lower];
  forest.entering[node] = [...down.lower.reverse(), other, ...up.upper];
  forest.base[node] = forest.base[meeting]!;
  forest.relief[node] = 0;
  const raised = children.filter((child) => forest.label[child] === INNER);
  for (const child of children) absorb(forest, child, node, time);
  chain(forest, node, children);
  surface(forest, node);
  forest.label[node] = OUTER;
  forest.joined[node] = time;
  forest.labelled.push(node);
  for (const child of raised) {
    for (const vertex of leaves(forest, child)) becomeOuter(forest, vertex, time);
  }
}

/** Writes back what a node has accumulated in the role it is about to lose. */
function absorb(forest: Forest, child: number, node: number, time: number): void {
  const { label, joined, relief, vertices, parent } = forest;
  const gathered = time - joined[child]!;
  if (label[child] === INNER) raiseDuals(forest, child, gathered);
  if (child >= vertices) relief[child]! += label[child] === OUTER ? gathered : -gathered;
  parent[child] = node;
}

/**
 * Joins the children's vertices. Each child's vertices stay contiguous, for when it is expanded.
 */
function chain(
  { first, last, following }: Forest,
  node: number,
  children: readonly number[],
): void {
  for (let place = 1; place < children.length; place += 1) {
    following[last[children[place - 1]!]!] = first[children[place]!]!;
  }
  first[node] = first[children[0]!]!;
  last[node] = last[children.at(-1)!]!;
}

function raiseDuals(forest: Forest, node: number, by: number): void {
  for (const vertex of leaves(forest, node)) forest.dual[vertex]! += by;
}

function wayTo(forest: Forest, meeting: number, vertex: number): Way {
  const { top, base, mate, reachedFrom, reachedAt } = forest;
  const way: Way = { nodes: [], lower: [], upper: [] };
  for (let node = top[vertex]!; node !== meeting; node = top[way.upper.at(-1)!]!) {
    const inner = top[mate[base[node]!]!]!;
    way.nodes.push(node, inner);
    way.lower.push(base[node]!, reachedAt[inner]!);
    way.upper.push(mate[base[node]!]!, reachedFrom[inner]!);
  }
  return way;
}

/**
 * Expands an inner blossom whose dual has reached zero. The even path from the child that was
 * reached to the base keeps its place in the tree; all other children leave it until they are
 * reached again.
 */
export function expand(forest: Forest, node: number, time: number): void {
  const { joined, relief, label, reachedAt } = forest;
  raiseDuals(forest, node, time - joined[node]!);
  relief[node] = 0;
  const children = forest.children[node]!;
  const entry = children.indexOf(childHolding(forest, node, reachedAt[node]!));
  for (const child of children) {
    surface(forest, child);
    label[child] = UNLABELLED;
  }
  const outers = labelInners(forest, node, entry, time);
  for (const child of outers) makeOuter(forest, child, time);
  for (const child of children) {
    if (label[child] !== UNLABELLED) continue;
    for (const vertex of leaves(forest, child)) planReach(forest, vertex);
  }
  release(forest, node);
}

/** Labels every other child on the path from the entry to the base, and returns those between. */
function labelInners(forest: Forest, node: number, entry: number, time: number): number[] {
  const children = forest.children[node]!;
  const step = stepToBase(entry);
  const outers: number[] = [];
  let from = forest.reachedFrom[node]!;
  let at = forest.reachedAt[node]!;
  for (let place = entry; ; place = around(children, place + 2 * step)) {
    makeInner(forest, children[place]!, from, at, time);
    if (place === 0) return outers;
    const outer = around(children, place + step);
    outers.push(children[outer]!);
    [from, at] = linkToward(forest, node, outer, step);
  }
}

/** Swaps matched and unmatched edges between a vertex and the base, making the vertex the base. */
export function rebase(forest: Forest, node: number, vertex: number): void {
  if (node < forest.vertices || forest.base[node] === vertex) return;
  const children = forest.children[node]!;
  const child = childHolding(forest, node, vertex);
  rebase(forest, child, vertex);
  const entry = children.indexOf(child);
  const step = stepToBase(entry);
  for (let place = entry; place !== 0; place = around(children, place + 2 * step)) {
    const next = around(children, place + step);
    const [one, other] = linkToward(forest, node, next, step);
    rebase(forest, children[next]!, one);
    rebase(forest, children[around(children, next + step)]!, other);
    forest.mate[one] = other;
    forest.mate[other] = one;
  }
  forest.children[node] = rotated(children, entry);
  forest.leaving[node] = rotated(forest.leaving[node]!, entry);
  forest.entering[node] = rotated(forest.entering[node]!, entry);
  forest.base[node] = vertex;
}

/** Expands all blossoms around a vertex, whatever their duals. For use between searches. */
export function dissolve(forest: Forest, vertex: number): void {
  const { vertices, top, base, mate, relief } = forest;
  for (let node = top[vertex]!; node >= vertices; node = top[vertex]!) {
    raiseDuals(forest, node, relief[node]!);
    relief[node] = 0;
    unmatch(mate, base[node]!);
    for (const child of forest.children[node]!) surface(forest, child);
    release(forest, node);
  }
}

/** Frees a vertex and its partner, if it has one. */
export function unmatch(mate: Int32Array, vertex: number): void {
  if (mate[vertex] !== NONE) mate[mate[vertex]!] = NONE;
  mate[vertex] = NONE;
}

function childHolding({ parent }: Forest, node: number, vertex: number): number {
  let child = vertex;
  while (parent[child] !== node) child = parent[child]!;
  return child;
}

/**
 * The direction around the cycle with an even number of links from a child's place to the base at
 * 0.
 */
function stepToBase(place: number): 1 | -1 {
  return place % 2 === 1 ? 1 : -1;
}

/** The link from a child to the next one in a direction: the end inside, then the end across. */
function linkToward(
  { leaving, entering }: Forest,
  node: number,
  place: number,
  step: 1 | -1,
): readonly [number, number] {
  if (step === 1) return [leaving[node]![place]!, entering[node]![place]!];
  const before = around(leaving[node]!, place - 1);
  return [entering[node]![before]!, leaving[node]![before]!];
}

function around(cycle: readonly number[], place: number): number {
  return (place + cycle.length) % cycle.length;
}

function rotated(cycle: readonly number[], place: number): number[] {
  return [...cycle.slice(place), ...cycle.slice(0, place)];
}
