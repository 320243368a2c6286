import { toRecordedTurn, cleanTurn } from "#core/engine/turn.ts";
import type { IdleReason, Turn } from "#core/engine/types.ts";
import { parseClientMessage } from "#core/protocol/parse-message.ts";

import { toBotMaker } from "./bot-shape.ts";
import type { BotModule, Decide } from "./bot-shape.ts";
import type { HelloMessage, ObservationMessage } from "./message.ts";
import { createPartner } from "./sparring-partner.ts";
import type { PartnerName } from "./sparring-partner.ts";

/** A sparring partner's name, a `decide` function, or the exports of a bot's file. */
export type SimulatorBot = PartnerName | Decide | BotModule;

/** A bot in a running match. Its answers may be anything. */
export type SimulatorPlayer = (observation: ObservationMessage) => unknown;

/** Why a tick failed, as reported in the fighter's observation. */
export type TurnFailure = { reason: IdleReason; message: string };

const PROMISE_MESSAGE =
  "the bot returned a promise, but bots in the simulator must answer synchronously";

/** Creates the bot from its `hello`. Throws an Error if the value isn't a bot. */
export function seatBot(bot: SimulatorBot, hello: HelloMessage): SimulatorPlayer {
  const createdBot = typeof bot === "string" ? createPartner(bot, hello) : toBotMaker(bot)(hello);
  if (createdBot instanceof Promise) throw new Error(PROMISE_MESSAGE);
  return (observation) => createdBot.turn(observation);
}

/**
 * Parses an answer like the bot socket does. Returns a turn, truncated as in replays, or why the
 * answer is invalid.
 */
export function readAnswer(tick: number, answer: unknown): Turn | TurnFailure {
  if (answer instanceof Promise) throw new Error(PROMISE_MESSAGE);
  const message = parseClientMessage(formatAnswer(tick, answer));
  if (message.type === "turn") return toRecordedTurn(cleanTurn(message.turn));
  if (message.type === "bad") return message.error;
  if (message.type === "bad_turn") return { reason: "schema", message: message.message };
  throw new Error(`a turn was read as ${message.type}`);
}

/** Leaves values that aren't objects unchanged, so that the parser reports them. */
function formatAnswer(tick: number, answer: unknown): string {
  const answerFields = answer ?? {};
  if (typeof answerFields !== "object" || Array.isArray(answerFields))
    return JSON.stringify(answerFields) ?? "?";
  return JSON.stringify({ ...answerFields, type: "turn", tick });
}

export function isFailure(turnOrFailure: Turn | TurnFailure): turnOrFailure is TurnFailure {
  return "reason" in turnOrFailure;
}
