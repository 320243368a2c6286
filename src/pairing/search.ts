import { addBlossom, augmentBlossom, expandBlossom } from "./blossom.ts";
import {
  assignLabel,
  clearTrees,
  INNER,
  leaves,
  NONE,
  OUTER,
  slack,
  tighter,
  UNLABELLED,
} from "./forest.ts";
import type { Forest } from "./forest.ts";

/** A mark on outer nodes while the way back from an edge is followed. */
const CRUMB = 4;

/** What the next change of the duals makes possible. */
type Event =
  | { kind: "done"; delta: number }
  | { kind: "tight"; delta: number; edge: number }
  | { kind: "expand"; delta: number; blossom: number };

/** Augments until no free vertex has a dual left: the matching is then of greatest weight. */
export function search(forest: Forest): void {
  while (augmentOnce(forest)) expandFinished(forest);
}

/** One stage: grows trees from all free vertices until an augmenting path is found. */
function augmentOnce(forest: Forest): boolean {
  clearTrees(forest);
  for (let vertex = 0; vertex < forest.vertices; vertex += 1) {
    const free = forest.mate[vertex] === NONE && forest.label[forest.top[vertex]] === UNLABELLED;
    if (free) assignLabel(forest, vertex, OUTER, NONE);
  }
  for (;;) {
    if (growTrees(forest)) return true;
    const event = nextEvent(forest);
    changeDuals(forest, event.delta);
    if (event.kind === "done") return false;
    if (event.kind === "expand") expandBlossom(forest, event.blossom, false);
    else useEdge(forest, event.edge);
  }
}

/** Follows tight edges from queued outer vertices; true once the matching was augmented. */
function growTrees(forest: Forest): boolean {
  const { queue } = forest;
  for (let vertex = queue.pop(); vertex !== undefined; vertex = queue.pop()) {
    if (scanVertex(forest, vertex)) return true;
  }
  return false;
}

/** The innermost loop: slack is computed in place, and edges inside a node are passed over. */
function scanVertex(forest: Forest, vertex: number): boolean {
  const { across, endpoint, top, tight, dual, weight } = forest;
  const end = forest.start[vertex + 1];
  for (let place = forest.start[vertex]; place < end; place += 1) {
    const far = across[place];
    const other = endpoint[far];
    if (top[vertex] === top[other]) continue;
    const edge = far >> 1;
    if (tight[edge] === 0 && dual[vertex] + dual[other] > 2 * weight[edge]) {
      watchEdge(forest, vertex, other, edge);
    } else {
      tight[edge] = 1;
      if (followEdge(forest, vertex, far)) return true;
    }
  }
  return false;
}

/** Remembers an edge with slack if it is the least one yet for the node that waits for it. */
function watchEdge(forest: Forest, vertex: number, other: number, edge: number): void {
  const { top, label, bestEdge } = forest;
  if (label[top[other]] === OUTER) {
    bestEdge[top[vertex]] = tighter(forest, bestEdge[top[vertex]], edge);
  } else if (label[other] === UNLABELLED) {
    bestEdge[other] = tighter(forest, bestEdge[other], edge);
  }
}

/** Uses a tight edge from an outer vertex to another top node. */
function followEdge(forest: Forest, vertex: number, end: number): boolean {
  const { top, label, labelEnd } = forest;
  const other = forest.endpoint[end];
  const found = label[top[other]];
  if (found === UNLABELLED) assignLabel(forest, other, INNER, end ^ 1);
  else if (found === OUTER) {
    const meeting = meetingBase(forest, vertex, other);
    if (meeting === NONE) {
      augment(forest, end >> 1);
      return true;
    }
    addBlossom(forest, meeting, end >> 1);
  } else if (label[other] === UNLABELLED) {
    label[other] = INNER;
    labelEnd[other] = end ^ 1;
  }
  return false;
}

/** The base of the node where the ways from two outer vertices meet; NONE in different trees. */
function meetingBase(forest: Forest, vertex: number, other: number): number {
  const { top, label, base } = forest;
  const marked: number[] = [];
  let meeting = NONE;
  for (let here = vertex, there = other; here !== NONE || there !== NONE;) {
    if (here !== NONE) {
      const node = top[here];
      if (label[node] === CRUMB + OUTER) {
        meeting = base[node];
        break;
      }
      marked.push(node);
      label[node] = CRUMB + OUTER;
      here = outerAbove(forest, node);
    }
    [here, there] = [there, here];
  }
  for (const node of marked) label[node] = OUTER;
  return meeting;
}

