// Requests that Node would refuse with an empty answer, hand over, or accept without limit. Here
// they are answered like any other, or dropped.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { ErrorBody } from "#core/resources/common.ts";

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
  // `refuseHostless` says what is missing.
  requireHostHeader: false,
};

/** Any other offer to upgrade is ignored. */
export const asksForWebSocket = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === "websocket";

/** A hook: HTTP/1.1 requires a Host in every request (RFC 9112, section 3.2). */
export const refuseHostless: Hook = ({ raw }, reply, done) => {
  if (raw.headers.host !== undefined || raw.httpVersion !== "1.1") {
    done();
    return;
  }
  reply.hijack();
  refuse(reply.raw, 400, "The header Host is missing.");
};

/**
 * A hook that closes the connection after a response if the rest of the request's body may be
 * endless, or more than `most` bytes: Node would receive and drop all of it.
 */
export function closeUnread(most: number): SendHook {
  return ({ raw }, reply, payload, done) => {
    const length = Number(raw.headers["content-length"] ?? Infinity);
    if (!raw.complete && length > most) reply.header("connection", "close");
    done(null, payload);
  };
}

/** Refuses an `Expect` that Node does not handle itself (RFC 9110, section 10.1.1). */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  refuse(response, 417, "The only Expect that is met is 100-continue.");
}

/** Refuses before any route, whatever else arrives. */
function refuse(response: ServerResponse, status: number, error: string): void {
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
 * A hook that ends a connection if more than `most` requests wait behind an unanswered one: all
 * others would wait for them too. The rest of its requests is dropped.
 */
export function boundPipelines(most: number): Hook {
  const waiting = new WeakMap<Socket, number>();
  return ({ raw: { socket } }, { raw: response }, done) => {
    // A response has its socket once all before it have been sent.
    if (response.socket !== null) {
      done();
      return;
    }
    const now = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, now);
    response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    if (now > most) hangUp(socket);
    else done();
  };
}

/** As Node's server keeps it with its connection. Undocumented: if it goes, nothing is lost. */
type Parsed = Socket & { parser?: { onIncoming?: unknown } | null };

/** What the callback of a parsed request answers if the bytes after it are no HTTP. */
const NO_HTTP = 2;

/**
 * Ends a connection and the parsing of what has been received of it. Otherwise two thousand more
 * small requests are made of one read, and two hundred such connections stop matches for seconds.
 */
function hangUp(socket: Parsed): void {
  if (socket.parser?.onIncoming !== undefined) socket.parser.onIncoming = () => NO_HTTP;
  socket.destroy();
}
