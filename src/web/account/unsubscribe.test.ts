// Sends endless bodies to a route that discards its body and to a route that refuses early.
import assert from "node:assert/strict";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";

import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";

const CHUNK = `4000\r\n${"a".repeat(0x4000)}\r\n`;
const MAX_BYTES = 64 * 1024 * 1024;

let api: AccountApi;
before(async () => {
  api = accountApi();
  await api.app.listen({ host: "127.0.0.1", port: 0 });
});
after(() => api.app.close());

/**
 * Sends a chunked body until the server closes the connection. Returns the number of bytes sent and
 * the response.
 */
async function sendEndless(path: string) {
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let response = "";
  socket.setEncoding("utf8").on("data", (text: string) => (response += text));
  const closePromise = Promise.withResolvers<void>();
  socket.on("error", () => {}).on("close", () => closePromise.resolve());
  const head = ["Host: localhost", "Content-Type: text/plain", "Transfer-Encoding: chunked"];
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
  const pump = () => {
    while (socket.bytesWritten < MAX_BYTES && !socket.destroyed && socket.write(CHUNK));
    if (socket.bytesWritten >= MAX_BYTES) socket.destroy();
  };
  socket.on("drain", pump);
  pump();
  await closePromise.promise;
  return { sent: socket.bytesWritten, answer: response };
}

it("closes the connection if a request body to the unsubscribe route never ends", async () => {
  const { sent: sentBytes, answer: response } = await sendEndless(`${UNSUBSCRIBE_PATH}?token=x`);
  assert.ok(sentBytes < MAX_BYTES, `${sentBytes} bytes`);
  // The response may be lost if the connection was reset.
  if (response !== "") assert.match(response, /^HTTP\/1.1 413 /);
});

it("closes the connection if a refused request's body never ends", async () => {
  const { sent: sentBytes, answer: response } = await sendEndless("/api/account/keys");
  assert.ok(sentBytes < MAX_BYTES, `${sentBytes} bytes`);
  if (response !== "") assert.match(response, /^HTTP\/1.1 4/);
});

it("discards a body of any type that is within the size limit", async () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const url = `${UNSUBSCRIBE_PATH}?token=x`;
  const post = (payload: string) => api.app.inject({ method: "POST", url, headers, payload });
  assert.equal((await post("List-Unsubscribe=One-Click")).statusCode, 400, "invalid token");
  assert.equal((await post("a".repeat(65_537))).statusCode, 413);
});
