// Estimates the memory of a value, erring on the high side.

const OBJECT_BYTES = 32;
const FIELD_BYTES = 16;
const STRING_OVERHEAD_BYTES = 24;

/** For plain data. Shared parts count for each value. */
export function estimateBytes(value: unknown): number {
  if (typeof value === "string") return estimateTextBytes(value);
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return OBJECT_BYTES * 8 + value.byteLength;
  if (value instanceof Map) return estimateBytes([...value]);
  let bytes = OBJECT_BYTES;
  for (const field of Object.values(value)) bytes += FIELD_BYTES + estimateBytes(field);
  return bytes;
}

/** Names and ids take a byte per character; other text may take two. */
export function estimateTextBytes(text: string): number {
  return STRING_OVERHEAD_BYTES + 2 * text.length;
}
