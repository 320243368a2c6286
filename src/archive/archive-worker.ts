// The archive's thread. Several replays may be on their way to the disk at once.

import { workerData } from "node:worker_threads";

import { StoreError } from "#store/errors.ts";
import { openReplays } from "#store/replays.ts";
import { answerQuestions } from "#threads/thread.ts";

import { fileMatch } from "./archive.ts";
import type { Filed, Filing } from "./archive.ts";

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
