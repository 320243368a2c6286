// What bots send nearly always, a whole text frame of ASCII that came in one piece, is read here at
// once. `ws` keeps a stream of its own behind each socket to put frames together, and going through
// it takes six times as long. Whatever else comes is left to `ws`, byte for byte.

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

/** Where the payload of a masked frame lies in its chunk; the mask is in front of it. */
type Payload = { start: number; end: number };

/** Takes the text of each frame. */
type Hearer = { frame(text: string): void };

type Reading = {
  /** Bytes; a longer frame is not plain. */
  most: number;
  /** Whether to read past the stream where Node allows it. */
  inPlace: boolean;
};

/**
 * Hands over every plain frame as its text, until the socket closes. To be called once on a socket
 * that `ws` has just opened.
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
  // When `ws` takes its own listener off, this one, which stands for it, goes.
  raw.on("data", Object.assign(read, { listener: toWs }));
  if (inPlace) readInPlace(raw, frames);
}

/** The plain frames of one socket. One object, because hundreds of sockets lie in cold memory. */
class PlainFrames {
  readonly #socket: WebSocket;
  readonly #most: number;
  readonly #hearer: Hearer;
  /** Whether `ws` has no part of a message. Once it has, all that comes is for it. */
  #isBetweenMessages = true;

  constructor(socket: WebSocket, most: number, hearer: Hearer) {
    this.#socket = socket;
    this.#most = most;
    this.#hearer = hearer;
  }

  /** Hands over the plain frames that what came begins with; says where the rest begins. */
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

  /** The rest of a chunk goes to `ws`. */
  leave(chunk: Buffer, rest: number): void {
    this.#isBetweenMessages &&= endsMessage(chunk, rest);
  }
}

/** 0 beyond what came. */
const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** The payload of the frame that begins here, null when it is not plain or not whole. */
function plainPayload(bytes: Buffer, at: number, length: number, most: number): Payload | null {
  if (bytes[at] !== FINAL_TEXT || (byteAt(bytes, at + 1) & MASKED) === 0) return null;
  const payload = payloadAt(bytes, at, length);
  return payload === null || payload.end - payload.start > most ? null : payload;
}

/** Of a masked frame; null when it is not whole, or so long that its length takes eight bytes. */
function payloadAt(bytes: Buffer, at: number, length: number): Payload | null {
  const short = byteAt(bytes, at + 1) & LENGTH;
  if (short === EIGHT_BYTE_LENGTH || at + 2 > length) return null;
  const isShort = short < TWO_BYTE_LENGTH;
  const start = at + (isShort ? 2 : 4) + MASK_BYTES;
  const end = start + (isShort ? short : (byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3));
  return end <= length ? { start, end } : null;
}

/** Unmasks in place; null, and all as it was, when the text is not of ASCII alone. */
function textOf(chunk: Buffer, payload: Payload): string | null {
  const { start, end } = payload;
  if (unmask(chunk, payload) < NOT_ASCII) return chunk.toString("latin1", start, end);
  unmask(chunk, payload);
  return null;
}

/** Puts the mask on or takes it off; all bits of all bytes, in one. */
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

/** Whether `ws`, given the rest of a chunk, is done with it: it holds whole, final frames alone. */
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
