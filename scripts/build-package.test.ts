import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";

import { RELEASE } from "#server/composition/release.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { buildCommandsPackage } from "./build-package.ts";

const execFileAsync = promisify(execFile);
const ROOT = join(import.meta.dirname, "..");
const FILE = `bout-${RELEASE}.tgz`;
const folder = temporaryTestFolder();
const pathIn = (...parts: string[]) => join(folder, ...parts);

before(async () => {
  await buildCommandsPackage(pathIn("one"));
  spawnSync("tar", ["xzf", pathIn("one", FILE), "-C", folder]);
});

const bout = async (...args: string[]) => {
  const done = await execFileAsync(process.execPath, [pathIn("package", "start.js"), ...args], {
    cwd: folder,
  });
  return done.stdout;
};

describe("the author commands package", () => {
  it("builds to the same bytes every time and stays below 500 KB", async () => {
    await buildCommandsPackage(pathIn("two"));
    const [firstTarball, secondTarball] = ["one", "two"].map((name) =>
      readFileSync(pathIn(name, FILE)),
    );
    assert.ok(firstTarball!.equals(secondTarball!));
    assert.ok(firstTarball!.length < 500_000, `${firstTarball!.length} bytes`);
  });

  it("is a scoped npm package without dependencies or install scripts", () => {
    const text = readFileSync(pathIn("package", "package.json"), "utf8");
    const { name, version, bin, engines, ...otherFields } = JSON.parse(text) as Record<
      string,
      unknown
    >;
    assert.match(String(name), /^@[\w-]+\/[\w-]+$/);
    assert.deepEqual([version, bin, engines], [RELEASE, { bout: "start.js" }, { node: ">=20" }]);
    assert.deepEqual(Object.keys(otherFields).toSorted(), ["description", "license", "type"]);
  });

  it("runs outside the project", async () => {
    assert.match(await bout("--version"), new RegExp(`^bout ${RELEASE} \\(engine `));
    writeFileSync(pathIn("still.mjs"), "export const decide = () => ({});\n");
    const report = await bout("sim", "still.mjs", "greedy", "--games", "20", "--json");
    assert.equal((JSON.parse(report) as { games: number }).games, 20);
  });

  it("includes a copy of ws for onboard to install", () => {
    const manifest = readFileSync(pathIn("package", "ws", "package.json"), "utf8");
    assert.equal((JSON.parse(manifest) as { name: string }).name, "ws");
  });

  it("calls no method that Node 20 lacks, except those with a polyfill", () => {
    const sources = join(ROOT, "src", "tools", "cli");
    const polyfills = readFileSync(join(sources, "polyfills.ts"), "utf8");
    const bundledFiles = [...polyfills.matchAll(/^definePolyfill\([\w.]+, "(\w+)"/gm)].map(
      ([, name]) => name,
    );
    const missing = namesMissingIn("es2023", ["bout.ts", "sim-worker.ts"]);
    assert.ok(missing.length > 0 && bundledFiles.length > 0);
    assert.deepEqual(missing, bundledFiles.filter((name) => name !== "parse").toSorted());
  });
});

/** Returns the methods that the sources call but that language version `lib` lacks. */
function namesMissingIn(lib: string, entries: readonly string[]): string[] {
  const config = pathIn("lib", "tsconfig.json");
  mkdirSync(pathIn("lib"), { recursive: true });
  const compilerOptions = {
    lib: [lib, "esnext.disposable"],
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules", "@types")],
  };
  const files = entries.map((name) => join(ROOT, "src", "tools", "cli", name));
  const extended = join(ROOT, "tsconfig.base.json");
  writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, include: [], files }));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", config], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => !line.includes("polyfills.ts"));
  const missingNames = lines
    .join("\n")
    .matchAll(/TS(?:2550|2339): Property '(\w+)' does not exist/g);
  return [...new Set([...missingNames].map(([, name]) => name!))].toSorted();
}
