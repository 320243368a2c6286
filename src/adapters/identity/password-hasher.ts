// Hashes passwords with argon2id and stores them as PHC strings. Hashing uses much memory and the
// shared thread pool, so the numbers of concurrent and queued hashes are limited. Callers take
// turns, so that one address can't delay all others.

import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

import { normalizePassword, passwordVariants } from "#core/accounts/password-normalization.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

/** Smallest configuration that OWASP recommends. */
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
 * Both functions return null without hashing if the queue is full. `caller` is the address or
 * account used for fair queueing.
 */
export type Hasher = {
  hash: (password: string, caller: string) => Promise<string | null>;
  /** Returns whether the password matches. A null `phc` causes the same work and returns false. */
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

type StartWaiting = (mayRun: boolean) => void;

/**
 * Creates a queue that runs up to `maxConcurrent` jobs and holds up to `maxWaiting` pending jobs.
 * Callers take turns, and each caller's jobs run in order. In a full queue, a job from a caller
 * with fewer pending jobs replaces the newest job of the caller with the most.
 */
export function openFairQueue(maxConcurrent: number, maxWaiting: number): FairQueue {
  /** Pending jobs by caller, in turn order. Callers without pending jobs have no entry. */
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
      // The next job takes over the slot, so `running` is unchanged.
      const startNext = takeNext(waitingByCaller);
      if (startNext === undefined) running -= 1;
      else startNext(true);
    }
  };
}

/**
 * Makes room for one job and returns true if there is room. In a full queue, this drops a job of
 * the caller with the most pending jobs. Returns false if no caller has at least two more pending
 * jobs than `callerQueueLength`.
 */
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
