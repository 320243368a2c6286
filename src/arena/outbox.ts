// What goes out to bots leaves together at the end of a turn of the event loop. Texts written one by
// one between the matches' work wake the reader at the other end each time, which costs more than
// the writing itself.

import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

/** Texts that leave at once when so many wait, so that the first of them never waits long. */
const MOST_WAITING = 64;

const TEXT_FRAME = 0x81;
const TWO_BYTE_LENGTH = 126;
const MOST_BYTES = 0xffff;

/** One socket's place in the outbox; `raw` is the stream under `socket`. */
export type Address = { socket: WebSocket; raw: Duplex; isDead: boolean; waitingBytes: number };

type Letter = { to: Address; text: string; written: (() => void) | undefined };

export class Outbox {
  #letters: Letter[] = [];

  /** Takes a text; `written` is called once it is handed to the system. */
  post(to: Address, text: string, written?: () => void): void {
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
      write(to, text);
      written?.();
    }
  }
}

/**
 * A text of ASCII goes out as one frame in one piece: `ws` makes two buffers of it, the stream a
 * list of these, and all that costs as much as printing the text. Whatever else there is, other
 * texts, pings and closes, is left to `ws`; without compression both write at once, so that frames
 * never mix.
 */
function write({ socket, raw }: Address, text: string): void {
  const { length } = text;
  if (length > MOST_BYTES || Buffer.byteLength(text) !== length) socket.send(text);
  else raw.write(frameHead(length) + text, "latin1");
}

/** The head of an unmasked, final text frame, a character a byte (RFC 6455, section 5.2). */
function frameHead(length: number): string {
  if (length < TWO_BYTE_LENGTH) return String.fromCharCode(TEXT_FRAME, length);
  return String.fromCharCode(TEXT_FRAME, TWO_BYTE_LENGTH, length >> 8, length & 0xff);
}
