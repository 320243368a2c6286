// Everybody who can be measured locally, by name.

import { HOUSE_KINDS } from "#ladder/house.ts";
import type { Bot, BotMaker } from "#policy/choice.ts";
import { HOUSE_MAKERS } from "#policy/house.ts";
import { createGreedyBot, createRandomBot } from "#policy/sparring.ts";

import { TEMPERS, createBot } from "./starter.ts";

const SPARRING: [string, BotMaker][] = [
  ["random", createRandomBot],
  ["greedy", createGreedyBot],
];
const STARTERS = Object.keys(TEMPERS).map((name): [string, BotMaker] => [
  `starter-${name}`,
  (facts) => createBot(facts, name) as Bot,
]);

/** Sparring partners, house bots from easy to hard, and the starter with each of its tempers. */
export const CONTENDERS: ReadonlyMap<string, BotMaker> = new Map([
  ...SPARRING,
  ...HOUSE_KINDS.map((kind): [string, BotMaker] => [kind, HOUSE_MAKERS[kind]]),
  ...STARTERS,
]);
