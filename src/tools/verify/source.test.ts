import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { RESPONSE_SCHEMAS } from "./response-schemas.ts";
import { createLadderSource } from "./source.ts";
import type { LadderSource } from "./source.ts";

const PAGE = JSON.stringify({ versions: [{ label: "v1", retired: false, notes: "" }] });
const BOUNDS = { timeoutMs: 20_000, maxBytes: 10_000, maxWaitMs: 1500 };
const SHORT_MS = 200;
const BOMB = gzipSync("x".repeat(20_000_000));

type Handler = (request: IncomingMessage, response: ServerResponse, time: number) => unknown;

/**
 * The server's response for each path. `time` is the number of the request to that path, starting
 * from 1.
 */
const HANDLERS: Record<string, Handler> = {
  "/plain": (_, response) => response.end(PAGE),
  "/gzip": (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(PAGE));
  },
  "/brotli": (_, response) => {
    response.writeHead(200, { "content-encoding": "br" }).end(brotliCompressSync(PAGE));
  },
  "/busy": (_, response, time) => {
    if (time > 1) response.end(PAGE);
    else response.writeHead(429, { "retry-after": "1" }).end();
  },
  "/always-busy": (_, response) => response.writeHead(429, { "retry-after": "1" }).end(),
  "/lost": ({ socket }, response, time) => (time > 1 ? response.end(PAGE) : socket.destroy()),
  "/always-lost": ({ socket }) => socket.destroy(),
  "/silent": () => {},
  "/slow": (_, response) => response.write("{"),
  "/long": (_, response) => response.end("x".repeat(20_000)),
  "/bomb": (_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(BOMB);
  },
  "/broken": (_, response) => response.writeHead(500).end(),
  "/deep": (_, response) => response.end("[".repeat(9_000)),
  "/html": (_, response) => response.end("<!doctype html>"),
  "/strange": (_, response) => response.end('{"versions":[{"label":1}]}'),
};

describe("a client for public responses", () => {
  const requestCount = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requestCount.set(path, (requestCount.get(path) ?? 0) + 1);
    const handler = HANDLERS[path];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response, requestCount.get(path) ?? 0);
  });
  let source: LadderSource;
  let impatientSource: LadderSource;
  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const address = new URL(`http://127.0.0.1:${port}/ladder`);
    source = createLadderSource(address, BOUNDS);
    impatientSource = createLadderSource(address, { ...BOUNDS, timeoutMs: SHORT_MS });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const path of ["/plain", "/gzip", "/brotli", "/busy", "/lost"])
    it(`reads a response that is ${path.slice(1)}`, async () => {
      await source.readRequired("/plain", RESPONSE_SCHEMAS.bot);
      const { value, atMs } = await source.readRequired(path, RESPONSE_SCHEMAS.bot);
      assert.equal(value.versions[0]!.label, "v1");
      assert.ok(Math.abs(atMs - Date.now()) < 5000);
    });

  it("returns null for a 404", async () => {
    assert.equal(await source.readIfPresent("/absent", RESPONSE_SCHEMAS.bot), null);
    const problem = { message: "the server responded with status 404 for /absent?x=1" };
    await assert.rejects(source.readRequired("/absent?x=1", RESPONSE_SCHEMAS.bot), problem);
  });

  const problems: [path: string, problem: RegExp][] = [
    ["/always-busy", /^\/always-busy was rejected: too many requests from this address$/],
    ["/always-lost", /^http:\/\/127\.0\.0\.1:\d+ can't be reached: UND_ERR_SOCKET$/],
    ["/long", /^the response for \/long is larger than 10000 bytes$/],
    ["/bomb", /^the response for \/bomb is larger than 10000 bytes$/],
    ["/broken", /^the server responded with status 500 for \/broken$/],
    ["/deep", /^the response for \/deep is nested too deeply$/],
    ["/html", /^the response for \/html is not JSON\. Check that it is a Bout server$/],
    ["/strange", /^the response for \/strange is invalid: \/versions\/0.+$/],
  ];
  for (const [path, problem] of problems)
    it(`rejects a response that is ${path.slice(1)}`, async () => {
      await assert.rejects(source.readRequired(path, RESPONSE_SCHEMAS.bot), {
        name: "Error",
        message: problem,
      });
    });

  for (const path of ["/silent", "/slow"])
    it(`rejects a response that is ${path.slice(1)}`, async () => {
      const message = `no response for ${path} within 0.2 s`;
      await assert.rejects(impatientSource.readRequired(path, RESPONSE_SCHEMAS.bot), {
        name: "Error",
        message,
      });
    });

  it("fails immediately if no server responds", async () => {
    const unreachable = createLadderSource(new URL("http://127.0.0.1:9"), BOUNDS);
    const problem = { message: /^http:\/\/127\.0\.0\.1:9 can't be reached: .+$/ };
    await assert.rejects(unreachable.readRequired("/plain", RESPONSE_SCHEMAS.bot), problem);
  });
});
