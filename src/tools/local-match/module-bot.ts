// A bot that is loaded into this process as a module. Receives messages and returns turns as
// objects.

import { toBotMaker } from "#tools/simulator/bot-shape.ts";
import type { AnyRunningBot, AnyBotMaker } from "#tools/simulator/bot-shape.ts";
import type { HelloMessage, ObservationMessage } from "#tools/simulator/message.ts";

import type { Player, PlayerChannel } from "./local-match.ts";

type ModuleBotMessage = HelloMessage | ObservationMessage | { type: "end" };

/**
 * Creates a player from a module's exports. `variant` is passed to the module. Throws an Error that
 * says what is wrong.
 */
export function openModuleBot(exports: object, variant?: string): Player {
  return createPlayer(toBotMaker(exports, variant));
}

function createPlayer(create: AnyBotMaker): Player {
  let bot: AnyRunningBot | null = null;
  const handleMessage = (text: string, channel: PlayerChannel): void => {
    const message = JSON.parse(text) as ModuleBotMessage;
    if (message.type === "hello")
      callBot(
        channel,
        () => create(message),
        (createdBot) => {
          bot = createdBot;
          channel.send(JSON.stringify({ type: "ready", match_id: message.match_id }));
        },
      );
    if (message.type === "observation")
      callBot(
        channel,
        () => bot?.turn(message),
        (turn) => channel.send(formatTurn(message.tick, turn)),
      );
  };
  return { handleMessage, close: async () => {} };
}

/**
 * An empty answer means that the fighter waits. Other values that aren't objects are sent
 * unchanged, and the referee reports them.
 */
function formatTurn(tick: number, turn: unknown): string {
  const turnFields = turn ?? {};
  if (typeof turnFields !== "object" || Array.isArray(turnFields))
    return JSON.stringify(turnFields) ?? "?";
  return JSON.stringify({ ...turnFields, type: "turn", tick });
}

/**
 * Continues synchronously for a plain value, because a promise would cost an event loop turn per
 * tick.
 */
function callBot<T>(
  channel: PlayerChannel,
  callFunction: () => T | Promise<T>,
  onValue: (value: T) => void,
): void {
  try {
    const value = callFunction();
    if (value instanceof Promise)
      value.then(onValue).catch((error: unknown) => reportFailure(channel, error));
    else onValue(value);
  } catch (error) {
    reportFailure(channel, error);
  }
}

function reportFailure(channel: PlayerChannel, error: unknown): void {
  channel.abort(error instanceof Error ? botStack(error) : String(error));
}

const CALLER_FILES = [import.meta.url, new URL("../simulator/bot-shape.ts", import.meta.url).href];

/** Returns the stack without the frames that call the bot. */
function botStack({ stack, message }: Error): string {
  const lines = (stack ?? message).split("\n");
  const end = lines.findIndex((line) =>
    CALLER_FILES.some((callerFile) => line.includes(callerFile)),
  );
  return lines.slice(0, end === -1 ? lines.length : end).join("\n");
}
