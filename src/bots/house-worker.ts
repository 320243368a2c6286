// A house bot on its own thread: it speaks the bot protocol over a message port, like any client.

import { parentPort, workerData } from "node:worker_threads";

import { createHouseBot } from "./house.ts";
import type { HouseBot, HouseKind } from "./house.ts";

/** What a house bot reads of hello and observation messages; the rest passes through to it. */
type Message = { type: string; match_id: string; tick: number };

/** `paceMs`: how long it waits with a turn that is ready, so that people can follow a fight. */
type HouseOrder = { kind: HouseKind; label: string; paceMs: number };

const { kind, label, paceMs } = workerData as HouseOrder;
const port = parentPort;
if (port === null) throw new Error("a house bot runs as a worker thread");

let bot: HouseBot | null = null;

const say = (message: object): void => port.postMessage(JSON.stringify(message));
const queue = (): void => say({ type: "queue", version: label });

function hear(message: Message): void {
  switch (message.type) {
    case "hello":
      bot = createHouseBot(kind, message as unknown as Parameters<typeof createHouseBot>[1]);
      say({ type: "ready", match_id: message.match_id });
      break;
    case "observation":
      answer(message);
      break;
    case "end":
      bot = null;
      queue();
      break;
    default:
      break;
  }
}

function answer(message: Message): void {
  if (bot === null) return;
  const turn = bot.turn(message as unknown as Parameters<HouseBot["turn"]>[0]);
  const send = () => say({ type: "turn", tick: message.tick, ...turn });
  if (paceMs === 0) send();
  else setTimeout(send, paceMs);
}

port.on("message", (text: string) => hear(JSON.parse(text) as Message));
queue();
