import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { Policy, PolicyFactory } from "#core/bot-policies/policy.ts";
import { createGreedyBot, createRandomBot } from "#core/bot-policies/sparring-bots.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { TEMPERS, createBot } from "#tools/starters/starter.ts";

const SPARRING_BOTS: [string, PolicyFactory][] = [
  ["random", createRandomBot],
  ["greedy", createGreedyBot],
];
const STARTER_BOTS = Object.keys(TEMPERS).map((name): [string, PolicyFactory] => [
  `starter-${name}`,
  (facts) => createBot(facts, name) as Policy,
]);

/** Sparring partners, house bots by strength, and the starter with each temper. */
export const BUILT_IN_BOTS: ReadonlyMap<string, PolicyFactory> = new Map([
  ...SPARRING_BOTS,
  ...HOUSE_KINDS.map((kind): [string, PolicyFactory] => [kind, HOUSE_POLICIES[kind]]),
  ...STARTER_BOTS,
]);
