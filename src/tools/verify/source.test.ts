import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { SHAPES } from "./answers.ts";
import { openSource } from "./source.ts";
import type { Source } from "./source.ts";

const PAGE = JSON.stringify({ versions: [{ label: "v1", retired: false, notes: "" }] });
const BOUNDS = { answerMs: 20_000, answerBytes: 10_000, patienceMs: 1500 };
const SHORT_MS = 200;
const BOMB = gzipSync("x".repeat(20_000_000));

type Handler = (request: IncomingMessage, response: ServerResponse, time: number) => unknown;

/** What the server does at each path; `time` counts its requests from 1. */
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

describe("a source of answers", () => {
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    times.set(path, (times.get(path) ?? 0) + 1);
    const handler = HANDLERS[path];
    if (handler === undefined) response.writeHead(404).end();
    else handler(request, response, times.get(path) ?? 0);
  });
  let source: Source;
  let hasty: Source;
  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const address = new URL(`http://127.0.0.1:${port}/ladder`);
    source = openSource(address, BOUNDS);
    hasty = openSource(address, { ...BOUNDS, answerMs: SHORT_MS });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const path of ["/plain", "/gzip", "/brotli", "/busy", "/lost"])
    it(`reads what is ${path.slice(1)}`, async () => {
      await source.read("/plain", SHAPES.bot);
      const { value, atMs } = await source.read(path, SHAPES.bot);
      assert.equal(value.versions[0]!.label, "v1");
      assert.ok(Math.abs(atMs - Date.now()) < 5000);
    });

  it("finds nothing for a 404", async () => {
    assert.equal(await source.find("/absent", SHAPES.bot), null);
    const problem = { message: "the server has nothing at /absent?x=1" };
    await assert.rejects(source.read("/absent?x=1", SHAPES.bot), problem);
  });

  const problems: [path: string, problem: RegExp][] = [
    ["/always-busy", /^\/always-busy is refused: too many requests from this address$/],
    ["/always-lost", /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: UND_ERR_SOCKET$/],
    ["/long", /^the answer for \/long is longer than 10000 bytes$/],
    ["/bomb", /^the answer for \/bomb is longer than 10000 bytes$/],
    ["/broken", /^the server answers 500 for \/broken$/],
    ["/deep", /^the answer for \/deep is nested too deeply$/],
    ["/html", /^the answer for \/html is not JSON; is this a ladder$/],
    ["/strange", /^the answer for \/strange is not understood: \/versions\/0.+$/],
  ];
  for (const [path, problem] of problems)
    it(`gives up what is ${path.slice(1)}`, async () => {
      await assert.rejects(source.read(path, SHAPES.bot), { name: "Error", message: problem });
    });

  for (const path of ["/silent", "/slow"])
    it(`gives up what is ${path.slice(1)}`, async () => {
      const message = `the server does not answer ${path} within 0.2 s`;
      await assert.rejects(hasty.read(path, SHAPES.bot), { name: "Error", message });
    });

  it("gives up at once when nobody is there", async () => {
    const nobody = openSource(new URL("http://127.0.0.1:9"), BOUNDS);
    const problem = { message: /^http:\/\/127\.0\.0\.1:9 cannot be reached: .+$/ };
    await assert.rejects(nobody.read("/plain", SHAPES.bot), problem);
  });
});
