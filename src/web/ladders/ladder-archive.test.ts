import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { sampleAudit } from "#testing/store-contract/store-samples.ts";

const CUP = { ...PUBLIC_LADDER, id: "cup", name: "Cup" };
const BYTES = Buffer.from("all of it");
const SHA = "ab".repeat(32);

const readOnce = async () => ({ bytes: BYTES.length, stream: Readable.from([BYTES]) });

async function world(openArchive = readOnce) {
  const api = testApi({}, { archives: { open: openArchive } });
  await api.store.ladders.add(CUP, null, sampleAudit(1));
  api.ladders.upsert(CUP);
  return api;
}

it("serves a ladder's archive as a download once it has been built", async () => {
  const { app, store } = await world();
  const earlyResponse = await app.inject("/api/ladders/cup/archive");
  assert.deepEqual([earlyResponse.statusCode, earlyResponse.json().code], [409, "ladder_open"]);
  const archive = { bytes: BYTES.length, sha256: SHA, madeAt: "2026-01-01T00:00:00.000Z" };
  await store.ladders.setArchive(CUP.id, archive);
  const { statusCode, headers, rawPayload } = await app.inject("/api/ladders/cup/archive");
  assert.equal(statusCode, 200);
  assert.deepEqual(rawPayload, BYTES);
  assert.equal(headers["content-type"], "application/gzip");
  assert.equal(headers["content-encoding"], undefined);
  assert.equal(headers["content-disposition"], 'attachment; filename="cup.tar.gz"');
  assert.equal(headers.etag, `"${SHA}"`);
});

it("returns 404 for unknown ladders and for public", async () => {
  const { app } = await world();
  assert.equal((await app.inject("/api/ladders/nope/archive")).statusCode, 404);
  assert.equal((await app.inject("/api/ladders/public/archive")).statusCode, 409);
});

it("opens no file for HEAD or if the client's ETag matches", async () => {
  let reads = 0;
  async function* bytes() {
    reads += 1;
    yield BYTES;
  }
  const openArchive = async () => ({ bytes: BYTES.length, stream: Readable.from(bytes()) });
  const { app, store } = await world(openArchive);
  const archive = { bytes: BYTES.length, sha256: SHA, madeAt: "2026-01-01T00:00:00.000Z" };
  await store.ladders.setArchive(CUP.id, archive);
  const url = "/api/ladders/cup/archive";
  const notModifiedResponse = await app.inject({ url, headers: { "if-none-match": `"${SHA}"` } });
  assert.deepEqual(
    [notModifiedResponse.statusCode, notModifiedResponse.rawPayload.length],
    [304, 0],
  );
  const head = await app.inject({ url, method: "HEAD" });
  assert.equal(head.headers["content-length"], String(BYTES.length));
  assert.equal(reads, 0);
});
