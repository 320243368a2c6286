import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";

import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { isRunning, until } from "#testing/harness/process-state.ts";

const BOUT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));
const SAMPLES = 6;

/** Process ids of the sample bots that a process has started. */
function samplesOf(parent: number): string[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="], {
    encoding: "utf8",
  });
  const rows = stdout.split("\n").map((line) => line.trim().split(/ +/));
  const isSample = (args: string[]) => args.some((word) => word.endsWith("/starter.ts"));
  return rows.flatMap(([pid = "", ppid, ...args]) =>
    ppid === String(parent) && isSample(args) ? [pid] : [],
  );
}

it("leaves no sample bots behind when it is killed", async () => {
  const args = [BOUT, "demo", "--port", "0", "--data", temporaryFolder(), "--house", "none"];
  const demo = spawn(process.execPath, args, { stdio: "ignore" });
  const ended = once(demo, "exit");
  let samples: string[] = [];
  after(() => samples.filter(isRunning).forEach((pid) => process.kill(Number(pid))));
  try {
    assert.ok(await until(() => (samples = samplesOf(demo.pid!)).length === SAMPLES));
  } finally {
    demo.kill("SIGKILL");
  }
  await ended;
  assert.ok(await until(() => !samples.some(isRunning)), "a sample bot still runs");
});
