import assert from "node:assert/strict";
import { it } from "node:test";

import type { Search } from "#core/api/search.ts";
import { addTestBot, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

async function found({ app }: TestApi, text: string): Promise<Search> {
  const { statusCode, json } = await app.inject(`/api/search?q=${encodeURIComponent(text)}`);
  assert.equal(statusCode, 200, text);
  return json<Search>();
}

it("finds bots and owners by part of their name", async () => {
  const api = testApi();
  const rex = await addTestBot(api, "Rex", { owner: "Ada Lovelace" });
  await addTestBot(api, "T-Rex", { owner: "Größe" });
  await addTestBot(api, "house-kiter", { house: true, owner: "house" });
  const { bots, owners } = await found(api, " rEX ");
  assert.deepEqual(bots[0], {
    id: rex.id,
    name: "Rex",
    display_name: "Rex",
    owner: "Ada Lovelace",
    owner_url: null,
    house: false,
    online: false,
    created: rex.created,
    avatar: null,
  });
  assert.deepEqual([bots[1]?.name, owners], ["T-Rex", []]);
  const [{ owners: love }, { bots: kiters }] = [
    await found(api, "LOVE"),
    await found(api, "Kiter"),
  ];
  assert.deepEqual(love, [{ owner: "Ada Lovelace", owner_url: null }]);
  assert.deepEqual([kiters[0]?.name, kiters[0]?.display_name], ["house-kiter", "Kiter"]);
  assert.deepEqual((await found(api, "GRÖSSE")).owners, []);
  assert.deepEqual((await found(api, "grÖß")).owners, [{ owner: "Größe", owner_url: null }]);
});

it("returns at most ten bots and ten owners", async () => {
  const api = testApi();
  for (let number = 0; number < 15; number += 1) await addTestBot(api, `Rex-${number}`);
  const { bots, owners } = await found(api, "rex");
  assert.deepEqual([bots.length, owners.length], [10, 10]);
});

it("finds a new bot immediately", async () => {
  const api = testApi();
  assert.deepEqual((await found(api, "rex")).bots, []);
  await addTestBot(api, "Rex");
  assert.equal((await found(api, "rex")).bots.length, 1);
});

it("T26 finds nothing for text no name can contain, and requires a search text", async () => {
  const api = testApi();
  await addTestBot(api, "Rex");
  const unmatchedTexts = [
    "",
    " ",
    "%",
    "_",
    "\0",
    "\u202e",
    "<script>",
    "a/b",
    "'; drop table bots",
    "x".repeat(99),
  ];
  for (const text of unmatchedTexts)
    assert.deepEqual(await found(api, text), { bots: [], owners: [] }, text);
  for (const query of ["", "?q=a&q=b"])
    assert.equal((await api.app.inject(`/api/search${query}`)).statusCode, 400, query);
});
