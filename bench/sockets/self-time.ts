// Where this thread spends its time, by file, as V8's sampling profiler sees it: only the function
// on top of the stack counts, functions that were inlined into another one too.

import { Session } from "node:inspector/promises";

/** Between two samples. */
const INTERVAL_US = 200;
/** The profiler itself. */
const INSPECTOR = "node:inspector";
/** Names that it gives to time in which no function runs. */
const IDLE = ["(idle)", "(root)"];

export type SelfTimes = {
  /** All samples while something ran, the profiler aside, in µs. */
  busy: number;
  /** In µs, by address of the file; Node's own parts have names that begin with `node:`. */
  byFile: Record<string, number>;
};

/** Begins a profile of the thread that calls it; the answer ends it. */
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
    let busy = 0;
    for (const [place, id] of samples.entries()) {
      const frame = frames.get(id);
      const spent = timeDeltas[place] ?? 0;
      if (frame === undefined || IDLE.includes(frame.functionName)) continue;
      if (frame.url.startsWith(INSPECTOR)) continue;
      busy += spent;
      const file = frame.url === "" ? frame.functionName : frame.url;
      byFile[file] = (byFile[file] ?? 0) + spent;
    }
    return { busy, byFile };
  };
}
