// Batches all writes to bots until the end of an event loop iteration. Separate writes between the
// work of matches wake the reader at the other end each time, which costs more than writing.

import type { Duplex } from "node:stream";

import type { WebSocket } from "ws";

/**
 * Pending texts are flushed at this number, so that the first doesn't wait long and is still in the
 * CPU caches. Both 1 and 256 cost a twentieth more CPU time.
 */
const MAX_PENDING = 24;

const TEXT_FRAME = 0x81;
const TWO_BYTE_LENGTH = 126;
const MAX_SHORT_FRAME_BYTES = 0xffff;

/** One socket's entry in the batch; `stream` is the stream under `socket`. */
export type SocketTarget = {
  socket: WebSocket;
  stream: Duplex;
  isDead: boolean;
  waitingBytes: number;
};

type PendingWrite = {
  target: SocketTarget;
  text: string;
  /** Called once an observation, which is pure ASCII, has been handed to the system. */
  onWritten: (() => void) | null;
};

export class WriteBatch {
  #writes: PendingWrite[] = [];

  /**
   * Enqueues a text. For an observation, calls `onWritten` once it has been handed to the system.
   */
  enqueue(target: SocketTarget, text: string, onWritten: (() => void) | null): void {
    if (this.#writes.length === 0) setImmediate(() => this.flush());
    this.#writes.push({ target, text, onWritten });
    target.waitingBytes += text.length;
    if (this.#writes.length >= MAX_PENDING) this.flush();
  }

  /** Flushes all pending texts in order. */
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
 * Writes an ASCII text as one frame in one buffer: `ws` makes two and the stream a list of them,
 * which together cost as much as printing the text. Other texts, pings and closes go through `ws`.
 * Without compression both write immediately, so frames never mix.
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
