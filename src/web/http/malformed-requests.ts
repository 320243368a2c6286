// Handles requests that Node would refuse with an empty response, pass on, or accept without limit.

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

/** Options of Node's server. */
export const NODE_OPTIONS = {
  // `refuseHostless` reports it with an explanation.
  requireHostHeader: false,
};

/** Other upgrade offers are ignored. */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === "websocket";

/** A hook that requires Host in every HTTP/1.1 request (RFC 9112, section 3.2). */
export const refuseMissingHost: Hook = ({ raw }, reply, done) => {
  if (raw.headers.host !== undefined || raw.httpVersion !== "1.1") {
    done();
    return;
  }
  reply.hijack();
  writeError(reply.raw, 400, "The Host header is missing.");
};

/**
 * A hook that closes the connection after a response if the unread body may be endless or exceeds
 * `most` bytes, because Node would read and discard all of it.
 */
export function closeUnreadBodies(maxBytes: number): SendHook {
  return ({ raw }, reply, payload, done) => {
    const length = Number(raw.headers["content-length"] ?? Infinity);
    if (!raw.complete && length > maxBytes) reply.header("connection", "close");
    done(null, payload);
  };
}

/** Refuses an `Expect` that Node doesn't handle itself (RFC 9110, section 10.1.1). */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  writeError(response, 417, "The Expect header is only supported with 100-continue.");
}

/** Refuses a request before any route. */
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
 * A hook that closes a connection if more than `most` requests wait behind an unanswered one, and
 * discards its remaining requests.
 */
export function limitPipelining(maxPipelined: number): Hook {
  const waiting = new WeakMap<Socket, number>();
  return ({ raw: { socket } }, { raw: response }, done) => {
    // A response gets its socket once all earlier ones have been sent.
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
 * Undocumented property of Node's connections. If it disappears, this only becomes less efficient.
 */
type ParsedSocket = Socket & { parser?: { onIncoming?: unknown } | null };

/** Parser callback result meaning that the bytes that follow are not HTTP. */
const NOT_HTTP = 2;

/**
 * Closes a connection and stops parsing its buffered bytes. Otherwise one read could produce two
 * thousand more small requests, and two hundred such connections stop matches for seconds.
 */
function closeConnection(socket: ParsedSocket): void {
  if (socket.parser?.onIncoming !== undefined) socket.parser.onIncoming = () => NOT_HTTP;
  socket.destroy();
}
