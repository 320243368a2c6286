// Passwords: argon2id as PHC strings. Hashing takes memory, and threads that it shares with others:
// few are made at once, and few wait.

import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

import { passwordForm, passwordForms } from "#core/accounts/password.ts";
import { FIXED } from "#core/words/limits.ts";

/** OWASP's smallest recommended setting. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const CORES_PER_HASH = 4;
const MOST_AT_ONCE = 4;

export type Phc = { memory: number; passes: number; lanes: number; salt: Buffer; tag: Buffer };

/** Both give null, having done nothing, when too many wait. */
export type Hasher = {
  hash: (password: string) => Promise<string | null>;
  /** Without a hash the same work is done, and the password is wrong. */
  verify: (password: string, phc: string | null) => Promise<boolean | null>;
};

export function openHasher(cores = availableParallelism()): Hasher {
  const atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(cores / CORES_PER_HASH)));
  const gate = openGate(atOnce, FIXED.passwords_waiting);
  return {
    hash: (password) =>
      gate(async () => {
        const salt = randomBytes(SALT_BYTES);
        const parts = { memory: MEMORY_KIB, passes: PASSES, lanes: LANES, salt };
        return makePhc({ ...parts, tag: await tagOf(passwordForm(password), parts) });
      }),
    verify: (password, phc) =>
      gate(async () => {
        const known = phc === null ? null : parsePhc(phc);
        for (const form of passwordForms(password)) {
          const tag = await tagOf(form, known ?? DUMMY);
          if (known !== null && timingSafeEqual(tag, known.tag)) return true;
        }
        return false;
      }),
  };
}

/** What is computed for people who do not exist. */
const DUMMY = {
  memory: MEMORY_KIB,
  passes: PASSES,
  lanes: LANES,
  salt: Buffer.alloc(SALT_BYTES),
};

const derive = promisify(argon2);

async function tagOf(
  password: string,
  { memory, passes, lanes: parallelism, salt: nonce }: Omit<Phc, "tag">,
): Promise<Buffer> {
  const message = Buffer.from(password);
  const work = { message, nonce, parallelism, tagLength: TAG_BYTES, memory, passes };
  return derive("argon2id", work);
}

const unpadded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

export function makePhc({ memory, passes, lanes, salt, tag }: Phc): string {
  const work = `m=${memory},t=${passes},p=${lanes}`;
  return `$argon2id$v=19$${work}$${unpadded(salt)}$${unpadded(tag)}`;
}

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{43})$/;

/** Null for a text that is no such string. */
export function parsePhc(text: string): Phc | null {
  const [, memory, passes, lanes, salt = "", tag = ""] = PHC.exec(text) ?? [];
  if (memory === undefined) return null;
  return {
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

type Gate = <T>(job: () => Promise<T>) => Promise<T | null>;

/** Runs at most `atOnce` jobs; at most `most` wait, in order. */
export function openGate(atOnce: number, most: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (job) => {
    if (running >= atOnce) {
      if (waiting.length >= most) return null;
      // A job that ends hands its place on.
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else running += 1;
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
