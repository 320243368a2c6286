import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PROJECT } from "#server/composition/project.ts";

const SITE = join(PROJECT, "src/site");
/** Rooms that share one sheet: guides and the viewer are styled in `public`. */
const SHEET_OF: Readonly<Record<string, string>> = { guide: "public", viewer: "public" };

type Uses = Map<string, Set<string>>;

function note(uses: Uses, name: string, file: string): void {
  const [room = ""] = file.split("/");
  uses.set(name, (uses.get(name) ?? new Set()).add(SHEET_OF[room] ?? room));
}

const read = (file: string): string => readFileSync(join(SITE, file), "utf8");

/** Classes that begin a selector: they are styled wherever they occur. */
function styledClasses(): Uses {
  const styled: Uses = new Map();
  for (const file of globSync("*/*.css", { cwd: SITE }))
    for (const [, selectors = ""] of read(file).matchAll(/(?:^|[{}/])\s*([^{}@/]+)\{/g))
      for (const selector of selectors.split(",")) {
        const [, name] = /^\s*\.([\w-]+)/.exec(selector) ?? [];
        if (name !== undefined) note(styled, name, file);
      }
  return styled;
}

function usedClasses(): Uses {
  const used: Uses = new Map();
  for (const file of globSync("*/*.tsx", { cwd: SITE }))
    for (const [, names = ""] of read(file).matchAll(/\bclass="([^"]+)"/g))
      for (const name of names.split(" ")) note(used, name, file);
  return used;
}

test("one room styles a class, and uses it alone unless it is of the common look", () => {
  const styled = styledClasses();
  const used = usedClasses();
  assert.ok(styled.size > 100 && used.size > 100);
  const shared = [...styled].flatMap(([name, rooms]) => {
    if (rooms.size === 1 && rooms.has("look")) return [];
    const all = new Set([...rooms, ...(used.get(name) ?? [])]);
    return all.size > 1 ? [`${name}: ${[...all].join(", ")}`] : [];
  });
  assert.deepEqual(shared, []);
});
