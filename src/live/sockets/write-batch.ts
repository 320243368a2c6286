// Everything sent to bots leaves together at the end of a turn of the event loop. Texts written one
// by one between the matches' work wake the reader at the other end each time, which costs more
// than the writing itself.

import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

/**
 * Once this many texts wait, they leave at once, so that the first never waits long and is still in
 * the processor's caches. Both 1 and 256 cost the thread a twentieth more.
 */
const MOST_WAITING = 24;

const TEXT_FRAME = 0x81;
const TWO_BYTE_LENGTH = 126;
const MOST_BYTES = 0xffff;

/** One socket's place in the batch; `raw` is the stream under `socket`. */
export type Address = { socket: WebSocket; raw: Duplex; isDead: boolean; waitingBytes: number };

type Letter = {
  to: Address;
  text: string;
  /** Called once an observation, which is pure ASCII, is handed to the system. */
  written: (() => void) | null;
};

export class Outbox {
  #letters: Letter[] = [];

  /** Takes a text; for an observation, `written` is called once it is handed to the system. */
  post(to: Address, text: string, written: (() => void) | null): void {
    if (this.#letters.length === 0) setImmediate(() => this.flush());
    this.#letters.push({ to, text, written });
    to.waitingBytes += text.length;
    if (this.#letters.length >= MOST_WAITING) this.flush();
  }

  /** Sends everything that waits, in order. */
  flush(): void {
    const letters = this.#letters;
    this.#letters = [];
    for (const { to, text, written } of letters) {
      to.waitingBytes -= text.length;
      if (to.isDead || to.socket.readyState !== to.socket.OPEN) continue;
      if (written === null) write(to, text);
      else writeAscii(to, text);
      written?.();
    }
  }
}

function write(to: Address, text: string): void {
  if (Buffer.byteLength(text) === text.length) writeAscii(to, text);
  else to.socket.send(text);
}

/**
 * Writes an ASCII text as one frame in one piece: `ws` makes two buffers of it and the stream a
 * list of these, which together cost as much as printing the text. Anything else (other texts,
 * pings and closes) is left to `ws`. Without compression both write immediately, so that frames
 * never mix.
 */
function writeAscii({ socket, raw }: Address, text: string): void {
  if (text.length > MOST_BYTES) socket.send(text);
  else raw.write(frameHead(text.length) + text, "latin1");
}

/** The head of an unmasked, final text frame, one character per byte (RFC 6455, section 5.2). */
function frameHead(length: number): string {
  if (length < TWO_BYTE_LENGTH) return String.fromCharCode(TEXT_FRAME, length);
  return String.fromCharCode(TEXT_FRAME, TWO_BYTE_LENGTH, length >> 8, length & 0xff);
}
