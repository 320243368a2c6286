// A bot that connects to a local port and speaks the bot protocol, as it does to a ladder.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";

import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";

import { isVersionLabel } from "#core/ladder/label.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME, parseMessage } from "#core/protocol/parse.ts";
import type { ClientMessage } from "#core/protocol/parse.ts";
import { printError, printQueued, printReplaced } from "#core/protocol/print.ts";
import { FIXED } from "#core/words/limits.ts";

import type { Player, Wire } from "./local-match.ts";

export const DEFAULT_SOCKET_PORT = 7790;

const HOST = "127.0.0.1";
const BOT_PATH = "/bot";
const CLOSE_NORMAL = 1000;

type SocketSeat = {
  connection: WebSocket | null;
  isQueued: boolean;
  /** The current match's wire; null between matches. */
  wire: Wire | null;
  /** Resolves the wait for `queue`. */
  whenQueued: () => void;
};

/**
 * Opens the port and waits until a bot has connected and queued. `announce` receives the line that
 * tells where to connect.
 */
export async function openSocket(port: number, announce: (line: string) => void): Promise<Player> {
  const seat: SocketSeat = { connection: null, isQueued: false, wire: null, whenQueued: () => {} };
  const http = createServer((request, response) => serveIndex(port, request, response));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FIXED.message_bytes });
  http.on("upgrade", (request: IncomingMessage, stream, head) => {
    if (request.url?.split("?")[0] !== BOT_PATH) return void stream.end(NOT_FOUND);
    sockets.handleUpgrade(request, stream, head, (connection) => {
      connection.on("error", () => connection.terminate());
      if (request.headers.authorization === undefined)
        refuseConnection(connection, "missing_authorization");
      else attach(seat, connection);
    });
  });
  await listen(http, port);
  announce(`waiting for a bot at ${addressOf("ws", port)}${BOT_PATH} (any token)`);
  await untilQueued(seat);
  return playerOf(seat, () => closeAll(http, sockets));
}

const addressOf = (scheme: "http" | "ws", port: number): string => `${scheme}://${HOST}:${port}`;

const NOT_FOUND = "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n";

/** Bots ask `GET /api` for the address of the socket. Nothing else is served. */
function serveIndex(port: number, { method, url }: IncomingMessage, response: ServerResponse) {
  const isIndex = method === "GET" && url === "/api";
  const index = { bot_endpoint: `${addressOf("ws", port)}${BOT_PATH}` };
  const refusal = {
    error: "This port serves one local bot. Start the bot with any token; it needs no account.",
  };
  response.writeHead(isIndex ? 200 : 404, { "Content-Type": "application/json" });
  response.end(JSON.stringify(isIndex ? index : refusal));
}

async function listen(http: Server, port: number): Promise<void> {
  http.listen(port, HOST);
  await once(http, "listening").catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new Error(code === "EADDRINUSE" ? `port ${port} is in use` : message);
  });
}

function refuseConnection(connection: WebSocket, code: "missing_authorization"): void {
  connection.send(printError(code));
  connection.close(ERRORS[code].close, code);
}

/** A newer connection replaces the older one, and takes over a running match. */
function attach(seat: SocketSeat, connection: WebSocket): void {
  const older = seat.connection;
  seat.connection = connection;
  seat.isQueued = false;
  older?.send(printReplaced());
  older?.close(ERRORS.replaced.close, "replaced");
  connection.on("message", (data: RawData, isBinary: boolean) => {
    if (seat.connection === connection)
      handleMessage(seat, connection, isBinary ? null : (data as Buffer).toString("utf8"));
  });
  connection.on("close", () => {
    if (seat.connection !== connection) return;
    seat.connection = null;
    seat.isQueued = false;
    seat.wire?.drop();
  });
  seat.wire?.attach();
}

function handleMessage(seat: SocketSeat, connection: WebSocket, text: string | null): void {
  if (seat.wire !== null && text !== null) return seat.wire.say(text);
  const message = text === null ? BINARY_FRAME : parseMessage(text);
  const refuse = (code: ErrorCode, detail?: string) => connection.send(printError(code, detail));
  if (message.type === "bad") refuse(message.fault.reason, message.fault.message);
  else if (message.type === "bad_queue") refuse("schema", message.message);
  else if (message.type === "leave") seat.isQueued = false;
  else if (message.type === "queue") enqueue(seat, connection, message);
  else if (message.type !== "ready") refuse("not_in_match");
}

type QueueMessage = Extract<ClientMessage, { type: "queue" }>;

function enqueue(seat: SocketSeat, connection: WebSocket, { version, ladderId }: QueueMessage) {
  seat.isQueued = isVersionLabel(version);
  if (!seat.isQueued) return connection.send(printError("invalid_version"));
  connection.send(printQueued(version, 0, ladderId ?? DEFAULT_LADDER));
  seat.whenQueued();
}

async function untilQueued(seat: SocketSeat): Promise<void> {
  if (seat.isQueued) return;
  await new Promise<void>((resolve) => (seat.whenQueued = resolve));
  seat.whenQueued = () => {};
}

function playerOf(seat: SocketSeat, close: () => Promise<void>): Player {
  return {
    whenReady: () => untilQueued(seat),
    hear: (text, wire) => {
      seat.wire = wire;
      seat.isQueued = false;
      seat.connection?.send(text);
      if (text.startsWith('{"type":"end"')) seat.wire = null;
    },
    close: async () => {
      seat.wire = null;
      seat.connection?.close(CLOSE_NORMAL, "all games are played");
      await close();
    },
  };
}

async function closeAll(http: Server, sockets: WebSocketServer): Promise<void> {
  // A bot that does not answer the close would keep the process alive.
  const closed = once(http, "close");
  http.close();
  const drop = setTimeout(() => {
    for (const connection of sockets.clients) connection.terminate();
    http.closeAllConnections();
  }, CLOSE_MS);
  await closed;
  clearTimeout(drop);
}

const CLOSE_MS = 1000;
