// Zero-copy reads. Node allocates a buffer for each chunk and passes it through a stream. The
// `onread` option of net.Socket avoids both by reading into a single buffer, but only the creator
// of a socket can set it. Bot sockets are created by the HTTP server, so this module sets the
// internal fields that `onread` would set. If Node lacks these fields, the stream is used.

import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Node's own read size. */
const BUFFER_BYTES = 64 * 1024;

type ChunkConsumer = {
  /**
   * Consumes data from the first `length` bytes of the buffer and returns the number of consumed
   * bytes. The rest of the buffer is stale. Implementations must not keep references to the buffer.
   */
  consume(bytes: Buffer, length: number): number;
};

type TcpHandle = { useUserBuffer?: (buffer: Buffer) => void };

/** Shared by all sockets, because each read is consumed or copied before the next. */
const sharedBuffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/**
 * Passes incoming data to the consumer before the socket's stream. Unconsumed data goes to the
 * stream, and so does all data while the stream has data pending. Returns false without changing
 * anything if this isn't a TCP socket or Node lacks the internal fields.
 */
export function readInPlace(stream: Duplex, consumer: ChunkConsumer): boolean {
  const fields = internalFieldsOf(stream);
  if (fields === null) return false;
  const { handle, buffer, callback } = fields;
  let isStreamUsed = stream.readableLength > 0;
  const onRead = (length: number): boolean => {
    isStreamUsed &&= stream.readableLength > 0;
    const consumed = isStreamUsed ? 0 : consumer.consume(sharedBuffer, length);
    if (consumed === length) return true;
    isStreamUsed = true;
    return stream.push(Buffer.from(sharedBuffer.subarray(consumed, length)));
  };
  Object.assign(stream, { [buffer]: sharedBuffer, [callback]: onRead });
  handle.useUserBuffer(sharedBuffer);
  return true;
}

/**
 * Returns the internal fields for the socket's handle and `onread` settings, or null if Node lacks
 * them.
 */
function internalFieldsOf(stream: Duplex) {
  if (!(stream instanceof Socket)) return null;
  const symbols = Object.getOwnPropertySymbols(stream);
  const field = (name: string) => symbols.find(({ description }) => description === name);
  const [handleSymbol, bufferSymbol, callbackSymbol] = ["kHandle", "kBuffer", "kBufferCb"].map(
    field,
  );
  if (handleSymbol === undefined || bufferSymbol === undefined || callbackSymbol === undefined)
    return null;
  const handle = (stream as unknown as Record<symbol, TcpHandle | null>)[handleSymbol];
  if (typeof handle?.useUserBuffer !== "function") return null;
  return { handle: handle as Required<TcpHandle>, buffer: bufferSymbol, callback: callbackSymbol };
}
