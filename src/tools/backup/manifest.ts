// The manifest lists a backup's contents. It is written last, so a backup with a manifest is
// complete.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import { mapConcurrent } from "#base/util/map-concurrent.ts";
import { FILE_MODE, openAtomicFiles } from "#data/files/atomic-files.ts";
import { DELETED_ACCOUNTS_FILE } from "#data/files/deleted-accounts.ts";

export const MANIFEST_FILE = "manifest.json";
const MANIFEST_VERSION = 1;

export type DatabaseKind = "sqlite" | "postgres";

export const DATABASE_FILES: Record<DatabaseKind, string> = {
  sqlite: "bout.db",
  postgres: "bout.dump",
};

/** `path` uses `/` as its separator. `sha256` is in hex. */
type ManifestFile = { path: string; bytes: number; sha256: string };

export type Manifest = {
  version: typeof MANIFEST_VERSION;
  /** Time at which the database was in the copied state, in UTC. */
  made: string;
  release: string;
  schema: number;
  database: DatabaseKind;
  secrets: boolean;
  files: ManifestFile[];
};

/** The backup is incomplete or was changed. */
export class InvalidBackupError extends Error {}

const MAX_CONCURRENT_FILES = 8;
/** Number of files between two progress reports. */
export const PROGRESS_INTERVAL = 100;

type ReportProgress = (statusText: string) => void;

/** Computes the checksums and writes the manifest, which completes the backup. */
export async function completeBackup(
  folder: string,
  manifestFields: Omit<Manifest, "version" | "files">,
  paths: readonly string[],
  reportProgress: ReportProgress,
): Promise<Manifest> {
  const files: ManifestFile[] = [];
  await mapConcurrent(MAX_CONCURRENT_FILES, paths, async (path) => {
    files.push({ path, ...(await hashFile(join(folder, path))) });
    if (files.length % PROGRESS_INTERVAL === 0)
      reportProgress(`computing checksums: ${files.length} of ${paths.length}`);
  });
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const manifest: Manifest = { version: MANIFEST_VERSION, ...manifestFields, files };
  await openAtomicFiles(folder).put(join(folder, MANIFEST_FILE), (temporary) =>
    writeFile(temporary, `${JSON.stringify(manifest, null, 1)}\n`, {
      flag: "wx",
      flush: true,
      mode: FILE_MODE,
    }),
  );
  return manifest;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readText(folder, MANIFEST_FILE).catch((error: unknown) => {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR")
      throw new InvalidBackupError(
        `the ${MANIFEST_FILE} of ${folder}: ${describeFileError({ code })}`,
      );
    throw new InvalidBackupError(
      `${folder} has no ${MANIFEST_FILE}, so it is not a complete backup`,
    );
  });
  const manifest = parseManifest(text);
  if (manifest === null)
    throw new InvalidBackupError(
      `the ${MANIFEST_FILE} in ${folder} is damaged, or from a newer release`,
    );
  return manifest;
}

function parseManifest(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Manifest;
    const { version, database, files, made, release, schema } = manifest;
    const isKnown = version === MANIFEST_VERSION && Object.hasOwn(DATABASE_FILES, database);
    const hasStrings = [made, release].every((value) => typeof value === "string");
    if (!isKnown || !hasStrings || !isCount(schema) || !files.every(isValidFile)) return null;
    const paths = new Set(files.map(({ path }) => path));
    const isComplete = paths.has(DATABASE_FILES[database]) && paths.has(DELETED_ACCOUNTS_FILE);
    return isComplete && paths.size === files.length ? manifest : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Manifests are untrusted. */
const isValidFile = ({ path, bytes, sha256 }: Record<keyof ManifestFile, unknown>): boolean =>
  typeof path === "string" && staysInside(path) && isCount(bytes) && typeof sha256 === "string";

const staysInside = (path: string): boolean =>
  /^(?:[a-z]+\/)?[\w-][\w.-]*$/.test(path) && path !== MANIFEST_FILE;

/** Returns one line for each file that is missing or was changed. */
export async function findBackupFaults(
  folder: string,
  manifest: Manifest,
  reportProgress: ReportProgress,
): Promise<string[]> {
  const faults: string[] = [];
  let checkedCount = 0;
  await mapConcurrent(MAX_CONCURRENT_FILES, manifest.files, async ({ path, bytes, sha256 }) => {
    const computeSum = async () => {
      await assertRegular(folder, path);
      return hashFile(join(folder, path), bytes);
    };
    const actual = await computeSum().catch((error: NodeJS.ErrnoException) => error);
    if (actual instanceof Error) faults.push(`${path}: ${describeFileError(actual)}`);
    else if (actual.bytes !== bytes)
      faults.push(`${path} has ${actual.bytes} bytes instead of ${bytes}`);
    else if (actual.sha256 !== sha256) faults.push(`${path} has changed`);
    checkedCount += 1;
    if (checkedCount % PROGRESS_INTERVAL === 0)
      reportProgress(`checking ${checkedCount} of ${manifest.files.length}`);
  });
  return faults.toSorted();
}

const describeFileError = ({ code }: Pick<NodeJS.ErrnoException, "code">): string =>
  code === "ENOENT"
    ? "missing"
    : code === NOT_REGULAR
      ? "not a regular file"
      : `can't be read (${code})`;

const NOT_REGULAR = "NOT_REGULAR";

/** Rejects pipes, which never end, and links to other places, even as parent folders. */
async function assertRegular(folder: string, path: string): Promise<void> {
  const parent = dirname(path);
  const isRealFolder = parent === "." || (await lstat(join(folder, parent))).isDirectory();
  if (isRealFolder && (await lstat(join(folder, path))).isFile()) return;
  throw Object.assign(new Error(path), { code: NOT_REGULAR });
}

async function readText(folder: string, path: string): Promise<string> {
  await assertRegular(folder, path);
  return readFile(join(folder, path), "utf8");
}

/** Reads at most one byte more than `maxBytes`. */
async function hashFile(path: string, maxBytes = Infinity): Promise<Omit<ManifestFile, "path">> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    createReadStream(path, { end: maxBytes }),
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
