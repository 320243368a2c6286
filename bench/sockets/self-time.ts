// Self time of this thread by file, from V8's sampling profiler: only the function on top of the
// stack counts, including functions inlined into it.

import { Session } from "node:inspector/promises";

/** Interval between two samples. */
const INTERVAL_US = 200;
/** The profiler itself. */
const INSPECTOR = "node:inspector";
/** Profiler names for time in which no function runs. */
const IDLE = ["(idle)", "(root)"];

export type SelfTimes = {
  /** All samples while something ran, without the profiler, in µs. */
  busyUs: number;
  /** In µs, by file URL; Node's own modules have names that begin with `node:`. */
  byFile: Record<string, number>;
};

/** Starts a profile of the calling thread; the returned function stops it. */
export async function profileThread(): Promise<() => Promise<SelfTimes>> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
  await session.post("Profiler.start");
  return async () => {
    const { profile } = await session.post("Profiler.stop");
    session.disconnect();
    const { nodes, samples = [], timeDeltas = [] } = profile;
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    const byFile: Record<string, number> = {};
    let busyUs = 0;
    for (const [sampleIndex, id] of samples.entries()) {
      const frame = frames.get(id);
      const sampleUs = timeDeltas[sampleIndex] ?? 0;
      if (frame === undefined || IDLE.includes(frame.functionName)) continue;
      if (frame.url.startsWith(INSPECTOR)) continue;
      busyUs += sampleUs;
      const file = frame.url === "" ? frame.functionName : frame.url;
      byFile[file] = (byFile[file] ?? 0) + sampleUs;
    }
    return { busyUs, byFile };
  };
}
