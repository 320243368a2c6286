// T80: users and operators change bots and accounts at random while matches run. Checks that every
// response matches the contract, that deleted bots have no matches, that reported results are
// stored, and that the database is consistent.
// node bench/faults/churn.ts [MINUTES] [SEED]

import assert from "node:assert/strict";

import { MINUTE_MS } from "#base/util/time.ts";
import { runChurn, CHURN_SERVER_FLAGS } from "#testing/harness/account-churn.ts";
import {
  fetchAllMatches,
  assertEndsInData,
  assertEndsStored,
} from "#testing/harness/stored-match-checks.ts";
import { serveLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

const PEOPLE_COUNT = 12;

const minutes = Number(process.argv[2] ?? 10);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);

const folder = await createTemporaryFolder();
const server = await serveLadder(folder.path, [...CHURN_SERVER_FLAGS, "--match-interval", "0"]);
console.log(`seed ${seed}, ${minutes} minutes`);
const {
  answers,
  unexpectedAnswers,
  matchEnds,
  deletedIds: deletedBotIds,
} = await runChurn(server.baseUrl, {
  seed,
  durationMs: minutes * MINUTE_MS,
  holderCount: PEOPLE_COUNT,
});
// Bots keep playing until the server stops, so matches that end after this point aren't in the
// list.
const endsBeforeShutdown = [...matchEnds];
const matches = await fetchAllMatches(server.baseUrl);
await server.shutDown();
console.table(answers);
console.log(
  `${matchEnds.length} results, ${matches.length} matches, ${deletedBotIds.size} deleted bots`,
);
assert.deepEqual(unexpectedAnswers, []);
assertEndsStored(matches, endsBeforeShutdown);
const playedBotIds = new Set<string>(matches.flatMap(({ bots }) => bots.map(({ id }) => id)));
assert.deepEqual(
  [...deletedBotIds].filter((id) => playedBotIds.has(id)),
  [],
);
console.log("every reported result is stored, and no deleted bot has a match");
await assertEndsInData(folder.path, matchEnds);
console.log("the database is consistent, and each match has its replay");
await folder.remove();
process.exit();
