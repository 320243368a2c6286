import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { PROJECT_ROOT } from "#server/composition/project-paths.ts";

const SITE = join(PROJECT_ROOT, "src/site");
/** Folders without their own style sheet. */
const STYLE_SHEET_BY_FOLDER: Readonly<Record<string, string>> = { viewer: "match" };

type ClassUses = Map<string, Set<string>>;

function addUse(classUses: ClassUses, name: string, file: string): void {
  const [room = ""] = file.split("/");
  classUses.set(name, (classUses.get(name) ?? new Set()).add(STYLE_SHEET_BY_FOLDER[room] ?? room));
}

const read = (file: string): string => readFileSync(join(SITE, file), "utf8");

/** Returns classes at the start of a selector, which are therefore styled anywhere. */
function styledClasses(): ClassUses {
  const styled: ClassUses = new Map();
  for (const file of globSync("*/*.css", { cwd: SITE }))
    for (const [, selectors = ""] of read(file).matchAll(/(?:^|[{}/])\s*([^{}@/]+)\{/g))
      for (const selector of selectors.split(",")) {
        const [, name] = /^\s*\.([\w-]+)/.exec(selector) ?? [];
        if (name !== undefined) addUse(styled, name, file);
      }
  return styled;
}

function usedClasses(): ClassUses {
  const used: ClassUses = new Map();
  for (const file of globSync("*/*.tsx", { cwd: SITE }))
    for (const [, names = ""] of read(file).matchAll(/\bclass="([^"]+)"/g))
      for (const name of names.split(" ")) addUse(used, name, file);
  return used;
}

test("keeps each class's styles and uses in one folder unless the class is shared", () => {
  const styled = styledClasses();
  const used = usedClasses();
  assert.ok(styled.size > 100 && used.size > 100);
  const shared = [...styled].flatMap(([name, rooms]) => {
    if (rooms.size === 1 && rooms.has("ui")) return [];
    const usedNames = new Set([...rooms, ...(used.get(name) ?? [])]);
    return usedNames.size > 1 ? [`${name}: ${[...usedNames].join(", ")}`] : [];
  });
  assert.deepEqual(shared, []);
});
