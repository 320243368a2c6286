import assert from "node:assert/strict";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { describe, it } from "node:test";

import { fastify } from "fastify";

import { openCache } from "#base/cache/cache.ts";
import { openRevisions } from "#base/cache/revisions.ts";
import { SITE } from "#testing/fixtures/project.ts";
import { sourcesOf } from "#testing/fixtures/sample-world.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";
import { openPages, pageRoutes } from "#web/pages/pages.ts";

import { keepAssets } from "./assets.ts";

const CACHE_BYTES = 1_000_000;

/** A data folder, and builds whose one chunk is named after them. */
async function workshop() {
  const { path, remove } = await temporaryFolder();
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

/** What a server that serves these folders answers to a request for a chunk. */
async function answersOf(folders: string[], names: string[]): Promise<number[]> {
  const app = fastify();
  const site = { ...SITE, assets: folders };
  const cache = openCache(openRevisions(), CACHE_BYTES);
  await app.register(pageRoutes(site, openPages(site, sourcesOf(app), cache)));
  const answers: number[] = [];
  for (const name of names) {
    const { statusCode, headers } = await app.inject(`/assets/match-${name}.js`);
    answers.push(statusCode);
    if (statusCode === 200)
      assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  }
  await app.close();
  return answers;
}

/** Folders have the time of their last start, which a test makes distinct. */
const startedAt = (folder: string, second: number) => utimes(folder, second, second);

describe("the files of pages", () => {
  it("outlive one upgrade, in which the old build is gone, and not two", async () => {
    await using shop = await workshop();
    const names = ["first", "second", "third"];
    const served: number[][] = [];
    for (const [at, name] of names.entries()) {
      const { folders, error } = await keepAssets(shop.data, await shop.build(name));
      assert.equal(error, null);
      assert.ok(folders.every((folder) => folder.startsWith(shop.data)));
      served.push(await answersOf(folders, names));
      await startedAt(folders[0]!, at + 1);
    }
    assert.deepEqual(served, [
      [200, 404, 404],
      [200, 200, 404],
      [404, 200, 200],
    ]);
    assert.equal((await readdir(shop.data)).length, 2);
  });

  it("are those of the newest starts, also after a step back", async () => {
    await using shop = await workshop();
    const [first, second] = [await shop.build("first"), await shop.build("second")];
    for (const [at, built] of [first, second, first].entries())
      await startedAt((await keepAssets(shop.data, built)).folders[0]!, at + 1);
    const { folders } = await keepAssets(shop.data, await shop.build("third"));
    assert.deepEqual(await answersOf(folders, ["first", "second", "third"]), [200, 404, 200]);
  });

  it("are copied once, and again where a copy is damaged or was left half done", async () => {
    await using shop = await workshop();
    const built = await shop.build("only");
    const { folders } = await keepAssets(shop.data, built);
    const [kept] = folders;
    await mkdir(`${kept}.tmp`);
    await writeFile(join(kept!, "match-only.js"), "");
    const again = await keepAssets(shop.data, built);
    assert.deepEqual(again, { folders, error: null });
    assert.deepEqual(await answersOf(again.folders, ["only"]), [200]);
    assert.deepEqual(await readdir(shop.data), [basename(kept!)]);
  });

  it("are served from the build if they cannot be kept, and those kept before too", async () => {
    await using shop = await workshop();
    await keepAssets(shop.data, await shop.build("first"));
    const second = await shop.build("second");
    await symlink("nowhere", join(second, "unreadable.js"));
    const { folders, error } = await keepAssets(shop.data, second);
    assert.ok(error !== null);
    assert.deepEqual(await answersOf(folders, ["first", "second"]), [200, 200]);
  });

  it("are served from the build where there can be no folder", async () => {
    await using shop = await workshop();
    const built = await shop.build("only");
    const { folders, error } = await keepAssets(join(built, "match-only.js", "assets"), built);
    assert.ok(error !== null);
    assert.deepEqual(folders, [built]);
  });

  it("share their folder with whatever else lies there, and follow no link out of it", async () => {
    await using shop = await workshop();
    const first = await shop.build("first");
    const { folders } = await keepAssets(shop.data, first);
    await startedAt(folders[0]!, 1);
    await writeFile(join(shop.data, ".DS_Store"), "");
    await mkdir(join(shop.data, "notes"));
    await symlink("/nonexistent", join(shop.data, "0123456789abcdef"));
    const linked = join(shop.data, "fedcba9876543210");
    await mkdir(linked);
    await symlink("/etc/passwd", join(linked, "match-first.js"));
    const next = await keepAssets(shop.data, await shop.build("second"));
    assert.equal(next.error, null);
    assert.deepEqual(await answersOf(next.folders, ["first", "second"]), [200, 200]);
    assert.deepEqual(next.folders.includes(linked), false);
    const left = await readdir(shop.data);
    assert.ok(left.includes(".DS_Store") && left.includes("notes"));
  });

  it("are copied again where a kept one has other bytes of the same length", async () => {
    await using shop = await workshop();
    const built = await shop.build("only");
    const { folders } = await keepAssets(shop.data, built);
    const file = join(folders[0]!, "style-same.css");
    await writeFile(file, "x".repeat("p { margin: 0 }".length));
    await keepAssets(shop.data, built);
    assert.equal(await readFile(file, "utf8"), "p { margin: 0 }");
  });

  it("are served from a data folder that was given by a relative path, as by default", async () => {
    await using shop = await workshop();
    const built = await shop.build("first");
    const { folders } = await keepAssets(relative(process.cwd(), shop.data), built);
    assert.ok(folders.every((folder) => folder.startsWith(shop.data)));
    assert.deepEqual(await answersOf(folders, ["first"]), [200]);
  });
});
