import assert from "node:assert/strict";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import type { App } from "./deps.ts";

const HOST = "Host: localhost";
const JSON_TYPE = "Content-Type: application/json";

const ROWS: [name: string, lines: string[], status: number][] = [
  [
    "T50 two conflicting body lengths",
    [HOST, "Content-Length: 5", "Transfer-Encoding: chunked"],
    400,
  ],
  ["T50 two Content-Length headers", [HOST, "Content-Length: 5", "Content-Length: 6"], 400],
  ["T50 an unknown transfer encoding", [HOST, "Transfer-Encoding: chunked, identity"], 400],
  ["T50 a folded header", [HOST, "X-A: 1", " folded"], 400],
  ["T50 a space before the colon", [HOST, "X-A : 1"], 400],
  ["T52 headers of 20 KB", [HOST, `X-A: ${"a".repeat(20_000)}`], 431],
  ["T52 a body over the limit", [HOST, JSON_TYPE, "Content-Length: 9999999"], 413],
];

describe("the port", () => {
  let app: App;
  let port: number;
  before(async () => {
    ({ app } = testApi());
    await app.listen({ host: "127.0.0.1", port: 0 });
    ({ port } = app.server.address() as AddressInfo);
  });
  after(() => app.close());

  /**
   * Returns everything the server sends until it closes the connection. With `endsSocket`,
   * half-closes the connection after sending.
   */
  function send(text: string, endsSocket = false): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(port, "127.0.0.1", () =>
      endsSocket ? socket.end(text) : socket.write(text),
    );
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    socket.on("close", () => resolve(received)).on("error", () => {});
    return promise;
  }

  for (const [name, lines, status] of ROWS) {
    it(`responds to ${name} with ${status} and closes the connection`, async () => {
      const response = await send(["POST /api/bots HTTP/1.1", ...lines, "", ""].join("\r\n"));
      assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
      const statuses = response.match(/HTTP\/1\.1 \d+/g);
      assert.equal(statuses?.length, 1, "one response");
      assert.equal(typeof JSON.parse(response.split("\r\n\r\n")[1]!).error, "string");
    });
  }

  const SECURED = ["content-security-policy", "x-content-type-options", "cache-control"];

  it("explains every refusal and sends the usual response headers", async () => {
    const rows: [request: string, status: number][] = [
      ["GET /api HTTP/1.1\r\n\r\n", 400],
      ["GET /nowhere HTTP/1.1\r\n\r\n", 400],
      [`GET /api HTTP/1.1\r\n${HOST}\r\nExpect: banana\r\n\r\n`, 417],
      [`GET /api HTTP/1.1\r\n${HOST}\r\nX-A : 1\r\n\r\n`, 400],
    ];
    for (const [request, status] of rows) {
      const response = await send(request);
      assert.match(response, new RegExp(`^HTTP/1.1 ${status} `), request);
      const [head, body] = firstTwo(response.split("\r\n\r\n"));
      assert.equal(typeof JSON.parse(body).error, "string", request);
      for (const name of SECURED) assert.ok(head.includes(`\r\n${name}: `), `${request}: ${name}`);
    }
  });

  it("supports Expect: 100-continue, and doesn't require Host in HTTP/1.0", async () => {
    const body = '{"name":"patient"}';
    const lines = [HOST, JSON_TYPE, "Expect: 100-Continue", "Connection: close"];
    const length = `Content-Length: ${body.length}`;
    const head = ["POST /api/bots HTTP/1.1", ...lines, length, "", ""].join("\r\n");
    assert.match(await send(head + body), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
    assert.match(await send("GET /api HTTP/1.0\r\n\r\n"), /^HTTP\/1.1 200 /);
  });

  it("T06 closes a connection with too many requests queued behind an unanswered request", async () => {
    const maxPipelined = DEFAULT_LIMITS.pipelined_requests;
    const ask = `GET /api HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const lastRequest = ask.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    const responses = async (text: string) =>
      (await send(text)).match(/HTTP\/1.1 200/g)?.length ?? 0;
    assert.equal(await responses(ask.repeat(maxPipelined) + lastRequest), maxPipelined + 1);
    assert.ok((await responses(ask.repeat(10_000))) <= maxPipelined + 1);
  });

  it("doesn't count answered requests", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const ask = `GET /api HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const [rounds, concurrentResponses] = [10, 20];
    let received = "";
    const responses = () => received.match(/HTTP\/1.1 200/g)?.length ?? 0;
    const socket = connect(port, "127.0.0.1", () => socket.write(ask.repeat(concurrentResponses)));
    socket.on("data", (data: Buffer) => {
      const earlierResponses = responses();
      received += data.toString();
      const isComplete = responses() > earlierResponses && responses() % concurrentResponses === 0;
      if (responses() === rounds * concurrentResponses) resolve(received);
      else if (isComplete) socket.write(ask.repeat(concurrentResponses));
    });
    socket.on("close", () => resolve(received));
    await promise;
    socket.destroy();
    assert.equal(responses(), rounds * concurrentResponses);
  });

  it("T57 blocks path traversal", async () => {
    const traversalPaths = [
      "..",
      "..%2f..",
      "%2e%2e",
      "%2e%2e%2f%2e%2e",
      "..\\..",
      ".%00./..",
      "api/..",
    ];
    const documents = ["docs", "docs/schema", "guide", "download/bots", "download/simulator"];
    for (const folder of [...documents, "replays", "api/bots"])
      for (const traversal of traversalPaths) {
        const path = `/${folder}/${traversal}/package.json`;
        const response = await send(`GET ${path} HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
        assert.match(response, /^HTTP\/1.1 404 /, path);
        assert.ok(!response.includes("dependencies"));
      }
  });

  it("T50 rejects bare line feeds", async () => {
    assert.match(await send(`GET /api HTTP/1.1\n${HOST}\nX-A: 1\n\n`), /^HTTP\/1.1 400 /);
  });

  it("T51 ignores the hosts of duplicate Host headers and absolute URLs", async () => {
    const secondHost = "Host: evil.example";
    const two = `GET /api HTTP/1.1\r\n${HOST}\r\n${secondHost}\r\nConnection: close\r\n\r\n`;
    const absolute = `GET http://evil.example/api HTTP/1.1\r\n${secondHost}\r\nConnection: close\r\n\r\n`;
    for (const request of [two, absolute])
      assert.ok(!(await send(request)).includes("evil.example"));
  });

  it("T52 rejects huge chunk extensions and truncated bodies", async () => {
    const chunked = `POST /api/bots HTTP/1.1\r\n${HOST}\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const response = await send(`${chunked}1;${"a".repeat(20_000)}\r\n`);
    assert.match(response, /^HTTP\/1.1 413 /);
    const short = `POST /api/bots HTTP/1.1\r\n${HOST}\r\n${JSON_TYPE}\r\nContent-Length: 99\r\n\r\n{}`;
    assert.match(await send(short, true), /^HTTP\/1.1 400 /);
  });
});
