// HTTP client for operators, authenticated by an admin's agent key.

import { open } from "node:fs/promises";

import { isLoopbackHost } from "#base/util/loopback.ts";
import { CommandFailure, EXIT_FAILED, EXIT_USAGE } from "#tools/cli/command.ts";

import { encodeBody } from "./admin-body.ts";
import type { AdminCallBody } from "./admin-body.ts";

export type AdminCall = AdminCallBody & {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to `/api/admin/`. */
  path: string;
};

export const KEY_VARIABLE = "BOUT_ADMIN_KEY";
export const URL_VARIABLE = "BOUT_URL";
export const DEFAULT_LADDER_URL = "http://localhost:7777";
/** If any of these bits is set, other users can read the file. */
const OTHERS_MODE_BITS = 0o077;
const KEY_PATTERN = /^[\x21-\x7e]{1,4096}$/;
const RESPONSE_TIMEOUT_MS = 30_000;
/** Larger than any response from the server. Analytics exports are the longest. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * The key is never passed as an argument, because other users on the machine can read arguments.
 */
export async function readKey(
  file: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const text = file === undefined ? environment[KEY_VARIABLE] : await readKeyFile(file);
  if (text === undefined || text === "")
    throw new CommandFailure(
      `an admin's agent key is required: set ${KEY_VARIABLE}, or pass a file with mode 600 as --key-file.`,
      EXIT_USAGE,
    );
  if (KEY_PATTERN.test(text)) return text;
  throw new CommandFailure(`${file ?? KEY_VARIABLE} contains no valid key.`, EXIT_USAGE);
}

async function readKeyFile(path: string): Promise<string> {
  try {
    await using file = await open(path);
    const { mode } = await file.stat();
    if ((mode & OTHERS_MODE_BITS) !== 0)
      throw new CommandFailure(`other users can read ${path}. Run: chmod 600 ${path}`, EXIT_USAGE);
    return (await file.readFile("utf8")).trim();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`${path} can't be read: ${errorCode(error)}.`, EXIT_USAGE);
  }
}

/**
 * Returns the server's URL. Throws if sending the key there would be unsafe. The flag overrides the
 * environment.
 */
export function resolveLadderUrl(flag: string | undefined, environment: NodeJS.ProcessEnv): URL {
  const address = flag ?? (environment[URL_VARIABLE] || DEFAULT_LADDER_URL);
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CommandFailure(
      `${address} is not a server URL. Use http:// or https://.`,
      EXIT_USAGE,
    );
  if (url.protocol === "https:" || isLoopbackHost(url.hostname)) return url;
  throw new CommandFailure(
    `${url.origin} would receive the key unencrypted. Use https, or run this on the server's machine.`,
    EXIT_USAGE,
  );
}

/**
 * Returns the response body. Throws with the server's error text if the server refuses the request.
 */
export async function callAdminApi(ladder: URL, key: string, call: AdminCall): Promise<unknown> {
  const response = await sendRequest(ladder, key, call);
  const text = await readText(ladder, response);
  const isText = /^text\/(?:plain|csv)\b/.test(response.headers.get("content-type") ?? "");
  const answer = isText ? text : tryParseJson(text);
  if (response.ok && answer !== undefined) return answer;
  const { error, code } = (answer ?? {}) as { error?: unknown; code?: unknown };
  if (response.status < 400 || typeof error !== "string")
    throw new CommandFailure(
      `${ladder.origin} responded with status ${response.status} and no Bout error. Check --url, and any proxy in between.`,
      EXIT_USAGE,
    );
  const statusText = typeof code === "string" ? `${response.status} ${code}` : response.status;
  throw new CommandFailure(`${error} (${statusText})`, EXIT_FAILED);
}

/** Counts decompressed bytes, and stops reading at the limit. */
async function readText(ladder: URL, { body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES)
      throw new CommandFailure(
        `${ladder.origin} sent more than ${MAX_RESPONSE_BYTES / 1024 ** 2} MiB. Check that it is a Bout server.`,
        EXIT_USAGE,
      );
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function sendRequest(ladder: URL, key: string, { method, path, ...callBody }: AdminCall) {
  const { headers, body = null } = (await encodeBody(callBody)) ?? {};
  try {
    return await fetch(new URL(`/api/admin/${path}`, ladder), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json",
        ...headers,
      },
      body,
      // A redirect must not forward the key to another host.
      redirect: "manual",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
  } catch (error) {
    throw new CommandFailure(
      `${ladder.origin} can't be reached: ${errorCode(error)}. To use another address, pass --url or set ${URL_VARIABLE}.`,
      EXIT_USAGE,
    );
  }
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the system error code of the error or of its cause. Otherwise returns the innermost
 * message.
 */
function errorCode(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  if (cause instanceof Error) return errorCode(cause);
  return typeof code === "string" ? code : message;
}
