// Node makes a buffer for each piece that it reads from a socket and carries it through a stream.
// `onread` of net.Socket reads into one buffer instead, without either, but can only be asked for by
// whoever makes the socket. The HTTP server makes those that bots connect by, so the same is set
// here, on the fields that `onread` sets. A Node without them goes on by the stream.

import { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** As much as Node reads at once by itself. */
const BUFFER_BYTES = 64 * 1024;

type Taker = {
  /**
   * Takes what has just come, the first bytes of a buffer of which the rest is old, and says how
   * many it has taken. Nothing of the buffer may be kept.
   */
  take(bytes: Buffer, length: number): number;
};

type Handle = { useUserBuffer?: (buffer: Buffer) => void };

/** One for all sockets: what one has read is taken, or copied, before the next reads. */
const shared = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/**
 * Shows the taker whatever comes from now on before the stream under a socket has it; what is not
 * taken goes on into the stream, as does all that comes while something waits there. False, and
 * nothing changed, where there is no TCP socket, or where Node has no such fields.
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

/** Where Node keeps the socket's handle, and what `onread` asks for; null where it does not. */
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
