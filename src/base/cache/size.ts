// An estimate of a value's memory, on the high side.

const OBJECT_BYTES = 32;
const FIELD_BYTES = 16;
const TEXT_BYTES = 24;

/** For plain data. What values share counts for each of them. */
export function bytesOf(value: unknown): number {
  if (typeof value === "string") return textBytes(value);
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return OBJECT_BYTES * 8 + value.byteLength;
  if (value instanceof Map) return bytesOf([...value]);
  let bytes = OBJECT_BYTES;
  for (const field of Object.values(value)) bytes += FIELD_BYTES + bytesOf(field);
  return bytes;
}

/** Names and ids take a byte per character; other text may take two. */
export function textBytes(text: string): number {
  return TEXT_BYTES + 2 * text.length;
}
