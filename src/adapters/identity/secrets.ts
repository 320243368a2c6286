// The server's secrets: a master key from which other keys are derived, and the keys that sign
// tokens. They are stored in a file in the data folder, not in the database or its backups.

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { chmod, chown, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";

import { assertDefined } from "#base/util/assert-defined.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

export const SIGNING_ALGORITHM = "ES256";
/** How long clients may cache the key set, in seconds. */
export const KEYS_MAX_AGE_S = 600;
/**
 * How long a replaced key stays published. By then its tokens have expired, and so have key sets
 * that clients cached for twice the allowed time.
 */
const RETIREMENT_MS = (FIXED_LIMITS.access_token_s + 2 * KEYS_MAX_AGE_S) * 1000;
const ROOT_BYTES = 32;
const PRIVATE_FILE = 0o600;

export const KEYS_CHECK_S = 60;
/**
 * How long a new key is published before it signs tokens. By then, clients have the key in their
 * cached key sets.
 */
export const ROTATION_LEAD_S = KEYS_MAX_AGE_S + KEYS_CHECK_S;

type SigningKey = { kid: string; key: CryptoKey };

export type KeyInfo = { kid: string; made: string; from: string; replaced: string | null };

export type Secrets = {
  derive: (purpose: string) => Buffer;
  signingKey: () => SigningKey;
  /** Returns the public keys for all tokens that may still be valid. */
  publishedKeys: () => JWK[];
  /**
   * Creates a key, publishes it and signs with it after `ROTATION_LEAD_S`. Rejects if another
   * process has changed the file since it was read. A lock prevents simultaneous rotations.
   */
  rotate: () => Promise<KeyInfo>;
  /**
   * Reloads the file and returns whether the keys changed. Rejects if the file is damaged, and
   * keeps the current keys.
   */
  refresh: () => Promise<boolean>;
};

type StoredKey = Omit<KeyInfo, "from"> & { jwk: JWK; from?: string };
type SecretsFile = { version: 1; root: string; keys: StoredKey[] };
type LoadedSecrets = { secretsFile: SecretsFile; keys: (StoredKey & { key: CryptoKey })[] };

export async function openSecrets(path: string, wall: () => Date): Promise<Secrets> {
  const storedFile = await readSecretsFile(path);
  // Copying the folder may have changed the file's permissions.
  if (storedFile !== null) await chmod(path, PRIVATE_FILE);
  const first = storedFile ?? (await newSecretsFile(wall()));
  if (storedFile === null) await writeSecretsFile(path, first);
  let loaded = await loadKeys(first);
  const root = Buffer.from(first.root, "base64url");
  return {
    derive: (purpose) => createHmac("sha256", root).update(purpose).digest(),
    signingKey: () => signingAt(loaded, wall()),
    publishedKeys: () => loaded.keys.filter((key) => isPublished(key, wall())).map(publicJwkOf),
    rotate: async () => {
      const next = await withNewKey(loaded.secretsFile, wall());
      if (!isSameFile(await readSecretsFile(path), loaded.secretsFile))
        throw new Error(CONCURRENT_CHANGE_TEXT);
      await writeSecretsFile(path, next);
      loaded = await loadKeys(next);
      return keyInfoOf(assertDefined(next.keys.at(-1), "new key"));
    },
    refresh: async () => {
      const now = await readSecretsFile(path);
      if (now === null || isSameFile(now, loaded.secretsFile)) return false;
      if (now.root !== first.root) throw new Error(`${path} belongs to another server`);
      loaded = await loadKeys(now);
      return true;
    },
  };
}

const CONCURRENT_CHANGE_TEXT = "the keys were changed meanwhile, so no key was created: try again";

const isSameFile = (a: SecretsFile | null, b: SecretsFile): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export async function readKeyInfo(path: string): Promise<KeyInfo[] | null> {
  const secretsFile = await readSecretsFile(path);
  return secretsFile === null ? null : secretsFile.keys.map(keyInfoOf);
}

const validFromOf = ({ from, made }: StoredKey): string => from ?? made;

const keyInfoOf = (key: StoredKey): KeyInfo => {
  const { kid, made, replaced } = key;
  return { kid, made, from: validFromOf(key), replaced };
};

async function newSecretsFile(now: Date): Promise<SecretsFile> {
  const root = randomBytes(ROOT_BYTES).toString("base64url");
  return { version: 1, root, keys: [await newKey(now, now)] };
}

async function withNewKey(secretsFile: SecretsFile, now: Date): Promise<SecretsFile> {
  const from = new Date(now.getTime() + ROTATION_LEAD_S * 1000);
  const olderKeys = secretsFile.keys
    .filter((key) => isPublished(key, now))
    .map((key) => ({ ...key, replaced: key.replaced ?? from.toISOString() }));
  return { ...secretsFile, keys: [...olderKeys, await newKey(now, from)] };
}

/**
 * Returns the newest key that may already sign tokens. Falls back to an older key if the clock was
 * set back.
 */
function signingAt({ keys }: LoadedSecrets, now: Date): SigningKey {
  const currentKey = keys.findLast(
    (key) => isPublished(key, now) && Date.parse(validFromOf(key)) <= now.getTime(),
  );
  return currentKey ?? assertDefined(keys.at(-1), "signing key");
}

const isPublished = ({ replaced }: StoredKey, now: Date): boolean =>
  replaced === null || Math.abs(now.getTime() - Date.parse(replaced)) < RETIREMENT_MS;

async function newKey(now: Date, from: Date): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk, made: now.toISOString(), from: from.toISOString(), replaced: null };
}

function publicJwkOf({ kid, jwk }: StoredKey): JWK {
  const { d: _, ...publicFields } = jwk;
  return { ...publicFields, kid, use: "sig", alg: SIGNING_ALGORITHM };
}

async function loadKeys(secretsFile: SecretsFile): Promise<LoadedSecrets> {
  const keys = secretsFile.keys.map(async (storedKey) => {
    const key = await importJWK(storedKey.jwk, SIGNING_ALGORITHM);
    if (key instanceof Uint8Array) throw new Error("the signing key isn't a valid key pair");
    return { ...storedKey, key };
  });
  return { secretsFile, keys: await Promise.all(keys) };
}

/**
 * Returns null if there is no file. Throws if the file is damaged, so that it is never replaced.
 */
async function readSecretsFile(path: string): Promise<SecretsFile | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const secretsFile = parseSecretsFile(text);
  const isValid =
    secretsFile?.version === 1 &&
    Buffer.from(secretsFile.root, "base64url").length === ROOT_BYTES &&
    secretsFile.keys.length > 0;
  if (!isValid) throw new Error(`${path} holds no secrets: restore the file, or move it away`);
  return secretsFile;
}

function parseSecretsFile(text: string): SecretsFile | null {
  try {
    return JSON.parse(text) as SecretsFile;
  } catch {
    return null;
  }
}

/** Keeps the file's owner, so that the server can still read the file after root runs a command. */
async function copyOwner(temporaryPath: string, path: string): Promise<void> {
  const folder = dirname(path);
  const { uid, gid } = await stat(path).catch(async () => stat(folder));
  await chown(temporaryPath, uid, gid);
}

/** Replaces the file atomically, even if power fails. Only the owner can read it. */
async function writeSecretsFile(path: string, secretsFile: SecretsFile): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}.part`;
  try {
    const text = `${JSON.stringify(secretsFile, null, 2)}\n`;
    await writeFile(temporaryPath, text, { flag: "wx", mode: PRIVATE_FILE, flush: true });
    if (process.getuid?.() === 0) await copyOwner(temporaryPath, path);
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
