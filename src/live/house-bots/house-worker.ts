import { parentPort, workerData } from "node:worker_threads";

import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { Policy, PolicyContext } from "#core/bot-policies/policy.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";

import { openHouseSessions } from "./house-sessions.ts";
import type { HouseCommand } from "./house-sessions.ts";

/** `paceMs` delays each turn so that viewers can follow the match. */
export type HouseWorkerData = { kind: HouseKind; label: string; paceMs: number };

const { kind, label, paceMs } = workerData as HouseWorkerData;
const port = parentPort;
if (port === null) throw new Error("This module must run as a worker thread.");

const handleCommand = openHouseSessions<PolicyContext, Parameters<Policy["turn"]>[0]>({
  label,
  createPlayer: (hello) => HOUSE_POLICIES[kind](hello),
  send: (message) => port.postMessage(message),
  delayTurn: (sendTurn) => {
    if (paceMs === 0) sendTurn();
    else setTimeout(sendTurn, paceMs);
  },
});
port.on("message", (command: HouseCommand) => handleCommand(command));
