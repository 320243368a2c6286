// The server's secrets: one key that others are derived from, and the keys that sign tokens. They
// live in a file of the data folder, outside the database and its backups.

import { createHmac, randomBytes } from "node:crypto";
import { chmod, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import type { CryptoKey, JWK } from "jose";

import { sure } from "#base/units/sure.ts";
import { FIXED } from "#core/words/limits.ts";

export const SIGNING_ALGORITHM = "ES256";
/** Seconds that others may keep the key set. */
export const KEYS_MAX_AGE_S = 600;
/** Tokens of a replaced key end, and so do key sets that somebody kept twice as long as asked. */
const RETIREMENT_MS = (FIXED.access_token_s + 2 * KEYS_MAX_AGE_S) * 1000;
const ROOT_BYTES = 32;
const PRIVATE_FILE = 0o600;

type SigningKey = { kid: string; key: CryptoKey };

export type Secrets = {
  /** A key of 32 bytes for one purpose. */
  derive: (purpose: string) => Buffer;
  signing: () => SigningKey;
  /** The public keys whose tokens are valid. */
  published: () => JWK[];
  /** Signs with a new key from now on. */
  rotate: () => Promise<void>;
};

type KeptKey = { kid: string; jwk: JWK; made: string; replaced: string | null };
type Kept = { version: 1; root: string; keys: KeptKey[] };

/** Opens the secrets of a folder, and makes them if there is no such file. */
export async function openSecrets(path: string, wall: () => Date): Promise<Secrets> {
  const found = await readKept(path);
  let kept = found ?? {
    version: 1,
    root: randomBytes(ROOT_BYTES).toString("base64url"),
    keys: [await newKey(wall())],
  };
  if (found === null) await writeKept(path, kept);
  let signing = await signingOf(kept);
  const root = Buffer.from(kept.root, "base64url");
  return {
    derive: (purpose) => createHmac("sha256", root).update(purpose).digest(),
    signing: () => signing,
    published: () => kept.keys.filter((key) => isPublished(key, wall())).map(publicPart),
    rotate: async () => {
      const now = wall();
      const replaced = kept.keys
        .filter((key) => isPublished(key, now))
        .map((key) => ({ ...key, replaced: key.replaced ?? now.toISOString() }));
      const next: Kept = { ...kept, keys: [...replaced, await newKey(now)] };
      await writeKept(path, next);
      signing = await signingOf(next);
      kept = next;
    },
  };
}

const isPublished = ({ replaced }: KeptKey, now: Date): boolean =>
  replaced === null || Math.abs(now.getTime() - Date.parse(replaced)) < RETIREMENT_MS;

async function newKey(now: Date): Promise<KeptKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk, made: now.toISOString(), replaced: null };
}

function publicPart({ kid, jwk }: KeptKey): JWK {
  const { d: _, ...shared } = jwk;
  return { ...shared, kid, use: "sig", alg: SIGNING_ALGORITHM };
}

async function signingOf({ keys }: Kept): Promise<SigningKey> {
  const { kid, jwk } = sure(keys.at(-1), "signing key");
  const key = await importJWK(jwk, SIGNING_ALGORITHM);
  if (key instanceof Uint8Array) throw new Error("the signing key is no key pair");
  return { kid, key };
}

/** Null when there is no file. A file that is damaged is never replaced. */
async function readKept(path: string): Promise<Kept | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const kept = parsed(text);
  const isWhole =
    kept?.version === 1 &&
    Buffer.from(kept.root, "base64url").length === ROOT_BYTES &&
    kept.keys.length > 0;
  // Copying the folder may have opened it to others.
  await chmod(path, PRIVATE_FILE);
  if (!isWhole) throw new Error(`${path} holds no secrets: bring back the file, or move it away`);
  return kept;
}

function parsed(text: string): Kept | null {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    return null;
  }
}

/** The file is the old one or the new one, even after a power cut; only its owner can read it. */
async function writeKept(path: string, kept: Kept): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  const file = await open(part, "wx", PRIVATE_FILE);
  try {
    await file.writeFile(`${JSON.stringify(kept, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
