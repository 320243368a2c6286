// One connection to the database file in a thread of its own, so that a slow disk, a lock of
// another process or a long list never delays the thread that runs the matches.
import { workerData } from "node:worker_threads";

import { answerQuestions, tellOwner } from "#base/threads/thread.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { storeError } from "#data/store/errors.ts";
import { methodOf } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import type { LineAnswer, LineCall, Setup } from "./sqlite-call.ts";
import { openSqliteFile } from "./sqlite-file.ts";

const { path, access, made, keepsCopy = true } = workerData as Setup;
let opening: Promise<Store> | null = null;

answerQuestions((call) => answerTo(call as LineCall));

async function answerTo({ method, values }: LineCall): Promise<LineAnswer> {
  try {
    if (method === "close" && !opening) return { value: null };
    const store = await opened();
    if (method === "close") return { value: await store.close() };
    const run = methodOf(store, method) as (...given: unknown[]) => Promise<unknown>;
    return { value: await run(...values) };
  } catch (error) {
    const { code, message } = storeError(error);
    return { failure: { code, message } };
  }
}

/** After a failed opening the next call tries again. */
function opened(): Promise<Store> {
  opening ??= openSqliteFile(path, access, made, { keepsCopy, tell: tellOwner }).then(storeOf);
  opening.catch(() => {
    opening = null;
  });
  return opening;
}
