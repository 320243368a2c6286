import assert from "node:assert/strict";
import { it } from "node:test";

import { accountApi, signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import { addTestBot, addMatch, addTestVersion } from "#testing/fixtures/test-api.ts";

/** Stores two matches, the older one first, whose replays have been released by all their bots. */
async function withMatches() {
  const api = accountApi();
  const [a, b] = [await addTestBot(api, "One"), await addTestBot(api, "Other")];
  const pair = [await addTestVersion(api, a, "v1"), await addTestVersion(api, b, "v1")] as const;
  const ids = [(await addMatch(api, [...pair])).id, (await addMatch(api, [...pair])).id];
  const release = () => api.store.replays.release([a.id, b.id], 0, 9);
  return { api, ids, release, ada: (await signUpAccount(api, "ada")).token };
}

it("keeps a match's replay until the star is removed", async () => {
  const { api, ids, release, ada } = await withMatches();
  const [first, second] = ids;
  const path = `/api/account/stars/${first}`;
  const starredBody = { match_id: first, starred: true };
  for (let repeat = 0; repeat < 2; repeat += 1)
    assert.deepEqual((await sendRequest(api, ["PUT", path], { token: ada })).body, starredBody);
  assert.deepEqual((await release()).removedIds, [second]);
  assert.equal((await api.app.inject(`/replays/${first}.jsonl.gz`)).statusCode, 200);
  const list = await sendRequest(api, ["GET", "/api/account/stars"], { token: ada });
  assert.deepEqual(list.body, { match_ids: [first], max: 50 });
  const exportResponse = await sendRequest(api, ["GET", "/api/account/export"], { token: ada });
  assert.deepEqual(exportResponse.body.starred_matches, [first]);
  const unstarResponse = await sendRequest(api, ["DELETE", path], { token: ada });
  assert.deepEqual(unstarResponse.body, { match_id: first, starred: false });
  assert.equal((await api.app.inject(`/replays/${first}.jsonl.gz`)).statusCode, 404);
  assert.equal(api.replays.has(String(first)), false);
});

it("rejects matches without a replay, and stars over the limit", async () => {
  const { api, ids, release, ada } = await withMatches();
  const star = async (id: unknown) =>
    (await sendRequest(api, ["PUT", `/api/account/stars/${id}`], { token: ada })).told;
  api.liveSettings.change({ starred_replays: 1 });
  assert.deepEqual([await star(ids[0]), await star(ids[1])], ["200", "409 star_limit"]);
  assert.deepEqual([await star("x"), await star(api.newId())], ["404", "404"]);
  await release();
  assert.equal(await star(ids[1]), "404");
});

it("lists only the caller's stars", async () => {
  const { api, ids, ada } = await withMatches();
  await sendRequest(api, ["PUT", `/api/account/stars/${ids[0]}`], { token: ada });
  const { token: eve } = await signUpAccount(api, "eve");
  const evesStars = await sendRequest(api, ["GET", "/api/account/stars"], { token: eve });
  assert.deepEqual(evesStars.body.match_ids, []);
  await sendRequest(api, ["DELETE", `/api/account/stars/${ids[0]}`], { token: eve });
  const { body } = await sendRequest(api, ["GET", "/api/account/stars"], { token: ada });
  assert.deepEqual(body.match_ids, [ids[0]]);
});
