// The recorder's thread. Several replays may be on their way to disk at once.

import { workerData } from "node:worker_threads";

import { answerQuestions } from "#base/threads/thread.ts";
import { openReplays } from "#data/files/replays.ts";
import { StoreError } from "#data/store/errors.ts";

import { fileMatch } from "./filing.ts";
import type { Filed, Filing } from "./filing.ts";

const shelf = await openReplays(workerData as string);

async function answer(filing: Filing): Promise<Filed> {
  try {
    return { stats: await fileMatch(shelf, filing) };
  } catch (error) {
    if (error instanceof StoreError) return { failure: error.code, message: error.message };
    throw error;
  }
}

answerQuestions((filing) => answer(filing as Filing));
