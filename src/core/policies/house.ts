// How each bot of the house plays.

import type { HouseKind } from "#core/words/house.ts";

import type { BotMaker } from "./choice.ts";
import { createBrawler } from "./house-brawler.ts";
import { createChampion } from "./house-champion.ts";
import { createKiter } from "./house-kiter.ts";
import { createTsStarter } from "./house-ts-starter.ts";

/** They know only the facts and what they are shown, like any other bot. */
export const HOUSE_MAKERS: Readonly<Record<HouseKind, BotMaker>> = {
  kiter: createKiter,
  brawler: createBrawler,
  "ts-starter": createTsStarter,
  champion: createChampion,
};
