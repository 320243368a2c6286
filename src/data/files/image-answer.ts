// How the process that decodes a picture answers the server: by its exit code, and on stdout, where
// the picture follows its width and height.

/** A picture as WebP. */
export type DecodedImage = { width: number; height: number; bytes: Uint8Array };

/** Any other way to end means that the picture was too much for it. */
export const EXIT = { decoded: 0, too_large: 11, undecodable: 12, unavailable: 13 } as const;

/** Two whole numbers of four bytes. */
const HEAD_BYTES = 8;

export function printImage({ width, height, bytes }: DecodedImage): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(width, 0);
  head.writeUInt32LE(height, 4);
  return Buffer.concat([head, bytes]);
}

/** Null where that is no whole answer. */
export function parseImage(answer: Buffer): DecodedImage | null {
  if (answer.length <= HEAD_BYTES) return null;
  const [width, height] = [answer.readUInt32LE(0), answer.readUInt32LE(4)];
  return { width, height, bytes: answer.subarray(HEAD_BYTES) };
}
