import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { MAP_NAMES } from "#engine/maps.ts";
import { resimulate, statsOfReplay } from "#engine/replay.ts";
import { ENGINE_VERSION } from "#engine/rules.ts";
import { END_REASONS } from "#engine/types.ts";
import { parseReplay } from "#protocol/replay.ts";

import { goldenMatches, playGolden } from "./golden.ts";

const FOLDER = new URL("golden/", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FOLDER), "utf8");

function replayOf(name: string) {
  const replay = parseReplay(read(`${name}.jsonl`));
  assert.ok(!("error" in replay), name);
  return replay;
}

for (const golden of goldenMatches())
  test(`the golden match ${golden.name} simulates again, and is played again to the letter`, () => {
    const replay = replayOf(golden.name);
    assert.equal(replay.header.versions.engine, ENGINE_VERSION);
    const again = resimulate(replay);
    assert.ok(again.ok, JSON.stringify(again));
    const stats = read(`${golden.name}.stats.json`);
    assert.equal(`${JSON.stringify(statsOfReplay(replay))}\n`, stats);
    const played = playGolden(golden);
    assert.equal(played.replay, read(`${golden.name}.jsonl`));
    assert.equal(`${JSON.stringify(played.stats)}\n`, stats);
  });

test("every map and every end reason has a golden match", () => {
  const replays = goldenMatches().map(({ name }) => replayOf(name));
  const maps = new Set(replays.map(({ header }) => header.map.name));
  const reasons = new Set(replays.map(({ result }) => result.reason));
  assert.deepEqual([...maps].toSorted(), [...MAP_NAMES].toSorted());
  assert.deepEqual([...reasons].toSorted(), [...END_REASONS].toSorted());
  assert.equal(readdirSync(FOLDER).length, 2 * goldenMatches().length);
});
