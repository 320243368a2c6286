// A bot in its seat: how it is asked, and how its answer is read.

import { recordedTurn, cleanTurn } from "#core/engine/turn.ts";
import type { IdleReason, Turn } from "#core/engine/types.ts";
import { parseMessage } from "#core/protocol/parse.ts";

import { botMakerOf } from "./bot-shape.ts";
import type { BotModule, Decide } from "./bot-shape.ts";
import type { HelloMessage, ObservationMessage } from "./message.ts";
import { createPartner } from "./partner.ts";
import type { PartnerName } from "./partner.ts";

/** A partner's name, a function that decides, or the exports of a bot's file. */
export type SimulatorBot = PartnerName | Decide | BotModule;

/** A bot in a running match. Its answers may be anything. */
export type SimulatorPlayer = (seen: ObservationMessage) => unknown;

/** Why a tick failed, as its fighter is told. */
export type Failure = { reason: IdleReason; message: string };

const NOT_AT_ONCE = "it answered with a promise: bots of the simulator answer at once";

/** Says hello to a bot. Throws an Error if it is not a bot. */
export function seatBot(bot: SimulatorBot, hello: HelloMessage): SimulatorPlayer {
  const made = typeof bot === "string" ? createPartner(bot, hello) : botMakerOf(bot)(hello);
  if (made instanceof Promise) throw new Error(NOT_AT_ONCE);
  return (seen) => made.turn(seen);
}

/** Reads an answer as on the socket: a turn, bounded as replays keep it, or why it is not one. */
export function readAnswer(tick: number, answer: unknown): Turn | Failure {
  if (answer instanceof Promise) throw new Error(NOT_AT_ONCE);
  const message = parseMessage(printAnswer(tick, answer));
  if (message.type === "turn") return recordedTurn(cleanTurn(message.turn));
  if (message.type === "bad") return message.fault;
  if (message.type === "bad_turn") return { reason: "schema", message: message.message };
  throw new Error(`a turn was read as ${message.type}`);
}

/** Anything but an object is passed on as it is: the parser says what is wrong with it. */
function printAnswer(tick: number, answer: unknown): string {
  const parts = answer ?? {};
  if (typeof parts !== "object" || Array.isArray(parts)) return JSON.stringify(parts) ?? "?";
  return JSON.stringify({ ...parts, type: "turn", tick });
}

export function isFailure(read: Turn | Failure): read is Failure {
  return "reason" in read;
}
