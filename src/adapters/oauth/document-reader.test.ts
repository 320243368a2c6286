// Reads from a local TLS server with a pre-shared key, so that no certificate is needed. Tests that
// connect to the server allow local addresses.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { it } from "node:test";

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { isPublicAddress, readDocument } from "./document-reader.ts";

const DOCUMENT_BYTES = FIXED_LIMITS.program_document_bytes;
import type { DocumentReaderOptions } from "./document-reader.ts";

const PSK = Buffer.from("a key that both sides know");
const SHARED = { ciphers: "PSK", maxVersion: "TLSv1.2" } as const;
const connection = {
  ...SHARED,
  pskCallback: () => ({ psk: PSK, identity: "reader" }),
  checkServerIdentity: () => undefined,
};
const LOCAL_OPTIONS: DocumentReaderOptions = { connection, isAllowed: () => true };

async function listenLocally(server: Server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { port, close: () => void server.close() };
}

async function open(handlers: Record<string, (response: ServerResponse) => void>) {
  const requestedPaths: string[] = [];
  const server = createTlsServer({ ...SHARED, pskCallback: () => PSK }, (request, response) => {
    requestedPaths.push(request.url ?? "");
    handlers[request.url ?? ""]?.(response);
  });
  const { port, close } = await listenLocally(server);
  const urlAt = (path: string, host = "127.0.0.1") => new URL(`https://${host}:${port}${path}`);
  return {
    at: urlAt,
    asked: requestedPaths,
    [Symbol.dispose]: () => (close(), server.closeAllConnections()),
  };
}

it("reads a document by IP address and by host name", async () => {
  using server = await open({ "/a": (response) => void response.end('{"a":1}') });
  assert.equal(await readDocument(server.at("/a"), LOCAL_OPTIONS), '{"a":1}');
  assert.equal(await readDocument(server.at("/a", "localhost"), LOCAL_OPTIONS), '{"a":1}');
});

it("T75 rejects local and private addresses, as IP addresses and as host names", async () => {
  let connections = 0;
  const canary = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const { port, close } = await listenLocally(canary);
  for (const host of [
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f.1",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
  ])
    await assert.rejects(
      readDocument(new URL(`https://${host}:${port}/client.json`)),
      /not public/,
      host,
    );
  assert.equal(connections, 0);
  close();
});

it("T75 rejects a host name if any of its addresses isn't public when connecting", async () => {
  using server = await open({ "/a": (response) => void response.end("{}") });
  const checkedAddresses: string[] = [];
  const isAllowed = (address: string) => checkedAddresses.push(address) > 1;
  await assert.rejects(
    readDocument(server.at("/a", "localhost"), { ...LOCAL_OPTIONS, isAllowed }),
    /not public/,
  );
  assert.ok(checkedAddresses.length > 0);
  assert.deepEqual(server.asked, []);
});

it("T75 follows no redirects and accepts only status 200", async () => {
  using server = await open({
    "/moved": (response) => void response.writeHead(302, { location: "/secret" }).end(),
    "/secret": (response) => void response.end("{}"),
    "/missing": (response) => void response.writeHead(404).end("{}"),
  });
  await assert.rejects(readDocument(server.at("/moved"), LOCAL_OPTIONS), /302/);
  await assert.rejects(readDocument(server.at("/missing"), LOCAL_OPTIONS), /404/);
  assert.deepEqual(server.asked, ["/moved", "/missing"]);
});

it("accepts up to 5 KiB", async () => {
  using server = await open({
    "/most": (response) => void response.end("x".repeat(DOCUMENT_BYTES)),
    "/more": (response) => void response.end("x".repeat(DOCUMENT_BYTES + 1)),
    "/endless": (response) => {
      const timer = setInterval(() => response.write("x".repeat(1024)), 1);
      response.once("close", () => clearInterval(timer));
    },
  });
  assert.equal((await readDocument(server.at("/most"), LOCAL_OPTIONS)).length, DOCUMENT_BYTES);
  await assert.rejects(readDocument(server.at("/more"), LOCAL_OPTIONS), /too large/);
  await assert.rejects(readDocument(server.at("/endless"), LOCAL_OPTIONS), /too large/);
});

it("times out if the server is slow to respond or to finish", async () => {
  using server = await open({
    "/silent": () => {},
    "/half": (response) => void response.write("{"),
  });
  for (const path of ["/silent", "/half"])
    await assert.rejects(
      readDocument(server.at(path), { ...LOCAL_OPTIONS, ms: 50 }),
      (error: Error) =>
        /abort|timeout/i.test(`${error.name} ${error.message} ${String(error.cause)}`),
    );
});

it("reads only https URLs", async () => {
  await assert.rejects(readDocument(new URL("http://127.0.0.1:1/"), LOCAL_OPTIONS), /only https/);
});

it("T75 recognizes public addresses", () => {
  const open = ["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111"];
  const privateAddresses =
    `0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1
    172.31.255.255 192.168.1.1 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 :: ::1
    ::ffff:127.0.0.1 ::ffff:8.8.8.8 64:ff9b::7f00:1 fc00::1 fd12::1 fe80::1 ff02::1 2001:db8::1
    2001::1 2002:7f00:1:: name`.split(/\s+/);
  for (const address of open) assert.equal(isPublicAddress(address), true, address);
  for (const address of privateAddresses) assert.equal(isPublicAddress(address), false, address);
});
