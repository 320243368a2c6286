// Fast path for nearly all frames of bots: whole ASCII text frames in one chunk. `ws` assembles
// frames through a stream behind each socket, which takes six times as long. Everything else is
// passed to `ws` unchanged.

import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

import { readInPlace } from "./zero-copy-read.ts";

// RFC 6455, section 5.2.
const FINAL = 0x80;
const FINAL_TEXT = 0x81;
const MASKED = 0x80;
const LENGTH = 0x7f;
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;
const MASK_BYTES = 4;
const MASK_INDEX = MASK_BYTES - 1;

const NOT_ASCII = 0x80;

/** Position of a masked frame's payload in its chunk; the mask precedes it. */
type Payload = { start: number; end: number };

/** Receives the text of each frame. */
type FrameHandler = { onFrame(text: string): void };

type ReadOptions = {
  /** In bytes; a longer frame isn't plain. */
  maxBytes: number;
  /** Whether to bypass the stream where Node allows it. */
  inPlace: boolean;
};

/**
 * Passes every plain frame on as text until the socket closes. Call it once, on a socket that `ws`
 * has just opened.
 */
export function readPlainFrames(
  socket: WebSocket,
  raw: Duplex,
  { maxBytes, inPlace }: ReadOptions,
  handler: FrameHandler,
): void {
  const [wsListener] = raw.listeners("data") as [(chunk: Buffer) => void];
  const frames = new PlainFrames(socket, maxBytes, handler);
  const onData = (chunk: Buffer) => {
    const restStart = frames.consume(chunk, chunk.length);
    if (restStart === chunk.length) return;
    frames.passToWs(chunk, restStart);
    wsListener.call(raw, restStart === 0 ? chunk : chunk.subarray(restStart));
  };
  raw.off("data", wsListener);
  // Removed when `ws` removes its own listener, which this one replaces.
  raw.on("data", Object.assign(onData, { listener: wsListener }));
  if (inPlace) readInPlace(raw, frames);
}

/**
 * Reads the plain frames of one socket. A single object, because with hundreds of sockets the
 * memory is cold.
 */
class PlainFrames {
  readonly #socket: WebSocket;
  readonly #maxBytes: number;
  readonly #handler: FrameHandler;
  /** Whether `ws` holds no partial message. If it does, all input goes to it. */
  #isBetweenMessages = true;

  constructor(socket: WebSocket, maxBytes: number, handler: FrameHandler) {
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.#handler = handler;
  }

  /** Passes on the plain frames at the start of a chunk. Returns where the rest starts. */
  consume(bytes: Buffer, length: number): number {
    const socket = this.#socket;
    let at = 0;
    while (at < length && this.#isBetweenMessages && socket.readyState === socket.OPEN) {
      const payload = plainPayload(bytes, at, length, this.#maxBytes);
      const text = payload === null ? null : textOf(bytes, payload);
      if (payload === null || text === null) break;
      at = payload.end;
      this.#handler.onFrame(text);
    }
    return at;
  }

  /** Passes the rest of a chunk to `ws`. */
  passToWs(chunk: Buffer, restStart: number): void {
    this.#isBetweenMessages &&= endsMessage(chunk, restStart);
  }
}

/** 0 beyond the chunk. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** Returns the payload of the frame that starts here; null if it isn't plain or complete. */
function plainPayload(bytes: Buffer, at: number, length: number, maxBytes: number): Payload | null {
  if (bytes[at] !== FINAL_TEXT || (byteAt(bytes, at + 1) & MASKED) === 0) return null;
  const payload = payloadAt(bytes, at, length);
  return payload === null || payload.end - payload.start > maxBytes ? null : payload;
}

/**
 * Returns the payload of a masked frame; null if it is incomplete or its length takes eight bytes.
 */
function payloadAt(bytes: Buffer, at: number, length: number): Payload | null {
  const lengthField = byteAt(bytes, at + 1) & LENGTH;
  if (lengthField === EIGHT_BYTE_LENGTH || at + 2 > length) return null;
  const isShortLength = lengthField < TWO_BYTE_LENGTH;
  const start = at + (isShortLength ? 2 : 4) + MASK_BYTES;
  const end =
    start + (isShortLength ? lengthField : (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3));
  return end <= length ? { start, end } : null;
}

/** Unmasks in place. Returns null and leaves the data unchanged if the text isn't pure ASCII. */
function textOf(chunk: Buffer, payload: Payload): string | null {
  const { start, end } = payload;
  if (unmask(chunk, payload) < NOT_ASCII) return chunk.toString("latin1", start, end);
  unmask(chunk, payload);
  return null;
}

/** Applies or removes the mask. Returns the bitwise OR of the resulting bytes. */
function unmask(chunk: Buffer, { start, end }: Payload): number {
  const mask = start - MASK_BYTES;
  let bits = 0;
  for (let at = start; at < end; at += 1) {
    const byte = byteAt(chunk, at) ^ byteAt(chunk, mask + ((at - start) & MASK_INDEX));
    chunk[at] = byte;
    bits |= byte;
  }
  return bits;
}

/** Returns whether `ws` will finish with the rest of a chunk: it holds only whole, final frames. */
function endsMessage(chunk: Buffer, from: number): boolean {
  for (let at = from; at < chunk.length;) {
    const isMasked = (byteAt(chunk, at + 1) & MASKED) !== 0;
    const payload =
      isMasked && (byteAt(chunk, at) & FINAL) !== 0 ? payloadAt(chunk, at, chunk.length) : null;
    if (payload === null) return false;
    at = payload.end;
  }
  return true;
}
