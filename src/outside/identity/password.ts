// Passwords: argon2id as PHC strings. Hashing takes memory, and threads that it shares with others:
// few are made at once, and few wait. Callers take turns, so that no address holds up the others.

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

/**
 * Both give null, having done nothing, when too many wait. `caller` is the address or account that
 * takes turns with others.
 */
export type Hasher = {
  hash: (password: string, caller: string) => Promise<string | null>;
  /** Without a hash the same work is done, and the password is wrong. */
  verify: (password: string, phc: string | null, caller: string) => Promise<boolean | null>;
};

export function openHasher(cores = availableParallelism()): Hasher {
  const atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(cores / CORES_PER_HASH)));
  const gate = openGate(atOnce, FIXED.passwords_waiting);
  return {
    hash: (password, caller) =>
      gate(caller, async () => {
        const salt = randomBytes(SALT_BYTES);
        const parts = { memory: MEMORY_KIB, passes: PASSES, lanes: LANES, salt };
        return makePhc({ ...parts, tag: await tagOf(passwordForm(password), parts) });
      }),
    verify: (password, phc, caller) =>
      gate(caller, async () => {
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

type Gate = <T>(caller: string, job: () => Promise<T>) => Promise<T | null>;

/** Lets a waiting job begin, or drops it. */
type Begin = (mayRun: boolean) => void;

/**
 * Runs at most `atOnce` jobs; at most `most` wait. Callers take turns, each in its own order. In a
 * full queue a caller with fewer waiting jobs displaces the newest job of the caller with the most.
 */
export function openGate(atOnce: number, most: number): Gate {
  /** By caller; the next turn is the first caller's. None is empty. */
  const waiting = new Map<string, Begin[]>();
  let running = 0;
  const wait = (caller: string): Promise<boolean> => {
    const own = waiting.get(caller) ?? [];
    if (!makeRoom(waiting, most, own.length)) return Promise.resolve(false);
    return new Promise((resolve) => void waiting.set(caller, [...own, resolve]));
  };
  return async (caller, job) => {
    if (running < atOnce) running += 1;
    else if (!(await wait(caller))) return null;
    try {
      return await job();
    } finally {
      // A job that ends hands its place on.
      const next = takeNext(waiting);
      if (next === undefined) running -= 1;
      else next(true);
    }
  };
}

/** False if nobody has more jobs waiting than a caller with `own` would have. */
function makeRoom(waiting: Map<string, Begin[]>, most: number, own: number): boolean {
  const queues = [...waiting.values()];
  if (queues.reduce((sum, { length }) => sum + length, 0) < most) return true;
  const [longest] = queues.toSorted((one, other) => other.length - one.length);
  if (longest === undefined || longest.length <= own + 1) return false;
  longest.pop()?.(false);
  return true;
}

function takeNext(waiting: Map<string, Begin[]>): Begin | undefined {
  for (const [caller, queue] of waiting) {
    const [next, ...rest] = queue;
    waiting.delete(caller);
    if (rest.length > 0) waiting.set(caller, rest);
    return next;
  }
  return undefined;
}
