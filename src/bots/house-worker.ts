// The thread of one house bot.

import { parentPort, workerData } from "node:worker_threads";

import { openCrew } from "./house-crew.ts";
import type { CrewOrder } from "./house-crew.ts";
import { createHouseBot } from "./house.ts";
import type { HouseBot, HouseKind } from "./house.ts";

/** `paceMs`: how long it waits with a turn that is ready, so that people can follow a fight. */
export type HouseWorkerData = { kind: HouseKind; label: string; paceMs: number };

const { kind, label, paceMs } = workerData as HouseWorkerData;
const port = parentPort;
if (port === null) throw new Error("a house bot runs as a worker thread");

type Hello = Parameters<typeof createHouseBot>[1];
type Seen = Parameters<HouseBot["turn"]>[0];

const hear = openCrew<Hello, Seen>({
  label,
  createPlayer: (hello) => createHouseBot(kind, hello),
  say: (word) => port.postMessage(word),
  pace: (call) => {
    if (paceMs === 0) call();
    else setTimeout(call, paceMs);
  },
});
port.on("message", (order: CrewOrder) => hear(order));
