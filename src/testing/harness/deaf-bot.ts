// A bot that never reads what it is sent and plays on blindly, told the tick by its opponent.

import type { Socket } from "node:net";

import type { Heard } from "#testing/fixtures/message-check.ts";

import { register } from "./bot-client.ts";
import type { BotClient } from "./bot-client.ts";
import { openRaw, textFrame } from "./raw-socket.ts";

export type DeafBot = {
  readonly name: string;
  readonly socket: Socket;
  /** Resolves once the server has cut the connection. */
  readonly cutOff: Promise<void>;
  queue(): void;
  ready(): void;
  turn(tick: number): void;
};

const QUEUE = textFrame({ type: "queue", version: "v1" });
/**
 * Four frames that each get an answer, so that the server has more to say; with the turn, five a
 * tick.
 */
const QUESTIONS = Buffer.concat([QUEUE, QUEUE, QUEUE, QUEUE]);

/** Registers, connects and stops reading. */
export async function openDeafBot(baseUrl: string, name: string, owner: string): Promise<DeafBot> {
  const { socket, write } = await openRaw(baseUrl, await register(baseUrl, name, owner));
  socket.pause();
  return {
    name,
    socket,
    cutOff: new Promise((resolve) => socket.once("close", () => resolve())),
    queue: () => write(QUEUE),
    ready: () => write(textFrame({ type: "ready" })),
    // The turn comes last: a tick that it closes would count the questions for the next one.
    turn: (tick) => write(QUESTIONS, textFrame({ type: "turn", tick })),
  };
}

/** The opponent plays all its matches, and guides any deaf bot it meets through them. */
export function leadDeafBots(opponent: BotClient, deaf: ReadonlyMap<string, DeafBot>): void {
  let led: DeafBot | undefined;
  opponent.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Heard;
    if (message.type === "hello") {
      led = deaf.get((message.opponent as { name: string }).name);
      led?.ready();
      opponent.say({ type: "ready" });
    } else if (message.type === "observation") {
      led?.turn(message.tick as number);
      opponent.say({ type: "turn", tick: message.tick });
    } else if (message.type === "end") {
      led?.queue();
      opponent.queue();
    }
  });
}
