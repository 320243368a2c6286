// Bots to play against, by name: those of the house and a few that are simpler.

import type { Turn } from "#core/engine/types.ts";
import type { BotMaker } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import { createGreedyBot, createRandomBot } from "#core/policies/sparring.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";

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

/** Throws an Error for a name that is none of them. */
export function partnerOf(name: string): BotMaker {
  if (Object.hasOwn(MAKERS, name)) return MAKERS[name as PartnerName];
  throw new Error(`there is no bot '${name}': ${PARTNER_NAMES.join(", ")}`);
}
