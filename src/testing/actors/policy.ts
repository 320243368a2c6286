// Which policy plays a bot's matches on the engine: a house bot's own, a cheap one for the others.

import { HOUSE_BOTS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";

import type { BotSpec } from "./population.ts";

const STRONG_POINTS = 1550;

export function policyOf({ versions }: BotSpec): HouseKind {
  return versions[0]!.strength.points >= STRONG_POINTS ? "ts-starter" : "brawler";
}

export function housePolicyOf(name: string): HouseKind {
  const bot = HOUSE_BOTS.find((bot) => bot.name === name);
  if (bot === undefined) throw new Error(`${name} is no house bot`);
  return bot.short;
}
