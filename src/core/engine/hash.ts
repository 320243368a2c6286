import type { Fight } from "./fight.ts";

// MurmurHash3 x86, 32 bits, over little-endian 32-bit words with seed 0.

const HEX_DIGITS = 8;
const HEX_CODES = "0123456789abcdef";
const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export type Trace = { readonly mixedHash: number; readonly words: number };

export const EMPTY_TRACE: Trace = { mixedHash: 0, words: 0 };

function mix(hash: number, word: number): number {
  let key = Math.imul(word, 0xcc9e2d51);
  key = Math.imul((key << 15) | (key >>> 17), 0x1b873593);
  hash ^= key;
  return (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, words: number): number {
  hash ^= words * Int32Array.BYTES_PER_ELEMENT;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the hash of the words, 0 to 2^32 - 1. */
export function murmur3(words: Int32Array): number {
  let hash = 0;
  for (let i = 0; i < words.length; i += 1) hash = mix(hash, words[i]!);
  return finish(hash, words.length);
}

/**
 * Returns the hash of the state, 0 to 2^32 - 1. Covers everything that affects how the fight
 * continues.
 */
export function hashState(fight: Fight): number {
  const { words, hashOrder } = fight;
  let hash = 0;
  for (let i = 0; i < hashOrder.length; i += 1) hash = mix(hash, words[hashOrder[i]!]!);
  return finish(hash, hashOrder.length);
}

export function extendTrace({ mixedHash, words }: Trace, hash: number): Trace {
  return { mixedHash: mix(mixedHash, hash), words: words + 1 };
}

/** Returns the hash of all state hashes so far, 0 to 2^32 - 1. */
export function traceHash({ mixedHash, words }: Trace): number {
  return finish(mixedHash, words);
}

/** Returns whether the text is the hash in hex. Doesn't allocate a string. */
export function isHashText(text: string, hash: number): boolean {
  if (text.length !== HEX_DIGITS) return false;
  for (let i = 0; i < HEX_DIGITS; i += 1) {
    const digit = (hash >>> (28 - 4 * i)) & 0xf;
    if (text.charCodeAt(i) !== HEX_CODES.charCodeAt(digit)) return false;
  }
  return true;
}

/** Returns the hash as 8 lower-case hex digits. */
export function hashToText(hash: number): string {
  const upper = HEX_BYTES[hash >>> 24]! + HEX_BYTES[(hash >>> 16) & 0xff]!;
  return upper + HEX_BYTES[(hash >>> 8) & 0xff] + HEX_BYTES[hash & 0xff];
}
