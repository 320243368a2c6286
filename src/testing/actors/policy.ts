// Chooses the policy for matches that the engine simulates. House bots use their own policy, and
// players' bots use a cheap one.

import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";

import type { BotSpec } from "./population.ts";

const STRONG_POINTS = 1550;

export function policyOf({ versions }: BotSpec): HouseKind {
  return versions[0]!.strength.points >= STRONG_POINTS ? "ts-starter" : "brawler";
}

export function housePolicyOf(name: string): HouseKind {
  const bot = HOUSE_BOTS.find((bot) => bot.name === name);
  if (bot === undefined) throw new Error(`${name} is not a house bot`);
  return bot.short;
}
