// Everybody who can be measured locally, by name.

import type { Turn } from "#engine/types.ts";
import type { BotMaker } from "#policy/choice.ts";
import { createGreedyBot, createRandomBot } from "#policy/sparring.ts";

import { HOUSE_BOTS, createHouseBot } from "./house.ts";
import { TEMPERS, decide } from "./starter.ts";

const SPARRING: [string, BotMaker][] = [
  ["random", createRandomBot],
  ["greedy", createGreedyBot],
];
const HOUSE = HOUSE_BOTS.map((kind): [string, BotMaker] => [
  kind,
  (facts) => createHouseBot(kind, facts),
]);
const STARTERS = Object.keys(TEMPERS).map((name): [string, BotMaker] => [
  `starter-${name}`,
  ({ map }) => ({
    turn: (observation) => decide(map.rows, TEMPERS[name], observation) as Turn,
  }),
]);

/** Sparring partners, house bots from easy to hard, and the starter with each of its tempers. */
export const CONTENDERS: ReadonlyMap<string, BotMaker> = new Map([
  ...SPARRING,
  ...HOUSE,
  ...STARTERS,
]);
