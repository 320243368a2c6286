import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { it } from "node:test";

import { fastify } from "fastify";

import { boundPipelines } from "./odd-requests.ts";

it("T06 makes no request of what is received behind too many unanswered ones", async () => {
  const app = fastify();
  let made = 0;
  app.server.on("request", () => (made += 1));
  app.addHook("onRequest", boundPipelines(4));
  app.get("/", async () => "x");
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  // Not all is written before the other side hangs up.
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000));
  await once(socket, "close");
  await app.close();
  // One is answered while others wait, and one is too many.
  assert.equal(made, 4 + 2);
});
