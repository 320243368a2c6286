// Pictures of events, as they are served: files named by what is in them.

import { createHash } from "node:crypto";
import { open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import { FIXED } from "#core/words/limits.ts";
import { storeError } from "#data/store/errors.ts";

import { makeFolder } from "./folder.ts";
import { openImageDecoder } from "./image-decoder.ts";
import type { DecodingFailure, ImageDecoder } from "./image-decoder.ts";
import { imageTypeOf, isCut } from "./image-format.ts";
import { FILE_MODE, readIfThere, wholeFiles } from "./whole-file.ts";

/** `hash` is the SHA-256 of the file, in hex. */
type KeptImage = { hash: string; width: number; height: number };

/** `unsupported`: another type, or a content that is not what the type says. */
type ImageFailure = DecodingFailure | "unsupported";

export type Images = {
  /**
   * Keeps a picture as WebP. `named` writes down who names it; no sweep comes between the file and
   * that. Rejects with StoreError, or as `named` does.
   */
  keep(
    bytes: Uint8Array,
    contentType: string,
    named?: (image: KeptImage) => Promise<void>,
  ): Promise<({ outcome: "kept" } & KeptImage) | { outcome: ImageFailure }>;
  /** Null when there is no such picture, whatever the text is. */
  read(hash: string): Promise<Uint8Array | null>;
  /**
   * Removes the pictures whose hashes are not named, and half-written files. Resolves with the
   * number removed. `named` is asked when no picture is on its way to be named.
   */
  sweep(named: () => Promise<Iterable<string>>): Promise<number>;
  /** Whether pictures can be decoded here. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
};

const EXTENSION = ".webp";
const HASH = /^[0-9a-f]{64}$/;
const OWN = /^[0-9a-f]{64}\.webp(?:\.[0-9a-f-]+\.tmp)?$/;

/** Opens the folder of pictures, or makes it for the owner alone. */
export async function openImages(
  folder: string,
  decoder: ImageDecoder = openImageDecoder(),
): Promise<Images> {
  makeFolder(folder);
  const files = wholeFiles(folder);
  const inTurn = turns();
  const pathOf = (hash: string) => join(folder, hash + EXTENSION);

  async function put(bytes: Uint8Array): Promise<string> {
    const hash = createHash("sha256").update(bytes).digest("hex");
    await typed(() => files.put(pathOf(hash), (temporary) => writeSynced(temporary, bytes)));
    return hash;
  }

  return {
    keep: async (bytes, contentType, named = async () => {}) => {
      const refusal = refusalOf(bytes, contentType);
      const decoded = refusal ?? (await decoder.decode(bytes));
      if (typeof decoded === "string") return { outcome: decoded };
      const { width, height } = decoded;
      return inTurn(async () => {
        const image = { hash: await put(decoded.bytes), width, height };
        await named(image);
        return { outcome: "kept", ...image };
      });
    },
    read: async (hash) => (HASH.test(hash) ? typed(() => readIfThere(pathOf(hash))) : null),
    sweep: (named) => inTurn(async () => removeBut(folder, await named())),
    isAvailable: () => decoder.isAvailable(),
    close: () => decoder.close(),
  };
}

/** What is wrong with a file before anything decodes it. */
function refusalOf(bytes: Uint8Array, contentType: string): ImageFailure | null {
  if (bytes.length > FIXED.image_bytes) return "too_large";
  const type = imageTypeOf(bytes, contentType);
  if (type === null) return "unsupported";
  return isCut(bytes, type) ? "undecodable" : null;
}

/** Runs one job at a time. */
function turns(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const turn = last.then(job);
    last = turn.catch(() => {});
    return turn;
  };
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  await using file = await open(path, "wx", FILE_MODE);
  await file.writeFile(bytes);
  await file.sync();
}

/** Other files in the folder are left alone. */
function removeBut(folder: string, named: Iterable<string>): Promise<number> {
  const kept = new Set([...named].map((hash) => hash + EXTENSION));
  return typed(async () => {
    const names = (await readdir(folder)).filter((name) => OWN.test(name) && !kept.has(name));
    for (const name of names) await rm(join(folder, name), { force: true });
    return names.length;
  });
}

async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeError(error);
  }
}
