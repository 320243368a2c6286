// Which policy plays a bot's matches on the engine: its own for a house bot, one of cheap thought
// for the others.

import type { HouseKind } from "#bots/house.ts";
import { HOUSE_BOTS } from "#ladder/house.ts";

import type { BotSpec } from "./population.ts";

const STRONG_POINTS = 1550;

export function policyOf({ name, versions }: BotSpec): HouseKind {
  const house = HOUSE_BOTS.find((bot) => bot.name === name);
  if (house !== undefined) return house.short;
  return versions[0].strength.points >= STRONG_POINTS ? "ts-starter" : "brawler";
}
