import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { TestContext } from "node:test";

import { TEST_BUILD } from "#testing/fixtures/project.ts";

import { readBuild } from "./build-manifest.ts";
import { readSimulator } from "./simulator.ts";

const NOT_BUILT = { message: "the site is not built: run `npm run build`" };

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bout-build-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

it("explains how to build if there is no build or no site", async (t) => {
  const manifest = join(await emptyFolder(t), "manifest.json");
  await assert.rejects(readBuild(manifest), NOT_BUILT);
  await writeFile(manifest, JSON.stringify({ ...TEST_BUILD, site: null }));
  await assert.rejects(readBuild(manifest), NOT_BUILT);
});

it("reads exactly the files in the manifest", async (t) => {
  const folder = await emptyFolder(t);
  const simulator = [{ name: "a.js", type: "text/javascript", about: "A file." }];
  const manifest = { site: TEST_BUILD.site, emails: null, starters: [], simulator };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  await mkdir(join(folder, "simulator"));
  for (const name of ["a.js", "b.js"]) await writeFile(join(folder, "simulator", name), name);
  const build = await readBuild(join(folder, "manifest.json"));
  assert.deepEqual(build, { ...manifest, folder });
  const files = [...(await readSimulator(build))].map(([name, { type, bytes }]) => {
    return [name, type, String(bytes)];
  });
  assert.deepEqual(files, [["a.js", "text/javascript; charset=utf-8", "a.js"]]);
});
