// A bot that connects to a local port and speaks the bot protocol, as on a ladder.

import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";

import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { isVersionLabel } from "#core/ladder/version-label.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { ErrorCode } from "#core/protocol/errors.ts";
import { BINARY_FRAME_ERROR, parseClientMessage } from "#core/protocol/parse-message.ts";
import type { ClientMessage } from "#core/protocol/parse-message.ts";
import { printError, printQueued, printReplaced } from "#core/protocol/print-messages.ts";

import type { Player, PlayerChannel } from "./local-match.ts";

export const DEFAULT_SOCKET_PORT = 7790;

const HOST = "127.0.0.1";
const BOT_PATH = "/bot";
const CLOSE_NORMAL = 1000;

type SocketState = {
  connection: WebSocket | null;
  isQueued: boolean;
  /** Null between matches. */
  channel: PlayerChannel | null;
  onQueued: () => void;
};

/**
 * Opens the port and waits until a bot has connected and queued. Calls `announce` with the address
 * to connect to.
 */
export async function openSocketBot(
  port: number,
  announce: (line: string) => void,
): Promise<Player> {
  const socketState: SocketState = {
    connection: null,
    isQueued: false,
    channel: null,
    onQueued: () => {},
  };
  const http = createServer((request, response) => serveIndex(port, request, response));
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FIXED_LIMITS.message_bytes });
  http.on("upgrade", (request: IncomingMessage, socketStream, upgradeHead) => {
    if (request.url?.split("?")[0] !== BOT_PATH) return void socketStream.end(NOT_FOUND);
    sockets.handleUpgrade(request, socketStream, upgradeHead, (connection) => {
      connection.on("error", () => connection.terminate());
      if (request.headers.authorization === undefined)
        refuseConnection(connection, "missing_authorization");
      else attachConnection(socketState, connection);
    });
  });
  await listen(http, port);
  announce(`waiting for a bot at ${localAddress("ws", port)}${BOT_PATH} (any token)`);
  await waitUntilQueued(socketState);
  return createPlayer(socketState, () => closeAll(http, sockets));
}

const localAddress = (scheme: "http" | "ws", port: number): string => `${scheme}://${HOST}:${port}`;

const NOT_FOUND = "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n";

/** Bots request `GET /api` to find the socket. Every other request gets a 404. */
function serveIndex(port: number, { method, url }: IncomingMessage, response: ServerResponse) {
  const isIndex = method === "GET" && url === "/api";
  const apiIndex = { bot_endpoint: `${localAddress("ws", port)}${BOT_PATH}` };
  const refusal = {
    error: "This port serves one local bot. Start the bot with any token; it needs no account.",
  };
  response.writeHead(isIndex ? 200 : 404, { "Content-Type": "application/json" });
  response.end(JSON.stringify(isIndex ? apiIndex : refusal));
}

async function listen(http: Server, port: number): Promise<void> {
  http.listen(port, HOST);
  await once(http, "listening").catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new Error(code === "EADDRINUSE" ? `port ${port} is in use` : message);
  });
}

function refuseConnection(connection: WebSocket, code: "missing_authorization"): void {
  connection.send(printError(code));
  connection.close(ERROR_CATALOGUE[code].close, code);
}

/** A newer connection replaces the older one and takes over a running match. */
function attachConnection(socketState: SocketState, connection: WebSocket): void {
  const previousConnection = socketState.connection;
  socketState.connection = connection;
  socketState.isQueued = false;
  previousConnection?.send(printReplaced());
  previousConnection?.close(ERROR_CATALOGUE.replaced.close, "replaced");
  connection.on("message", (data: RawData, isBinary: boolean) => {
    if (socketState.connection === connection)
      handleClientMessage(
        socketState,
        connection,
        isBinary ? null : (data as Buffer).toString("utf8"),
      );
  });
  connection.on("close", () => {
    if (socketState.connection !== connection) return;
    socketState.connection = null;
    socketState.isQueued = false;
    socketState.channel?.markDisconnected();
  });
  socketState.channel?.markConnected();
}

function handleClientMessage(
  socketState: SocketState,
  connection: WebSocket,
  text: string | null,
): void {
  if (socketState.channel !== null && text !== null) return socketState.channel.send(text);
  const message = text === null ? BINARY_FRAME_ERROR : parseClientMessage(text);
  const refuse = (code: ErrorCode, detail?: string) => connection.send(printError(code, detail));
  if (message.type === "bad") refuse(message.error.reason, message.error.message);
  else if (message.type === "bad_queue") refuse("schema", message.message);
  else if (message.type === "leave") socketState.isQueued = false;
  else if (message.type === "queue") enqueue(socketState, connection, message);
  else if (message.type !== "ready") refuse("not_in_match");
}

type QueueMessage = Extract<ClientMessage, { type: "queue" }>;

function enqueue(
  socketState: SocketState,
  connection: WebSocket,
  { version, ladderId }: QueueMessage,
) {
  socketState.isQueued = isVersionLabel(version);
  if (!socketState.isQueued) return connection.send(printError("invalid_version"));
  connection.send(printQueued(version, 0, ladderId ?? DEFAULT_LADDER));
  socketState.onQueued();
}

async function waitUntilQueued(socketState: SocketState): Promise<void> {
  if (socketState.isQueued) return;
  await new Promise<void>((resolve) => (socketState.onQueued = resolve));
  socketState.onQueued = () => {};
}

function createPlayer(socketState: SocketState, close: () => Promise<void>): Player {
  return {
    whenReady: () => waitUntilQueued(socketState),
    handleMessage: (text, channel) => {
      socketState.channel = channel;
      socketState.isQueued = false;
      socketState.connection?.send(text);
      if (text.startsWith('{"type":"end"')) socketState.channel = null;
    },
    close: async () => {
      socketState.channel = null;
      socketState.connection?.close(CLOSE_NORMAL, "all matches played");
      await close();
    },
  };
}

async function closeAll(http: Server, sockets: WebSocketServer): Promise<void> {
  // A bot that never answers the close frame would otherwise keep the process alive.
  const closeEvent = once(http, "close");
  http.close();
  const forceCloseTimer = setTimeout(() => {
    for (const connection of sockets.clients) connection.terminate();
    http.closeAllConnections();
  }, CLOSE_MS);
  await closeEvent;
  clearTimeout(forceCloseTimer);
}

const CLOSE_MS = 1000;
