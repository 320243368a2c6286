// Measures self time by file with V8's sampling profiler, for the calling thread. Only the function
// on top of the stack counts, including functions inlined into it.

import { Session } from "node:inspector/promises";

const INTERVAL_US = 200;
const INSPECTOR = "node:inspector";
const IDLE = ["(idle)", "(root)"];

export type SelfTimes = {
  /** Total time in which a function ran, excluding the profiler, in µs. */
  busyUs: number;
  /** Self time in µs by file URL. Names of Node's own modules begin with `node:`. */
  byFile: Record<string, number>;
};

/** Starts profiling the calling thread. Call the returned function to stop and get the result. */
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
