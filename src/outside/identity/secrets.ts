// The server's secrets: one key that others are derived from, and the keys that sign tokens. They
// live in a file of the data folder, outside the database and its backups.

import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { chmod, chown, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
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

/** How often a server looks whether its keys were changed. */
export const KEYS_LOOK_S = 60;
/** A new key is published before it signs, so that nobody meets a token whose key is unknown. */
export const ROTATION_LEAD_S = KEYS_MAX_AGE_S + KEYS_LOOK_S;

type SigningKey = { kid: string; key: CryptoKey };

/** What may be told of a key. It signs from one instant on, until another replaces it. */
export type KeyNote = { kid: string; made: string; from: string; replaced: string | null };

export type Secrets = {
  /** A key of 32 bytes for one purpose. */
  derive: (purpose: string) => Buffer;
  signing: () => SigningKey;
  /** The public keys whose tokens are valid. */
  published: () => JWK[];
  /**
   * Makes a new key, which is published now and signs after a while. Rejects if another process has
   * rotated them since they were read; only a lock keeps two that rotate at the same moment apart.
   */
  rotate: () => Promise<KeyNote>;
  /** Looks whether somebody else has rotated them; true if so. What is damaged changes nothing. */
  refresh: () => Promise<boolean>;
};

type KeptKey = Omit<KeyNote, "from"> & { jwk: JWK; from?: string };
type Kept = { version: 1; root: string; keys: KeptKey[] };
type Loaded = { kept: Kept; keys: (KeptKey & { key: CryptoKey })[] };

/** Opens the secrets of a folder, and makes them if there is no such file. */
export async function openSecrets(path: string, wall: () => Date): Promise<Secrets> {
  const found = await readKept(path);
  // Copying the folder may have opened it to others.
  if (found !== null) await chmod(path, PRIVATE_FILE);
  const first = found ?? (await newKept(wall()));
  if (found === null) await writeKept(path, first);
  let loaded = await load(first);
  const root = Buffer.from(first.root, "base64url");
  return {
    derive: (purpose) => createHmac("sha256", root).update(purpose).digest(),
    signing: () => signingAt(loaded, wall()),
    published: () => loaded.keys.filter((key) => isPublished(key, wall())).map(publicPart),
    rotate: async () => {
      const next = await rotated(loaded.kept, wall());
      if (!isSame(await readKept(path), loaded.kept)) throw new Error(OVERTAKEN);
      await writeKept(path, next);
      loaded = await load(next);
      return noteOf(sure(next.keys.at(-1), "new key"));
    },
    refresh: async () => {
      const now = await readKept(path);
      if (now === null || isSame(now, loaded.kept)) return false;
      if (now.root !== first.root) throw new Error(`${path} is that of another server`);
      loaded = await load(now);
      return true;
    },
  };
}

const OVERTAKEN = "the keys were changed meanwhile, and no key was made: try again";

const isSame = (one: Kept | null, other: Kept): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The keys of a folder, oldest first; null where there are none. Changes nothing. */
export async function keysIn(path: string): Promise<KeyNote[] | null> {
  const kept = await readKept(path);
  return kept === null ? null : kept.keys.map(noteOf);
}

const fromOf = ({ from, made }: KeptKey): string => from ?? made;

const noteOf = (key: KeptKey): KeyNote => {
  const { kid, made, replaced } = key;
  return { kid, made, from: fromOf(key), replaced };
};

async function newKept(now: Date): Promise<Kept> {
  const root = randomBytes(ROOT_BYTES).toString("base64url");
  return { version: 1, root, keys: [await newKey(now, now)] };
}

/** With a new key, and without those whose last tokens have ended. */
async function rotated(kept: Kept, now: Date): Promise<Kept> {
  const from = new Date(now.getTime() + ROTATION_LEAD_S * 1000);
  const older = kept.keys
    .filter((key) => isPublished(key, now))
    .map((key) => ({ ...key, replaced: key.replaced ?? from.toISOString() }));
  return { ...kept, keys: [...older, await newKey(now, from)] };
}

/** The newest key whose time has come. A clock that was set back far finds none, or an old one. */
function signingAt({ keys }: Loaded, now: Date): SigningKey {
  const due = keys.findLast(
    (key) => isPublished(key, now) && Date.parse(fromOf(key)) <= now.getTime(),
  );
  return due ?? sure(keys.at(-1), "signing key");
}

/** Tokens that were signed with a key end this long after it was replaced. */
const isPublished = ({ replaced }: KeptKey, now: Date): boolean =>
  replaced === null || Math.abs(now.getTime() - Date.parse(replaced)) < RETIREMENT_MS;

async function newKey(now: Date, from: Date): Promise<KeptKey> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, jwk, made: now.toISOString(), from: from.toISOString(), replaced: null };
}

function publicPart({ kid, jwk }: KeptKey): JWK {
  const { d: _, ...shared } = jwk;
  return { ...shared, kid, use: "sig", alg: SIGNING_ALGORITHM };
}

async function load(kept: Kept): Promise<Loaded> {
  const keys = kept.keys.map(async (one) => {
    const key = await importJWK(one.jwk, SIGNING_ALGORITHM);
    if (key instanceof Uint8Array) throw new Error("the signing key is no key pair");
    return { ...one, key };
  });
  return { kept, keys: await Promise.all(keys) };
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

/** A command of root must not take a file away from the user of the server. */
async function takeOwner(part: string, path: string): Promise<void> {
  const folder = dirname(path);
  const { uid, gid } = await stat(path).catch(async () => stat(folder));
  await chown(part, uid, gid);
}

/** The file is the old one or the new one, even after a power cut; only its owner can read it. */
async function writeKept(path: string, kept: Kept): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    const text = `${JSON.stringify(kept, null, 2)}\n`;
    await writeFile(part, text, { flag: "wx", mode: PRIVATE_FILE, flush: true });
    if (process.getuid?.() === 0) await takeOwner(part, path);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
