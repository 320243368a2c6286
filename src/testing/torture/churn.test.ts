// A short version of T80. bench/faults/churn.ts runs for ten minutes.
import assert from "node:assert/strict";
import { it } from "node:test";

import { runChurn, CHURN_SERVER_FLAGS } from "#testing/harness/account-churn.ts";
import { fetchAllMatches, assertEndsStored } from "#testing/harness/stored-match-checks.ts";
import { startLadder } from "#testing/harness/test-server.ts";

/** Long enough for matches to end on a busy machine. */
const DURATION_MS = 10_000;

it("T80 data stays consistent while bots are changed during play", async (t) => {
  const ladder = await startLadder([...CHURN_SERVER_FLAGS, "--match-interval", "0"]);
  t.after(() => ladder.close());
  const {
    answers: responseCounts,
    unexpectedAnswers: unexpected,
    matchEnds,
    deletedIds,
  } = await runChurn(ladder.baseUrl, {
    seed: 80,
    durationMs: DURATION_MS,
    holderCount: 6,
  });
  assert.deepEqual(unexpected, [], JSON.stringify(responseCounts));
  assert.ok(
    Object.keys(responseCounts).length >= 10 && matchEnds.length > 0,
    JSON.stringify(responseCounts),
  );
  const matches = await fetchAllMatches(ladder.baseUrl);
  assertEndsStored(matches, matchEnds);
  const playedBotIds = new Set(matches.flatMap(({ bots }) => bots.map(({ id }) => id)));
  assert.deepEqual(
    [...deletedIds].filter((id) => playedBotIds.has(id as never)),
    [],
  );
});
