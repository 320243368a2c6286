// Captures: one at a time is recorded, the newest are kept. Memory has what is known of them, since a
// disk that takes no profile may take no note of that either.

import type { Clock } from "#base/clock/clock.ts";
import { openThread } from "#base/threads/thread.ts";
import type { Thread } from "#base/threads/thread.ts";
import type { Capture, CaptureError } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Profiles } from "#data/files/profiles.ts";
import { storeError } from "#data/store/errors.ts";

import type { CaptureData, CaptureEnd, CaptureQuestion } from "./capture-job.ts";

export type CaptureDeps = {
  /** Where profiles are, and the files in it. */
  folder: string;
  profiles: Profiles;
  /** The address of the project's folder. */
  root: string;
  clock: Clock;
  newId: () => string;
  log: { warn: (details: object, text: string) => void };
};

export type Captures = {
  /** Newest first. */
  list(): Promise<Capture[]>;
  byId(id: string): Promise<Capture | null>;
  /** Resolves once it is recording, or has failed; null while another one is. */
  start(label: string, seconds: number): Promise<Capture | null>;
  /** Ends one that is recording, which has failed then. */
  close(): Promise<void>;
};

/** What a profile grows to in memory; the thread fails without the process if that is too little. */
const HEAP = { maxOldGenerationSizeMb: 512 };

type Recording = { capture: Capture; thread: Thread; cancel: () => void };

export async function openCaptures(deps: CaptureDeps): Promise<Captures> {
  const { clock } = deps;
  const shelf = await openShelf(deps);
  let recording: Recording | null = null;
  let isBusy = false;
  let isClosed = false;
  let beginning: Promise<Capture | null> = Promise.resolve(null);
  let ending: Promise<void> = Promise.resolve();

  function start(label: string, seconds: number): Promise<Capture | null> {
    if (isBusy || isClosed) return Promise.resolve(null);
    isBusy = true;
    beginning = begin(label, seconds);
    return beginning;
  }

  async function begin(label: string, seconds: number): Promise<Capture> {
    const id = deps.newId();
    const thread = threadOf(deps, id);
    const begun = await ask<null>(thread, "begin").then(
      () => true,
      () => false,
    );
    const capture = newCapture(id, label, clock.wall().getTime(), seconds);
    shelf.know(capture);
    const trouble = begun ? await shelf.write(capture) : "profiler_failed";
    recording = { capture, thread, cancel: () => {} };
    if (trouble !== null || isClosed) await finish(trouble ?? "server_stopped");
    else recording.cancel = clock.after(seconds * 1000, () => void finish(null));
    return shelf.known(id) ?? capture;
  }

  /** Ends the recording, with a profile unless there is a reason why not. */
  function finish(reason: CaptureError | null): Promise<void> {
    const ended = recording;
    recording = null;
    if (ended === null) return ending;
    ended.cancel();
    ending = conclude(ended, reason);
    return ending;
  }

  async function conclude({ capture, thread }: Recording, reason: CaptureError | null) {
    const end = await (reason === null ? endOf(thread) : left(thread, reason));
    const over = finished(capture, clock.wall().toISOString(), end);
    const trouble = await shelf.write(over);
    await thread.close();
    const error = over.error ?? trouble;
    if (error !== null && error !== "server_stopped")
      deps.log.warn({ capture: over.id, error }, "a capture failed");
    // Without its note a profile would not be found after a restart.
    shelf.know(trouble === null ? over : { ...over, state: "failed", size_bytes: null, error });
    isBusy = false;
  }

  return {
    list: () => shelf.list(),
    byId: (id) => shelf.byId(id),
    start,
    close: async () => {
      isClosed = true;
      await beginning;
      await finish("server_stopped");
    },
  };
}

type Shelf = Pick<Captures, "list" | "byId"> & {
  known(id: string): Capture | undefined;
  know(capture: Capture): void;
  /** Puts a capture on disk, and removes those that are not kept. */
  write(capture: Capture): Promise<CaptureError | null>;
};

/** The captures that are kept. */
async function openShelf(deps: CaptureDeps): Promise<Shelf> {
  const { profiles } = deps;
  const known = new Map((await notesOf(deps)).map((note) => [note.id, note]));
  return {
    known: (id) => known.get(id),
    know: (capture) => {
      known.set(capture.id, capture);
      for (const { id } of newestFirst([...known.values()]).slice(FIXED.captures_kept))
        known.delete(id);
    },
    write: async (capture) => {
      try {
        await profiles.note(capture);
        await profiles.keep(new Set(known.keys()));
        return null;
      } catch (error) {
        return storeError(error).code === "full" ? "disk_full" : "disk_failed";
      }
    },
    list: () =>
      Promise.all(newestFirst([...known.values()]).map((capture) => asItIs(profiles, capture))),
    byId: async (id) => {
      const capture = known.get(id);
      return capture === undefined ? null : asItIs(profiles, capture);
    },
  };
}

const ask = <T>(thread: Thread, question: CaptureQuestion) => thread.ask<T>(question);

function threadOf({ folder, root }: CaptureDeps, id: string): Thread {
  const data: CaptureData = { folder, id, root };
  const entry = new URL("./capture-worker.ts", import.meta.url);
  return openThread(entry, { name: "capture", data, heap: HEAP, restarts: false });
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

const finished = (capture: Capture, at: string, end: CaptureEnd): Capture =>
  "error" in end
    ? { ...capture, finished: at, state: "failed", error: end.error }
    : { ...capture, finished: at, state: "ready", size_bytes: end.bytes };

const endOf = (thread: Thread): Promise<CaptureEnd> =>
  ask<CaptureEnd>(thread, "end").catch(() => ({ error: "profiler_failed" }));

async function left(thread: Thread, error: CaptureError): Promise<CaptureEnd> {
  await ask<null>(thread, "leave").catch(() => {});
  return { error };
}

const newestFirst = (captures: readonly Capture[]): Capture[] =>
  captures.toSorted((one, other) => orderOf(other).localeCompare(orderOf(one)));

const orderOf = ({ started, id }: Capture): string => `${started} ${id}`;

/** What an earlier process left: one that it was recording has no profile. */
async function notesOf({ profiles, log }: CaptureDeps): Promise<Capture[]> {
  try {
    const notes = newestFirst(await profiles.notes()).slice(0, FIXED.captures_kept);
    return notes.map((note) =>
      note.state === "recording" ? { ...note, state: "failed", error: "interrupted" } : note,
    );
  } catch (error) {
    log.warn({ error }, "the folder of captures cannot be read");
    return [];
  }
}

/** A profile that is gone from the disk, or is not the one that was written, is not ready. */
async function asItIs(profiles: Profiles, capture: Capture): Promise<Capture> {
  if (capture.state !== "ready") return capture;
  const size = await profiles.sizeOf(capture.id).catch(() => null);
  if (size !== null && size === capture.size_bytes) return capture;
  return { ...capture, state: "failed", size_bytes: null, error: "file_lost" };
}
