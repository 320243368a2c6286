import { Worker } from "node:worker_threads";

import { HOUSE_BOTS } from "#core/words/house.ts";

import type { CrewWord } from "./house-crew.ts";
import type { Crew } from "./house-line.ts";
import type { HouseWorkerData } from "./house-worker.ts";
import { HOUSE_VERSION } from "./house.ts";
import type { HouseDeps } from "./house.ts";

const WORKER = new URL("./house-worker.ts", import.meta.url);

/** Hires crews on their own threads, each of which delays every turn by `paceMs`. */
export function hireThreads(paceMs: number): HouseDeps["hire"] {
  return (name, hear) => {
    const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
    if (kind === undefined) throw new Error(`${name} is no house bot`);
    return openThread({ kind, label: HOUSE_VERSION, paceMs }, hear);
  };
}

function openThread(workerData: HouseWorkerData, hear: (word: CrewWord) => void): Crew {
  const worker = new Worker(WORKER, { name: `house ${workerData.kind}`, workerData });
  const gone = Promise.withResolvers<string>();
  let fault: string | null = null;
  worker.on("message", hear);
  worker.on("error", (error: Error) => {
    fault = error.stack ?? error.message;
  });
  worker.on("exit", (code) => gone.resolve(fault ?? `its thread ended with ${code}`));
  return {
    post: (order) => worker.postMessage(order),
    end: () => void worker.terminate(),
    gone: gone.promise,
  };
}
