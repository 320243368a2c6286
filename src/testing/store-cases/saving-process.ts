// A process that waits for a line of input and then saves matches, replay first, until it is
// killed. Some of them serve opponent requests. It writes a line for each match: its number once the store acknowledged it, or why it was
// refused. Arguments: the data directory, the first match's number and how many to save.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { openReplays } from "#data/files/replays.ts";
import { SqliteLine } from "#data/sqlite/sqlite-line.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import { storeError } from "#data/store/errors.ts";
import { nounsOf } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import { sampleAccount } from "./store-account-cases.ts";
import { hasRequest, requestOf } from "./store-request-cases.ts";
import { addSamplePlayers, sampleAudit, sampleMatch } from "./store-samples.ts";

/** Saves under way at once, so that they share commits. */
const WIDTH = 12;
const STDOUT = 1;

const [data = "", first = "0", count = "0"] = process.argv.slice(2);
const end = Number(first) + Number(count);
let next = Number(first);

// Tests that start many of these name a compile cache, which a killed process would never write.
flushCompileCache();
await once(process.stdin, "data");
process.stdin.destroy();
// Nothing is read here, so the thread for reads would only cost its start.
const line = new SqliteLine({ path: sqlitePath(data), access: "write" });
const calls = nounsOf(
  (name) =>
    (...values) =>
      line.call(name, values),
);
const store: Store = { ...calls, close: () => line.close() };
const replays = await openReplays(join(data, "replays"));
await addSamplePlayers(store, 2);
await store.accounts.add(sampleAccount(1), sampleAudit(1));
tell("ready");
await Promise.all(Array.from({ length: WIDTH }, saveOn));
await store.close();

async function saveOn(): Promise<void> {
  while (next < end) {
    const number = next++;
    try {
      await save(number);
      tell(String(number));
    } catch (error) {
      tell(`refused: ${storeError(error).code}`);
    }
  }
}

/** Some matches serve an opponent request, which is stored before them. */
async function save(number: number): Promise<void> {
  const request = hasRequest(number) ? requestOf(number) : null;
  if (request !== null) await store.requests.add(request, sampleAudit(number));
  const match = { ...sampleMatch(number), requestId: request?.id ?? null };
  await replays.write(match.id, gzipSync(`replay of ${match.id}\n`));
  await store.matches.save(match);
}

/** Written synchronously, so that no acknowledgement is lost in a buffer of the process. */
function tell(line: string): void {
  writeSync(STDOUT, `${line}\n`);
}
