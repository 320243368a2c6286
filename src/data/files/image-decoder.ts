import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { EXIT_CODES, parseImage } from "./image-protocol.ts";
import type { DecodedImage } from "./image-protocol.ts";

export type DecodingFailure = "too_large" | "undecodable" | "unavailable";

export type ImageDecoder = {
  decode(bytes: Uint8Array): Promise<DecodedImage | DecodingFailure>;
  /** Returns whether this machine can decode images. Checked once. */
  isAvailable(): Promise<boolean>;
  close(): Promise<void>;
};

export type ImageDecoderOptions = { entry: URL; deadlineMs: number };

const DEFAULT_OPTIONS: ImageDecoderOptions = {
  entry: new URL("./image-worker.ts", import.meta.url),
  deadlineMs: FIXED_LIMITS.image_decode_s * 1000,
};

/** Max queued images. Each keeps its bytes in memory, so further images are rejected. */
const QUEUE_LIMIT = 3;

/** Heap limit in MB. It doesn't cover the native library, which the pixel limit bounds. */
const HEAP_MB = 64;

export function openImageDecoder(options: Partial<ImageDecoderOptions> = {}): ImageDecoder {
  const { entry, deadlineMs } = { ...DEFAULT_OPTIONS, ...options };
  let queueTail: Promise<unknown> = Promise.resolve();
  let queueLength = 0;
  let runningChild: ChildProcess | null = null;
  let isClosed = false;
  let availability: Promise<boolean> | null = null;

  async function run(bytes: Uint8Array): Promise<DecoderExit> {
    if (isClosed) return { code: EXIT_CODES.unavailable, output: Buffer.alloc(0) };
    const child = spawnDecoder(entry);
    runningChild = child;
    const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    try {
      return await waitForExit(child, bytes);
    } finally {
      clearTimeout(deadline);
      runningChild = null;
    }
  }

  /** Runs after all queued images, even if one of them fails. */
  function runQueued(bytes: Uint8Array): Promise<DecoderExit> {
    const queuedRun = queueTail.then(() => run(bytes));
    queueTail = queuedRun.catch(() => {});
    return queuedRun;
  }

  return {
    isAvailable: () =>
      (availability ??= runQueued(Buffer.alloc(0)).then(({ code }) => code === EXIT_CODES.decoded)),
    decode: async (bytes) => {
      if (queueLength >= QUEUE_LIMIT) return "unavailable";
      queueLength += 1;
      try {
        const outcome = toOutcome(await runQueued(bytes));
        if (typeof outcome === "object") availability = Promise.resolve(true);
        return outcome;
      } finally {
        queueLength -= 1;
      }
    },
    close: async () => {
      isClosed = true;
      runningChild?.kill("SIGKILL");
      await queueTail;
    },
  };
}

/** `code` is null if the process was killed. */
type DecoderExit = { code: number | null; output: Buffer };

/** Passes an empty environment, so that the process sees no secrets. */
function spawnDecoder(entry: URL): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, fileURLToPath(entry)];
  return spawn(process.execPath, flags, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
}

async function waitForExit(child: ChildProcess, bytes: Uint8Array): Promise<DecoderExit> {
  const { stdin, stdout } = child;
  try {
    // A process that failed to start has no pipes. Its error is handled below.
    stdin?.on("error", () => {}).end(bytes);
    const exitCode = once(child, "close") as Promise<[number | null]>;
    const [[code], output] = await Promise.all([
      exitCode,
      stdout === null ? Buffer.alloc(0) : buffer(stdout),
    ]);
    return { code, output };
  } catch {
    return { code: EXIT_CODES.unavailable, output: Buffer.alloc(0) };
  }
}

function toOutcome({ code, output }: DecoderExit): DecodedImage | DecodingFailure {
  if (code === EXIT_CODES.too_large) return "too_large";
  if (code === EXIT_CODES.unavailable) return "unavailable";
  return (code === EXIT_CODES.decoded ? parseImage(output) : null) ?? "undecodable";
}
