// Bots that keep matches running: they are always ready, think for a while each turn, and queue
// again immediately. They parse as little as possible, so benchmarks measure the server.

import type { Clock } from "#base/clock/clock.ts";
import { SECOND_US } from "#base/util/time.ts";
import type { LadderId } from "#core/ids/ids.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { HouseMessage } from "#live/house-bots/house-sessions.ts";
import type { HouseWorker } from "#live/house-bots/house-worker-client.ts";

export type PlayerPace = {
  clock: Clock;
  drawThinkTime(): number;
  /** Called when a match starts, with how long the player waited for it. */
  onWaited(seconds: number): void;
};

export const busyPlayerToken = (name: string): string => `token-of-${name}`;

export async function connectPlayer(
  arena: Arena,
  pace: PlayerPace,
  name: string,
  ladderId: LadderId,
): Promise<void> {
  let listener: Listener | null = null;
  let queuedAt = 0;
  const sendText = (text: string) => listener?.onFrame(text);
  const enqueue = () => {
    queuedAt = pace.clock.now();
    sendText(createQueueMessage(ladderId));
  };
  const handleMessage = (text: string) => {
    if (messageTypeOf(text) === "hello") pace.onWaited((pace.clock.now() - queuedAt) / SECOND_US);
    respond(pace, text, sendText, enqueue);
  };
  const connection: Connection = {
    send: handleMessage,
    sendObservation: (text, written) => {
      handleMessage(text);
      written();
    },
    close: () => {},
    terminate: () => {},
    ping: () => queueMicrotask(() => listener?.onPong()),
    bufferedBytes: 0,
  };
  listener = await arena.connectBot(connection, `Bearer ${busyPlayerToken(name)}`);
  enqueue();
}

export function createHousePool(
  pace: PlayerPace,
  handleMessage: (message: HouseMessage) => void,
): HouseWorker {
  const ladders = new Map<number, LadderId>();
  const exited = Promise.withResolvers<string>();
  return {
    send: ({ session, ...order }) => {
      const sendText = (text: string) => handleMessage({ session, type: "frame", text });
      const enqueue = () => sendText(createQueueMessage(ladders.get(session) ?? ""));
      if (order.type === "open" && order.ladderId !== null) {
        ladders.set(session, order.ladderId);
        queueMicrotask(enqueue);
      } else if (order.type === "ping")
        queueMicrotask(() => handleMessage({ session, type: "pong" }));
      else if (order.type === "frame") respond(pace, order.text, sendText, enqueue);
    },
    terminate: () => exited.resolve("the ladder has closed"),
    exit: exited.promise,
  };
}

const TYPE_START = '{"type":"'.length;
const TICK_PATTERN = /"tick":(\d+)/u;

/** Every server message starts with its type. */
const messageTypeOf = (text: string): string =>
  text.slice(TYPE_START, text.indexOf('"', TYPE_START));

const createQueueMessage = (ladderId: LadderId): string =>
  `{"type":"queue","version":"v1","ladder_id":"${ladderId}"}`;

function respond(
  { clock, drawThinkTime }: PlayerPace,
  text: string,
  sendText: (text: string) => void,
  enqueue: () => void,
): void {
  switch (messageTypeOf(text)) {
    case "hello":
      queueMicrotask(() => sendText('{"type":"ready"}'));
      break;
    case "observation":
      clock.after(drawThinkTime(), () =>
        sendText(`{"type":"turn","tick":${TICK_PATTERN.exec(text)?.[1] ?? ""}}`),
      );
      break;
    case "end":
      queueMicrotask(enqueue);
      break;
    default:
      break;
  }
}
