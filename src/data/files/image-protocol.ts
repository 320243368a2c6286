// Protocol of the image decoder process: its exit code, and on stdout width, height and the image.

/** A WebP image. */
export type DecodedImage = { width: number; height: number; bytes: Uint8Array };

/** Any other exit means that the image exceeded its limits. */
export const EXIT_CODES = { decoded: 0, too_large: 11, undecodable: 12, unavailable: 13 } as const;

/** Two 4-byte integers. */
const HEADER_BYTES = 8;

export function serializeImage({ width, height, bytes }: DecodedImage): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(width, 0);
  header.writeUInt32LE(height, 4);
  return Buffer.concat([header, bytes]);
}

/** Returns null for an incomplete result. */
export function parseImage(output: Buffer): DecodedImage | null {
  if (output.length <= HEADER_BYTES) return null;
  const [width, height] = [output.readUInt32LE(0), output.readUInt32LE(4)];
  return { width, height, bytes: output.subarray(HEADER_BYTES) };
}
