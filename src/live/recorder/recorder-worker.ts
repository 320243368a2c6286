// The recorder thread. Writes several replays concurrently.

import { workerData } from "node:worker_threads";

import { handleRequests } from "#base/threads/thread.ts";
import { openReplays } from "#data/files/replays.ts";
import { StoreError } from "#data/store/errors.ts";

import { fileReplay } from "./file-replay.ts";
import type { FileReplayResult, FileReplayRequest } from "./file-replay.ts";

const replayFiles = await openReplays(workerData as string);

async function handleRequest(request: FileReplayRequest): Promise<FileReplayResult> {
  try {
    return { stats: await fileReplay(replayFiles, request) };
  } catch (error) {
    if (error instanceof StoreError) return { failure: error.code, message: error.message };
    throw error;
  }
}

handleRequests((request) => handleRequest(request as FileReplayRequest));
