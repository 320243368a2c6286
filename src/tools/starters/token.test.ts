import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { WebSocketServer } from "ws";

import { findPython } from "#testing/fixtures/find-python.ts";

const TOKEN = "bout_bot_Zm9vYmFy-_09";
const folder = await mkdtemp(join(tmpdir(), "bout-token-"));
after(() => rm(folder, { recursive: true }));
const python = await findPython(join(folder, "python"));
const pathTo = (file: string) => fileURLToPath(new URL(`./${file}`, import.meta.url));
const STARTERS = [
  { file: "starter.ts", program: process.execPath, skip: false as const },
  { file: "starter.py", program: python.program, skip: python.unavailable },
];

type Faults = { index?: number; upgrade?: number; register?: number };

/**
 * A fake ladder that responds with `faults`, or refuses the bot once the bot has sent its token.
 */
async function openLadder(t: TestContext, faults: Faults = {}) {
  const log = { tokens: [] as (string | undefined)[], requests: 0 };
  const http = createServer(({ method }, response) => {
    log.requests += 1;
    const { port } = http.address() as AddressInfo;
    const status = method === "POST" ? faults.register : faults.index;
    response.statusCode = status ?? 200;
    const index = JSON.stringify({ bot_endpoint: `ws://127.0.0.1:${port}/bot` });
    response.end(status === undefined ? index : "<h1>No</h1>");
  });
  const sockets = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, socket, head) => {
    log.tokens.push(request.headers.authorization);
    if (faults.upgrade !== undefined)
      return socket.end(`HTTP/1.1 ${faults.upgrade} No\r\nContent-Length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, socket, head, (token) => {
      token.send(JSON.stringify({ type: "error", code: "retired", message: "no" }));
      token.close(4000, "retired");
    });
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  t.after(() => {
    for (const token of sockets.clients) token.terminate();
    http.closeAllConnections();
    http.close();
  });
  return { log, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

type Run = { url: string; token?: string; file?: string | Buffer; flags?: string[] };
let runs = 0;

async function start({ file, program }: (typeof STARTERS)[number], run: Run) {
  const name = join(folder, `bot-${(runs += 1)}`);
  if (run.file !== undefined) await writeFile(`${name}.token`, run.file);
  const env = { ...process.env, BOUT_TOKEN: run.token ?? "" };
  const args = [pathTo(file), "--url", run.url, "--name", name, ...(run.flags ?? [])];
  const starterProcess = execFile(program, args, { env });
  let out = "";
  for (const stream of [starterProcess.stdout!, starterProcess.stderr!])
    stream.on("data", (text) => (out += text));
  const [code] = (await once(starterProcess, "close")) as [number];
  return { code, out };
}

const WRAPPED = [
  `${TOKEN}\n`,
  `${TOKEN}\r\n`,
  `\ufeff${TOKEN}`,
  `"${TOKEN}"`,
  `'${TOKEN}'\r\n`,
  `\ufeff "\ufeff${TOKEN}" \r\n\r\n`,
];

const UTF16 = Buffer.from(`\ufeff${TOKEN}\r\n`, "utf16le");
const DAMAGED = [`${TOKEN}\n${TOKEN}`, `${TOKEN} ${TOKEN}`, `${TOKEN}\u200b${TOKEN}`];

for (const starter of STARTERS)
  suite(`the token of ${starter.file}`, { skip: starter.skip }, () => {
    test("is accepted with a byte order mark, line breaks and quotes", async (t) => {
      const { log, url } = await openLadder(t);
      for (const text of WRAPPED) {
        await start(starter, { url, token: text });
        const { code, out } = await start(starter, { url, file: text });
        assert.equal(code, 1);
        assert.match(out, /stopped: retired/);
        assert.ok(!out.includes(TOKEN));
      }
      await start(starter, { url, flags: ["--token", WRAPPED[0]!] });
      assert.deepEqual(log.tokens, Array(2 * WRAPPED.length + 1).fill(`Bearer ${TOKEN}`));
    });

    test("stops the starter without a retry if damaged, and is never printed", async (t) => {
      const { log, url } = await openLadder(t);
      const runs: Partial<Run>[] = DAMAGED.flatMap((text) => [{ token: text }, { file: text }]);
      for (const run of [...runs, { file: UTF16 }]) {
        const { code, out } = await start(starter, { url, ...run });
        assert.equal(code, 1, out);
        assert.match(out, /is damaged: copy it again/);
        assert.ok(!out.includes("Zm9v"), out);
      }
      assert.deepEqual(log.tokens, []);
    });

    test("isn't printed if there are unknown flags", async () => {
      const url = "http://127.0.0.1:1";
      for (const flags of [["--tokn", TOKEN], [`--tokn=${TOKEN}`], ["--temper", "x", TOKEN]]) {
        const { code, out } = await start(starter, { url, flags });
        assert.equal(code, 2);
        assert.ok(!out.includes(TOKEN), out);
      }
    });
  });

for (const starter of STARTERS)
  suite(`${starter.file} doesn't retry`, { skip: starter.skip }, () => {
    for (const status of [400, 401, 403, 426]) {
      test(`exits after HTTP ${status} from the API`, async (t) => {
        const { log, url } = await openLadder(t, { index: status });
        const { code, out } = await start(starter, { url, token: TOKEN });
        assert.deepEqual([code, log.requests], [1, 1], out);
        assert.match(out, new RegExp(`stopped: HTTP ${status}`));
      });

      test(`exits after HTTP ${status} from the upgrade`, async (t) => {
        const { log, url } = await openLadder(t, { upgrade: status });
        const { code, out } = await start(starter, { url, token: TOKEN });
        assert.deepEqual([code, log.tokens.length], [1, 1], out);
        assert.match(out, new RegExp(`stopped: HTTP ${status}`));
        assert.ok(!out.includes(TOKEN));
      });
    }

    test("exits after a rejected registration, whatever the response body", async (t) => {
      const { log, url } = await openLadder(t, { register: 403 });
      const { code, out } = await start(starter, { url });
      assert.deepEqual([code, log.requests], [1, 2], out);
      assert.match(out, /could not register.* HTTP (Error )?403.*Get a token .*\/create-bot/);
    });

    test("rejects an address that isn't a URL", async () => {
      for (const url of ["localhost:7777", "ftp://localhost"]) {
        const { code, out } = await start(starter, { url, token: TOKEN });
        assert.equal(code, 2, out);
        assert.match(out, /--url must start with http:\/\/ or https:\/\//);
      }
    });
  });
