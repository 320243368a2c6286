import { WINGS } from "./wings.ts";
import type { Import } from "./wings.ts";

type Node = { index: number; low: number; isOpen: boolean };

/**
 * Returns groups of files that import each other in a cycle, each sorted. Includes type imports.
 * Uses Tarjan's algorithm for strongly connected components (SIAM J. Comput. 1, 1972).
 */
export function findCycles(imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const nodes = new Map<string, Node>();
  const openPaths: string[] = [];
  const cycles: string[][] = [];

  function visit(path: string): Node {
    const node: Node = { index: nodes.size, low: nodes.size, isOpen: true };
    nodes.set(path, node);
    openPaths.push(path);
    for (const { to } of targets.get(path) ?? []) {
      const next = nodes.get(to) ?? visit(to);
      if (next.isOpen) node.low = Math.min(node.low, next.low);
    }
    if (node.low === node.index) closeGroup(path);
    return node;
  }

  function closeGroup(path: string): void {
    const group = openPaths.splice(openPaths.lastIndexOf(path));
    for (const member of group) nodes.get(member)!.isOpen = false;
    if (group.length > 1) cycles.push(group.toSorted());
  }

  for (const path of targets.keys()) if (!nodes.has(path)) visit(path);
  return cycles;
}

/** Returns one line per wing with its rooms and the number of imports from each other wing. */
export function formatWings(imports: readonly Import[]): string {
  const wingOf = (path: string): string => path.split("/")[1]!;
  const crossWingImports = imports.filter(({ from, to }) => {
    return isProductFile(from) && isProductFile(to) && wingOf(from) !== wingOf(to);
  });
  const counts = new Map<string, Map<string, number>>();
  for (const { from, to } of crossWingImports) {
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

const isProductFile = (path: string): boolean =>
  path.startsWith("src/") && !path.endsWith(".test.ts");
