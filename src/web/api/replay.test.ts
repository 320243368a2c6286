import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { trimReplays } from "#data/files/replay-retention.ts";
import { openReplays } from "#data/files/replays.ts";
import { addTestBot, addMatch, addTestVersion, testApi } from "#testing/fixtures/test-api.ts";
import type { ApiChanges } from "#testing/fixtures/test-api.ts";

async function withReplay(changes: ApiChanges = {}) {
  const api = testApi({}, changes);
  const [firstBot, secondBot] = [await addTestBot(api, "One"), await addTestBot(api, "Two")];
  const match = await addMatch(api, [
    await addTestVersion(api, firstBot, "v"),
    await addTestVersion(api, secondBot, "v"),
  ]);
  return { ...api, id: match.id, url: `/replays/${match.id}.jsonl.gz` };
}

it("serves the stored bytes with immutable caching", async () => {
  const { app, id, url, replays } = await withReplay();
  const { statusCode, headers, rawPayload } = await app.inject(url);
  assert.equal(statusCode, 200);
  assert.deepEqual(new Uint8Array(rawPayload), replays.get(id));
  assert.equal(headers["content-type"], "application/gzip");
  assert.equal(headers["content-encoding"], undefined);
  assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(headers.etag, `"${id}"`);
  const missingUrl = await app.inject({ url, headers: { "if-none-match": `"${id}"` } });
  assert.deepEqual([missingUrl.statusCode, missingUrl.body], [304, ""]);
});

it("T57 returns 404 for every other path", async () => {
  const { app, id, newId, replays } = await withReplay();
  const unknownId = newId();
  replays.set(unknownId, new Uint8Array([1]));
  const texts = [
    newId(),
    unknownId,
    `..%2f${id}`,
    `%2e%2e%2f${id}`,
    `${id}%00`,
    `..\\${id}`,
    "",
    "x",
  ];
  for (const text of texts) {
    const { statusCode, json } = await app.inject(`/replays/${text}.jsonl.gz`);
    assert.deepEqual([statusCode, typeof json().error], [404, "string"], text);
  }
  for (const path of [`/replays/${id}`, `/replays/${id}.jsonl`, "/replays/"])
    assert.equal((await app.inject(path)).statusCode, 404, path);
});

const LARGE = 24 * 1024 * 1024;

async function bytesUntilClose(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await once(socket, "close");
  return bytes;
}

it("T49 sends a slow client the whole replay if it is trimmed during the download, then returns 404", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bout-slow-"));
  const replays = await openReplays(folder);
  const api = testApi({}, { replays });
  const [firstBot, secondBot] = [await addTestBot(api, "One"), await addTestBot(api, "Two")];
  const versions = [
    await addTestVersion(api, firstBot, "v"),
    await addTestVersion(api, secondBot, "v"),
  ] as const;
  const { id } = await addMatch(api, [...versions]);
  await replays.write(id, new Uint8Array(LARGE));
  await api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const url = `/replays/${id}.jsonl.gz`;
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const [head] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  const { signal } = new AbortController();
  // Excludes highlights from the protected replays, because a ladder's first match is a highlight.
  const store = { ...api.store, replays: { ...api.store.replays, highlighted: async () => [] } };
  const trimmedIds = await trimReplays(
    { store, replays },
    { perBot: 0, ladderRetentions: [] },
    signal,
  );
  assert.equal(trimmedIds.removed, 1);
  assert.equal(await replays.read(id), null);
  const headers = head.toString("latin1").split("\r\n\r\n", 1)[0]!;
  assert.match(headers, /^HTTP\/1.1 200 /);
  assert.match(headers, new RegExp(`content-length: ${LARGE}`, "i"));
  const rest = bytesUntilClose(socket);
  socket.resume();
  assert.equal(head.length + (await rest), headers.length + 4 + LARGE);
  for (const missingUrl of [url, `/api/matches/${id}/stats`])
    assert.equal((await api.app.inject(missingUrl)).statusCode, 404);
  await api.app.close();
  await rm(folder, { recursive: true });
});

it("T49 returns 404 for a replay that is trimmed between lookup and read", async () => {
  const { app, url } = await withReplay({
    replays: { read: async () => null, remove: async () => 0 },
  });
  const { statusCode, headers } = await app.inject(url);
  assert.deepEqual(
    [statusCode, headers["cache-control"]?.toString().includes("immutable")],
    [404, false],
  );
});
