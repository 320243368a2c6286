// The bots of the house, from the easiest to the hardest.

import type { Bot, Facts } from "#policy/choice.ts";
import { createBrawler } from "#policy/house-brawler.ts";
import { createChampion } from "#policy/house-champion.ts";
import { createKiter } from "#policy/house-kiter.ts";
import { createTsStarter } from "#policy/house-ts-starter.ts";

export const HOUSE_BOTS = ["kiter", "brawler", "ts-starter", "champion"] as const;
export type HouseKind = (typeof HOUSE_BOTS)[number];
export type HouseBot = Bot;

const CREATORS: Record<HouseKind, (facts: Facts) => Bot> = {
  kiter: createKiter,
  brawler: createBrawler,
  "ts-starter": createTsStarter,
  champion: createChampion,
};

/** A house bot for one match. It knows the facts and what it is shown, like any other bot. */
export function createHouseBot(kind: HouseKind, facts: Facts): HouseBot {
  return CREATORS[kind](facts);
}
