// T80, briefly; bench/faults/churn.ts goes on for ten minutes.
import assert from "node:assert/strict";
import { it } from "node:test";

import { churn, CHURN_FLAGS } from "#testing/harness/churn.ts";
import { startLadder } from "#testing/harness/test-server.ts";
import { allMatches, assertStored } from "#testing/harness/told-ends.ts";

/** Enough for matches to end while others use the machine. */
const FOR_MS = 10_000;

it("T80 bots that are changed while they play leave a ladder that adds up", async (t) => {
  const ladder = await startLadder([...CHURN_FLAGS, "--match-interval", "0"]);
  t.after(() => ladder.close());
  const { answers, odd, ends, deleted } = await churn(ladder.baseUrl, {
    seed: 80,
    forMs: FOR_MS,
    people: 6,
  });
  assert.deepEqual(odd, [], JSON.stringify(answers));
  assert.ok(Object.keys(answers).length >= 10 && ends.length > 0, JSON.stringify(answers));
  const matches = await allMatches(ladder.baseUrl);
  assertStored(matches, ends);
  const played = new Set(matches.flatMap(({ bots }) => bots.map(({ id }) => id)));
  assert.deepEqual(
    [...deleted].filter((id) => played.has(id as never)),
    [],
  );
});
