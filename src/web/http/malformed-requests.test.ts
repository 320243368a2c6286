import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { it } from "node:test";

import { fastify } from "fastify";

import { limitPipelining } from "./malformed-requests.ts";

it("T06 stops parsing once too many requests are queued behind an unanswered request", async () => {
  const app = fastify();
  let socketCount = 0;
  app.server.on("request", () => (socketCount += 1));
  app.addHook("onRequest", limitPipelining(4));
  app.get("/", async () => "x");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  // The server closes the connection before all requests are written.
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000));
  await once(socket, "close");
  await app.close();
  // The first request is being answered, four more may wait, and the next one exceeds the limit.
  assert.equal(socketCount, 4 + 2);
});
