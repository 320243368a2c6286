// Password hashing: argon2id as PHC strings. Hashing takes memory and shared threads, so few hashes
// run concurrently and few wait. Callers take turns, so that no address delays the others.

import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

import { normalizePassword, passwordVariants } from "#core/accounts/password-normalization.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

/** OWASP's smallest recommended setting. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const CORES_PER_HASH = 4;
const MAX_CONCURRENT_HASHES = 4;

export type PasswordHash = {
  memory: number;
  passes: number;
  lanes: number;
  salt: Buffer;
  tag: Buffer;
};

/**
 * Both return null without work if the queue is full. `caller` is the address or account that takes
 * turns with others.
 */
export type Hasher = {
  hash: (password: string, caller: string) => Promise<string | null>;
  /** Without a stored hash the same work is done, and the password is wrong. */
  verify: (password: string, phc: string | null, caller: string) => Promise<boolean | null>;
};

export function openHasher(cores = availableParallelism()): Hasher {
  const maxConcurrent = Math.min(
    MAX_CONCURRENT_HASHES,
    Math.max(1, Math.floor(cores / CORES_PER_HASH)),
  );
  const runQueued = openFairQueue(maxConcurrent, FIXED_LIMITS.passwords_waiting);
  return {
    hash: (password, caller) =>
      runQueued(caller, async () => {
        const salt = randomBytes(SALT_BYTES);
        const hashParams = { memory: MEMORY_KIB, passes: PASSES, lanes: LANES, salt };
        return formatPasswordHash({
          ...hashParams,
          tag: await hashTagOf(normalizePassword(password), hashParams),
        });
      }),
    verify: (password, phc, caller) =>
      runQueued(caller, async () => {
        const storedHash = phc === null ? null : parsePasswordHash(phc);
        for (const form of passwordVariants(password)) {
          const tag = await hashTagOf(form, storedHash ?? DUMMY_HASH);
          if (storedHash !== null && timingSafeEqual(tag, storedHash.tag)) return true;
        }
        return false;
      }),
  };
}

/** Hash used for unknown users. */
const DUMMY_HASH = {
  memory: MEMORY_KIB,
  passes: PASSES,
  lanes: LANES,
  salt: Buffer.alloc(SALT_BYTES),
};

const argon2Async = promisify(argon2);

async function hashTagOf(
  password: string,
  { memory, passes, lanes: parallelism, salt: nonce }: Omit<PasswordHash, "tag">,
): Promise<Buffer> {
  const message = Buffer.from(password);
  const argonParams = { message, nonce, parallelism, tagLength: TAG_BYTES, memory, passes };
  return argon2Async("argon2id", argonParams);
}

const toUnpaddedBase64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

export function formatPasswordHash({ memory, passes, lanes, salt, tag }: PasswordHash): string {
  const costParams = `m=${memory},t=${passes},p=${lanes}`;
  return `$argon2id$v=19$${costParams}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`;
}

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{43})$/;

/** Returns null for text that isn't a PHC string. */
export function parsePasswordHash(text: string): PasswordHash | null {
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

type FairQueue = <T>(caller: string, job: () => Promise<T>) => Promise<T | null>;

/** Starts or drops a waiting job. */
type StartWaiting = (mayRun: boolean) => void;

/**
 * Runs up to `maxConcurrent` jobs with up to `maxWaiting` in the queue. Callers take turns, each in
 * its own order. In a full queue, a caller with fewer waiting jobs displaces the newest job of the
 * caller with the most.
 */
export function openFairQueue(maxConcurrent: number, maxWaiting: number): FairQueue {
  /** By caller, next caller first. No entry is empty. */
  const waitingByCaller = new Map<string, StartWaiting[]>();
  let running = 0;
  const wait = (caller: string): Promise<boolean> => {
    const callerQueue = waitingByCaller.get(caller) ?? [];
    if (!makeRoom(waitingByCaller, maxWaiting, callerQueue.length)) return Promise.resolve(false);
    return new Promise((resolve) => void waitingByCaller.set(caller, [...callerQueue, resolve]));
  };
  return async (caller, job) => {
    if (running < maxConcurrent) running += 1;
    else if (!(await wait(caller))) return null;
    try {
      return await job();
    } finally {
      // A finished job hands its slot on.
      const startNext = takeNext(waitingByCaller);
      if (startNext === undefined) running -= 1;
      else startNext(true);
    }
  };
}

/** Returns false if no caller has more waiting jobs than `callerQueueLength`. */
function makeRoom(
  waitingByCaller: Map<string, StartWaiting[]>,
  maxWaiting: number,
  callerQueueLength: number,
): boolean {
  const queues = [...waitingByCaller.values()];
  if (queues.reduce((sum, { length }) => sum + length, 0) < maxWaiting) return true;
  const [longestQueue] = queues.toSorted((a, b) => b.length - a.length);
  if (longestQueue === undefined || longestQueue.length <= callerQueueLength + 1) return false;
  longestQueue.pop()?.(false);
  return true;
}

function takeNext(waitingByCaller: Map<string, StartWaiting[]>): StartWaiting | undefined {
  for (const [caller, queue] of waitingByCaller) {
    const [startNext, ...rest] = queue;
    waitingByCaller.delete(caller);
    if (rest.length > 0) waitingByCaller.set(caller, rest);
    return startNext;
  }
  return undefined;
}
