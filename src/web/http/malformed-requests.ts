// Handles requests that Node would refuse with an empty response, pass on, or accept without a
// limit.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { ErrorBody } from "#core/api/common-schemas.ts";

import { REFUSAL_HEADERS } from "./headers.ts";

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

type SendHook = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
) => void;

export const NODE_OPTIONS = {
  // `refuseMissingHost` checks this and explains the error.
  requireHostHeader: false,
};

/** Offers to upgrade to other protocols are ignored. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === "websocket";

/** A hook that requires the Host header in HTTP/1.1 requests (RFC 9112, section 3.2). */
export const refuseMissingHost: Hook = ({ raw }, reply, done) => {
  if (raw.headers.host !== undefined || raw.httpVersion !== "1.1") {
    done();
    return;
  }
  reply.hijack();
  writeError(reply.raw, 400, "The Host header is missing.");
};

/**
 * Returns a hook that closes the connection after the response if the unread body has no known
 * length or exceeds `maxBytes`. Node would otherwise read and discard the whole body.
 */
export function closeUnreadBodies(maxBytes: number): SendHook {
  return ({ raw }, reply, payload, done) => {
    const length = Number(raw.headers["content-length"] ?? Infinity);
    if (!raw.complete && length > maxBytes) reply.header("connection", "close");
    done(null, payload);
  };
}

/** Refuses an `Expect` header that Node doesn't handle (RFC 9110, section 10.1.1). */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  writeError(response, 417, "The Expect header is only supported with 100-continue.");
}

function writeError(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ error } satisfies ErrorBody);
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    ...REFUSAL_HEADERS,
    "content-length": length,
    connection: "close",
  });
  response.end(body);
}

/**
 * Returns a hook that closes a connection if more than `maxPipelined` requests are queued behind an
 * unanswered request. Discards the connection's remaining requests.
 */
export function limitPipelining(maxPipelined: number): Hook {
  const waiting = new WeakMap<Socket, number>();
  return ({ raw: { socket } }, { raw: response }, done) => {
    // A response has no socket until all earlier responses on the connection have been sent.
    if (response.socket !== null) {
      done();
      return;
    }
    const pendingCount = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, pendingCount);
    response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (pendingCount > maxPipelined) closeConnection(socket);
    else done();
  };
}

/**
 * `parser` is an undocumented property of Node's sockets. Without it, closing still works but
 * buffered requests are parsed.
 */
type ParsedSocket = Socket & { parser?: { onIncoming?: unknown } | null };

/** Returned by a parser callback to say that the bytes that follow are not HTTP. */
const NOT_HTTP = 2;

/**
 * Closes a connection and stops parsing its buffered bytes. Otherwise one read could yield 2,000
 * small requests, and 200 such connections would stop matches for seconds.
 */
function closeConnection(socket: ParsedSocket): void {
  if (socket.parser?.onIncoming !== undefined) socket.parser.onIncoming = () => NOT_HTTP;
  socket.destroy();
}
