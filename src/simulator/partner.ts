// Bots to play against, by name: those of the house and a few that are simpler.

import type { Turn } from "#engine/types.ts";
import type { BotMaker } from "#policy/choice.ts";
import { createBrawler } from "#policy/house-brawler.ts";
import { createChampion } from "#policy/house-champion.ts";
import { createKiter } from "#policy/house-kiter.ts";
import { createTsStarter } from "#policy/house-ts-starter.ts";
import { createGreedyBot, createRandomBot } from "#policy/sparring.ts";

/** From the easiest to the hardest. */
export const PARTNER_NAMES = [
  "idle",
  "random",
  "greedy",
  "kiter",
  "brawler",
  "ts-starter",
  "champion",
] as const;
export type PartnerName = (typeof PARTNER_NAMES)[number];

const WAIT: Turn = Object.freeze({});

const MAKERS: Record<PartnerName, BotMaker> = {
  idle: () => ({ turn: () => WAIT }),
  random: createRandomBot,
  greedy: createGreedyBot,
  kiter: createKiter,
  brawler: createBrawler,
  "ts-starter": createTsStarter,
  champion: createChampion,
};

/** Throws an Error for a name that is none of them. */
export function partnerOf(name: string): BotMaker {
  if (Object.hasOwn(MAKERS, name)) return MAKERS[name as PartnerName];
  throw new Error(`there is no bot '${name}': ${PARTNER_NAMES.join(", ")}`);
}
