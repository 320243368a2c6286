// The one shape of a bot wherever it runs: how it is created for a match, and how it is asked.

import type { HelloMessage, ObservationMessage, TurnMessage } from "./message.ts";

export type BotAnswer = TurnMessage | null | undefined;

/** A bot in a running match. */
export type RunningBot = { turn(observation: ObservationMessage): BotAnswer };

/** Creates a bot for one match. It may remember what it sees there. */
export type CreateBot = (hello: HelloMessage) => RunningBot;

/**
 * A bot as a single function. `memory` is an object that lives for one match, empty at its start.
 */
export type Decide = (
  observation: ObservationMessage,
  hello: HelloMessage,
  memory: Record<string, unknown>,
) => BotAnswer;

/** What a bot's file exports; `createBot` takes precedence over `decide`. */
export type BotModule = { createBot: CreateBot } | { decide: Decide };

/** A bot as somebody wrote it: the result may be anything, and may take its time. */
export type SeatMaker = (hello: HelloMessage) => AskedBot | Promise<AskedBot>;
/** Its answers may be anything, too. */
export type AskedBot = { turn(observation: ObservationMessage): unknown };

const RIGHT =
  "a bot has createBot(hello), which returns {turn(observation)}, or decide(observation)";

/**
 * Finds what creates the bot of a module, or of a function, which is taken as `decide`. `word` is
 * passed to `createBot`, for bots that have variants. Throws an Error that describes the right
 * shape.
 */
export function botMakerOf(bot: unknown, word?: string): SeatMaker {
  if (typeof bot === "function") return deciding(bot as Decide);
  const { createBot, decide, TEMPERS } = (bot ?? {}) as Record<string, unknown>;
  if (typeof createBot === "function")
    return creating(createBot as (...given: unknown[]) => unknown, word);
  if (word !== undefined)
    throw new Error(`it has no createBot(hello, variant) to ask for '${word}'`);
  if (TEMPERS !== undefined) throw new Error(`it is a starter of before 0.49: ${RIGHT}`);
  if (typeof decide === "function") return deciding(decide as Decide);
  throw new Error(`it has neither decide nor createBot: ${RIGHT}`);
}

function creating(createBot: (...given: unknown[]) => unknown, word?: string): SeatMaker {
  return (hello) => {
    const made = word === undefined ? createBot(hello) : createBot(hello, word);
    return made instanceof Promise ? made.then(running) : running(made);
  };
}

function running(made: unknown): AskedBot {
  if (isRunning(made)) return made;
  throw new Error("createBot returns no object with turn(observation)");
}

function isRunning(made: unknown): made is AskedBot {
  return typeof (made as Partial<AskedBot> | null | undefined)?.turn === "function";
}

function deciding(decide: Decide): SeatMaker {
  return (hello) => {
    const memory = {};
    return {
      turn: (observation) => {
        const answer: unknown = decide(observation, hello, memory);
        if (isRunning(answer)) throw new Error("it makes a bot: give it as {createBot}");
        return answer;
      },
    };
  };
}
