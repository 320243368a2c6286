// Everybody who can be measured locally, by name.

import type { Turn } from "#engine/types.ts";
import { HOUSE_KINDS } from "#ladder/house.ts";
import type { BotMaker } from "#policy/choice.ts";
import { HOUSE_MAKERS } from "#policy/house.ts";
import { createGreedyBot, createRandomBot } from "#policy/sparring.ts";

import { TEMPERS, decide } from "./starter.ts";

const SPARRING: [string, BotMaker][] = [
  ["random", createRandomBot],
  ["greedy", createGreedyBot],
];
const STARTERS = Object.keys(TEMPERS).map((name): [string, BotMaker] => [
  `starter-${name}`,
  ({ map }) => ({
    turn: (observation) => decide(map.rows, TEMPERS[name], observation) as Turn,
  }),
]);

/** Sparring partners, house bots from easy to hard, and the starter with each of its tempers. */
export const CONTENDERS: ReadonlyMap<string, BotMaker> = new Map([
  ...SPARRING,
  ...HOUSE_KINDS.map((kind): [string, BotMaker] => [kind, HOUSE_MAKERS[kind]]),
  ...STARTERS,
]);
