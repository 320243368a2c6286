// A bot that never reads its socket and plays blindly. Its opponent tells it the current tick.

import type { Socket } from "node:net";

import type { SocketMessage } from "#testing/fixtures/message-check.ts";

import { registerBot } from "./bot-client.ts";
import type { BotClient } from "./bot-client.ts";
import { openRawWebSocket, createTextFrame } from "./raw-socket.ts";

export type NonReadingBot = {
  readonly name: string;
  readonly socket: Socket;
  /** Resolves once the server has cut the connection. */
  readonly disconnected: Promise<void>;
  queue(): void;
  ready(): void;
  turn(tick: number): void;
};

const QUEUE_FRAME = createTextFrame({ type: "queue", version: "v1" });
/**
 * Four frames that each trigger a response and so fill the server's send buffer. Together with the
 * turn, five frames per tick.
 */
const QUEUE_FRAMES = Buffer.concat([QUEUE_FRAME, QUEUE_FRAME, QUEUE_FRAME, QUEUE_FRAME]);

export async function connectNonReadingBot(
  baseUrl: string,
  name: string,
  owner: string,
): Promise<NonReadingBot> {
  const { socket, write } = await openRawWebSocket(
    baseUrl,
    await registerBot(baseUrl, name, owner),
  );
  socket.pause();
  return {
    name,
    socket,
    disconnected: new Promise((resolve) => socket.once("close", () => resolve())),
    queue: () => write(QUEUE_FRAME),
    ready: () => write(createTextFrame({ type: "ready" })),
    // The turn goes last. If it ended the tick earlier, the other frames would count towards the
    // next tick.
    turn: (tick) => write(QUEUE_FRAMES, createTextFrame({ type: "turn", tick })),
  };
}

/**
 * Plays all of the opponent's matches. Passes the current tick to any non-reading bot that it
 * meets.
 */
export function playAgainstNonReadingBots(
  opponent: BotClient,
  nonReadingBots: ReadonlyMap<string, NonReadingBot>,
): void {
  let currentOpponent: NonReadingBot | undefined;
  opponent.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as SocketMessage;
    if (message.type === "hello") {
      currentOpponent = nonReadingBots.get((message.opponent as { name: string }).name);
      currentOpponent?.ready();
      opponent.send({ type: "ready" });
    } else if (message.type === "observation") {
      currentOpponent?.turn(message.tick as number);
      opponent.send({ type: "turn", tick: message.tick });
    } else if (message.type === "end") {
      currentOpponent?.queue();
      opponent.queue();
    }
  });
}
