import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";

import { SECOND_MS } from "#base/util/time.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { FixedLimits } from "#core/limits/limits.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { HumanMatchEntry } from "#live/human-match/human-match-entry.ts";
import type { WatchConnection, WatchTarget } from "#live/watching/watch-hub.ts";

import { readPlainFrames } from "./plain-frames.ts";
import { WriteBatch } from "./write-batch.ts";
import type { SocketTarget } from "./write-batch.ts";

const BOT_PATH = "/bot";
const HUMAN_MATCH_PATH = "/play";
const WATCH_PATH = "/watch";

/** Set to false to read through Node's stream (docs/decisions/0005-plain-websocket-frames.md). */
const USES_ZERO_COPY_READ = true;

/** Max frames per message. The longest message needs fewer. */
const MESSAGE_FRAGMENTS = 1024;
/** How long a peer may take to answer a close frame. */
const CLOSE_TIMEOUT_MS = 2000;

const CLOSE_POLICY = 1008;
const CLOSE_TRY_AGAIN_LATER = 1013;
const CLOSE_INTERNAL_ERROR = 1011;
/** Max bytes read from a peer after closing. A close frame is much smaller. */
const BYTES_AFTER_CLOSE = 16 * 1024;

type SocketDeps = {
  arena: Pick<Arena, "connectBot" | "watch">;
  /** Returns the client address used for limits; null if connections aren't limited by address. */
  callerOf: (request: IncomingMessage) => string | null;
  /** Null if the server offers no human matches. */
  play: HumanMatchEntry | null;
  limits: FixedLimits;
  log: Log;
  /** Origins that browsers may connect from. Bots send no origin. */
  origins: readonly string[];
  rejectUpgrade(
    socket: Duplex,
    status: number,
    body: { error: string },
    headers?: Readonly<Record<string, string>>,
  ): void;
};

export type Sockets = {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
};

/** Returns the upgrade handler. Credential errors are reported after the WebSocket opens. */
export function openSockets(deps: SocketDeps): Sockets {
  const { limits } = deps;
  const options = {
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: limits.message_bytes,
    maxFragments: MESSAGE_FRAGMENTS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    // `ws` terminates a peer above this limit without an error. One more than our own limit lets
    // the bot receive an error first.
    maxPendingAutoPongs: limits.control_frames_per_second + 1,
    autoPong: true,
  };
  const server = new WebSocketServer(options);
  const writeBatch = new WriteBatch();
  let unauthenticatedCount = 0;

  async function acceptSocket(
    socket: WebSocket,
    stream: Duplex,
    accept: AcceptConnection,
  ): Promise<void> {
    const connection = new SocketConnection(socket, stream, writeBatch);
    if (
      unauthenticatedCount >= limits.sockets_waiting_for_token ||
      server.clients.size > limits.sockets_total
    ) {
      connection.close(CLOSE_TRY_AGAIN_LATER, "too many connections");
      return;
    }
    unauthenticatedCount += 1;
    socket.pause();
    try {
      const listener = await accept(connection);
      if (listener !== null) attachListener(socket, stream, limits.message_bytes, listener);
      limitControlFrames(socket, connection, limits);
    } catch (error) {
      deps.log.error({ error }, "could not accept connection");
      connection.close(CLOSE_INTERNAL_ERROR, "try again");
    } finally {
      unauthenticatedCount -= 1;
      socket.resume();
    }
  }

  const reject = (socket: Duplex, { status, error, headers }: UpgradeRefusal) =>
    deps.rejectUpgrade(socket, status, { error }, headers);
  server.on("wsClientError", (_error, socket) => reject(socket, NO_HANDSHAKE));
  return {
    handleUpgrade: (request, socket, head) => {
      socket.on("error", () => socket.destroy());
      const accept = acceptorFor(request, deps);
      const refusal = refusalOf(request, accept, deps);
      if (refusal !== null || accept === null) reject(socket, refusal ?? NO_HANDSHAKE);
      else
        server.handleUpgrade(request, socket, head, (webSocket) => {
          webSocket.on("error", () => webSocket.terminate());
          void acceptSocket(webSocket, socket, accept);
        });
    },
    close: () => {
      for (const socket of server.clients) socket.terminate();
    },
  };
}

/** Returns null if the connection was refused. */
type AcceptConnection = (connection: SocketConnection) => Promise<Listener | null>;

/** Returns null for a path without a socket. */
function acceptorFor(
  request: IncomingMessage,
  { arena, play: humanMatches, callerOf }: SocketDeps,
): AcceptConnection | null {
  const { url = "", headers } = request;
  const [path = "", query] = url.split("?", 2);
  if (path === WATCH_PATH) {
    const target = watchTargetOf(new URLSearchParams(query));
    return async (connection) => arena.watch(connection, target, callerOf(request));
  }
  if (path === BOT_PATH) return (connection) => arena.connectBot(connection, headers.authorization);
  if (path !== HUMAN_MATCH_PATH || humanMatches === null) return null;
  const opponent = new URLSearchParams(query).get("opponent");
  return (connection) => humanMatches.connect(connection, opponent, request);
}

