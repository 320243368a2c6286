import { Worker } from "node:worker_threads";

import { HOUSE_BOTS } from "#core/ids/house-bots.ts";

import type { HouseMessage } from "./house-sessions.ts";
import type { HouseWorker } from "./house-worker-client.ts";
import type { HouseWorkerData } from "./house-worker.ts";
import { HOUSE_VERSION } from "./house.ts";
import type { HouseDeps } from "./house.ts";

const WORKER = new URL("./house-worker.ts", import.meta.url);

/**
 * Returns a function that spawns each house bot worker on its own thread. Turns are delayed by
 * `paceMs` milliseconds.
 */
export function spawnHouseThreads(paceMs: number): HouseDeps["spawnWorker"] {
  return (name, onMessage) => {
    const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
    if (kind === undefined) throw new Error(`unknown house bot: ${name}`);
    return openHouseThread({ kind, label: HOUSE_VERSION, paceMs }, onMessage);
  };
}

function openHouseThread(
  workerData: HouseWorkerData,
  onMessage: (message: HouseMessage) => void,
): HouseWorker {
  const worker = new Worker(WORKER, { name: `house ${workerData.kind}`, workerData });
  const exit = Promise.withResolvers<string>();
  let errorText: string | null = null;
  worker.on("message", onMessage);
  worker.on("error", (error: Error) => {
    errorText = error.stack ?? error.message;
  });
  worker.on("exit", (code) => exit.resolve(errorText ?? `its thread exited with code ${code}`));
  return {
    send: (command) => worker.postMessage(command),
    terminate: () => void worker.terminate(),
    exit: exit.promise,
  };
}
