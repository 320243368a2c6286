// Fills a small file system with matches until the store rejects a save. Checks that reads still
// work, enlarges the file system, and saves again with the same store. Run manually, as root on
// Linux.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { openReplays } from "#data/files/replays.ts";
import { openStore } from "#server/composition/open-store.ts";
import { checkAfterCrash } from "#testing/store-contract/acknowledged-matches.ts";
import { addSamplePlayers, sampleMatch } from "#testing/store-contract/store-samples.ts";

const SMALL_SIZE = "size=4m";
const LARGE_SIZE = "size=64m";
const CONCURRENT_SAVES = 16;
const EXTRA_MATCHES = 200;

const mount = await mkdtemp(join(tmpdir(), "bout-full-"));
execFileSync("mount", ["-t", "tmpfs", "-o", SMALL_SIZE, "tmpfs", mount]);
try {
  await fillAndRecover(join(mount, "data"));
} finally {
  execFileSync("umount", [mount]);
  await rmdir(mount);
}

async function fillAndRecover(data: string): Promise<void> {
  const store = await openStore({ data });
  const replays = await openReplays(join(data, "replays"));
  await addSamplePlayers(store, 2);
  const acknowledged: number[] = [];
  const codes = new Set<unknown>();
  const save = async (number: number) => {
    const match = sampleMatch(number);
    await replays.write(match.id, gzipSync(`replay of ${match.id}\n`));
    await store.matches.save(match);
    acknowledged.push(number);
  };
  let number = 0;
  while (codes.size === 0) {
    const group = Array.from({ length: CONCURRENT_SAVES }, () => save(number++));
    for (const result of await Promise.allSettled(group))
      if (result.status === "rejected") codes.add((result.reason as { code: unknown }).code);
  }
  assert.deepEqual([...codes], ["full"]);
  const savedBeforeResize = acknowledged.length;
  assert.ok((await store.matches.ids()).length >= savedBeforeResize);
  console.log(`full after ${savedBeforeResize} matches, still readable`);
  execFileSync("mount", ["-o", `remount,${LARGE_SIZE}`, mount]);
  for (let count = 0; count < EXTRA_MATCHES; count++) await save(number++);
  await store.close();
  const { stored, sweptCount: sweptReplays } = await checkAfterCrash(data, acknowledged);
  console.log(`with more space ${stored} stored, ${sweptReplays} replays swept, consistent`);
}
