// Bots that only keep matches going: always ready, a thought for each turn, and at once back in the
// queue. They read no more of a message than they must, so that what a bench measures is the server.

import type { Clock } from "#base/clock/clock.ts";
import { SECOND } from "#base/units/time.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { CrewWord } from "#live/house/house-crew.ts";
import type { Crew } from "#live/house/house-line.ts";

/** How a player passes its time. */
export type Pace = {
  clock: Clock;
  /** Draws how many milliseconds the next thought takes. */
  think(): number;
  /** A player has waited this long for the match that begins. */
  waited(seconds: number): void;
};

export const tokenOf = (name: string): string => `token-of-${name}`;

/** Lets a player in, who queues on one ladder from now on. */
export async function seatPlayer(
  arena: Arena,
  pace: Pace,
  name: string,
  ladderId: LadderId,
): Promise<void> {
  let listener: Listener | null = null;
  let queuedAt = 0;
  const say = (text: string) => listener?.frame(text);
  const queue = () => {
    queuedAt = pace.clock.now();
    say(queueText(ladderId));
  };
  const hear = (text: string) => {
    if (typeOf(text) === "hello") pace.waited((pace.clock.now() - queuedAt) / SECOND);
    answer(pace, text, say, queue);
  };
  const connection: Connection = {
    send: hear,
    show: (text, written) => {
      hear(text);
      written();
    },
    close: () => {},
    terminate: () => {},
    ping: () => queueMicrotask(() => listener?.pong()),
    buffered: 0,
  };
  listener = await arena.arrive(connection, `Bearer ${tokenOf(name)}`);
  queue();
}

/** The crew of a house bot, in this thread. */
export function hireCrew(pace: Pace, hear: (word: CrewWord) => void): Crew {
  const ladders = new Map<number, LadderId>();
  const gone = Promise.withResolvers<string>();
  return {
    post: ({ session, ...order }) => {
      const say = (text: string) => hear({ session, type: "frame", text });
      const queue = () => say(queueText(ladders.get(session) ?? ""));
      if (order.type === "open" && order.ladderId !== null) {
        ladders.set(session, order.ladderId);
        queueMicrotask(queue);
      } else if (order.type === "ping") queueMicrotask(() => hear({ session, type: "pong" }));
      else if (order.type === "frame") answer(pace, order.text, say, queue);
    },
    end: () => gone.resolve("everybody goes home"),
    gone: gone.promise,
  };
}

const TYPE_FROM = '{"type":"'.length;
const TICK = /"tick":(\d+)/u;

/** Server messages begin with their type. */
const typeOf = (text: string): string => text.slice(TYPE_FROM, text.indexOf('"', TYPE_FROM));

const queueText = (ladderId: LadderId): string =>
  `{"type":"queue","version":"v1","ladder_id":"${ladderId}"}`;

function answer(
  { clock, think }: Pace,
  text: string,
  say: (text: string) => void,
  queue: () => void,
): void {
  switch (typeOf(text)) {
    case "hello":
      queueMicrotask(() => say('{"type":"ready"}'));
      break;
    case "observation":
      clock.after(think(), () => say(`{"type":"turn","tick":${TICK.exec(text)?.[1] ?? ""}}`));
      break;
    case "end":
      queueMicrotask(queue);
      break;
    default:
      break;
  }
}
