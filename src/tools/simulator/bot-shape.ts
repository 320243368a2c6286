// The interface of a bot in every runner: how it is created for a match, and how it is called.

import type { HelloMessage, ObservationMessage, TurnMessage } from "./message.ts";

export type BotAnswer = TurnMessage | null | undefined;

export type RunningBot = { turn(observation: ObservationMessage): BotAnswer };

/** Creates a bot for one match. The bot may keep state until the match ends. */
export type CreateBot = (hello: HelloMessage) => RunningBot;

/** A bot as a single function. `memory` is an object that starts empty and lasts for one match. */
export type Decide = (
  observation: ObservationMessage,
  hello: HelloMessage,
  memory: Record<string, unknown>,
) => BotAnswer;

/** Exports of a bot's file. `createBot` takes precedence over `decide`. */
export type BotModule = { createBot: CreateBot } | { decide: Decide };

/** A bot as its author supplies it. The result may be anything, including a promise. */
export type AnyBotMaker = (hello: HelloMessage) => AnyRunningBot | Promise<AnyRunningBot>;
/** A bot whose answers may be anything. */
export type AnyRunningBot = { turn(observation: ObservationMessage): unknown };

const EXPECTED_SHAPE =
  "a bot exports createBot(hello), which returns {turn(observation)}, or decide(observation)";

/**
 * Returns the function that creates a module's bot. A plain function is treated as `decide`.
 * `variant` is passed to `createBot`, for bots with variants. Throws an Error that describes the
 * interface.
 */
export function toBotMaker(bot: unknown, variant?: string): AnyBotMaker {
  if (typeof bot === "function") return fromDecide(bot as Decide);
  const { createBot, decide, TEMPERS } = (bot ?? {}) as Record<string, unknown>;
  if (typeof createBot === "function")
    return fromCreateBot(createBot as (...createArguments: unknown[]) => unknown, variant);
  if (variant !== undefined)
    throw new Error(`it exports no createBot(hello, variant) for '${variant}'`);
  if (TEMPERS !== undefined)
    throw new Error(`it is a starter from before release 0.49: ${EXPECTED_SHAPE}`);
  if (typeof decide === "function") return fromDecide(decide as Decide);
  throw new Error(`it exports neither decide nor createBot: ${EXPECTED_SHAPE}`);
}

function fromCreateBot(
  createBot: (...createArguments: unknown[]) => unknown,
  variant?: string,
): AnyBotMaker {
  return (hello) => {
    const createdBot = variant === undefined ? createBot(hello) : createBot(hello, variant);
    return createdBot instanceof Promise
      ? createdBot.then(assertRunningBot)
      : assertRunningBot(createdBot);
  };
}

function assertRunningBot(createdBot: unknown): AnyRunningBot {
  if (isRunningBot(createdBot)) return createdBot;
  throw new Error("createBot must return an object with turn(observation)");
}

function isRunningBot(createdBot: unknown): createdBot is AnyRunningBot {
  return typeof (createdBot as Partial<AnyRunningBot> | null | undefined)?.turn === "function";
}

function fromDecide(decide: Decide): AnyBotMaker {
  return (hello) => {
    const memory = {};
    return {
      turn: (observation) => {
        const answer: unknown = decide(observation, hello, memory);
        if (isRunningBot(answer))
          throw new Error("the function creates a bot: pass it as {createBot}");
        return answer;
      },
    };
  };
}
