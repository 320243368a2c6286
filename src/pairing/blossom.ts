import { assignLabel, INNER, leaves, NONE, OUTER, tighter, UNLABELLED } from "./forest.ts";
import type { Forest } from "./forest.ts";

/** Shrinks the odd cycle that an edge between two outer nodes closes, `base` being their meeting. */
export function addBlossom(forest: Forest, base: number, edge: number): void {
  const { top, labelEnd, parent, label, dual } = forest;
  const node = forest.unused.pop()!;
  const root = top[base];
  const one = pathTo(forest, root, forest.endpoint[2 * edge]);
  const other = pathTo(forest, root, forest.endpoint[2 * edge + 1]);
  const children = [root, ...one.nodes.toReversed(), ...other.nodes];
  forest.children[node] = children;
  forest.links[node] = [...one.ends.toReversed(), 2 * edge, ...other.ends.map((end) => end ^ 1)];
  forest.base[node] = base;
  parent[node] = NONE;
  label[node] = OUTER;
  labelEnd[node] = labelEnd[root];
  dual[node] = 0;
  for (const child of children) parent[child] = node;
  for (const vertex of leaves(forest, node)) {
    if (label[top[vertex]] === INNER) forest.queue.push(vertex);
    top[vertex] = node;
  }
  gatherBestEdges(forest, node);
}

/**
 * Undoes a blossom. Within a stage an inner one leaves its even path as inner and outer nodes of
 * the tree; at a stage's end, blossoms inside it without a dual are undone too.
 */
export function expandBlossom(forest: Forest, node: number, stageEnded: boolean): void {
  for (const child of forest.children[node]) {
    forest.parent[child] = NONE;
    if (child >= forest.vertices && stageEnded && forest.dual[child] === 0) {
      expandBlossom(forest, child, true);
    } else for (const vertex of leaves(forest, child)) forest.top[vertex] = child;
  }
  if (!stageEnded && forest.label[node] === INNER) relabelChildren(forest, node);
  forest.label[node] = UNLABELLED;
  forest.labelEnd[node] = NONE;
  forest.children[node] = [];
  forest.links[node] = [];
  forest.base[node] = NONE;
  forest.bestEdges[node] = null;
  forest.bestEdge[node] = NONE;
  forest.unused.push(node);
}

/** Swaps matched and unmatched edges between a vertex and the base, making the vertex the base. */
export function augmentBlossom(forest: Forest, node: number, vertex: number): void {
  const { endpoint, mate, vertices } = forest;
  const children = forest.children[node];
  const links = forest.links[node];
  const entry = childHolding(forest, node, vertex);
  if (entry >= vertices) augmentBlossom(forest, entry, vertex);
  const place = children.indexOf(entry);
  const step = stepToBase(place);
  for (let at = place; at !== 0; at = around(links, at + 2 * step)) {
    const one = around(links, at + step);
    const other = around(links, one + step);
    const end = endToward(links, one, step);
    if (children[one] >= vertices) augmentBlossom(forest, children[one], endpoint[end]);
    if (children[other] >= vertices) augmentBlossom(forest, children[other], endpoint[end ^ 1]);
    mate[endpoint[end]] = end ^ 1;
    mate[endpoint[end ^ 1]] = end;
  }
  forest.children[node] = rotated(children, place);
  forest.links[node] = rotated(links, place);
  forest.base[node] = forest.base[entry];
}

/** The nodes from a vertex's top node up to the root, without it, and the ends that led to them. */
function pathTo(forest: Forest, root: number, vertex: number): { nodes: number[]; ends: number[] } {
  const { top, labelEnd, endpoint } = forest;
  const nodes: number[] = [];
  const ends: number[] = [];
  for (let node = top[vertex]; node !== root; node = top[endpoint[labelEnd[node]]]) {
    nodes.push(node);
    ends.push(labelEnd[node]);
  }
  return { nodes, ends };
}

/** For a new blossom, the tightest edge to each other outer node, and of these the tightest. */
function gatherBestEdges(forest: Forest, node: number): void {
  const best = new Int32Array(2 * forest.vertices).fill(NONE);
  for (const child of forest.children[node]) {
    for (const edge of forest.bestEdges[child] ?? edgesAt(forest, child)) {
      const near = forest.top[forest.endpoint[2 * edge]];
      const far = near === node ? forest.top[forest.endpoint[2 * edge + 1]] : near;
      if (far !== node && forest.label[far] === OUTER) best[far] = tighter(forest, best[far], edge);
    }
    forest.bestEdges[child] = null;
    forest.bestEdge[child] = NONE;
  }
  const found = Array.from(best.filter((edge) => edge !== NONE));
  forest.bestEdges[node] = found;
  forest.bestEdge[node] = found.reduce((least, edge) => tighter(forest, least, edge), NONE);
}

function edgesAt(forest: Forest, node: number): number[] {
  const edges: number[] = [];
  for (const vertex of leaves(forest, node)) {
    for (let place = forest.start[vertex]; place < forest.start[vertex + 1]; place += 1) {
      edges.push(forest.across[place] >> 1);
    }
  }
  return edges;
}

/** The even path from the child that was entered to the base keeps its place in the tree. */
function relabelChildren(forest: Forest, node: number): void {
  const { endpoint, label, labelEnd, tight } = forest;
  const children = forest.children[node];
  const links = forest.links[node];
  const entry = children.indexOf(forest.top[endpoint[labelEnd[node] ^ 1]]);
  const step = stepToBase(entry);
  let end = labelEnd[node];
  for (let at = entry; at !== 0; at = around(links, at + 2 * step)) {
    const out = endToward(links, at, step);
    label[endpoint[end ^ 1]] = UNLABELLED;
    label[endpoint[out ^ 1]] = UNLABELLED;
    assignLabel(forest, endpoint[end ^ 1], INNER, end);
    tight[out >> 1] = 1;
    end = endToward(links, around(links, at + step), step);
    tight[end >> 1] = 1;
  }
  for (const labelled of [endpoint[end ^ 1], children[0]]) {
    label[labelled] = INNER;
    labelEnd[labelled] = end;
  }
  forest.bestEdge[children[0]] = NONE;
  for (let at = around(links, step); at !== entry; at = around(links, at + step)) {
    relabelReached(forest, children[at]);
  }
}

/** A child off the path stays in the tree only if an outer vertex has reached it by itself. */
function relabelReached(forest: Forest, child: number): void {
  const { endpoint, label, labelEnd, mate, base } = forest;
  if (label[child] === OUTER) return;
  const reached = leaves(forest, child).find((vertex) => label[vertex] !== UNLABELLED);
  if (reached === undefined) return;
  label[reached] = UNLABELLED;
  label[endpoint[mate[base[child]]]] = UNLABELLED;
  assignLabel(forest, reached, INNER, labelEnd[reached]);
}

function childHolding(forest: Forest, node: number, vertex: number): number {
  let child = vertex;
  while (forest.parent[child] !== node) child = forest.parent[child];
  return child;
}

/** The way round that has an even number of links from a child's place to the base at 0. */
function stepToBase(place: number): 1 | -1 {
  return place % 2 === 1 ? 1 : -1;
}

/** The end within the child at a place of its link in a direction. */
function endToward(links: readonly number[], place: number, step: 1 | -1): number {
  return step === 1 ? links[place] : links[around(links, place - 1)] ^ 1;
}

function around(cycle: readonly number[], place: number): number {
  return (place + cycle.length) % cycle.length;
}

function rotated(cycle: readonly number[], place: number): number[] {
  return [...cycle.slice(place), ...cycle.slice(0, place)];
}
