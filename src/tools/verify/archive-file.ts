// Reads an archive as a stream, without unpacking it to disk.

import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { extract } from "tar-stream";
import type { Header } from "tar-stream";

import { UnreadableSourceError } from "./source.ts";

type TarEntry = AsyncIterable<unknown> & { header: Header };

/** Receives an archive's content in order. */
export type ArchiveReader = {
  document(name: string, text: string): void;
  /** A line of `matches.jsonl`. */
  match(line: string): void;
  replay(id: string, bytes: Uint8Array): Promise<void>;
};

/** Standings with 5,000 rows take 2 MB. Replays are much smaller. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** A match takes about 1,200 characters. */
const MAX_LINE_LENGTH = 100_000;

const MATCHES_FILE = "matches.jsonl";
const DOCUMENT_PATTERN = /^[a-z]+\.json$/;
const REPLAY_PATTERN = /^replays\/([0-9a-f-]{36})\.jsonl\.gz$/;

/** @throws Unreadable */
export async function readArchive(path: string, reader: ArchiveReader): Promise<void> {
  const tar = extract();
  const unpackPipeline = pipeline(createReadStream(path), createGunzip(), tar);
  const [unpackResult, readResult] = await Promise.allSettled([
    unpackPipeline,
    readEntries(tar, reader),
  ]);
  // If both fail, one error only repeats the other.
  const failures = [readResult, unpackResult].flatMap((candidate) =>
    candidate.status === "rejected" ? [candidate.reason as NodeJS.ErrnoException] : [],
  );
  const [firstFailure] = failures;
  if (firstFailure === undefined) return;
  const namedFailure =
    failures.find((candidate) => candidate instanceof UnreadableSourceError) ??
    failures.find(isFileError);
  throw namedFailure instanceof UnreadableSourceError
    ? namedFailure
    : new UnreadableSourceError(describeFileProblem(path, namedFailure ?? firstFailure));
}

const isFileError = ({ code = "" }: NodeJS.ErrnoException): boolean =>
  /^(E[A-Z]+|Z_.*)$/.test(code);

function describeFileProblem(path: string, { code = "", message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return `there is no file ${path}`;
  if (code === "EISDIR") return `${path} is a folder`;
  if (code === "EACCES") return `${path}: permission denied`;
  if (code === "Z_BUF_ERROR") return `${path} is truncated`;
  return `${path} is not a ladder archive: ${message}`;
}

async function readEntries(entries: AsyncIterable<TarEntry>, reader: ArchiveReader) {
  for await (const entry of entries) {
    const { name } = entry.header;
    const replay = REPLAY_PATTERN.exec(name)?.[1];
    if (name === MATCHES_FILE) await readLines(entry, reader);
    else if (replay !== undefined) await reader.replay(replay, await readEntryBytes(entry));
    else if (DOCUMENT_PATTERN.test(name))
      reader.document(name, (await readEntryBytes(entry)).toString("utf8"));
    else throw new UnreadableSourceError(`the archive contains an unexpected file '${name}'`);
  }
}

async function readEntryBytes(entry: TarEntry): Promise<Buffer> {
  const { name, size } = entry.header;
  if (size > MAX_FILE_BYTES) throw new UnreadableSourceError(`${name} is too large for an archive`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

async function readLines(entry: TarEntry, reader: ArchiveReader): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let buffer = "";
  for await (const chunk of entry) {
    const lines = (buffer + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
    buffer = lines.pop() ?? "";
    if (buffer.length > MAX_LINE_LENGTH)
      throw new UnreadableSourceError(`a line in ${MATCHES_FILE} is too long`);
    for (const line of lines) reader.match(line);
  }
  if (buffer !== "")
    throw new UnreadableSourceError(`${MATCHES_FILE} is truncated: its last line has no line end`);
}
