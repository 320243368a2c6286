// A bot that is a module in this process: it gets messages as objects and gives turns as objects.

import type { Player, Wire } from "./local-match.ts";

type Message = { type: string; match_id: string; tick: number; map: { rows: readonly string[] } };
type Answer = unknown;
type RunningBot = { turn(observation: Message): Answer };
type BotFactory = (hello: Message) => RunningBot | Promise<RunningBot>;

type StarterDecide = (rows: readonly string[], temper: unknown, observation: Message) => Answer;
type Decide = (observation: Message, hello: Message, memory: object) => Answer;

/**
 * A player from what a module exports: `createBot(hello)`, `decide(observation, hello, memory)`, or
 * the starter's `decide` and `TEMPERS`. Throws an Error that says what is missing.
 */
export function openModule(exports: object, temper: string): Player {
  return playerOf(factoryOf(exports as Record<string, unknown>, temper));
}

function factoryOf(exports: Record<string, unknown>, temper: string): BotFactory {
  const { createBot, decide, TEMPERS } = exports;
  if (isTempers(TEMPERS) && typeof decide === "function")
    return starterFactory(decide as StarterDecide, TEMPERS, temper);
  if (temper !== "") throw new Error(`it exports no TEMPERS to choose '${temper}' from`);
  if (typeof createBot === "function") return createBot as BotFactory;
  if (typeof decide === "function") return decidingFactory(decide as Decide);
  throw new Error("it exports neither decide nor createBot");
}

function isTempers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function starterFactory(
  decide: StarterDecide,
  tempers: Record<string, unknown>,
  temper: string,
): BotFactory {
  const chosen = temper || Object.keys(tempers)[0];
  if (!Object.hasOwn(tempers, chosen))
    throw new Error(`its TEMPERS have no '${chosen}': ${Object.keys(tempers).join(", ")}`);
  return ({ map }) => ({ turn: (observation) => decide(map.rows, tempers[chosen], observation) });
}

function decidingFactory(decide: Decide): BotFactory {
  return (hello) => {
    const memory = {};
    return { turn: (observation) => decide(observation, hello, memory) };
  };
}

function playerOf(create: BotFactory): Player {
  let bot: RunningBot | null = null;
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

/** Nothing means waiting. What is no object is sent as it is: the referee says what is wrong. */
function printTurn(tick: number, turn: Answer): string {
  const parts = turn ?? {};
  if (typeof parts !== "object" || Array.isArray(parts)) return JSON.stringify(parts) ?? "?";
  return JSON.stringify({ ...parts, type: "turn", tick });
}

/** Goes on at once with a plain value: a promise would cost each tick a round of the event loop. */
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

/** The bot's own part of the stack: what called it is of no use to its author. */
function ownStack({ stack, message }: Error): string {
  const lines = (stack ?? message).split("\n");
  const end = lines.findIndex((line) => line.includes(import.meta.url));
  return lines.slice(0, end === -1 ? lines.length : end).join("\n");
}
