// Requests to a ladder and to its identity provider: JSON there and back, bounded in time and size.

import { isTooDeep } from "#core/protocol/json-depth.ts";

import { Halt } from "./halt.ts";

export type WebReply = {
  status: number;
  /** An object; empty if the answer is none. */
  body: Record<string, unknown>;
  /** Seconds; null if the answer names none. */
  retryAfterS: number | null;
};

export type WebAsk = {
  method?: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: object;
};

const ANSWER_MS = 30_000;
const ANSWER_BYTES = 4 * 1024 * 1024;

/** Of http or https, without a slash at its end; null for anything else. */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url !== null && ["http:", "https:"].includes(url.protocol);
  if (!isWeb || url.username !== "" || url.password !== "") return null;
  return url.href.replace(/\/+$/, "");
}

/** Redirections are refused: what is sent may be a password. */
export async function ask(
  url: string,
  { method = "GET", headers, body }: WebAsk,
): Promise<WebReply> {
  const all = headersOf({
    accept: "application/json",
    ...headers,
    ...(body && { "content-type": "application/json" }),
  });
  try {
    const response = await fetch(url, {
      method,
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: all,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await textOf(response);
    const retry = Number(response.headers.get("retry-after") ?? "none");
    const retryAfterS = Number.isFinite(retry) ? retry : null;
    return { status: response.status, body: objectIn(text), retryAfterS };
  } catch (error) {
    if (error instanceof Halt) throw error;
    throw new Halt(`${new URL(url).origin} cannot be reached: ${reasonOf(error)}.`);
  }
}

/** Keys and tokens come from files, the environment and servers. */
function headersOf(given: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    try {
      headers.set(name, value);
    } catch {
      throw new Halt(`What should be sent as ${name} has characters that no header can have.`);
    }
  return headers;
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message: string } };
  if (name === "TimeoutError") return `no answer within ${ANSWER_MS / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}

/** A file as it is, such as a starter. */
export async function fetchText(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await textOf(response);
    return response.ok ? text : null;
  } catch (error) {
    if (error instanceof Halt) throw error;
    throw new Halt(`${url} cannot be had: ${reasonOf(error)}.`);
  }
}

async function textOf({ url, body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > ANSWER_BYTES) throw new Halt(`The answer of ${url} is too long to be a ladder's.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function objectIn(text: string): Record<string, unknown> {
  if (isTooDeep(text)) return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A field that is text, else null. */
export function textIn(body: Record<string, unknown>, name: string): string | null {
  const value = body[name];
  return typeof value === "string" ? value : null;
}

/** What a refusal says, as a sentence. */
export function sayingOf({ status, body }: WebReply): string {
  const said = textIn(body, "error_description") ?? textIn(body, "error");
  const told = textIn(body, "msg") ?? textIn(body, "message") ?? said;
  return (told ?? `it answers ${status}`).replace(/\.?$/, ".");
}

/** When to try again, for the end of a text. */
export const laterOf = ({ retryAfterS }: WebReply): string =>
  retryAfterS === null ? "" : ` Try again in ${retryAfterS} s.`;
