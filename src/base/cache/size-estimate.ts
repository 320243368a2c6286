const OBJECT_BYTES = 32;
const FIELD_BYTES = 16;
const STRING_OVERHEAD_BYTES = 24;

/**
 * Estimates the memory of plain data in bytes, erring on the high side. Shared parts count once for
 * each value.
 */
export function estimateBytes(value: unknown): number {
  if (typeof value === "string") return estimateTextBytes(value);
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return OBJECT_BYTES * 8 + value.byteLength;
  if (value instanceof Map) return estimateBytes([...value]);
  let bytes = OBJECT_BYTES;
  for (const field of Object.values(value)) bytes += FIELD_BYTES + estimateBytes(field);
  return bytes;
}

/** Assumes two bytes per character, although ASCII text takes only one. */
export function estimateTextBytes(text: string): number {
  return STRING_OVERHEAD_BYTES + 2 * text.length;
}
