// Batches all writes to bots until the end of the event loop iteration. A separate write after each
// match's work wakes the reader on the other end each time, which costs more than the write itself.

import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

/**
 * Flushes at this number of pending messages, while the first are still in the CPU caches and
 * haven't waited long. Both 1 and 256 use 5% more CPU time.
 */
const MAX_PENDING = 24;

const TEXT_FRAME = 0x81;
const TWO_BYTE_LENGTH = 126;
const MAX_SHORT_FRAME_BYTES = 0xffff;

export type SocketTarget = {
  socket: WebSocket;
  stream: Duplex;
  isDead: boolean;
  waitingBytes: number;
};

type PendingWrite = {
  target: SocketTarget;
  text: string;
  /**
   * Set for observations, which are pure ASCII. Called when the text has been handed to the system.
   */
  onWritten: (() => void) | null;
};

export class WriteBatch {
  #writes: PendingWrite[] = [];

  /**
   * Enqueues a message. For an observation, `onWritten` is called when the message has been handed
   * to the system.
   */
  enqueue(target: SocketTarget, text: string, onWritten: (() => void) | null): void {
    if (this.#writes.length === 0) setImmediate(() => this.flush());
    this.#writes.push({ target, text, onWritten });
    target.waitingBytes += text.length;
    if (this.#writes.length >= MAX_PENDING) this.flush();
  }

  flush(): void {
    const writes = this.#writes;
    this.#writes = [];
    for (const { target, text, onWritten } of writes) {
      target.waitingBytes -= text.length;
      if (target.isDead || target.socket.readyState !== target.socket.OPEN) continue;
      if (onWritten === null) write(target, text);
      else writeAscii(target, text);
      onWritten?.();
    }
  }
}

function write(target: SocketTarget, text: string): void {
  if (Buffer.byteLength(text) === text.length) writeAscii(target, text);
  else target.socket.send(text);
}

/**
 * Writes ASCII text as one frame in one buffer. `ws` uses two buffers and the stream a list of
 * both, which together take as long as printing the text. Other messages, pings and closes go
 * through `ws`. Without compression, both paths write immediately, so frames never interleave.
 */
function writeAscii({ socket, stream }: SocketTarget, text: string): void {
  if (text.length > MAX_SHORT_FRAME_BYTES) socket.send(text);
  else stream.write(frameHead(text.length) + text, "latin1");
}

/**
 * Returns the header of an unmasked, final text frame, one character per byte (RFC 6455, section
 * 5.2).
 */
function frameHead(length: number): string {
  if (length < TWO_BYTE_LENGTH) return String.fromCharCode(TEXT_FRAME, length);
  return String.fromCharCode(TEXT_FRAME, TWO_BYTE_LENGTH, length >> 8, length & 0xff);
}
