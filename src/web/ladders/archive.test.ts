import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { it } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { sampleAudit } from "#testing/store-cases/store-samples.ts";

const CUP = { ...PUBLIC, id: "cup", name: "Cup" };
const BYTES = Buffer.from("all of it");
const SHA = "ab".repeat(32);

const once = async () => ({ bytes: BYTES.length, stream: Readable.from([BYTES]) });

async function world(open = once) {
  const api = testApi({}, { archives: { open } });
  await api.store.ladders.add(CUP, null, sampleAudit(1));
  api.ladders.put(CUP);
  return api;
}

it("sends the archive of a ladder as a file to save, once it is made", async () => {
  const { app, store } = await world();
  const early = await app.inject("/api/ladders/cup/archive");
  assert.deepEqual([early.statusCode, early.json().code], [409, "ladder_open"]);
  const archive = { bytes: BYTES.length, sha256: SHA, madeAt: "2026-01-01T00:00:00.000Z" };
  await store.ladders.noteArchive(CUP.id, archive);
  const { statusCode, headers, rawPayload } = await app.inject("/api/ladders/cup/archive");
  assert.equal(statusCode, 200);
  assert.deepEqual(rawPayload, BYTES);
  assert.equal(headers["content-type"], "application/gzip");
  assert.equal(headers["content-encoding"], undefined);
  assert.equal(headers["content-disposition"], 'attachment; filename="cup.tar.gz"');
  assert.equal(headers.etag, `"${SHA}"`);
});

it("has none of a ladder that nobody knows, nor of public", async () => {
  const { app } = await world();
  assert.equal((await app.inject("/api/ladders/nope/archive")).statusCode, 404);
  assert.equal((await app.inject("/api/ladders/public/archive")).statusCode, 409);
});

it("opens no file for who has it already, or only asks about it", async () => {
  let reads = 0;
  async function* bytes() {
    reads += 1;
    yield BYTES;
  }
  const open = async () => ({ bytes: BYTES.length, stream: Readable.from(bytes()) });
  const { app, store } = await world(open);
  const archive = { bytes: BYTES.length, sha256: SHA, madeAt: "2026-01-01T00:00:00.000Z" };
  await store.ladders.noteArchive(CUP.id, archive);
  const url = "/api/ladders/cup/archive";
  const known = await app.inject({ url, headers: { "if-none-match": `"${SHA}"` } });
  assert.deepEqual([known.statusCode, known.rawPayload.length], [304, 0]);
  const head = await app.inject({ url, method: "HEAD" });
  assert.equal(head.headers["content-length"], String(BYTES.length));
  assert.equal(reads, 0);
});