/** A vertex of the next outer node on the way to the root; NONE for the root. */
function outerAbove({ top, labelEnd, endpoint }: Forest, node: number): number {
  if (labelEnd[node] === NONE) return NONE;
  const inner = top[endpoint[labelEnd[node]]];
  return endpoint[labelEnd[inner]];
}

/** Matches an edge between two trees and swaps the edges on the ways to both roots. */
function augment(forest: Forest, edge: number): void {
  augmentWay(forest, forest.endpoint[2 * edge], 2 * edge + 1);
  augmentWay(forest, forest.endpoint[2 * edge + 1], 2 * edge);
}

function augmentWay(forest: Forest, vertex: number, mateEnd: number): void {
  const { top, labelEnd, endpoint, mate, vertices } = forest;
  for (;;) {
    const outer = top[vertex];
    if (outer >= vertices) augmentBlossom(forest, outer, vertex);
    mate[vertex] = mateEnd;
    if (labelEnd[outer] === NONE) return;
    const inner = top[endpoint[labelEnd[outer]]];
    const end = labelEnd[inner];
    const entry = endpoint[end ^ 1];
    if (inner >= vertices) augmentBlossom(forest, inner, entry);
    mate[entry] = end;
    vertex = endpoint[end];
    mateEnd = end ^ 1;
  }
}

/** The least change of the duals that lets the search go on, or ends it. */
function nextEvent(forest: Forest): Event {
  let event: Event = { kind: "done", delta: leastFreeDual(forest) };
  for (let vertex = 0; vertex < forest.vertices; vertex += 1) {
    const edge = forest.bestEdge[vertex];
    if (edge === NONE || forest.label[forest.top[vertex]] !== UNLABELLED) continue;
    const delta = slack(forest, edge);
    if (delta < event.delta) event = { kind: "tight", delta, edge };
  }
  for (let node = 0; node < 2 * forest.vertices; node += 1) {
    if (forest.parent[node] !== NONE) continue;
    const edge = forest.bestEdge[node];
    if (forest.label[node] === OUTER && edge !== NONE) {
      const delta = slack(forest, edge) / 2;
      if (delta < event.delta) event = { kind: "tight", delta, edge };
    } else if (node >= forest.vertices && forest.label[node] === INNER) {
      const delta = forest.dual[node];
      if (delta < event.delta) event = { kind: "expand", delta, blossom: node };
    }
  }
  return event;
}

/** Free vertices all have the least of the vertex duals. */
function leastFreeDual({ dual, vertices }: Forest): number {
  let least = Infinity;
  for (let vertex = 0; vertex < vertices; vertex += 1) least = Math.min(least, dual[vertex]);
  return least;
}

function changeDuals(forest: Forest, delta: number): void {
  const { vertices, label, top, dual, parent, base } = forest;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    if (label[top[vertex]] === OUTER) dual[vertex] -= delta;
    else if (label[top[vertex]] === INNER) dual[vertex] += delta;
  }
  for (let node = vertices; node < 2 * vertices; node += 1) {
    if (base[node] === NONE || parent[node] !== NONE) continue;
    if (label[node] === OUTER) dual[node] += delta;
    else if (label[node] === INNER) dual[node] -= delta;
  }
}

/** Puts an edge without slack to use: its outer vertex is scanned again. */
function useEdge(forest: Forest, edge: number): void {
  const { endpoint, label, top } = forest;
  forest.tight[edge] = 1;
  const vertex = endpoint[2 * edge];
  forest.queue.push(label[top[vertex]] === OUTER ? vertex : endpoint[2 * edge + 1]);
}

/** After a stage, outer blossoms without a dual are undone. */
function expandFinished(forest: Forest): void {
  const { vertices, parent, base, label, dual } = forest;
  for (let node = vertices; node < 2 * vertices; node += 1) {
    const whole = parent[node] === NONE && base[node] !== NONE;
    if (whole && label[node] === OUTER && dual[node] === 0) expandBlossom(forest, node, true);
  }
}

/** The blossoms that stand at the end, outermost or nested, with their members. */
export function standingBlossoms(forest: Forest): { members: number[]; dual: number }[] {
  const standing: { members: number[]; dual: number }[] = [];
  for (let node = forest.vertices; node < 2 * forest.vertices; node += 1) {
    if (forest.base[node] === NONE || forest.dual[node] === 0) continue;
    standing.push({ members: leaves(forest, node), dual: forest.dual[node] });
  }
  return standing;
}
