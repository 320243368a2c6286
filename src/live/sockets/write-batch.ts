// What goes out to bots leaves together at the end of a turn of the event loop. Texts written one by
// one between the matches' work wake the reader at the other end each time, which costs more than
// the writing itself.

import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

/**
 * Texts that leave at once when so many wait, so that the first of them never waits long and is
 * still in the processor's caches. Both one and 256 cost the thread a twentieth more.
 */
const MOST_WAITING = 24;

const TEXT_FRAME = 0x81;
const TWO_BYTE_LENGTH = 126;
const MOST_BYTES = 0xffff;

/** One socket's place in the outbox; `raw` is the stream under `socket`. */
export type Address = { socket: WebSocket; raw: Duplex; isDead: boolean; waitingBytes: number };

type Letter = {
  to: Address;
  text: string;
  /** Of an observation, which is ASCII alone: to be called once it is handed to the system. */
  written: (() => void) | null;
};

export class Outbox {
  #letters: Letter[] = [];

  /** Takes a text; an observation with what is to be called once it is handed to the system. */
  post(to: Address, text: string, written: (() => void) | null): void {
    if (this.#letters.length === 0) setImmediate(() => this.flush());
    this.#letters.push({ to, text, written });
    to.waitingBytes += text.length;
    if (this.#letters.length >= MOST_WAITING) this.flush();
  }

  /** Hands on all that waits, in order. */
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
 * A text of ASCII goes out as one frame in one piece: `ws` makes two buffers of it, the stream a
 * list of these, and all that costs as much as printing the text. Whatever else there is, other
 * texts, pings and closes, is left to `ws`; without compression both write at once, so that frames
 * never mix.
 */
function writeAscii({ socket, raw }: Address, text: string): void {
  if (text.length > MOST_BYTES) socket.send(text);
  else raw.write(frameHead(text.length) + text, "latin1");
}

/** The head of an unmasked, final text frame, a character a byte (RFC 6455, section 5.2). */
function frameHead(length: number): string {
  if (length < TWO_BYTE_LENGTH) return String.fromCharCode(TEXT_FRAME, length);
  return String.fromCharCode(TEXT_FRAME, TWO_BYTE_LENGTH, length >> 8, length & 0xff);
}
