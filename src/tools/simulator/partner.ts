// Bots to play against, by name: the house bots and a few simpler ones.

import type { Observation, Turn } from "#core/engine/types.ts";
import type { BotMaker } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import { createGreedyBot, createRandomBot } from "#core/policies/sparring.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";

import type { RunningBot } from "./bot-shape.ts";
import type { HelloMessage } from "./message.ts";

/** From the easiest to the hardest. */
export type PartnerName = "idle" | "random" | "greedy" | HouseKind;
export const PARTNER_NAMES: readonly PartnerName[] = ["idle", "random", "greedy", ...HOUSE_KINDS];

const WAIT: Turn = Object.freeze({});

const MAKERS: Record<PartnerName, BotMaker> = {
  idle: () => ({ turn: () => WAIT }),
  random: createRandomBot,
  greedy: createGreedyBot,
  ...HOUSE_MAKERS,
};

/**
 * A partner for a match, for a program that asks it. Throws an Error for an unknown name, and for a
 * match of more than two.
 */
export function createPartner(name: string, hello: HelloMessage): RunningBot {
  if (!Object.hasOwn(MAKERS, name))
    throw new Error(`there is no bot '${name}': ${PARTNER_NAMES.join(", ")}`);
  if (hello.fighters.length > 2) throw new Error("partners fight duels only");
  const partner = MAKERS[name as PartnerName](hello);
  // Partners read messages: the engine's observations in the words of the protocol.
  return { turn: (seen) => partner.turn(seen as unknown as Observation) };
}
