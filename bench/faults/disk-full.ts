// Run by hand, as root on Linux: fills a small file system with matches until saving is refused,
// keeps reading, enlarges it, and saves again with the same store.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { openReplays } from "#data/files/replays.ts";
import { openStore } from "#server/composition/open-store.ts";
import { addSamplePlayers, sampleMatch } from "#testing/store-cases/store-samples.ts";
import { checkSurvivors } from "#testing/store-cases/survivors.ts";

const SMALL = "size=4m";
const LARGE = "size=64m";
const WIDTH = 16;
const MORE = 200;

const mount = await mkdtemp(join(tmpdir(), "bout-full-"));
execFileSync("mount", ["-t", "tmpfs", "-o", SMALL, "tmpfs", mount]);
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
    const group = Array.from({ length: WIDTH }, () => save(number++));
    for (const one of await Promise.allSettled(group))
      if (one.status === "rejected") codes.add((one.reason as { code: unknown }).code);
  }
  assert.deepEqual([...codes], ["full"]);
  const beforeMore = acknowledged.length;
  assert.ok((await store.matches.ids()).length >= beforeMore);
  console.log(`full after ${beforeMore} matches, still readable`);
  execFileSync("mount", ["-o", `remount,${LARGE}`, mount]);
  for (let more = 0; more < MORE; more++) await save(number++);
  await store.close();
  const { stored, swept } = await checkSurvivors(data, acknowledged);
  console.log(`with more space ${stored} stored, ${swept} replays swept, sound`);
}
