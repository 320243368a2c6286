import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";

const gunzipAsync = promisify(gunzip);

/** Larger than any replay, plain or gzipped. */
const MAX_REPLAY_BYTES = 16 * 1024 * 1024;
const NOT_FOUND = 404;
const FETCH_TIMEOUT_MS = 30_000;
const GZIP_MAGIC = [0x1f, 0x8b];
const TOO_LONG_MESSAGE = "too large for a replay";

type ReadResult<T> = T | { error: string };

/** Returns the replay's text, or why it couldn't be read. */
export async function readReplayText(source: string): Promise<ReadResult<string>> {
  const bytes = /^https?:\/\//.test(source) ? await download(source) : await readBytes(source);
  return "error" in bytes ? bytes : decodeReplay(bytes);
}

async function readBytes(path: string): Promise<ReadResult<Buffer>> {
  try {
    await using file = await open(path);
    // A device reports no size, so the limit applies while reading.
    return await collectBytes(file.createReadStream({ end: MAX_REPLAY_BYTES }));
  } catch (error) {
    return { error: describeFileError(error as NodeJS.ErrnoException) };
  }
}

function describeFileError({ code, message }: NodeJS.ErrnoException): string {
  const knownMessages: Record<string, string> = {
    ENOENT: "no such file",
    EISDIR: "is a folder",
    EACCES: "permission denied",
  };
  return knownMessages[code ?? ""] ?? message;
}

async function download(address: string): Promise<ReadResult<Buffer>> {
  const url = toReplayUrl(address);
  if (url === null) return { error: "not a valid URL" };
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    if (response.status === NOT_FOUND)
      return {
        error: "the ladder has no replay of this match. Check the id; old replays are deleted",
      };
    if (!response.ok)
      return { error: `the server responded with status ${response.status} for ${url.pathname}` };
    return await collectBytes((response.body ?? []) as AsyncIterable<Uint8Array>);
  } catch (error) {
    return { error: `the server can't be reached: ${fetchErrorReason(error)}` };
  }
}

async function collectBytes(source: AsyncIterable<Uint8Array>): Promise<ReadResult<Buffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_REPLAY_BYTES) return { error: TOO_LONG_MESSAGE };
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toReplayUrl(address: string): URL | null {
  const url = URL.parse(address);
  if (url === null) return null;
  url.pathname = url.pathname.replace(/^\/(?:match|view)\/([^/]+)$/, "/replays/$1.jsonl.gz");
  return url;
}

function fetchErrorReason(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
}

/** Decodes a replay, gzipped or plain. Returns its text or the problem. */
export async function decodeReplay(bytes: Uint8Array): Promise<ReadResult<string>> {
  const isGzipped = GZIP_MAGIC.every((byte, index) => bytes[index] === byte);
  try {
    const plainBytes = isGzipped
      ? await gunzipAsync(bytes, { maxOutputLength: MAX_REPLAY_BYTES })
      : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plainBytes);
  } catch (error) {
    return { error: describeDecodeError(error as NodeJS.ErrnoException) };
  }
}

function describeDecodeError({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "not UTF-8 text";
  if (code === "ERR_BUFFER_TOO_LARGE") return TOO_LONG_MESSAGE;
  return code === "Z_BUF_ERROR"
    ? "the gzip file is truncated"
    : `the gzip file is damaged (${message})`;
}

export function encodeReplay(path: string, text: string): Uint8Array {
  return path.endsWith(".gz") ? gzipSync(text) : Buffer.from(text);
}
