import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";

import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { isRunning, waitUntil } from "#testing/harness/process-state.ts";

const BOUT = fileURLToPath(new URL("../../../bin/bout.ts", import.meta.url));
const SAMPLES = 6;

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

it("leaves no sample bots running if it is killed", async () => {
  const args = [BOUT, "demo", "--port", "0", "--data", temporaryTestFolder(), "--house", "none"];
  const demo = spawn(process.execPath, args, { stdio: "ignore" });
  const demoExit = once(demo, "exit");
  let samples: string[] = [];
  after(() => samples.filter(isRunning).forEach((pid) => process.kill(Number(pid))));
  try {
    assert.ok(await waitUntil(() => (samples = samplesOf(demo.pid!)).length === SAMPLES));
  } finally {
    demo.kill("SIGKILL");
  }
  await demoExit;
  assert.ok(await waitUntil(() => !samples.some(isRunning)), "a sample bot is still running");
});
