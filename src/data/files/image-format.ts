// Detects image types by their first bytes. File names are ignored.

import { IMAGE_TYPES } from "#core/ids/image-types.ts";
import type { ImageType } from "#core/ids/image-types.ts";

/** Expected bytes and their offset, from the PNG, JPEG and RIFF specifications. */
const SIGNATURES: Readonly<Record<ImageType, readonly (readonly [at: number, bytes: string])[]>> = {
  "image/png": [[0, "\u0089PNG\r\n\u001A\n"]],
  "image/jpeg": [[0, "\u00FF\u00D8\u00FF"]],
  "image/webp": [
    [0, "RIFF"],
    [8, "WEBP"],
  ],
};

/**
 * Last chunk of every PNG. Decoders accept files without it, so a truncated file would otherwise
 * pass.
 */
const PNG_END = Buffer.from("\0\0\0\0IEND\u00AE\u0042\u0060\u0082", "latin1");

const isImageType = (type: string): type is ImageType =>
  (IMAGE_TYPES as readonly string[]).includes(type);

/** Returns the image type if the first bytes match the Content-Type, otherwise null. */
export function imageTypeOf(bytes: Uint8Array, contentType: string): ImageType | null {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!isImageType(type)) return null;
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return SIGNATURES[type].every(([offset, text]) => start.startsWith(text, offset)) ? type : null;
}

/** Returns whether an image is truncated in a way that the decoder doesn't report. */
export function isTruncated(bytes: Uint8Array, type: ImageType): boolean {
  return (
    type === "image/png" &&
    !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(PNG_END)
  );
}
