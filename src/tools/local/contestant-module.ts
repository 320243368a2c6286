// A bot that is a module in this process: it receives messages as objects and returns turns as
// objects.

import { botMakerOf } from "#tools/simulator/bot-shape.ts";
import type { AskedBot, SeatMaker } from "#tools/simulator/bot-shape.ts";
import type { HelloMessage, ObservationMessage } from "#tools/simulator/message.ts";

import type { Player, Wire } from "./local-match.ts";

type Message = HelloMessage | ObservationMessage | { type: "end" };

/**
 * Makes a player of a module's exports; `word` chooses one of its variants. Throws an Error that
 * says what is wrong.
 */
export function openModule(exports: object, word?: string): Player {
  return playerOf(botMakerOf(exports, word));
}

function playerOf(create: SeatMaker): Player {
  let bot: AskedBot | null = null;
  const hear = (text: string, wire: Wire): void => {
    const message = JSON.parse(text) as Message;
    if (message.type === "hello")
      settle(
        wire,
        () => create(message),
        (made) => {
          bot = made;
          wire.say(JSON.stringify({ type: "ready", match_id: message.match_id }));
        },
      );
    if (message.type === "observation")
      settle(
        wire,
        () => bot?.turn(message),
        (turn) => wire.say(printTurn(message.tick, turn)),
      );
  };
  return { hear, close: async () => {} };
}

/**
 * An empty answer means waiting. Anything but an object is sent unchanged: the referee says what is
 * wrong.
 */
function printTurn(tick: number, turn: unknown): string {
  const parts = turn ?? {};
  if (typeof parts !== "object" || Array.isArray(parts)) return JSON.stringify(parts) ?? "?";
  return JSON.stringify({ ...parts, type: "turn", tick });
}

/** Continues at once for a plain value: a promise would cost each tick a turn of the event loop. */
function settle<T>(wire: Wire, ask: () => T | Promise<T>, then: (value: T) => void): void {
  try {
    const value = ask();
    if (value instanceof Promise) value.then(then).catch((error: unknown) => fail(wire, error));
    else then(value);
  } catch (error) {
    fail(wire, error);
  }
}

function fail(wire: Wire, error: unknown): void {
  wire.fail(error instanceof Error ? ownStack(error) : String(error));
}

/** The files that call a bot. */
const CALLERS = [import.meta.url, new URL("../simulator/bot-shape.ts", import.meta.url).href];

/** The bot's own part of the stack: its callers are of no use to the author. */
function ownStack({ stack, message }: Error): string {
  const lines = (stack ?? message).split("\n");
  const end = lines.findIndex((line) => CALLERS.some((caller) => line.includes(caller)));
  return lines.slice(0, end === -1 ? lines.length : end).join("\n");
}
