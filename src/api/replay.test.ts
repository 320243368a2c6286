import assert from "node:assert/strict";
import { it } from "node:test";

import { addBot, addMatch, addVersion, testApi } from "#testing/test-api.ts";

async function withReplay() {
  const api = testApi();
  const [one, two] = [await addBot(api, "One"), await addBot(api, "Two")];
  const match = await addMatch(api, [
    await addVersion(api, one, "v"),
    await addVersion(api, two, "v"),
  ]);
  return { ...api, id: match.id, url: `/replays/${match.id}.jsonl.gz` };
}

it("serves the stored bytes as a file that never changes", async () => {
  const { app, id, url, replays } = await withReplay();
  const { statusCode, headers, rawPayload } = await app.inject(url);
  assert.equal(statusCode, 200);
  assert.deepEqual(new Uint8Array(rawPayload), replays.get(id));
  assert.equal(headers["content-type"], "application/gzip");
  assert.equal(headers["content-encoding"], undefined);
  assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(headers.etag, `"${id}"`);
  const again = await app.inject({ url, headers: { "if-none-match": `"${id}"` } });
  assert.deepEqual([again.statusCode, again.body], [304, ""]);
});

it("T57 is 404 for every other address", async () => {
  const { app, id, newId, replays } = await withReplay();
  const stray = newId();
  replays.set(stray, new Uint8Array([1]));
  const texts = [newId(), stray, `..%2f${id}`, `%2e%2e%2f${id}`, `${id}%00`, `..\\${id}`, "", "x"];
  for (const text of texts) {
    const { statusCode, json } = await app.inject(`/replays/${text}.jsonl.gz`);
    assert.deepEqual([statusCode, typeof json().error], [404, "string"], text);
  }
  for (const path of [`/replays/${id}`, `/replays/${id}.jsonl`, "/replays/"])
    assert.equal((await app.inject(path)).statusCode, 404, path);
});
