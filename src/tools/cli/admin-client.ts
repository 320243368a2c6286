// Requests of an operator to a ladder, with the key of an admin.

import { open } from "node:fs/promises";

import { isLoopback } from "#base/units/loopback.ts";

import { sentBody } from "./admin-body.ts";
import type { CallBody } from "./admin-body.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "./command.ts";

/** What is asked of the ladder. */
export type AdminCall = CallBody & {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api/admin/`. */
  path: string;
};

export const KEY_VARIABLE = "BOUT_ADMIN_KEY";
export const URL_VARIABLE = "BOUT_URL";
export const USUAL_URL = "http://localhost:7777";
/** Any of them lets somebody else read the file. */
const OTHERS = 0o077;
const KEY = /^[\x21-\x7e]{1,4096}$/;
const ANSWER_MS = 30_000;
/** Larger than any answer of a ladder; the longest are exports of analytics. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** The key is never an argument: others on the machine see those. */
export async function readKey(
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const text = file === undefined ? environment[KEY_VARIABLE] : await readKeyFile(file);
  if (text === undefined || text === "")
    throw new CommandFailure(
      `it takes the agent key of an admin: in ${KEY_VARIABLE}, or in a file of mode 600 with --key-file.`,
      EXIT_USAGE,
    );
  if (KEY.test(text)) return text;
  throw new CommandFailure(`${file ?? KEY_VARIABLE} has no key in it.`, EXIT_USAGE);
}

async function readKeyFile(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { mode } = await file.stat();
    if ((mode & OTHERS) !== 0)
      throw new CommandFailure(`others can read ${path}: chmod 600 ${path}`, EXIT_USAGE);
    return (await file.readFile("utf8")).trim();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`${path} cannot be read: ${codeOf(error)}.`, EXIT_USAGE);
  }
}

/** The address of a ladder to which a key may travel. A flag overrides the environment. */
export function ladderAt(flag: string | undefined, environment: NodeJS.ProcessEnv): URL {
  const address = flag ?? (environment[URL_VARIABLE] || USUAL_URL);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `${address} is no address of a ladder; they begin with http.`,
      EXIT_USAGE,
    );
  if (url.protocol === "https:" || isLoopback(url.hostname)) return url;
  throw new CommandFailure(
    `${url.origin} would get the key in the clear: use https, or run this on the server's machine.`,
    EXIT_USAGE,
  );
}

/** The answer as it came. What the ladder refuses, it says in its own words. */
export async function ask(ladder: URL, key: string, call: AdminCall): Promise<unknown> {
  const response = await send(ladder, key, call);
  const text = await readText(ladder, response);
  const isText = /^text\/(?:plain|csv)\b/.test(response.headers.get("content-type") ?? "");
  const answer = isText ? text : readJson(text);
  if (response.ok && answer !== undefined) return answer;
  const { error, code } = (answer ?? {}) as { error?: unknown; code?: unknown };
  if (response.status < 400 || typeof error !== "string")
    throw new CommandFailure(
      `${ladder.origin} answers ${response.status} without a word of a ladder.`,
      EXIT_USAGE,
    );
  const mark = typeof code === "string" ? `${response.status} ${code}` : response.status;
  throw new CommandFailure(`${error} (${mark})`, EXIT_FAILED);
}

/** Counts decompressed bytes, and stops reading at the limit. */
async function readText(ladder: URL, { body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES)
      throw new CommandFailure(
        `${ladder.origin} sends more than ${MAX_ANSWER_BYTES / 1024 ** 2} MiB: is it a ladder?`,
        EXIT_USAGE,
      );
    parts.push(part);
  }
  // Drops the byte order mark of CSV files.
  return new TextDecoder().decode(Buffer.concat(parts));
}

async function send(ladder: URL, key: string, { method, path, ...sent }: AdminCall) {
  const { headers, body = null } = (await sentBody(sent)) ?? {};
  try {
    return await fetch(new URL(`/api/admin/${path}`, ladder), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...headers,
      },
      body,
      // The key goes to the address that was named, and to no other.
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch (error) {
    throw new CommandFailure(
      `${ladder.origin} cannot be reached: ${codeOf(error)}. Another address goes into --url or ${URL_VARIABLE}.`,
      EXIT_USAGE,
    );
  }
}

/** Undefined if it is none. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The system's code, at the error or at its cause; else the words of the inner one. */
function codeOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  if (cause instanceof Error) return codeOf(cause);
  return typeof code === "string" ? code : message;
}
