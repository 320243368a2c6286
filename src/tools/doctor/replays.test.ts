import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { replayFileName } from "#data/files/replays.ts";
import { openStore } from "#server/composition/open-store.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { addSamplePlayers, sampleId, sampleMatch } from "#testing/store-cases/store-samples.ts";

import type { Diagnosis } from "./diagnosis.ts";
import { replayFinding } from "./replays.ts";

const idsUpTo = (count: number) => Array.from({ length: count }, (_, at) => sampleId("match", at));

function folderWith(ids: readonly string[]): string {
  const data = join(temporaryFolder(), "data");
  mkdirSync(join(data, "replays"), { recursive: true, mode: 0o700 });
  for (const id of ids) writeFileSync(join(data, "replays", replayFileName(id)), "");
  return data;
}

describe("bout doctor looks at replays", () => {
  it("finds nothing wrong if every match has its file, or none was played", async () => {
    const ids = idsUpTo(3);
    assert.equal((await replayFinding(folderWith(ids), async () => ids)).level, "ok");
    assert.equal((await replayFinding("/no/such/folder", async () => [])).level, "ok");
  });

  it("lists matches whose file is missing, at most five", async () => {
    const ids = idsUpTo(9);
    const { level, found } = await replayFinding(folderWith([ids[0]!]), async () => ids);
    const listed = `${ids.slice(1, 6).join(", ")} and 3 more`;
    assert.deepEqual([level, found], ["warn", `8 of 9 are missing: ${listed}`]);
  });

  it("ignores replays that a running server removes in the meantime", async () => {
    const reads = [idsUpTo(3), idsUpTo(2)];
    const read = async () => reads.shift()!;
    assert.equal((await replayFinding(folderWith(idsUpTo(2)), read)).level, "ok");
  });

  it("reports a match in the database without its file", async () => {
    const data = folderWith([sampleId("match", 1)]);
    const store = await openStore({ data });
    await addSamplePlayers(store, 2);
    await store.matches.save(sampleMatch(1));
    await store.close();
    const found = async () => {
      const { out } = await runBout(["doctor", "--json", "--data", data, "--port", "0"]);
      const { findings } = JSON.parse(out) as { findings: Diagnosis[] };
      const { level, found: text } = findings.find(({ check }) => check === "replays")!;
      return `${level} ${text}`;
    };
    assert.equal(await found(), "ok all 1 files are there");
    rmSync(join(data, "replays"), { recursive: true });
    assert.equal(await found(), `warn 1 of 1 are missing: ${sampleId("match", 1)}`);
  });
});
