import assert from "node:assert/strict";
import { it } from "node:test";

import { accountApi, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { addBot, addMatch, addVersion } from "#testing/fixtures/test-api.ts";

/** Two matches, the older one first, of bots that release all replays. */
async function withMatches() {
  const api = accountApi();
  const [one, other] = [await addBot(api, "One"), await addBot(api, "Other")];
  const pair = [await addVersion(api, one, "v1"), await addVersion(api, other, "v1")] as const;
  const ids = [(await addMatch(api, [...pair])).id, (await addMatch(api, [...pair])).id];
  const release = () => api.store.replays.release([one.id, other.id], 0, 9);
  return { api, ids, release, ada: (await addPerson(api, "ada")).token };
}

it("keeps the replay of a starred match until its star is removed", async () => {
  const { api, ids, release, ada } = await withMatches();
  const [first, second] = ids;
  const path = `/api/account/stars/${first}`;
  const starred = { match_id: first, starred: true };
  for (let time = 0; time < 2; time += 1)
    assert.deepEqual((await ask(api, ["PUT", path], { token: ada })).body, starred);
  assert.deepEqual((await release()).gone, [second]);
  assert.equal((await api.app.inject(`/replays/${first}.jsonl.gz`)).statusCode, 200);
  const list = await ask(api, ["GET", "/api/account/stars"], { token: ada });
  assert.deepEqual(list.body, { match_ids: [first], max: 50 });
  const exported = await ask(api, ["GET", "/api/account/export"], { token: ada });
  assert.deepEqual(exported.body.starred_matches, [first]);
  const removed = await ask(api, ["DELETE", path], { token: ada });
  assert.deepEqual(removed.body, { match_id: first, starred: false });
  assert.equal((await api.app.inject(`/replays/${first}.jsonl.gz`)).statusCode, 404);
  assert.equal(api.replays.has(String(first)), false);
});

it("refuses matches without a replay, and more stars than an account may have", async () => {
  const { api, ids, release, ada } = await withMatches();
  const star = async (id: unknown) =>
    (await ask(api, ["PUT", `/api/account/stars/${id}`], { token: ada })).told;
  api.live.change({ starred_replays: 1 });
  assert.deepEqual([await star(ids[0]), await star(ids[1])], ["200", "409 star_limit"]);
  assert.deepEqual([await star("x"), await star(api.newId())], ["404", "404"]);
  await release();
  assert.equal(await star(ids[1]), "404");
});

it("lists the account's own stars only", async () => {
  const { api, ids, ada } = await withMatches();
  await ask(api, ["PUT", `/api/account/stars/${ids[0]}`], { token: ada });
  const { token: eve } = await addPerson(api, "eve");
  const evesStars = await ask(api, ["GET", "/api/account/stars"], { token: eve });
  assert.deepEqual(evesStars.body.match_ids, []);
  await ask(api, ["DELETE", `/api/account/stars/${ids[0]}`], { token: eve });
  const { body } = await ask(api, ["GET", "/api/account/stars"], { token: ada });
  assert.deepEqual(body.match_ids, [ids[0]]);
});
