// Worker thread with one database connection. Slow disks, locks held by other processes and long
// lists then never delay the thread that runs matches.
import { workerData } from "node:worker_threads";

import { handleRequests, sendToOwner } from "#base/threads/thread.ts";
import { createStore } from "#data/queries/database-store.ts";
import { toStoreError } from "#data/store/errors.ts";
import { methodOf } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import { openSqliteFile } from "./sqlite-file.ts";
import type { SqliteResult, SqliteCall, SqliteWorkerOptions } from "./sqlite-worker-protocol.ts";

const { path, access, now, keepsCopy = true } = workerData as SqliteWorkerOptions;
let storePromise: Promise<Store> | null = null;

handleRequests((call) => handleCall(call as SqliteCall));

async function handleCall({ method, args: values }: SqliteCall): Promise<SqliteResult> {
  try {
    if (method === "close" && !storePromise) return { value: null };
    const store = await openStoreOnce();
    if (method === "close") return { value: await store.close() };
    const callMethod = methodOf(store, method) as (...args: unknown[]) => Promise<unknown>;
    return { value: await callMethod(...values) };
  } catch (error) {
    const { code, message } = toStoreError(error);
    return { failure: { code, message } };
  }
}

/** If opening fails, the next call tries again. */
function openStoreOnce(): Promise<Store> {
  storePromise ??= openSqliteFile(path, access, now, { keepsCopy, log: sendToOwner }).then(
    createStore,
  );
  storePromise.catch(() => {
    storePromise = null;
  });
  return storePromise;
}
