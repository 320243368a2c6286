import type { HouseKind } from "#core/ids/house-bots.ts";

import { createBrawler } from "./house-brawler.ts";
import { createChampion } from "./house-champion.ts";
import { createKiter } from "./house-kiter.ts";
import { createTsStarter } from "./house-ts-starter.ts";
import type { PolicyFactory } from "./policy.ts";

/** Like any other bot, house bots see only `hello` and their observations. */
export const HOUSE_POLICIES: Readonly<Record<HouseKind, PolicyFactory>> = {
  kiter: createKiter,
  brawler: createBrawler,
  "ts-starter": createTsStarter,
  champion: createChampion,
};
