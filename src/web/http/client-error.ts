// Responses that no route sends: to malformed requests, to upgrades (which have no response
// object), and during startup.

import { STATUS_CODES } from "node:http";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { ErrorBody } from "#core/api/common-schemas.ts";

import type { RateLimitRefusal } from "./admission.ts";
import { NOT_FOUND_HEADERS, REFUSAL_HEADERS } from "./headers.ts";
import { rateLimitBody } from "./rate-limit.ts";

type ParserError = Error & { code?: string };

const STATUS_BY_CODE: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Responds and closes the connection, because the bytes after a malformed request can't be trusted.
 */
export function handleClientError(error: ParserError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_CODE[error.code ?? ""] ?? 400;
  writeRefusal(socket, status, { error: `${STATUS_CODES[status]}.` });
}

/** Refuses a socket upgrade from an address that exceeds a limit, and closes the connection. */
export function refuseUpgrade(socket: Duplex, rateLimit: RateLimitRefusal): void {
  writeRefusal(socket, 429, rateLimitBody(rateLimit), {
    "Retry-After": String(rateLimit.retryAfterS),
  });
}

const STARTING: ErrorBody = { error: "The server is starting. Try again in a second." };
const STARTING_HEADERS = { "Retry-After": "1" };

/** Refuses a request that has waited too long for the server to start. */
export function refuseWhileStarting(response: ServerResponse): void {
  response
    .writeHead(503, { ...REFUSAL_HEADERS, ...STARTING_HEADERS, Connection: "close" })
    .end(JSON.stringify(STARTING));
}

export function refuseUpgradeWhileStarting(socket: Duplex): void {
  writeRefusal(socket, 503, STARTING, STARTING_HEADERS);
}

export function writeRefusal(
  socket: Duplex,
  status: number,
  refusal: ErrorBody,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = JSON.stringify(refusal);
  const allHeaders = {
    ...REFUSAL_HEADERS,
    ...(status === 404 && NOT_FOUND_HEADERS),
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  // Destroys the socket, so that a refused client can't keep the connection half-open.
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
