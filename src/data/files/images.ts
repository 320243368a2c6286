// Stores event images as they are served. File names are content hashes.

import { createHash } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { toStoreError } from "#data/store/errors.ts";

import { FILE_MODE, readFileOrNull, openAtomicFiles } from "./atomic-files.ts";
import { openImageDecoder } from "./image-decoder.ts";
import type { DecodingFailure, ImageDecoder } from "./image-decoder.ts";
import { imageTypeOf, isTruncated } from "./image-format.ts";
import { makePrivateFolder } from "./private-folder.ts";

/** `hash` is the hex SHA-256 of the stored file. */
type StoredImage = { hash: string; width: number; height: number };

/** `unsupported`: the type isn't accepted, or the content doesn't match the type. */
type ImageFailure = DecodingFailure | "unsupported";

export type Images = {
  /**
   * Stores an image as WebP, then calls `recordUse` to store a reference to it. No sweep runs
   * between the two. Rejects with StoreError, or with whatever `recordUse` throws.
   */
  store(
    bytes: Uint8Array,
    contentType: string,
    recordUse?: (image: StoredImage) => Promise<void>,
  ): Promise<({ outcome: "kept" } & StoredImage) | { outcome: ImageFailure }>;
  /** Returns null if the image doesn't exist or `hash` is malformed. */
  read(hash: string): Promise<Uint8Array | null>;
  /**
   * Deletes partial files and unreferenced images. Returns how many. `recordUse` returns the hashes
   * in use and is called while no image is being stored.
   */
  sweep(recordUse: () => Promise<Iterable<string>>): Promise<number>;
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
};

const EXTENSION = ".webp";
const HASH = /^[0-9a-f]{64}$/;
const OWN_FILE_NAME = /^[0-9a-f]{64}\.webp(?:\.[0-9a-f-]+\.tmp)?$/;

export async function openImages(
  folder: string,
  decoder: ImageDecoder = openImageDecoder(),
): Promise<Images> {
  makePrivateFolder(folder);
  const files = openAtomicFiles(folder);
  const runQueued = createQueue();
  const pathOf = (hash: string) => join(folder, hash + EXTENSION);

  async function writeImage(bytes: Uint8Array): Promise<string> {
    const hash = createHash("sha256").update(bytes).digest("hex");
    await withStoreErrors(() =>
      files.put(pathOf(hash), (temporary) => writeSynced(temporary, bytes)),
    );
    return hash;
  }

  return {
    store: async (bytes, contentType, recordUse = async () => {}) => {
      const rejection = validateUpload(bytes, contentType);
      const decoded = rejection ?? (await decoder.decode(bytes));
      if (typeof decoded === "string") return { outcome: decoded };
      const { width, height } = decoded;
      return runQueued(async () => {
        const image = { hash: await writeImage(decoded.bytes), width, height };
        await recordUse(image);
        return { outcome: "kept", ...image };
      });
    },
    read: async (hash) =>
      HASH.test(hash) ? withStoreErrors(() => readFileOrNull(pathOf(hash))) : null,
    sweep: (recordUse) => runQueued(async () => removeUnreferenced(folder, await recordUse())),
    isAvailable: () => decoder.isAvailable(),
    close: () => decoder.close(),
  };
}

function validateUpload(bytes: Uint8Array, contentType: string): ImageFailure | null {
  if (bytes.length > FIXED_LIMITS.image_bytes) return "too_large";
  const type = imageTypeOf(bytes, contentType);
  if (type === null) return "unsupported";
  return isTruncated(bytes, type) ? "undecodable" : null;
}

function createQueue(): <T>(job: () => Promise<T>) => Promise<T> {
  let queueTail: Promise<unknown> = Promise.resolve();
  return (job) => {
    const queuedJob = queueTail.then(job);
    queueTail = queuedJob.catch(() => {});
    return queuedJob;
  };
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, "wx", FILE_MODE);
  await file.writeFile(bytes);
  await file.sync();
}

/** Deletes only files that this module created. */
function removeUnreferenced(folder: string, referencedHashes: Iterable<string>): Promise<number> {
  const retainedNames = new Set([...referencedHashes].map((hash) => hash + EXTENSION));
  return withStoreErrors(async () => {
    const names = (await readdir(folder)).filter(
      (name) => OWN_FILE_NAME.test(name) && !retainedNames.has(name),
    );
    for (const name of names) await rm(join(folder, name), { force: true });
    return names.length;
  });
}

async function withStoreErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}
