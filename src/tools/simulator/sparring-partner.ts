// Sparring partners by name: the house bots and a few simpler bots.

import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { PolicyFactory } from "#core/bot-policies/policy.ts";
import { createGreedyBot, createRandomBot } from "#core/bot-policies/sparring-bots.ts";
import type { Observation, Turn } from "#core/engine/types.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";

import type { RunningBot } from "./bot-shape.ts";
import type { HelloMessage } from "./message.ts";

/** From easy to hard. */
export type PartnerName = "idle" | "random" | "greedy" | HouseKind;
export const PARTNER_NAMES: readonly PartnerName[] = ["idle", "random", "greedy", ...HOUSE_KINDS];

const WAIT: Turn = Object.freeze({});

const PARTNER_MAKERS: Record<PartnerName, PolicyFactory> = {
  idle: () => ({ turn: () => WAIT }),
  random: createRandomBot,
  greedy: createGreedyBot,
  ...HOUSE_POLICIES,
};

/**
 * Creates a sparring partner for a match. Throws an Error if the name is unknown or the match has
 * more than two fighters.
 */
export function createPartner(name: string, hello: HelloMessage): RunningBot {
  if (!Object.hasOwn(PARTNER_MAKERS, name))
    throw new Error(`there is no bot '${name}'. Bots: ${PARTNER_NAMES.join(", ")}`);
  if (hello.fighters.length > 2) throw new Error("partners support only duels");
  const partner = PARTNER_MAKERS[name as PartnerName](hello);
  // Converts the engine's observations to protocol messages, which sparring partners read.
  return { turn: (observation) => partner.turn(observation as unknown as Observation) };
}
