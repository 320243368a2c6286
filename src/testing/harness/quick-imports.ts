// Finds modules without asking the disk, which takes a quarter of the time to load the server, once for
// each process and thread of the tests. Ours, and those of the two packages with the most files, are
// imported by addresses that say where they are; all others are found as usual.

import { registerHooks } from "node:module";

const PROJECT = new URL("../../../", import.meta.url).href;
const SOURCES = `${PROJECT}src/`;
const PACKAGES = /\/node_modules\/(?:kysely|typebox)\//;

registerHooks({
  resolve: (name, context, usual) => {
    const found = context.parentURL === undefined ? null : placeOf(name, context.parentURL);
    return found === null ? usual(name, context) : { ...found, shortCircuit: true };
  },
});

type Place = { url: string; format: "module" | "module-typescript" };

function placeOf(name: string, importer: string): Place | null {
  if (PACKAGES.test(importer)) return isScript(name) ? placed(name, importer, "module") : null;
  if (!importer.startsWith(PROJECT) || !name.endsWith(".ts")) return null;
  if (name.startsWith("#")) return placed(name.slice(1), SOURCES, "module-typescript");
  return name.startsWith(".") ? placed(name, importer, "module-typescript") : null;
}

const isScript = (name: string): boolean => name.startsWith(".") && /\.m?js$/.test(name);

const placed = (name: string, base: string, format: Place["format"]): Place => ({
  url: new URL(name, base).href,
  format,
});
