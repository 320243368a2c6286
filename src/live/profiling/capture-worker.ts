// Profiles the main thread from a separate thread through the inspector. Cleaning, serializing and
// writing the profile happen on this thread. Only V8's own work pauses the main thread. Start:
// lists all compiled code, about 0.1 s of CPU time on a busy server. During the capture: samples
// the stack every `capture_sample_us`. End: serializes the call tree, some 10 ms. The list of
// compiled code can't be reused, because a profiler that keeps running keeps every sample. A pause
// longer than `stall_ms` is not charged to bots.

import { Session } from "node:inspector/promises";
import { workerData } from "node:worker_threads";

import { handleRequests } from "#base/threads/thread.ts";
import { cleanProfile } from "#core/api/clean-profile.ts";
import type { CpuProfile } from "#core/api/clean-profile.ts";
import type { CaptureError } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { openProfiles } from "#data/files/profiles.ts";
import { toStoreError } from "#data/store/errors.ts";

import type { CaptureData, CaptureResult, CaptureCommand } from "./capture-protocol.ts";

const { folder, id, root } = workerData as CaptureData;
const session = new Session();

handleRequests((command) => {
  switch (command as CaptureCommand) {
    case "begin":
      return startProfiler();
    case "end":
      return stopAndSave();
    case "leave":
      return session.disconnect();
  }
});

async function startProfiler(): Promise<void> {
  session.connectToMainThread();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: FIXED_LIMITS.capture_sample_us });
  await session.post("Profiler.start");
}

async function stopAndSave(): Promise<CaptureResult> {
  const profile = await stopProfiler();
  if (profile === null) return { error: "profiler_failed" };
  const text = JSON.stringify(cleanProfile(profile, root));
  const bytes = Buffer.byteLength(text);
  if (bytes > FIXED_LIMITS.capture_bytes) return { error: "too_large" };
  try {
    await openProfiles(folder).putProfile(id, text);
    return { bytes };
  } catch (error) {
    return { error: diskErrorCode(error) };
  }
}

async function stopProfiler(): Promise<CpuProfile | null> {
  try {
    const { profile } = await session.post("Profiler.stop");
    return profile as CpuProfile;
  } catch {
    return null;
  } finally {
    session.disconnect();
  }
}

const diskErrorCode = (error: unknown): CaptureError =>
  toStoreError(error).code === "full" ? "disk_full" : "disk_failed";
