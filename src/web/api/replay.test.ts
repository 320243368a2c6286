import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";

import { trimReplays } from "#data/files/replay-trim.ts";
import { openReplays } from "#data/files/replays.ts";
import { addBot, addMatch, addVersion, testApi } from "#testing/fixtures/test-api.ts";
import type { ApiChanges } from "#testing/fixtures/test-api.ts";

async function withReplay(changes: ApiChanges = {}) {
  const api = testApi({}, changes);
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

/** More than all buffers between two processes can hold. */
const LARGE = 24 * 1024 * 1024;

async function bytesUntilClose(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  await once(socket, "close");
  return bytes;
}

it("T49 sends a slow reader the whole replay although it is trimmed meanwhile, and is 404 after that", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bout-slow-"));
  const replays = await openReplays(folder);
  const api = testApi({}, { replays });
  const [one, two] = [await addBot(api, "One"), await addBot(api, "Two")];
  const versions = [await addVersion(api, one, "v"), await addVersion(api, two, "v")] as const;
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
  // As if it were no highlight, which the first match of a ladder is.
  const store = { ...api.store, replays: { ...api.store.replays, highlighted: async () => [] } };
  const trimmed = await trimReplays({ store, replays }, { perBot: 0, held: [] }, signal);
  assert.equal(trimmed.removed, 1);
  assert.equal(await replays.read(id), null);
  const headers = head.toString("latin1").split("\r\n\r\n", 1)[0]!;
  assert.match(headers, /^HTTP\/1.1 200 /);
  assert.match(headers, new RegExp(`content-length: ${LARGE}`, "i"));
  const rest = bytesUntilClose(socket);
  socket.resume();
  assert.equal(head.length + (await rest), headers.length + 4 + LARGE);
  for (const again of [url, `/api/matches/${id}/stats`])
    assert.equal((await api.app.inject(again)).statusCode, 404);
  await api.app.close();
  await rm(folder, { recursive: true });
});

it("T49 is 404 for a replay that is trimmed between the look-up and the read", async () => {
  const { app, url } = await withReplay({
    replays: { read: async () => null, remove: async () => 0 },
  });
  const { statusCode, headers } = await app.inject(url);
  assert.deepEqual(
    [statusCode, headers["cache-control"]?.toString().includes("immutable")],
    [404, false],
  );
});
