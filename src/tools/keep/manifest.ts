// What is in a backup. The manifest is written last, so a backup that has one is complete.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { eachAtMost } from "#base/units/each-at-most.ts";
import { LEFT_FILE } from "#data/files/left.ts";
import { FILE_MODE, wholeFiles } from "#data/files/whole-file.ts";

export const MANIFEST_FILE = "manifest.json";
const VERSION = 1;

export type DatabaseKind = "sqlite" | "postgres";

/** Where a backup has its database. */
export const DATABASE_FILES: Record<DatabaseKind, string> = {
  sqlite: "bout.db",
  postgres: "bout.dump",
};

/** A file of a backup by its path in it, with `/`. The sum is its SHA-256 in hex. */
type KeptFile = { path: string; bytes: number; sha256: string };

export type Manifest = {
  version: typeof VERSION;
  /** The instant of the database, UTC. */
  made: string;
  release: string;
  /** Number of the database's schema. */
  schema: number;
  database: DatabaseKind;
  /** Whether the server's keys are in it. */
  secrets: boolean;
  files: KeptFile[];
};

/** A backup that is incomplete, or not as it was made. */
export class BadBackup extends Error {}

/** Files of a backup that are summed or compared at a time. */
const AT_ONCE = 8;
/** A new word of progress after this many files. */
export const TELL_EVERY = 100;

type Tell = (news: string) => void;

/** Sums up the files of a backup, and completes it. */
export async function completeBackup(
  folder: string,
  about: Omit<Manifest, "version" | "files">,
  paths: readonly string[],
  tell: Tell,
): Promise<Manifest> {
  const files: KeptFile[] = [];
  await eachAtMost(AT_ONCE, paths, async (path) => {
    files.push({ path, ...(await sumOf(join(folder, path))) });
    if (files.length % TELL_EVERY === 0) tell(`summing up ${files.length} of ${paths.length}`);
  });
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  const manifest: Manifest = { version: VERSION, ...about, files };
  await wholeFiles(folder).put(join(folder, MANIFEST_FILE), (temporary) =>
    writeFile(temporary, `${JSON.stringify(manifest, null, 1)}\n`, {
      flag: "wx",
      flush: true,
      mode: FILE_MODE,
    }),
  );
  return manifest;
}

/** Rejects with BadBackup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(folder, MANIFEST_FILE).catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR")
      throw new BadBackup(`the ${MANIFEST_FILE} of ${folder} ${reasonOf({ code })}`);
    throw new BadBackup(`${folder} has no ${MANIFEST_FILE}: it is no backup, or an incomplete one`);
  });
  const manifest = parsed(text);
  if (manifest === null)
    throw new BadBackup(`the ${MANIFEST_FILE} of ${folder} is damaged, or of a later release`);
  return manifest;
}

function parsed(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest;
    const { version, database, files, made, release, schema } = manifest;
    const isKnown = version === VERSION && Object.hasOwn(DATABASE_FILES, database);
    const isTold = [made, release].every((told) => typeof told === "string");
    if (!isKnown || !isTold || !isCount(schema) || !files.every(isKept)) return null;
    const paths = new Set(files.map(({ path }) => path));
    const isWhole = paths.has(DATABASE_FILES[database]) && paths.has(LEFT_FILE);
    return isWhole && paths.size === files.length ? manifest : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** What a manifest says may be anything. */
const isKept = ({ path, bytes, sha256 }: Record<keyof KeptFile, unknown>): boolean =>
  typeof path === "string" && staysInside(path) && isCount(bytes) && typeof sha256 === "string";

const staysInside = (path: string): boolean =>
  /^(?:[a-z]+\/)?[\w-][\w.-]*$/.test(path) && path !== MANIFEST_FILE;

/** What is wrong with the files of a backup, a line each. */
export async function faultsOf(folder: string, manifest: Manifest, tell: Tell): Promise<string[]> {
  const faults: string[] = [];
  let done = 0;
  await eachAtMost(AT_ONCE, manifest.files, async ({ path, bytes, sha256 }) => {
    const sum = async () => {
      await assertRegular(folder, path);
      return sumOf(join(folder, path), bytes);
    };
    const found = await sum().catch((error: NodeJS.ErrnoException) => error);
    if (found instanceof Error) faults.push(`${path}: ${reasonOf(found)}`);
    else if (found.bytes !== bytes) faults.push(`${path} has ${found.bytes} bytes, not ${bytes}`);
    else if (found.sha256 !== sha256) faults.push(`${path} is not what it was`);
    done += 1;
    if (done % TELL_EVERY === 0) tell(`checking ${done} of ${manifest.files.length}`);
  });
  return faults.toSorted();
}

const reasonOf = ({ code }: Pick<NodeJS.ErrnoException, "code">): string =>
  code === "ENOENT"
    ? "missing"
    : code === NOT_REGULAR
      ? "is no regular file"
      : `cannot be read (${code})`;

const NOT_REGULAR = "NOT_REGULAR";

/** A pipe would never end, and a link leads elsewhere; so might a folder on the way. */
async function assertRegular(folder: string, path: string): Promise<void> {
  const parent = dirname(path);
  const isReal = parent === "." || (await lstat(join(folder, parent))).isDirectory();
  if (isReal && (await lstat(join(folder, path))).isFile()) return;
  throw Object.assign(new Error(path), { code: NOT_REGULAR });
}

/** A small file of a backup. */
async function readText(folder: string, path: string): Promise<string> {
  await assertRegular(folder, path);
  return readFile(join(folder, path), "utf8");
}

/** Of not more than one byte beyond `most`. */
async function sumOf(path: string, most = Infinity): Promise<Omit<KeptFile, "path">> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    createReadStream(path, { end: most }),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    hash,
  );
  return { bytes, sha256: hash.digest("hex") };
}
