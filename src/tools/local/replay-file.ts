// Reads a replay's text from a file, gzipped or plain, or from its address on a ladder.

import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";

const unzip = promisify(gunzip);

/** More bytes than the longest replay has, plain or gzipped. */
const MOST_BYTES = 16 * 1024 * 1024;
const NOT_FOUND = 404;
const FETCH_MS = 30_000;
const GZIP_MAGIC = [0x1f, 0x8b];
const TOO_LONG = "it is too long for a replay";

type Read<T> = T | { error: string };

/** The text of a replay, or why it could not be read. */
export async function readReplayText(source: string): Promise<Read<string>> {
  const bytes = /^https?:\/\//.test(source) ? await download(source) : await readBytes(source);
  return "error" in bytes ? bytes : replayTextOf(bytes);
}

async function readBytes(path: string): Promise<Read<Buffer>> {
  try {
    await using file = await open(path);
    // A device reports no size; only reading shows when the bound is reached.
    return await gather(file.createReadStream({ end: MOST_BYTES }));
  } catch (error) {
    return { error: fileProblem(error as NodeJS.ErrnoException) };
  }
}

function fileProblem({ code, message }: NodeJS.ErrnoException): string {
  const known: Record<string, string> = {
    ENOENT: "there is no such file",
    EISDIR: "it is a folder",
    EACCES: "it may not be read",
  };
  return known[code ?? ""] ?? message;
}

async function download(address: string): Promise<Read<Buffer>> {
  const url = fileAddress(address);
  if (url === null) return { error: "it is no address" };
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS) });
    if (response.status === NOT_FOUND)
      return { error: "the ladder has no replay of it: check the id; old replays are not kept" };
    if (!response.ok) return { error: `the server answers ${response.status} for ${url.pathname}` };
    return await gather((response.body ?? []) as AsyncIterable<Uint8Array>);
  } catch (error) {
    return { error: `the server cannot be reached: ${reasonOf(error)}` };
  }
}

async function gather(source: AsyncIterable<Uint8Array>): Promise<Read<Buffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of source) {
    size += part.length;
    if (size > MOST_BYTES) return { error: TOO_LONG };
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The page of a match leads to its replay. */
function fileAddress(address: string): URL | null {
  const url = URL.parse(address);
  if (url === null) return null;
  url.pathname = url.pathname.replace(/^\/(?:match|view)\/([^/]+)$/, "/replays/$1.jsonl.gz");
  return url;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}

/** The text of a replay from its bytes, gzipped or plain, or what is wrong with them. */
export async function replayTextOf(bytes: Uint8Array): Promise<Read<string>> {
  const isZipped = GZIP_MAGIC.every((byte, index) => bytes[index] === byte);
  try {
    const plain = isZipped ? await unzip(bytes, { maxOutputLength: MOST_BYTES }) : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    return { error: bytesProblem(error as NodeJS.ErrnoException) };
  }
}

function bytesProblem({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "it is not UTF-8 text";
  if (code === "ERR_BUFFER_TOO_LARGE") return TOO_LONG;
  return code === "Z_BUF_ERROR" ? "the gzip file is cut" : `the gzip file is damaged (${message})`;
}

/** The bytes of a replay file with this name: gzipped if it ends with `.gz`. */
export function replayBytes(path: string, text: string): Uint8Array {
  return path.endsWith(".gz") ? gzipSync(text) : Buffer.from(text);
}
