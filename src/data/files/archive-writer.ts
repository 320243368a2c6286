// Writes an archive: a tar.gz file with documents, matches and replays. Keeps at most one page of
// matches or one replay in memory.

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Deflate, Gzip } from "node:zlib";

import { pack } from "tar-stream";
import type { Pack } from "tar-stream";

import type { ArchiveDocument, MatchJsonLine, ArchiveResult } from "./archive-protocol.ts";
import { openMatchSpool } from "./archive-spool.ts";
import type { MatchSpool } from "./archive-spool.ts";
import { FILE_MODE, readFileOrNull, TEMPORARY_SUFFIX, openAtomicFiles } from "./atomic-files.ts";

export type ArchiveWriter = {
  /** Newest first. All matches must be older than the matches on earlier pages. */
  add(page: readonly MatchJsonLine[]): Promise<void>;
  /** Resolves once the archive is durable. Deletes partial files on failure. */
  finish(): Promise<ArchiveResult>;
};

type ArchiveWriterOptions = {
  folder: string;
  path: string;
  replays: string;
  documents: readonly ArchiveDocument[];
};

export async function openArchiveWriter(options: ArchiveWriterOptions): Promise<ArchiveWriter> {
  const spoolPath = `${options.path}.matches${TEMPORARY_SUFFIX}`;
  await rm(spoolPath, { force: true });
  const spool = await openMatchSpool(spoolPath);
  return {
    add: (page) => spool.add(page),
    finish: async () => {
      try {
        return await writeArchive(options, spool);
      } finally {
        await spool.close();
        await rm(spoolPath, { force: true });
      }
    },
  };
}

async function writeArchive(
  { folder, path, replays, documents }: ArchiveWriterOptions,
  spool: MatchSpool,
) {
  const hash = createHash("sha256");
  let bytes = 0;
  let replayCount = 0;
  await openAtomicFiles(folder).put(path, async (temporary) => {
    const tar = pack();
    const gzip = createGzip();
    const fillArchive = (async () => {
      for (const { name, text } of documents) await addFile(tar, name, Buffer.from(text));
      await addEntry(tar, "matches.jsonl", spool.bytes(), spool.pages());
      await setFastCompression(gzip);
      replayCount = await addReplays(tar, replays, spool.ids());
      tar.finalize();
    })();
    const writeFile = pipeline(
      tar,
      gzip,
      async function* count(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(temporary, { flags: "wx", mode: FILE_MODE, flush: true }),
    );
    fillArchive.catch((error: unknown) => tar.destroy(error as Error));
    await Promise.all([fillArchive, writeFile]);
  });
  const sha256 = hash.digest("hex");
  return { bytes, sha256, matches: spool.ids().length, replays: replayCount };
}

/**
 * Replays are already compressed, so only tar padding shrinks. This level takes a third of the
 * time.
 */
const setFastCompression = (gzip: Gzip): Promise<void> =>
  new Promise((resolve) => {
    // Node's types lack `params` for gzip.
    (gzip as Gzip & Pick<Deflate, "params">).params(
      constants.Z_BEST_SPEED,
      constants.Z_RLE,
      resolve,
    );
  });

async function addReplays(tar: Pack, folder: string, ids: readonly string[]): Promise<number> {
  const includedIds: string[] = [];
  for (const id of ids) {
    const bytes = await readFileOrNull(join(folder, `${id}.jsonl.gz`));
    if (bytes === null) continue;
    await addFile(tar, `replays/${id}.jsonl.gz`, bytes);
    includedIds.push(id);
  }
  await addFile(tar, "replays.json", Buffer.from(JSON.stringify(includedIds)));
  return includedIds.length;
}

const addFile = (tar: Pack, name: string, bytes: Uint8Array): Promise<void> =>
  addEntry(tar, name, bytes.length, [bytes]);

/** Resolves once the stream accepts more data, which limits memory use. */
async function addEntry(
  tar: Pack,
  name: string,
  size: number,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entry = tar.entry({ name, size, mode: ENTRY_MODE }, (error) => {
    if (error) reject(error);
    else resolve();
  });
  for await (const chunk of chunks)
    if (!entry.write(chunk)) await Promise.race([promise, waitForDrain(entry)]);
  entry.end(null);
  await promise;
}

/** World-readable: archives are public. */
const ENTRY_MODE = 0o644;

const waitForDrain = (entry: ReturnType<Pack["entry"]>): Promise<void> =>
  new Promise((resolve) => {
    entry.once("drain", resolve);
  });
