import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { describe, it } from "node:test";

import { fastify } from "fastify";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { TEST_SITE } from "#testing/fixtures/project.ts";
import { pageSourcesOf } from "#testing/fixtures/sample-world.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";
import { openPages, pageRoutes } from "#web/pages/pages.ts";

import { retainAssets } from "./retained-assets.ts";

const CACHE_BYTES = 1_000_000;

async function openWorkshop() {
  const { path, remove } = await createTemporaryFolder();
  const data = join(path, "data", "assets");
  const build = async (name: string): Promise<string> => {
    const folder = join(path, name);
    await mkdir(folder);
    await writeFile(join(folder, `match-${name}.js`), `export const name = "${name}";`);
    await writeFile(join(folder, "style-same.css"), "p { margin: 0 }");
    return folder;
  };
  return { path, data, build, [Symbol.asyncDispose]: remove };
}

async function statusesOf(folders: string[], names: string[]): Promise<number[]> {
  const app = fastify();
  const site = { ...TEST_SITE, assets: folders };
  const cache = openCache(openRevisions(), CACHE_BYTES);
  await app.register(pageRoutes(site, openPages(site, pageSourcesOf(app), cache)));
  const statuses: number[] = [];
  for (const name of names) {
    const { statusCode, headers } = await app.inject(`/assets/match-${name}.js`);
    statuses.push(statusCode);
    if (statusCode === 200)
      assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  }
  await app.close();
  return statuses;
}

/** A folder's modification time is the last start of its build. Sets distinct times. */
const setStartTime = (folder: string, second: number) => utimes(folder, second, second);

describe("page assets", () => {
  it("survive one upgrade, but not two", async () => {
    await using workshop = await openWorkshop();
    const names = ["first", "second", "third"];
    const servedStatuses: number[][] = [];
    for (const [index, name] of names.entries()) {
      const { folders, error } = await retainAssets(workshop.data, await workshop.build(name));
      assert.equal(error, null);
      assert.ok(folders.every((folder) => folder.startsWith(workshop.data)));
      servedStatuses.push(await statusesOf(folders, names));
      await setStartTime(folders[0]!, index + 1);
    }
    assert.deepEqual(servedStatuses, [
      [200, 404, 404],
      [200, 200, 404],
      [404, 200, 200],
    ]);
    assert.equal((await readdir(workshop.data)).length, 2);
  });

  it("include the most recently started builds, even after a downgrade", async () => {
    await using workshop = await openWorkshop();
    const [first, second] = [await workshop.build("first"), await workshop.build("second")];
    for (const [index, built] of [first, second, first].entries())
      await setStartTime((await retainAssets(workshop.data, built)).folders[0]!, index + 1);
    const { folders } = await retainAssets(workshop.data, await workshop.build("third"));
    assert.deepEqual(await statusesOf(folders, ["first", "second", "third"]), [200, 404, 200]);
  });

  it("are copied once, and again if the copy is damaged or incomplete", async () => {
    await using workshop = await openWorkshop();
    const built = await workshop.build("only");
    const { folders } = await retainAssets(workshop.data, built);
    const [copiedFolder] = folders;
    await mkdir(`${copiedFolder}.tmp`);
    await writeFile(join(copiedFolder!, "match-only.js"), "");
    const secondCopy = await retainAssets(workshop.data, built);
    assert.deepEqual(secondCopy, { folders, error: null });
    assert.deepEqual(await statusesOf(secondCopy.folders, ["only"]), [200]);
    assert.deepEqual(await readdir(workshop.data), [basename(copiedFolder!)]);
  });

  it("are served from the build if copying fails, along with earlier copies", async () => {
    await using workshop = await openWorkshop();
    await retainAssets(workshop.data, await workshop.build("first"));
    const second = await workshop.build("second");
    await symlink("nowhere", join(second, "unreadable.js"));
    const { folders, error } = await retainAssets(workshop.data, second);
    assert.ok(error !== null);
    assert.deepEqual(await statusesOf(folders, ["first", "second"]), [200, 200]);
  });

  it("are served from the build if the folder can't be created", async () => {
    await using workshop = await openWorkshop();
    const built = await workshop.build("only");
    const { folders, error } = await retainAssets(join(built, "match-only.js", "assets"), built);
    assert.ok(error !== null);
    assert.deepEqual(folders, [built]);
  });

  it("leave other files in the folder alone and ignore links that lead out of it", async () => {
    await using workshop = await openWorkshop();
    const first = await workshop.build("first");
    const { folders } = await retainAssets(workshop.data, first);
    await setStartTime(folders[0]!, 1);
    await writeFile(join(workshop.data, ".DS_Store"), "");
    await mkdir(join(workshop.data, "notes"));
    await symlink("/nonexistent", join(workshop.data, "0123456789abcdef"));
    const linkedFolder = join(workshop.data, "fedcba9876543210");
    await mkdir(linkedFolder);
    await symlink("/etc/passwd", join(linkedFolder, "match-first.js"));
    const nextAssets = await retainAssets(workshop.data, await workshop.build("second"));
    assert.equal(nextAssets.error, null);
    assert.deepEqual(await statusesOf(nextAssets.folders, ["first", "second"]), [200, 200]);
    assert.deepEqual(nextAssets.folders.includes(linkedFolder), false);
    const remainingNames = await readdir(workshop.data);
    assert.ok(remainingNames.includes(".DS_Store") && remainingNames.includes("notes"));
  });

  it("are copied again if a file differs but has the same length", async () => {
    await using workshop = await openWorkshop();
    const built = await workshop.build("only");
    const { folders } = await retainAssets(workshop.data, built);
    const file = join(folders[0]!, "style-same.css");
    await writeFile(file, "x".repeat("p { margin: 0 }".length));
    await retainAssets(workshop.data, built);
    assert.equal(await readFile(file, "utf8"), "p { margin: 0 }");
  });

  it("are served when the data folder is a relative path", async () => {
    await using workshop = await openWorkshop();
    const built = await workshop.build("first");
    const { folders } = await retainAssets(relative(process.cwd(), workshop.data), built);
    assert.ok(folders.every((folder) => folder.startsWith(workshop.data)));
    assert.deepEqual(await statusesOf(folders, ["first"]), [200]);
  });
});
