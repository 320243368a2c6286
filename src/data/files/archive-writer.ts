// Writes an archive: a tar.gz of documents, matches and replays. What is in memory at once is a page
// of matches or one replay.

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Deflate, Gzip } from "node:zlib";

import { pack } from "tar-stream";
import type { Pack } from "tar-stream";

import type { ArchiveDocument, MatchLine, MadeArchive } from "./archive-job.ts";
import { openSpool } from "./archive-spool.ts";
import type { Spool } from "./archive-spool.ts";
import { FILE_MODE, readIfThere, TEMPORARY, wholeFiles } from "./whole-file.ts";

export type ArchiveWriter = {
  /** Newest first, and older than all before. */
  add(page: readonly MatchLine[]): Promise<void>;
  /** Resolves once the archive will survive a power cut. Nothing is left where it fails. */
  finish(): Promise<MadeArchive>;
};

type Setup = {
  folder: string;
  /** The archive, in `folder`. */
  path: string;
  /** The folder of replays. */
  replays: string;
  documents: readonly ArchiveDocument[];
};

export async function openArchiveWriter(setup: Setup): Promise<ArchiveWriter> {
  const waiting = `${setup.path}.matches${TEMPORARY}`;
  await rm(waiting, { force: true });
  const spool = await openSpool(waiting);
  return {
    add: (page) => spool.add(page),
    finish: async () => {
      try {
        return await write(setup, spool);
      } finally {
        await spool.close();
        await rm(waiting, { force: true });
      }
    },
  };
}

async function write({ folder, path, replays, documents }: Setup, spool: Spool) {
  const hash = createHash("sha256");
  let bytes = 0;
  let found = 0;
  await wholeFiles(folder).put(path, async (temporary) => {
    const tar = pack();
    const gzip = createGzip();
    const filled = (async () => {
      for (const { name, text } of documents) await addFile(tar, name, Buffer.from(text));
      await addEntry(tar, "matches.jsonl", spool.bytes(), spool.pages());
      await expectZipped(gzip);
      found = await addReplays(tar, replays, spool.ids());
      tar.finalize();
    })();
    const written = pipeline(
      tar,
      gzip,
      async function* count(parts: AsyncIterable<Uint8Array>) {
        for await (const part of parts) {
          hash.update(part);
          bytes += part.length;
          yield part;
        }
      },
      createWriteStream(temporary, { flags: "wx", mode: FILE_MODE, flush: true }),
    );
    filled.catch((error: unknown) => tar.destroy(error as Error));
    await Promise.all([filled, written]);
  });
  const sha256 = hash.digest("hex");
  return { bytes, sha256, matches: spool.ids().length, replays: found };
}

/** Replays are zipped already. Only zeros between them get smaller, in a third of the time. */
const expectZipped = (gzip: Gzip): Promise<void> =>
  new Promise((resolve) => {
    // What gzip adds to deflate has no type of its own for this.
    (gzip as Gzip & Pick<Deflate, "params">).params(
      constants.Z_BEST_SPEED,
      constants.Z_RLE,
      resolve,
    );
  });

/** Those that are still there, and a document with their ids. */
async function addReplays(tar: Pack, folder: string, ids: readonly string[]): Promise<number> {
  const kept: string[] = [];
  for (const id of ids) {
    const bytes = await readIfThere(join(folder, `${id}.jsonl.gz`));
    if (bytes === null) continue;
    await addFile(tar, `replays/${id}.jsonl.gz`, bytes);
    kept.push(id);
  }
  await addFile(tar, "replays.json", Buffer.from(JSON.stringify(kept)));
  return kept.length;
}

const addFile = (tar: Pack, name: string, bytes: Uint8Array): Promise<void> =>
  addEntry(tar, name, bytes.length, [bytes]);

/** Resolves once the archive has taken it all, so that no more waits in memory than this. */
async function addEntry(
  tar: Pack,
  name: string,
  size: number,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const entry = tar.entry({ name, size, mode: ENTRY_MODE }, (error) => {
    if (error) reject(error);
    else resolve();
  });
  for await (const part of parts)
    if (!entry.write(part)) await Promise.race([promise, drained(entry)]);
  entry.end(null);
  await promise;
}

/** Readable by all: the archive is public. */
const ENTRY_MODE = 0o644;

const drained = (entry: ReturnType<Pack["entry"]>): Promise<void> =>
  new Promise((resolve) => {
    entry.once("drain", resolve);
  });
