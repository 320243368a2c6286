// Node makes a buffer for each piece that it reads from a socket and carries it through a stream.
// `onread` of net.Socket avoids both by reading into one buffer, but can only be requested by the
// creator of the socket. Sockets of bots are created by the HTTP server, so this module sets the
// fields that `onread` would set. A Node without these fields keeps using the stream.

import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** As much as Node itself reads at a time. */
const BUFFER_BYTES = 64 * 1024;

type Taker = {
  /**
   * Takes what has just arrived, the first `length` bytes of a buffer whose rest is old, and
   * returns how many it has taken. It must not keep any part of the buffer.
   */
  take(bytes: Buffer, length: number): number;
};

type Handle = { useUserBuffer?: (buffer: Buffer) => void };

/** One for all sockets: what one has read is taken or copied before the next one reads. */
const shared = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/**
 * Shows the taker everything that arrives before the stream under a socket gets it. What is not
 * taken goes into the stream, as does everything that arrives while something waits there. False,
 * and nothing changed, if it is not a TCP socket or if Node has no such fields.
 */
export function readInPlace(raw: Duplex, taker: Taker): boolean {
  const fields = fieldsOf(raw);
  if (fields === null) return false;
  const { handle, buffer, callback } = fields;
  let isStreamUsed = raw.readableLength > 0;
  const onRead = (length: number): boolean => {
    isStreamUsed &&= raw.readableLength > 0;
    const taken = isStreamUsed ? 0 : taker.take(shared, length);
    if (taken === length) return true;
    isStreamUsed = true;
    return raw.push(Buffer.from(shared.subarray(taken, length)));
  };
  Object.assign(raw, { [buffer]: shared, [callback]: onRead });
  handle.useUserBuffer(shared);
  return true;
}

/**
 * The fields with the socket's handle and what `onread` requests; null if this Node does not have
 * them.
 */
function fieldsOf(raw: Duplex) {
  if (!(raw instanceof Socket)) return null;
  const symbols = Object.getOwnPropertySymbols(raw);
  const field = (name: string) => symbols.find(({ description }) => description === name);
  const [owner, buffer, callback] = ["kHandle", "kBuffer", "kBufferCb"].map(field);
  if (owner === undefined || buffer === undefined || callback === undefined) return null;
  const handle = (raw as unknown as Record<symbol, Handle | null>)[owner];
  if (typeof handle?.useUserBuffer !== "function") return null;
  return { handle: handle as Required<Handle>, buffer, callback };
}
