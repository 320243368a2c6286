// Tests failed and interrupted fsyncs while matches are saved: for N = 1 up to the argument
// (default 12), kills the process at its Nth sync, makes that sync fail once, and makes all syncs
// fail from then on. Uses a new and an existing data directory. Each thread counts its own syncs.
// Run manually, on Linux with strace.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { openStore } from "#server/composition/open-store.ts";
import {
  parseAcknowledged,
  checkAfterCrash,
} from "#testing/store-contract/acknowledged-matches.ts";
import { addSamplePlayers } from "#testing/store-contract/store-samples.ts";

const SAVING_PROCESS = fileURLToPath(
  new URL("../../src/testing/store-contract/saving-process.ts", import.meta.url),
);
const MATCHES = 60;
const DEFAULT_LAST = 12;

const SYNC_FAULTS: [name: string, action: (syncNumber: number) => string][] = [
  ["killed", (syncNumber) => `signal=KILL:when=${syncNumber}`],
  ["EIO once", (syncNumber) => `error=EIO:when=${syncNumber}`],
  ["EIO forever", (syncNumber) => `error=EIO:when=${syncNumber}+`],
];

async function runUnderStrace(action: string, data: string): Promise<string> {
  const syscalls = "fsync,fdatasync";
  const injectFlags = ["-e", `trace=${syscalls}`, "-e", `inject=${syscalls}:${action}`];
  const savingCommand = [process.execPath, SAVING_PROCESS, data, "0", String(MATCHES)];
  const child = spawn(
    "strace",
    ["-f", "-qq", "-o", "/dev/null", ...injectFlags, ...savingCommand],
    {
      stdio: ["pipe", "pipe", "ignore"],
    },
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stdin.end("go\n");
  await once(child, "close");
  return output;
}

async function createStoreFiles(data: string): Promise<void> {
  const store = await openStore({ data });
  await addSamplePlayers(store, 2);
  await store.close();
}

async function checkFault(
  name: string,
  isExisting: boolean,
  syncNumber: number,
  action: string,
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-fsync-"));
  if (isExisting) await createStoreFiles(data);
  const output = await runUnderStrace(action, data);
  const acknowledged = parseAcknowledged(output);
  const refusedLines = output.split("\n").filter((line) => line.startsWith("refused"));
  const { stored, sweptCount: sweptReplays } = await checkAfterCrash(data, acknowledged);
  const summary = `${acknowledged.length} acknowledged, ${refusedLines.length} rejected, ${stored} stored`;
  const reasons = [...new Set(refusedLines)].join(", ");
  console.log(
    `${isExisting ? "made" : "new"}, ${name} at sync ${syncNumber}: ${summary}, ${sweptReplays} swept, consistent ${reasons}`,
  );
  await rm(data, { recursive: true });
}

const lastSync = Number(process.argv[2] ?? DEFAULT_LAST);
for (const [name, action] of SYNC_FAULTS) {
  for (const isExisting of [false, true])
    for (let syncNumber = 1; syncNumber <= lastSync; syncNumber++)
      await checkFault(name, isExisting, syncNumber, action(syncNumber));
}
