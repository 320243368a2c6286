// Answers that no route gives: to bytes that are not an HTTP request, to upgrades, which have no
// response object, and while the server opens.

import { STATUS_CODES } from "node:http";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { ErrorBody } from "#core/resources/common.ts";

import type { Refused } from "./admission.ts";
import { MISSING_HEADERS, REFUSAL_HEADERS } from "./headers.ts";
import { refusalBody } from "./rate-limit.ts";

type ParserError = Error & { code?: string };

const STATUS_OF: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Says why and closes the connection: nothing after such bytes can be trusted. */
export function answerClientError(error: ParserError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ""] ?? 400;
  writeRefusal(socket, status, { error: `${STATUS_CODES[status]}.` });
}

/** Refuses and ends a socket whose address asked for more than it may have. */
export function refuseUpgrade(socket: Duplex, refused: Refused): void {
  writeRefusal(socket, 429, refusalBody(refused), { "Retry-After": String(refused.retryAfterS) });
}

const OPENING: ErrorBody = { error: "The server is starting. Try again in a second." };
const OPENING_HEADERS = { "Retry-After": "1" };

/** Refuses a request that has waited too long for the server to open. */
export function refuseOpening(response: ServerResponse): void {
  response
    .writeHead(503, { ...REFUSAL_HEADERS, ...OPENING_HEADERS, Connection: "close" })
    .end(JSON.stringify(OPENING));
}

/** The same for the upgrade of a socket. */
export function refuseOpeningUpgrade(socket: Duplex): void {
  writeRefusal(socket, 503, OPENING, OPENING_HEADERS);
}

/** Writes a refusal, then closes. */
export function writeRefusal(
  socket: Duplex,
  status: number,
  refusal: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(refusal);
  const all = {
    ...REFUSAL_HEADERS,
    ...(status === 404 && MISSING_HEADERS),
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  // A refused client may not keep its half of the connection open.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
