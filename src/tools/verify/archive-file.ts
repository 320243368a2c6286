// Reads an archive from its beginning to its end, without unpacking it anywhere.

import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

import { extract } from "tar-stream";
import type { Header } from "tar-stream";

import { Unreadable } from "./source.ts";

type TarEntry = AsyncIterable<unknown> & { header: Header };

/** Who is told what an archive has, in its order. */
export type ArchiveReader = {
  document(name: string, text: string): void;
  /** A line of `matches.jsonl`. */
  match(line: string): void;
  replay(id: string, bytes: Uint8Array): Promise<void>;
};

/** A ladder of 5,000 rows has standings of 2 MB; no replay comes near. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;
/** A match takes some 1200. */
const MOST_LINE_CHARACTERS = 100_000;

const MATCHES = "matches.jsonl";
const DOCUMENT = /^[a-z]+\.json$/;
const REPLAY = /^replays\/([0-9a-f-]{36})\.jsonl\.gz$/;

/** @throws Unreadable */
export async function readArchive(path: string, reader: ArchiveReader): Promise<void> {
  const tar = extract();
  const unpacked = pipeline(createReadStream(path), createGunzip(), tar);
  const [unpacking, reading] = await Promise.allSettled([unpacked, readEntries(tar, reader)]);
  // Where both fail, one of them only says that the other did.
  const failures = [reading, unpacking].flatMap((one) =>
    one.status === "rejected" ? [one.reason as NodeJS.ErrnoException] : [],
  );
  const [first] = failures;
  if (first === undefined) return;
  const told = failures.find((one) => one instanceof Unreadable) ?? failures.find(isOfFile);
  throw told instanceof Unreadable ? told : new Unreadable(problemOf(path, told ?? first));
}

const isOfFile = ({ code = "" }: NodeJS.ErrnoException): boolean => /^(E[A-Z]+|Z_.*)$/.test(code);

function problemOf(path: string, { code = "", message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return `there is no file ${path}`;
  if (code === "EISDIR") return `${path} is a folder`;
  if (code === "EACCES") return `${path} may not be read`;
  if (code === "Z_BUF_ERROR") return `${path} is cut`;
  return `${path} is no archive of a ladder: ${message}`;
}

async function readEntries(entries: AsyncIterable<TarEntry>, reader: ArchiveReader) {
  for await (const entry of entries) {
    const { name } = entry.header;
    const replay = REPLAY.exec(name)?.[1];
    if (name === MATCHES) await readLines(entry, reader);
    else if (replay !== undefined) await reader.replay(replay, await bytesOf(entry));
    else if (DOCUMENT.test(name)) reader.document(name, (await bytesOf(entry)).toString("utf8"));
    else throw new Unreadable(`there is a file '${name}' in it, which no archive has`);
  }
}

async function bytesOf(entry: TarEntry): Promise<Buffer> {
  const { name, size } = entry.header;
  if (size > MOST_FILE_BYTES) throw new Unreadable(`${name} is longer than any archive has it`);
  const parts: Uint8Array[] = [];
  for await (const part of entry) parts.push(part as Uint8Array);
  return Buffer.concat(parts);
}

async function readLines(entry: TarEntry, reader: ArchiveReader): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const part of entry) {
    const lines = (rest + decoder.decode(part as Uint8Array, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_LINE_CHARACTERS)
      throw new Unreadable(`a line of ${MATCHES} is too long`);
    for (const line of lines) reader.match(line);
  }
  if (rest !== "") throw new Unreadable(`${MATCHES} is cut: its last line has no end`);
}
