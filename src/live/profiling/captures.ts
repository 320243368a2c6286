// Runs captures one at a time and keeps the newest. The index is in memory, because a disk that
// can't store a profile may not be able to store its metadata either.

import type { Clock } from "#base/clock/clock.ts";
import { openThread } from "#base/threads/thread.ts";
import type { Thread } from "#base/threads/thread.ts";
import type { Capture, CaptureError } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Profiles } from "#data/files/profiles.ts";
import { toStoreError } from "#data/store/errors.ts";

import type { CaptureData, CaptureResult, CaptureCommand } from "./capture-protocol.ts";

export type CaptureDeps = {
  folder: string;
  profiles: Profiles;
  root: string;
  clock: Clock;
  newId: () => string;
  log: { warn: (details: object, text: string) => void };
};

export type Captures = {
  /** Returns captures, newest first. */
  list(): Promise<Capture[]>;
  byId(id: string): Promise<Capture | null>;
  /**
   * Resolves when the capture is recording or has failed. Resolves with null if another capture is
   * running.
   */
  start(label: string, seconds: number): Promise<Capture | null>;
  close(): Promise<void>;
};

/**
 * Memory limit of the capture thread. A capture that exceeds the limit fails without affecting the
 * process.
 */
const HEAP = { maxOldGenerationSizeMb: 512 };

type Recording = { capture: Capture; thread: Thread; cancel: () => void };

export async function openCaptures(deps: CaptureDeps): Promise<Captures> {
  const { clock } = deps;
  const captureIndex = await openCaptureIndex(deps);
  let recording: Recording | null = null;
  let isBusy = false;
  let isClosed = false;
  let pendingStart: Promise<Capture | null> = Promise.resolve(null);
  let pendingEnd: Promise<void> = Promise.resolve();

  function start(label: string, seconds: number): Promise<Capture | null> {
    if (isBusy || isClosed) return Promise.resolve(null);
    isBusy = true;
    pendingStart = beginRecording(label, seconds);
    return pendingStart;
  }

  async function beginRecording(label: string, seconds: number): Promise<Capture> {
    const id = deps.newId();
    const thread = openCaptureThread(deps, id);
    const isProfiling = await sendCommand<null>(thread, "begin").then(
      () => true,
      () => false,
    );
    const capture = newCapture(id, label, clock.wall().getTime(), seconds);
    captureIndex.put(capture);
    const writeError = isProfiling ? await captureIndex.write(capture) : "profiler_failed";
    recording = { capture, thread, cancel: () => {} };
    if (writeError !== null || isClosed) await finishRecording(writeError ?? "server_stopped");
    else recording.cancel = clock.after(seconds * 1000, () => void finishRecording(null));
    return captureIndex.captureById(id) ?? capture;
  }

  /** Ends the recording. Saves the profile if `reason` is null. */
  function finishRecording(reason: CaptureError | null): Promise<void> {
    const finishedRecording = recording;
    recording = null;
    if (finishedRecording === null) return pendingEnd;
    finishedRecording.cancel();
    pendingEnd = saveRecording(finishedRecording, reason);
    return pendingEnd;
  }

  async function saveRecording({ capture, thread }: Recording, reason: CaptureError | null) {
    const result = await (reason === null
      ? stopRecording(thread)
      : discardRecording(thread, reason));
    const finishedCapture = finishCapture(capture, clock.wall().toISOString(), result);
    const writeError = await captureIndex.write(finishedCapture);
    await thread.close();
    const error = finishedCapture.error ?? writeError;
    if (error !== null && error !== "server_stopped")
      deps.log.warn({ capture: finishedCapture.id, error }, "profiling capture failed");
    // A profile without metadata wouldn't survive a restart, so the capture counts as failed.
    captureIndex.put(
      writeError === null
        ? finishedCapture
        : { ...finishedCapture, state: "failed", size_bytes: null, error },
    );
    isBusy = false;
  }

  return {
    list: () => captureIndex.list(),
    byId: (id) => captureIndex.byId(id),
    start,
    close: async () => {
      isClosed = true;
      await pendingStart;
      await finishRecording("server_stopped");
    },
  };
}

