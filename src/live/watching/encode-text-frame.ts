const TEXT_FRAME = 0x81;
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;
const MAX_TWO_BYTE_LENGTH = 0xffff;
const MAX_HEAD_BYTES = 10;

/** Returns an unmasked, final text frame (RFC 6455, section 5.2) that many sockets can send. */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(MAX_HEAD_BYTES + length);
  frame[0] = TEXT_FRAME;
  const headBytes = writeLength(frame, length);
  frame.write(text, headBytes, "utf8");
  return frame.subarray(0, headBytes + length);
}

/** Writes the payload length and returns the length of the frame's head. */
function writeLength(frame: Buffer, length: number): number {
  if (length < TWO_BYTE_LENGTH) return frame.writeUInt8(length, 1);
  if (length <= MAX_TWO_BYTE_LENGTH) {
    frame[1] = TWO_BYTE_LENGTH;
    return frame.writeUInt16BE(length, 2);
  }
  frame[1] = EIGHT_BYTE_LENGTH;
  return frame.writeBigUInt64BE(BigInt(length), 2);
}
