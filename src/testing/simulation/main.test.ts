import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const MAIN = join(import.meta.dirname, "main.ts");

function call(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args]);
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

test("prints the speed, the digest, and that every invariant held", () => {
  const { status, stdout } = call("5", "--days", "0.01", "--bots", "6");
  assert.equal(status, 0);
  assert.match(stdout, /times real time/);
  assert.match(stdout, /^digest [0-9a-f]{64} of \d+ lines$/m);
  assert.match(stdout, /^every invariant held$/m);
});

test("--json prints one value that includes the command to reproduce the run", () => {
  const { status, stdout } = call(
    "5",
    "--days",
    "0.01",
    "--bots",
    "6",
    "--fought",
    "all",
    "--json",
  );
  assert.equal(status, 0);
  const { command, complaint, digest } = JSON.parse(stdout) as Record<string, unknown>;
  assert.equal(command, "npm run simulate -- 5 --days 0.01 --bots 6 --fought all");
  assert.equal(complaint, null);
  assert.equal(typeof digest, "string");
});

const wrong = [[], ["-1"], ["1", "--bots", "2"], ["1", "--faults", "rain"], ["1", "--unknown"]];

test("explains an invalid call and exits with 2", () => {
  for (const args of wrong) {
    const { status, stderr } = call(...args);
    assert.equal(status, 2, args.join(" "));
    assert.match(stderr, /^usage: npm run simulate/);
  }
});