/** By default, watches the public ladder. */
function watchTargetOf(query: URLSearchParams): WatchTarget {
  const matchId = query.get("match");
  if (matchId !== null) return { matchId: matchId.toLowerCase() };
  return { ladderId: query.get("ladder") ?? DEFAULT_LADDER };
}

type UpgradeRefusal = { status: number; error: string; headers?: Record<string, string> };

/** Returns why an upgrade is invalid, checked before credentials, or null. */
function refusalOf(
  { httpVersion, headers }: IncomingMessage,
  accept: AcceptConnection | null,
  { origins, play: humanMatches }: SocketDeps,
): UpgradeRefusal | null {
  if (httpVersion !== "1.1")
    return { status: 400, error: "A WebSocket connection requires HTTP/1.1." };
  if (accept === null)
    return { status: 404, error: humanMatches === null ? BOT_SOCKET_TEXT : SOCKETS_TEXT };
  if (headers.origin !== undefined && !origins.includes(headers.origin))
    return { status: 403, error: "This Origin isn't allowed." };
  if (headers["sec-websocket-version"] !== "13")
    return {
      status: 426,
      error: "Only WebSocket version 13 is supported.",
      headers: { "Sec-WebSocket-Version": "13" },
    };
  return null;
}

const BOT_SOCKET_TEXT = `The bot socket is at ${BOT_PATH}, the socket for spectators at ${WATCH_PATH}.`;
const SOCKETS_TEXT = `The bot socket is at ${BOT_PATH}, the socket for spectators at ${WATCH_PATH}, the socket for human players at ${HUMAN_MATCH_PATH}.`;

const NO_HANDSHAKE: UpgradeRefusal = {
  status: 400,
  error: "This isn't a valid WebSocket handshake.",
};

/**
 * `ws` delivers buffered frames after a close, so the connection detaches its listener itself. It
 * is a class because an object literal with a getter gets a new shape each time.
 */
class SocketConnection implements Connection, WatchConnection {
  readonly #target: SocketTarget;
  readonly #writeBatch: WriteBatch;

  constructor(socket: WebSocket, stream: Duplex, writeBatch: WriteBatch) {
    this.#target = { socket, stream, isDead: false, waitingBytes: 0 };
    this.#writeBatch = writeBatch;
  }

  send(text: string): void {
    if (!this.#target.isDead) this.#writeBatch.enqueue(this.#target, text, null);
  }

  sendObservation(text: string, onWritten: () => void): void {
    if (!this.#target.isDead) this.#writeBatch.enqueue(this.#target, text, onWritten);
  }

  sendEncoded(frame: Buffer): void {
    const { socket, stream, isDead } = this.#target;
    if (!isDead && socket.readyState === socket.OPEN) stream.write(frame);
  }

  close(code: number, reason: string): void {
    const { socket, stream, isDead } = this.#target;
    if (isDead) return;
    this.#writeBatch.flush();
    this.#end();
    socket.close(code, reason);
    limitReadsAfterClose(socket, stream);
  }

  terminate(): void {
    this.#end();
    this.#target.socket.terminate();
  }

  ping(): void {
    const { socket, isDead } = this.#target;
    if (!isDead && socket.readyState === socket.OPEN) socket.ping();
  }

  get bufferedBytes(): number {
    // Without compression, `ws` has no buffer of its own.
    const { stream, waitingBytes } = this.#target;
    return stream.writableLength + waitingBytes;
  }

  #end(): void {
    this.#target.isDead = true;
    for (const eventName of ["message", "ping", "pong"])
      this.#target.socket.removeAllListeners(eventName);
  }
}

/** A bot closed for flooding may keep sending. Reading that input would waste time. */
function limitReadsAfterClose(socket: WebSocket, stream: Duplex): void {
  let remainingBytes = BYTES_AFTER_CLOSE;
  stream.on("data", (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) socket.pause();
  });
}

/**
 * Pings and pongs don't count as messages, but a million per second would leave no time for
 * matches.
 */
function limitControlFrames(socket: WebSocket, connection: Connection, limits: FixedLimits): void {
  let sinceMs = 0;
  let frames = 0;
  const countFrame = () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs >= SECOND_MS) {
      sinceMs = nowMs;
      frames = 0;
    }
    frames += 1;
    if (frames > limits.control_frames_per_second)
      connection.close(CLOSE_POLICY, "too many control frames");
  };
  socket.on("ping", countFrame);
  socket.on("pong", countFrame);
}

/** If the bot disconnected during the token lookup, `ws` has already released the stream. */
function attachListener(
  socket: WebSocket,
  stream: Duplex,
  maxBytes: number,
  listener: Listener,
): void {
  if (socket.readyState !== socket.OPEN) {
    listener.onClose();
    return;
  }
  socket.on("close", () => listener.onClose());
  readPlainFrames(socket, stream, { maxBytes, inPlace: USES_ZERO_COPY_READ }, listener);
  socket.on("message", (data: RawData, isBinary: boolean) => {
    listener.onFrame(isBinary ? null : textOf(data));
  });
  socket.on("pong", () => listener.onPong());
}

/** With the default binary type, a text frame arrives as a single Buffer. */
const textOf = (data: RawData): string => (data as Buffer).toString("utf8");
