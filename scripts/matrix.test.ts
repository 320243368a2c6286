import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";

const MATRIX = fileURLToPath(new URL("./matrix.ts", import.meta.url));

function runMatrix(...flags: string[]) {
  return spawnSync(process.execPath, [MATRIX, ...flags], { encoding: "utf8" });
}

test("the matrix script prints a Markdown table with one row and one column per bot", () => {
  const { stdout, status } = runMatrix("--games", "4", "--bots", "random,greedy");
  assert.equal(status, 0);
  assert.deepEqual(stdout.trim().split("\n"), [
    "| wins of row, % | random | greedy |",
    "| --- | --- | --- |",
    "| random | – | 0.0 ± 0.0 |",
    "| greedy | 100.0 ± 0.0 | – |",
  ]);
});

test("the matrix script prints the same table for any number of workers", () => {
  const flags = ["--games", "40", "--bots", "greedy,kiter", "--seed", "9"];
  assert.equal(
    runMatrix(...flags, "--workers", "1").stdout,
    runMatrix(...flags, "--workers", "3").stdout,
  );
});

for (const flags of [
  ["--games", "none"],
  ["--bots", "random,nobody"],
  ["--workers", "0"],
]) {
  test(`the matrix script rejects ${flags.join(" ")} and prints its usage`, () => {
    const { stderr, status } = runMatrix(...flags);
    assert.equal(status, 2);
    assert.match(stderr, /usage/);
  });
}
