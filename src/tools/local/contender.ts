// All bots that can be measured locally, by name.

import type { Policy, BotMaker } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import { createGreedyBot, createRandomBot } from "#core/policies/sparring.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { TEMPERS, createBot } from "#tools/starters/starter.ts";

const SPARRING: [string, BotMaker][] = [
  ["random", createRandomBot],
  ["greedy", createGreedyBot],
];
const STARTERS = Object.keys(TEMPERS).map((name): [string, BotMaker] => [
  `starter-${name}`,
  (facts) => createBot(facts, name) as Policy,
]);

/** Sparring partners, house bots from easy to hard, and the starter with each of its tempers. */
export const CONTENDERS: ReadonlyMap<string, BotMaker> = new Map([
  ...SPARRING,
  ...HOUSE_KINDS.map((kind): [string, BotMaker] => [kind, HOUSE_MAKERS[kind]]),
  ...STARTERS,
]);
