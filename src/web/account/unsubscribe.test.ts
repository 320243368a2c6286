// Bodies without end, sent to a route that drops its body and to one that refuses early.
import assert from "node:assert/strict";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";

import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";

const CHUNK = `4000\r\n${"a".repeat(0x4000)}\r\n`;
/** More than the buffers of both ends of a connection hold. */
const MOST_BYTES = 64 * 1024 * 1024;

let api: AccountApi;
before(async () => {
  api = accountApi();
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
after(() => api.app.close());

/** Sends a chunked body until the server closes; returns how much went out and the answer. */
async function sendEndless(path: string) {
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
  const closed = Promise.withResolvers<void>();
  socket.on("error", () => {}).on("close", () => closed.resolve());
  const head = ["Host: localhost", "Content-Type: text/plain", "Transfer-Encoding: chunked"];
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
  const pump = () => {
    while (socket.bytesWritten < MOST_BYTES && !socket.destroyed && socket.write(CHUNK));
    if (socket.bytesWritten >= MOST_BYTES) socket.destroy();
  };
  socket.on("drain", pump);
  pump();
  await closed.promise;
  return { sent: socket.bytesWritten, answer };
}

it("closes the connection on an endless body to the unsubscribe route", async () => {
  const { sent, answer } = await sendEndless(`${UNSUBSCRIBE_PATH}?token=x`);
  assert.ok(sent < MOST_BYTES, `${sent} bytes`);
  // A reset may lose the answer.
  if (answer !== "") assert.match(answer, /^HTTP\/1.1 413 /);
});

it("closes the connection on an endless body that is refused before it is read", async () => {
  const { sent, answer } = await sendEndless("/api/account/keys");
  assert.ok(sent < MOST_BYTES, `${sent} bytes`);
  if (answer !== "") assert.match(answer, /^HTTP\/1.1 4/);
});

it("drops a body of any type within the limit", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const url = `${UNSUBSCRIBE_PATH}?token=x`;
  const at = (payload: string) => api.app.inject({ method: "POST", url, headers, payload });
  assert.equal((await at("List-Unsubscribe=One-Click")).statusCode, 400, "a wrong token");
  assert.equal((await at("a".repeat(65_537))).statusCode, 413);
});
