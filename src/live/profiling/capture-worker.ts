// Profiles the main thread from a thread of its own, by the runtime's inspector. Cleaning, printing
// and writing happen here. What remains for the thread that serves matches is what V8 does there
// alone, each in one piece. As it begins: a list of all code that is compiled, 0.1 s of processor
// time on a busy server. Meanwhile: a look at the stack each `capture_sample_us`. As it ends: the
// tree of calls as text, some 10 ms. No capture saves the next one the list: a profiler that would
// stay on keeps every sample. A pause beyond `stall_ms` is charged to no bot, as any other.

import { Session } from "node:inspector/promises";
import { workerData } from "node:worker_threads";

import { answerQuestions } from "#base/threads/thread.ts";
import { cleanProfile } from "#core/operator/clean-profile.ts";
import type { CpuProfile } from "#core/operator/clean-profile.ts";
import type { CaptureError } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";
import { openProfiles } from "#data/files/profiles.ts";
import { storeError } from "#data/store/errors.ts";

import type { CaptureData, CaptureEnd, CaptureQuestion } from "./capture-job.ts";

const { folder, id, root } = workerData as CaptureData;
const session = new Session();

answerQuestions((question) => {
  switch (question as CaptureQuestion) {
    case "begin":
      return begin();
    case "end":
      return end();
    case "leave":
      return session.disconnect();
  }
});

async function begin(): Promise<void> {
  session.connectToMainThread();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: FIXED.capture_sample_us });
  await session.post("Profiler.start");
}

async function end(): Promise<CaptureEnd> {
  const profile = await stopped();
  if (profile === null) return { error: "profiler_failed" };
  const text = JSON.stringify(cleanProfile(profile, root));
  const bytes = Buffer.byteLength(text);
  if (bytes > FIXED.capture_bytes) return { error: "too_large" };
  try {
    await openProfiles(folder).putProfile(id, text);
    return { bytes };
  } catch (error) {
    return { error: diskWord(error) };
  }
}

async function stopped(): Promise<CpuProfile | null> {
  try {
    const { profile } = await session.post("Profiler.stop");
    return profile as CpuProfile;
  } catch {
    return null;
  } finally {
    session.disconnect();
  }
}

const diskWord = (error: unknown): CaptureError =>
  storeError(error).code === "full" ? "disk_full" : "disk_failed";
