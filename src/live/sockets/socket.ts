// Sockets on the one port, of bots and of people who fight house bots: the upgrade, and the `ws`
// connection behind the Connection interface.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";
import type { RawData, WebSocket } from "ws";

import { SECOND_MS } from "#base/units/time.ts";
import type { FixedLimits } from "#core/words/limits.ts";
import type { Arena } from "#live/arena/arena.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { Log } from "#live/arena/deps.ts";
import type { PlayDoor } from "#live/play/play.ts";

import { readPlainFrames } from "./frames.ts";
import { Outbox } from "./write-batch.ts";
import type { Address } from "./write-batch.ts";

const BOT_PATH = "/bot";
const PLAY_PATH = "/play";

/** The switch for reading past Node's stream (docs/decisions/0005-plain-websocket-frames.md). */
const READS_IN_PLACE = true;

/** Frames per message; the longest message easily fits into fewer. */
const MESSAGE_FRAGMENTS = 1024;
/** A peer that does not answer a close is dropped after this time. */
const CLOSE_TIMEOUT_MS = 2000;

const CLOSE_POLICY = 1008;
const CLOSE_TRY_AGAIN_LATER = 1013;
const CLOSE_INTERNAL_ERROR = 1011;
/** Bytes read from a peer after it was told to go; its answer takes only a few. */
const BYTES_AFTER_CLOSE = 16 * 1024;

type SocketDeps = {
  arena: Pick<Arena, "arrive">;
  /** Fights for people; null if the ladder has none. */
  play: PlayDoor | null;
  limits: FixedLimits;
  log: Log;
  /** Origins from which a browser may connect; a bot sends none. */
  origins: readonly string[];
  /** Answers an invalid upgrade, with the headers of any other answer, and closes. */
  refuse(
    socket: Duplex,
    status: number,
    body: { error: string },
    headers?: Readonly<Record<string, string>>,
  ): void;
};

export type Sockets = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Drops every remaining connection. */
  close(): void;
};

/** Serves upgrades. A problem with a credential is reported on the opened socket. */
export function openSockets(deps: SocketDeps): Sockets {
  const { limits } = deps;
  const options = {
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    maxPayload: limits.message_bytes,
    maxFragments: MESSAGE_FRAGMENTS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    // One more, so that a flood is told its reason first: `ws` cuts it off without a word.
    maxPendingAutoPongs: limits.control_frames_per_second + 1,
    autoPong: true,
  };
  const server = new WebSocketServer(options);
  const outbox = new Outbox();
  let unknown = 0;

  async function introduce(socket: WebSocket, raw: Duplex, arrive: Arrive): Promise<void> {
    const connection = new BotConnection(socket, raw, outbox);
    if (unknown >= limits.sockets_waiting_for_token || server.clients.size > limits.sockets_total) {
      connection.close(CLOSE_TRY_AGAIN_LATER, "too many connections");
      return;
    }
    unknown += 1;
    socket.pause();
    try {
      const listener = await arrive(connection);
      if (listener !== null) listen(socket, raw, limits.message_bytes, listener);
      limitControlFrames(socket, connection, limits);
    } catch (error) {
      deps.log.error({ error }, "a connection could not be let in");
      connection.close(CLOSE_INTERNAL_ERROR, "try again");
    } finally {
      unknown -= 1;
      socket.resume();
    }
  }

  const answer = (socket: Duplex, { status, error, headers }: Refusal) =>
    deps.refuse(socket, status, { error }, headers);
  server.on("wsClientError", (_error, socket) => answer(socket, NO_HANDSHAKE));
  return {
    upgrade: (request, socket, head) => {
      socket.on("error", () => socket.destroy());
      const arrive = doorOf(request, deps);
      const refusal = refusalOf(request, arrive, deps);
      if (refusal !== null || arrive === null) answer(socket, refusal ?? NO_HANDSHAKE);
      else
        server.handleUpgrade(request, socket, head, (opened) => {
          opened.on("error", () => opened.terminate());
          void introduce(opened, socket, arrive);
        });
    },
    close: () => {
      for (const socket of server.clients) socket.terminate();
    },
  };
}

/** Lets in a connection that is open; null when it was turned away. */
type Arrive = (connection: Connection) => Promise<Listener | null>;

