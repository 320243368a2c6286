// The thread of one house bot.

import { parentPort, workerData } from "node:worker_threads";

import type { Policy, Facts } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import type { HouseKind } from "#core/words/house.ts";

import { openCrew } from "./house-crew.ts";
import type { CrewOrder } from "./house-crew.ts";

/** `paceMs`: how long it holds back a finished turn, so that people can follow a fight. */
export type HouseWorkerData = { kind: HouseKind; label: string; paceMs: number };

const { kind, label, paceMs } = workerData as HouseWorkerData;
const port = parentPort;
if (port === null) throw new Error("a house bot runs as a worker thread");

const hear = openCrew<Facts, Parameters<Policy["turn"]>[0]>({
  label,
  createPlayer: (hello) => HOUSE_MAKERS[kind](hello),
  say: (word) => port.postMessage(word),
  pace: (call) => {
    if (paceMs === 0) call();
    else setTimeout(call, paceMs);
  },
});
port.on("message", (order: CrewOrder) => hear(order));
