// Answers that no route gives: to bytes that are no HTTP request, and while the server opens.

import { STATUS_CODES } from "node:http";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import type { ErrorBody } from "#resources/common.ts";

import type { Refused } from "./admission.ts";
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

/** The answer to a socket that asked for more than its address may, and its end. */
export function refuseUpgrade(socket: Duplex, refused: Refused): void {
  writeRefusal(socket, 429, refusalBody(refused), [`Retry-After: ${refused.retryAfterS}`]);
}

const OPENING: ErrorBody = { error: "The server is starting. Try again in a second." };
const OPENING_RETRY_S = 1;

/** The answer to a request that has waited too long for the server to open. */
export function refuseOpening(response: ServerResponse): void {
  response
    .writeHead(503, {
      "Content-Type": "application/json; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      "Retry-After": OPENING_RETRY_S,
      Connection: "close",
    })
    .end(JSON.stringify(OPENING));
}

/** The same for the upgrade of a socket. */
export function refuseOpeningUpgrade(socket: Duplex): void {
  writeRefusal(socket, 503, OPENING, [`Retry-After: ${OPENING_RETRY_S}`]);
}

function writeRefusal(
  socket: Duplex,
  status: number,
  refusal: ErrorBody,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify(refusal);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json; charset=utf-8",
    "X-Content-Type-Options: nosniff",
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  // Whoever is refused may not keep its half of the connection open.
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
