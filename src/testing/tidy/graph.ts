// The graph of imports: its cycles, and the graph of wings in words.

import { WINGS } from "./wings.ts";
import type { Import } from "./wings.ts";

type Node = { index: number; low: number; isOpen: boolean };

/**
 * Groups of files that import each other in a cycle, types included, each sorted. Strongly
 * connected components by Tarjan's algorithm (SIAM J. Comput. 1, 1972).
 */
export function circles(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const nodes = new Map<string, Node>();
  const open: string[] = [];
  const found: string[][] = [];

  function visit(path: string): Node {
    const node: Node = { index: nodes.size, low: nodes.size, isOpen: true };
    nodes.set(path, node);
    open.push(path);
    for (const { to } of targets.get(path) ?? []) {
      const next = nodes.get(to) ?? visit(to);
      if (next.isOpen) node.low = Math.min(node.low, next.low);
    }
    if (node.low === node.index) close(path);
    return node;
  }

  function close(path: string): void {
    const group = open.splice(open.lastIndexOf(path));
    for (const member of group) nodes.get(member)!.isOpen = false;
    if (group.length > 1) found.push(group.toSorted());
  }

  for (const path of targets.keys()) if (!nodes.has(path)) visit(path);
  return found;
}

/** One line per wing: its rooms, and the number of imports into each other wing. */
export function drawWings(imports: readonly Import[]): string {
  const wingOf = (path: string): string => path.split("/")[1]!;
  const between = imports.filter(({ from, to }) => {
    return isProduct(from) && isProduct(to) && wingOf(from) !== wingOf(to);
  });
  const counts = new Map<string, Map<string, number>>();
  for (const { from, to } of between) {
    const row = counts.get(wingOf(from)) ?? new Map<string, number>();
    row.set(wingOf(to), (row.get(wingOf(to)) ?? 0) + 1);
    counts.set(wingOf(from), row);
  }
  return Object.entries(WINGS)
    .map(([wing, { rooms }]) => {
      const row = [...(counts.get(wing) ?? [])].map(([to, count]) => `${to} ${count}`);
      return `${wing.padEnd(8)} ${rooms.join(", ")}\n${" ".repeat(9)}-> ${row.join(", ") || "nothing"}`;
    })
    .join("\n");
}

const isProduct = (path: string): boolean => path.startsWith("src/") && !path.endsWith(".test.ts");
