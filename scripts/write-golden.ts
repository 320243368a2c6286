// node scripts/write-golden.ts: rewrites the golden replays. Run it only for a new engine version;
// the diff shows the changes.

import { mkdirSync, writeFileSync } from "node:fs";

import { goldenMatches, playGolden } from "#testing/fixtures/golden.ts";

const FOLDER = new URL("../src/testing/fixtures/golden/", import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const golden of goldenMatches()) {
  const { replay, stats } = playGolden(golden);
  writeFileSync(new URL(`${golden.name}.jsonl`, FOLDER), replay);
  writeFileSync(new URL(`${golden.name}.stats.json`, FOLDER), `${JSON.stringify(stats)}\n`);
}
