// Reads directly what bots nearly always send: a whole text frame of ASCII that arrived in one
// piece. `ws` has a stream behind each socket to assemble frames, and going through it takes six
// times as long. Anything else is left to `ws`, byte for byte.

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

/** Where the payload of a masked frame lies in its chunk; the mask precedes it. */
type Payload = { start: number; end: number };

/** Takes the text of each frame. */
type Hearer = { frame(text: string): void };

type Reading = {
  /** In bytes; a longer frame is not plain. */
  most: number;
  /** Whether to bypass the stream where Node allows it. */
  inPlace: boolean;
};

/**
 * Passes on every plain frame as text until the socket closes. Call it once, on a socket that `ws`
 * has just opened.
 */
export function readPlainFrames(
  socket: WebSocket,
  raw: Duplex,
  { most, inPlace }: Reading,
  hearer: Hearer,
): void {
  const [toWs] = raw.listeners("data") as [(chunk: Buffer) => void];
  const frames = new PlainFrames(socket, most, hearer);
  const read = (chunk: Buffer) => {
    const rest = frames.take(chunk, chunk.length);
    if (rest === chunk.length) return;
    frames.leave(chunk, rest);
    toWs.call(raw, rest === 0 ? chunk : chunk.subarray(rest));
  };
  raw.off("data", toWs);
  // When `ws` removes its own listener, this one, which replaces it, goes too.
  raw.on("data", Object.assign(read, { listener: toWs }));
  if (inPlace) readInPlace(raw, frames);
}

/**
 * The plain frames of one socket. A single object, because hundreds of sockets lie in cold memory.
 */
class PlainFrames {
  readonly #socket: WebSocket;
  readonly #most: number;
  readonly #hearer: Hearer;
  /** Whether `ws` holds no part of a message. If it does, everything that comes is for it. */
  #isBetweenMessages = true;

  constructor(socket: WebSocket, most: number, hearer: Hearer) {
    this.#socket = socket;
    this.#most = most;
    this.#hearer = hearer;
  }

  /** Passes on the plain frames at the start of what arrived; returns where the rest starts. */
  take(bytes: Buffer, length: number): number {
    const socket = this.#socket;
    let at = 0;
    while (at < length && this.#isBetweenMessages && socket.readyState === socket.OPEN) {
      const payload = plainPayload(bytes, at, length, this.#most);
      const text = payload === null ? null : textOf(bytes, payload);
      if (payload === null || text === null) break;
      at = payload.end;
      this.#hearer.frame(text);
    }
    return at;
  }

  /** Leaves the rest of a chunk to `ws`. */
  leave(chunk: Buffer, rest: number): void {
    this.#isBetweenMessages &&= endsMessage(chunk, rest);
  }
}

/** 0 beyond what arrived. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** The payload of the frame that starts here; null if it is not plain or not complete. */
function plainPayload(bytes: Buffer, at: number, length: number, most: number): Payload | null {
  if (bytes[at] !== FINAL_TEXT || (byteAt(bytes, at + 1) & MASKED) === 0) return null;
  const payload = payloadAt(bytes, at, length);
  return payload === null || payload.end - payload.start > most ? null : payload;
}

/**
 * The payload of a masked frame; null if it is incomplete, or so long that its length takes eight
 * bytes.
 */
function payloadAt(bytes: Buffer, at: number, length: number): Payload | null {
  const short = byteAt(bytes, at + 1) & LENGTH;
  if (short === EIGHT_BYTE_LENGTH || at + 2 > length) return null;
  const isShort = short < TWO_BYTE_LENGTH;
  const start = at + (isShort ? 2 : 4) + MASK_BYTES;
  const end = start + (isShort ? short : (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3));
  return end <= length ? { start, end } : null;
}

/** Unmasks in place. Null, with everything unchanged, if the text is not pure ASCII. */
function textOf(chunk: Buffer, payload: Payload): string | null {
  const { start, end } = payload;
  if (unmask(chunk, payload) < NOT_ASCII) return chunk.toString("latin1", start, end);
  unmask(chunk, payload);
  return null;
}

/** Applies or removes the mask; returns the bitwise OR of the resulting bytes. */
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

/** Whether `ws` will be done with the rest of a chunk: it holds only whole, final frames. */
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