type CaptureIndex = Pick<Captures, "list" | "byId"> & {
  captureById(id: string): Capture | undefined;
  put(capture: Capture): void;
  /**
   * Writes a capture's metadata and removes captures beyond the limit. Resolves with the error if
   * writing fails.
   */
  write(capture: Capture): Promise<CaptureError | null>;
};

async function openCaptureIndex(deps: CaptureDeps): Promise<CaptureIndex> {
  const { profiles } = deps;
  const captureById = new Map((await readNotes(deps)).map((note) => [note.id, note]));
  return {
    captureById: (id) => captureById.get(id),
    put: (capture) => {
      captureById.set(capture.id, capture);
      for (const { id } of newestFirst([...captureById.values()]).slice(FIXED_LIMITS.captures_kept))
        captureById.delete(id);
    },
    write: async (capture) => {
      try {
        await profiles.putCapture(capture);
        await profiles.removeExcept(new Set(captureById.keys()));
        return null;
      } catch (error) {
        return toStoreError(error).code === "full" ? "disk_full" : "disk_failed";
      }
    },
    list: () =>
      Promise.all(
        newestFirst([...captureById.values()]).map((capture) => withFileCheck(profiles, capture)),
      ),
    byId: async (id) => {
      const capture = captureById.get(id);
      return capture === undefined ? null : withFileCheck(profiles, capture);
    },
  };
}

const sendCommand = <T>(thread: Thread, command: CaptureCommand) => thread.ask<T>(command);

function openCaptureThread({ folder, root }: CaptureDeps, id: string): Thread {
  const data: CaptureData = { folder, id, root };
  const entry = new URL("./capture-worker.ts", import.meta.url);
  return openThread(entry, { name: "capture", data, resourceLimits: HEAP, restarts: false });
}

const newCapture = (id: string, label: string, startMs: number, seconds: number): Capture => ({
  id,
  label,
  started: new Date(startMs).toISOString(),
  endsAt: new Date(startMs + seconds * 1000).toISOString(),
  state: "recording",
  finished: null,
  size_bytes: null,
  error: null,
});

const finishCapture = (capture: Capture, at: string, result: CaptureResult): Capture =>
  "error" in result
    ? { ...capture, finished: at, state: "failed", error: result.error }
    : { ...capture, finished: at, state: "ready", size_bytes: result.bytes };

const stopRecording = (thread: Thread): Promise<CaptureResult> =>
  sendCommand<CaptureResult>(thread, "end").catch(() => ({ error: "profiler_failed" }));

async function discardRecording(thread: Thread, error: CaptureError): Promise<CaptureResult> {
  await sendCommand<null>(thread, "leave").catch(() => {});
  return { error };
}

const newestFirst = (captures: readonly Capture[]): Capture[] =>
  captures.toSorted((a, b) => sortKey(b).localeCompare(sortKey(a)));

const sortKey = ({ started, id }: Capture): string => `${started} ${id}`;

/**
 * Loads captures of earlier processes. A capture that was still recording has no profile and counts
 * as failed.
 */
async function readNotes({ profiles, log }: CaptureDeps): Promise<Capture[]> {
  try {
    const notes = newestFirst(await profiles.captures()).slice(0, FIXED_LIMITS.captures_kept);
    return notes.map((note) =>
      note.state === "recording" ? { ...note, state: "failed", error: "interrupted" } : note,
    );
  } catch (error) {
    log.warn({ error }, "could not read captures folder");
    return [];
  }
}

/** Marks a capture as failed if its profile is missing or was replaced. */
async function withFileCheck(profiles: Profiles, capture: Capture): Promise<Capture> {
  if (capture.state !== "ready") return capture;
  const size = await profiles.sizeOf(capture.id).catch(() => null);
  if (size !== null && size === capture.size_bytes) return capture;
  return { ...capture, state: "failed", size_bytes: null, error: "file_lost" };
}
