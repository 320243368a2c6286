// Protocol of the image decoder process. The exit code is the outcome; stdout contains width,
// height and the image.

/** `bytes` is a WebP file. */
export type DecodedImage = { width: number; height: number; bytes: Uint8Array };

/** Any other exit code means that decoding exceeded a limit. */
export const EXIT_CODES = { decoded: 0, too_large: 11, undecodable: 12, unavailable: 13 } as const;

/** Width and height as 4-byte integers. */
const HEADER_BYTES = 8;

export function serializeImage({ width, height, bytes }: DecodedImage): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(width, 0);
  header.writeUInt32LE(height, 4);
  return Buffer.concat([header, bytes]);
}

export function parseImage(output: Buffer): DecodedImage | null {
  if (output.length <= HEADER_BYTES) return null;
  const [width, height] = [output.readUInt32LE(0), output.readUInt32LE(4)];
  return { width, height, bytes: output.subarray(HEADER_BYTES) };
}