/** Null for an address without a socket. */
function doorOf(request: IncomingMessage, { arena, play }: SocketDeps): Arrive | null {
  const { url = "", headers } = request;
  const [path = "", query] = url.split("?", 2);
  if (path === BOT_PATH) return (connection) => arena.arrive(connection, headers.authorization);
  if (path !== PLAY_PATH || play === null) return null;
  const opponent = new URLSearchParams(query).get("opponent");
  return (connection) => play.arrive(connection, opponent, request);
}

type Refusal = { status: number; error: string; headers?: Record<string, string> };

/** What is wrong with an upgrade before any credential is checked, or null. */
function refusalOf(
  { httpVersion, headers }: IncomingMessage,
  door: Arrive | null,
  { origins, play }: SocketDeps,
): Refusal | null {
  if (httpVersion !== "1.1") return { status: 400, error: "A WebSocket needs HTTP/1.1." };
  if (door === null) return { status: 404, error: play === null ? BOTS : BOTS_AND_PEOPLE };
  if (headers.origin !== undefined && !origins.includes(headers.origin))
    return { status: 403, error: "This Origin may not connect." };
  if (headers["sec-websocket-version"] !== "13")
    return {
      status: 426,
      error: "Only WebSocket version 13 is spoken.",
      headers: { "Sec-WebSocket-Version": "13" },
    };
  return null;
}

const BOTS = `The bot socket is at ${BOT_PATH}.`;
const BOTS_AND_PEOPLE = `The bot socket is at ${BOT_PATH}, that of people's fights at ${PLAY_PATH}.`;

const NO_HANDSHAKE: Refusal = { status: 400, error: "This is no valid WebSocket handshake." };

/**
 * `ws` still delivers frames it had buffered, so a closed connection stops listening by itself. A
 * class, because an object literal with a getter gets a new shape each time.
 */
class BotConnection implements Connection {
  readonly #address: Address;
  readonly #outbox: Outbox;

  constructor(socket: WebSocket, raw: Duplex, outbox: Outbox) {
    this.#address = { socket, raw, isDead: false, waitingBytes: 0 };
    this.#outbox = outbox;
  }

  send(text: string): void {
    if (!this.#address.isDead) this.#outbox.post(this.#address, text, null);
  }

  show(text: string, written: () => void): void {
    if (!this.#address.isDead) this.#outbox.post(this.#address, text, written);
  }

  close(code: number, reason: string): void {
    const { socket, raw, isDead } = this.#address;
    if (isDead) return;
    this.#outbox.flush();
    this.#end();
    socket.close(code, reason);
    readLittle(socket, raw);
  }

  terminate(): void {
    this.#end();
    this.#address.socket.terminate();
  }

  ping(): void {
    const { socket, isDead } = this.#address;
    if (!isDead && socket.readyState === socket.OPEN) socket.ping();
  }

  get buffered(): number {
    // Without compression, `ws` itself holds nothing back.
    const { raw, waitingBytes } = this.#address;
    return raw.writableLength + waitingBytes;
  }

  #end(): void {
    this.#address.isDead = true;
    for (const kind of ["message", "ping", "pong"]) this.#address.socket.removeAllListeners(kind);
  }
}

/** What a flood keeps sending after it was told to go is not worth reading. */
function readLittle(socket: WebSocket, raw: Duplex): void {
  let left = BYTES_AFTER_CLOSE;
  raw.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.pause();
  });
}

/** Pings and pongs are not messages, but reading a million a second would leave no time to play. */
function limitControlFrames(socket: WebSocket, connection: Connection, limits: FixedLimits): void {
  let sinceMs = 0;
  let frames = 0;
  const count = () => {
    const nowMs = performance.now();
    if (nowMs - sinceMs >= SECOND_MS) {
      sinceMs = nowMs;
      frames = 0;
    }
    frames += 1;
    if (frames > limits.control_frames_per_second)
      connection.close(CLOSE_POLICY, "too many control frames");
  };
  socket.on("ping", count);
  socket.on("pong", count);
}

/** A bot that left while its token was looked up has closed: `ws` let go of the stream under it. */
function listen(socket: WebSocket, raw: Duplex, most: number, listener: Listener): void {
  if (socket.readyState !== socket.OPEN) {
    listener.closed();
    return;
  }
  socket.on("close", () => listener.closed());
  readPlainFrames(socket, raw, { most, inPlace: READS_IN_PLACE }, listener);
  socket.on("message", (data: RawData, isBinary: boolean) => {
    listener.frame(isBinary ? null : textOf(data));
  });
  socket.on("pong", () => listener.pong());
}

/** Text frames arrive as one Buffer with the default binary type. */
const textOf = (data: RawData): string => (data as Buffer).toString("utf8");
