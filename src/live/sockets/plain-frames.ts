// Fast path for the frames bots usually send: complete ASCII text frames in one chunk. `ws`
// assembles frames through a stream per socket, which takes six times as long. Everything else is
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

/** Byte range of a masked frame's payload in its chunk. The mask is directly before it. */
type Payload = { start: number; end: number };

type FrameHandler = { onFrame(text: string): void };

type ReadOptions = {
  /** Max payload size in bytes. Longer frames are passed to `ws`. */
  maxBytes: number;
  /** Whether to bypass the stream if Node supports it. */
  inPlace: boolean;
};

/**
 * Passes each plain frame to the handler as text until the socket closes. Call once, on a socket
 * that `ws` has just opened.
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
  // Lets `ws` remove this listener in place of its own, which it replaces.
  raw.on("data", Object.assign(onData, { listener: wsListener }));
  if (inPlace) readInPlace(raw, frames);
}

/**
 * Reads the plain frames of one socket. All state is in one object, because with hundreds of
 * sockets the CPU caches are cold.
 */
class PlainFrames {
  readonly #socket: WebSocket;
  readonly #maxBytes: number;
  readonly #handler: FrameHandler;
  /**
   * False while `ws` has a partial message. Until the message is complete, all input goes to `ws`.
   */
  #isBetweenMessages = true;

  constructor(socket: WebSocket, maxBytes: number, handler: FrameHandler) {
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.#handler = handler;
  }

  /**
   * Handles the plain frames at the start of a chunk. Returns the offset of the remaining bytes.
   */
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

  /** Records that the rest of a chunk goes to `ws`. */
  passToWs(chunk: Buffer, restStart: number): void {
    this.#isBetweenMessages &&= endsMessage(chunk, restStart);
  }
}

/** Returns 0 beyond the end of the chunk. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** Returns the payload of the frame at `at`; null if the frame isn't plain or isn't complete. */
function plainPayload(bytes: Buffer, at: number, length: number, maxBytes: number): Payload | null {
  if (bytes[at] !== FINAL_TEXT || (byteAt(bytes, at + 1) & MASKED) === 0) return null;
  const payload = payloadAt(bytes, at, length);
  return payload === null || payload.end - payload.start > maxBytes ? null : payload;
}

/**
 * Returns the payload of a masked frame; null if the frame isn't complete or has an eight-byte
 * length.
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

/**
 * Unmasks the payload in place. If the text isn't pure ASCII, returns null and leaves the data
 * unchanged.
 */
function textOf(chunk: Buffer, payload: Payload): string | null {
  const { start, end } = payload;
  if (unmask(chunk, payload) < NOT_ASCII) return chunk.toString("latin1", start, end);
  unmask(chunk, payload);
  return null;
}

/** Applies or removes the mask in place. Returns the bitwise OR of the resulting bytes. */
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

/**
 * Returns whether the rest of a chunk contains only complete final frames, so that `ws` keeps no
 * partial message.
 */
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
