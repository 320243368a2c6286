// Decodes pictures one at a time, each in a process of its own.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { FIXED } from "#core/words/limits.ts";

import { EXIT, parseImage } from "./image-answer.ts";
import type { DecodedImage } from "./image-answer.ts";

/** Why there is no picture. */
export type DecodingFailure = "too_large" | "undecodable" | "unavailable";

export type ImageDecoder = {
  decode(bytes: Uint8Array): Promise<DecodedImage | DecodingFailure>;
  /** Whether pictures can be decoded on this machine at all. Found out once. */
  isAvailable(): Promise<boolean>;
  /** Ends what is under way. */
  close(): Promise<void>;
};

export type DecoderSetup = { entry: URL; deadlineMs: number };

const SETUP: DecoderSetup = {
  entry: new URL("./image-worker.ts", import.meta.url),
  deadlineMs: FIXED.image_decode_s * 1000,
};

/** Pictures that wait for their turn. More are refused: each holds its bytes in memory. */
const MOST_WAITING = 3;

/** Megabytes; the library's own memory, which is bounded by the pixels, is not counted in. */
const HEAP_MB = 64;

export function openImageDecoder(setup: Partial<DecoderSetup> = {}): ImageDecoder {
  const { entry, deadlineMs } = { ...SETUP, ...setup };
  let line: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let running: ChildProcess | null = null;
  let isClosed = false;
  let available: Promise<boolean> | null = null;

  async function run(bytes: Uint8Array): Promise<Ended> {
    if (isClosed) return { code: EXIT.unavailable, answer: Buffer.alloc(0) };
    const child = start(entry);
    running = child;
    const deadline = setTimeout(() => child.kill("SIGKILL"), deadlineMs);
    try {
      return await endOf(child, bytes);
    } finally {
      clearTimeout(deadline);
      running = null;
    }
  }

  /** Those before it may fail; that is no reason to fail. */
  function inTurn(bytes: Uint8Array): Promise<Ended> {
    const turn = line.then(() => run(bytes));
    line = turn.catch(() => {});
    return turn;
  }

  return {
    isAvailable: () =>
      (available ??= inTurn(Buffer.alloc(0)).then(({ code }) => code === EXIT.decoded)),
    decode: async (bytes) => {
      if (waiting >= MOST_WAITING) return "unavailable";
      waiting += 1;
      try {
        const outcome = outcomeOf(await inTurn(bytes));
        if (typeof outcome === "object") available = Promise.resolve(true);
        return outcome;
      } finally {
        waiting -= 1;
      }
    },
    close: async () => {
      isClosed = true;
      running?.kill("SIGKILL");
      await line;
    },
  };
}

/** Code is null for a process that was killed. */
type Ended = { code: number | null; answer: Buffer };

/** The process knows no secret of the environment, and is told nothing but the picture. */
function start(entry: URL): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`, fileURLToPath(entry)];
  return spawn(process.execPath, flags, { env: {}, stdio: ["pipe", "pipe", "ignore"] });
}

async function endOf(child: ChildProcess, bytes: Uint8Array): Promise<Ended> {
  const { stdin, stdout } = child;
  try {
    // A process that could not be started has no pipes, and says why below.
    stdin?.on("error", () => {}).end(bytes);
    const closed = once(child, "close") as Promise<[number | null]>;
    const [[code], answer] = await Promise.all([
      closed,
      stdout === null ? Buffer.alloc(0) : buffer(stdout),
    ]);
    return { code, answer };
  } catch {
    return { code: EXIT.unavailable, answer: Buffer.alloc(0) };
  }
}

function outcomeOf({ code, answer }: Ended): DecodedImage | DecodingFailure {
  if (code === EXIT.too_large) return "too_large";
  if (code === EXIT.unavailable) return "unavailable";
  return (code === EXIT.decoded ? parseImage(answer) : null) ?? "undecodable";
}
