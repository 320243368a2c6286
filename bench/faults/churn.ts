// T80: people and operators change bots and accounts at random while they play. No answer that the
// contract does not know, no match of a deleted bot, every end as it was told, and a database that
// adds up afterwards.
// node bench/faults/churn.ts [MINUTES] [SEED]

import assert from "node:assert/strict";

import { MINUTE_MS } from "#base/units/time.ts";
import { churn, CHURN_FLAGS } from "#testing/harness/churn.ts";
import { serveLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { allMatches, assertAllThere, assertStored } from "#testing/harness/told-ends.ts";

const PEOPLE = 12;

const minutes = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);

const folder = await temporaryFolder();
const server = await serveLadder(folder.path, [...CHURN_FLAGS, "--match-interval", "0"]);
console.log(`seed ${seed}, ${minutes} minutes`);
const { answers, odd, ends, deleted } = await churn(server.baseUrl, {
  seed,
  forMs: minutes * MINUTE_MS,
  people: PEOPLE,
});
// The bots play on until the server stops: what they are told later is not in the list.
const early = [...ends];
const matches = await allMatches(server.baseUrl);
await server.shutDown();
console.table(answers);
console.log(`${ends.length} ends, ${matches.length} matches, ${deleted.size} deleted bots`);
assert.deepEqual(odd, []);
assertStored(matches, early);
const played = new Set<string>(matches.flatMap(({ bots }) => bots.map(({ id }) => id)));
assert.deepEqual(
  [...deleted].filter((id) => played.has(id)),
  [],
);
console.log("every end is stored as it was told, and no deleted bot has a match");
await assertAllThere(folder.path, ends);
console.log("the database adds up, and each match has its replay");
await folder.remove();
process.exit();
