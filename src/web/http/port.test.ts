import assert from "node:assert/strict";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";

// Bytes on a real port that are not proper HTTP.
import { bothOf } from "#base/units/sure.ts";
import { LIMITS } from "#core/words/limits.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

import type { App } from "./deps.ts";

const HOST = "Host: localhost";
const JSON_TYPE = "Content-Type: application/json";

/** Name, request, expected status. */
const ROWS: [name: string, lines: string[], status: number][] = [
  [
    "T50 two ways to say the length",
    [HOST, "Content-Length: 5", "Transfer-Encoding: chunked"],
    400,
  ],
  ["T50 two lengths", [HOST, "Content-Length: 5", "Content-Length: 6"], 400],
  ["T50 an odd transfer encoding", [HOST, "Transfer-Encoding: chunked, identity"], 400],
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

  /** Everything sent back until the server closes; `ends` says that no more will be sent. */
  function send(text: string, ends = false): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const socket = connect(port, "127.0.0.1", () => (ends ? socket.end(text) : socket.write(text)));
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    socket.on("close", () => resolve(received)).on("error", () => {});
    return promise;
  }

  for (const [name, lines, status] of ROWS) {
    it(`answers ${name} with ${status} and closes`, async () => {
      const answer = await send(["POST /api/bots HTTP/1.1", ...lines, "", ""].join("\r\n"));
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      const statuses = answer.match(/HTTP\/1\.1 \d+/g);
      assert.equal(statuses?.length, 1, "one answer");
      assert.equal(typeof JSON.parse(answer.split("\r\n\r\n")[1]!).error, "string");
    });
  }

  const SECURED = ["content-security-policy", "x-content-type-options", "cache-control"];

  it("says why in every refusal, with the headers of any answer", async () => {
    const rows: [request: string, status: number][] = [
      ["GET /api HTTP/1.1\r\n\r\n", 400],
      ["GET /nowhere HTTP/1.1\r\n\r\n", 400],
      [`GET /api HTTP/1.1\r\n${HOST}\r\nExpect: banana\r\n\r\n`, 417],
      [`GET /api HTTP/1.1\r\n${HOST}\r\nX-A : 1\r\n\r\n`, 400],
    ];
    for (const [request, status] of rows) {
      const answer = await send(request);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), request);
      const [head, body] = bothOf(answer.split("\r\n\r\n"));
      assert.equal(typeof JSON.parse(body).error, "string", request);
      for (const name of SECURED) assert.ok(head.includes(`\r\n${name}: `), `${request}: ${name}`);
    }
  });

  it("meets the Expect that it knows, and requires no Host of HTTP/1.0", async () => {
    const body = '{"name":"patient"}';
    const lines = [HOST, JSON_TYPE, "Expect: 100-Continue", "Connection: close"];
    const length = `Content-Length: ${body.length}`;
    const head = ["POST /api/bots HTTP/1.1", ...lines, length, "", ""].join("\r\n");
    assert.match(await send(head + body), /^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /);
    assert.match(await send("GET /api HTTP/1.0\r\n\r\n"), /^HTTP\/1.1 200 /);
  });

  it("T06 ends a connection with too many requests behind an unanswered one", async () => {
    const most = LIMITS.pipelined_requests;
    const ask = `GET /api HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const last = ask.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    const answers = async (text: string) => (await send(text)).match(/HTTP\/1.1 200/g)?.length ?? 0;
    assert.equal(await answers(ask.repeat(most) + last), most + 1);
    assert.ok((await answers(ask.repeat(10_000))) <= most + 1);
  });

  it("counts no requests that were answered", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const ask = `GET /api HTTP/1.1\r\n${HOST}\r\n\r\n`;
    const [rounds, atOnce] = [10, 20];
    let received = "";
    const answers = () => received.match(/HTTP\/1.1 200/g)?.length ?? 0;
    const socket = connect(port, "127.0.0.1", () => socket.write(ask.repeat(atOnce)));
    socket.on("data", (data: Buffer) => {
      const before = answers();
      received += data.toString();
      const isRound = answers() > before && answers() % atOnce === 0;
      if (answers() === rounds * atOnce) resolve(received);
      else if (isRound) socket.write(ask.repeat(atOnce));
    });
    socket.on("close", () => resolve(received));
    await promise;
    socket.destroy();
    assert.equal(answers(), rounds * atOnce);
  });

  it("T57 follows no path out of a folder", async () => {
    const up = ["..", "..%2f..", "%2e%2e", "%2e%2e%2f%2e%2e", "..\\..", ".%00./..", "api/.."];
    const documents = ["docs", "docs/schema", "guide", "download/bots", "download/simulator"];
    for (const folder of [...documents, "replays", "api/bots"])
      for (const dots of up) {
        const path = `/${folder}/${dots}/package.json`;
        const answer = await send(`GET ${path} HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1.1 404 /, path);
        assert.ok(!answer.includes("dependencies"));
      }
  });

  it("T50 refuses bare line feeds", async () => {
    assert.match(await send(`GET /api HTTP/1.1\n${HOST}\nX-A: 1\n\n`), /^HTTP\/1.1 400 /);
  });

  it("T51 takes no address from two hosts or an absolute URL", async () => {
    const evil = "Host: evil.example";
    const two = `GET /api HTTP/1.1\r\n${HOST}\r\n${evil}\r\nConnection: close\r\n\r\n`;
    const absolute = `GET http://evil.example/api HTTP/1.1\r\n${evil}\r\nConnection: close\r\n\r\n`;
    for (const request of [two, absolute])
      assert.ok(!(await send(request)).includes("evil.example"));
  });

  it("T52 refuses huge chunk extensions and bodies shorter than they say", async () => {
    const chunked = `POST /api/bots HTTP/1.1\r\n${HOST}\r\n${JSON_TYPE}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await send(`${chunked}1;${"a".repeat(20_000)}\r\n`);
    assert.match(answer, /^HTTP\/1.1 413 /);
    const short = `POST /api/bots HTTP/1.1\r\n${HOST}\r\n${JSON_TYPE}\r\nContent-Length: 99\r\n\r\n{}`;
    assert.match(await send(short, true), /^HTTP\/1.1 400 /);
  });
});
