// Waits for a line of input, then saves matches, replay first, until it is killed. Some matches
// serve opponent requests. Prints one line per match: its number once the store has acknowledged
// it, or the reason why it was rejected.
// Arguments: the data directory, the number of the first match, and how many matches to save.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { openReplays } from "#data/files/replays.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import { SqliteWorkerClient } from "#data/sqlite/sqlite-worker-client.ts";
import { toStoreError } from "#data/store/errors.ts";
import { buildRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import { sampleAccount } from "./store-account-cases.ts";
import { servesRequest, sampleRequestOf } from "./store-request-cases.ts";
import { addSamplePlayers, sampleAudit, sampleMatch } from "./store-samples.ts";

const CONCURRENT_SAVES = 12;
const STDOUT = 1;

const [data = "", firstNumber = "0", count = "0"] = process.argv.slice(2);
const endNumber = Number(firstNumber) + Number(count);
let nextNumber = Number(firstNumber);

// Tests that start many of these processes set a compile cache. A killed process wouldn't write it.
flushCompileCache();
await once(process.stdin, "data");
process.stdin.destroy();
// This process never reads, so it doesn't start the read thread.
const client = new SqliteWorkerClient({ path: sqlitePath(data), access: "write" });
const repositories = buildRepositories(
  (name) =>
    (...args) =>
      client.call(name, args),
);
const store: Store = { ...repositories, close: () => client.close() };
const replays = await openReplays(join(data, "replays"));
await addSamplePlayers(store, 2);
await store.accounts.add(sampleAccount(1), sampleAudit(1));
printLine("ready");
await Promise.all(Array.from({ length: CONCURRENT_SAVES }, saveNext));
await store.close();

async function saveNext(): Promise<void> {
  while (nextNumber < endNumber) {
    const number = nextNumber++;
    try {
      await save(number);
      printLine(String(number));
    } catch (error) {
      printLine(`refused: ${toStoreError(error).code}`);
    }
  }
}

async function save(number: number): Promise<void> {
  const request = servesRequest(number) ? sampleRequestOf(number) : null;
  if (request !== null) await store.requests.add(request, sampleAudit(number));
  const match = { ...sampleMatch(number), requestId: request?.id ?? null };
  await replays.write(match.id, gzipSync(`replay of ${match.id}\n`));
  await store.matches.save(match);
}

/** Writes synchronously, so that a kill can't lose acknowledgements in a buffer. */
function printLine(text: string): void {
  writeSync(STDOUT, `${text}\n`);
}
