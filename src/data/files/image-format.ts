// What a file is by its first bytes, whatever it is called.

import { IMAGE_TYPES } from "#core/words/images.ts";
import type { ImageType } from "#core/words/images.ts";

/** Each by its bytes at the start and a text at an offset (PNG, JPEG and RIFF specifications). */
const BEGINNINGS: Readonly<Record<ImageType, readonly (readonly [at: number, bytes: string])[]>> = {
  "image/png": [[0, "\u0089PNG\r\n\u001A\n"]],
  "image/jpeg": [[0, "\u00FF\u00D8\u00FF"]],
  "image/webp": [
    [0, "RIFF"],
    [8, "WEBP"],
  ],
};

/** The last chunk of every PNG. Decoders do without it, so a cut file would not be noticed. */
const PNG_END = Buffer.from("\0\0\0\0IEND\u00AE\u0042\u0060\u0082", "latin1");

const isImageType = (type: string): type is ImageType =>
  (IMAGE_TYPES as readonly string[]).includes(type);

/** The type of a picture that begins as its Content-Type says; null for anything else. */
export function imageTypeOf(bytes: Uint8Array, contentType: string): ImageType | null {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!isImageType(type)) return null;
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  return BEGINNINGS[type].every(([at, text]) => start.startsWith(text, at)) ? type : null;
}

/** Whether a picture lacks its end, as far as its decoder would not say so. */
export function isCut(bytes: Uint8Array, type: ImageType): boolean {
  return (
    type === "image/png" &&
    !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(PNG_END)
  );
}
