// Sends JSON requests to a ladder and its identity provider. Limits response time and size.

import { isJsonTooDeep } from "#core/protocol/json-depth.ts";

import { OnboardError } from "./onboard-error.ts";

export type JsonReply = {
  status: number;
  /** The response object; empty if the body isn't a JSON object. */
  body: Record<string, unknown>;
  retryAfterS: number | null;
};

export type JsonRequest = {
  method?: "GET" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: object;
};

const RESPONSE_TIMEOUT_MS = 30_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** Returns an http or https URL without a trailing slash; null for any other text. */
export function parseWebUrl(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url !== null && ["http:", "https:"].includes(url.protocol);
  if (!isWeb || url.username !== "" || url.password !== "") return null;
  return url.href.replace(/\/+$/, "");
}

/** Rejects redirects, because the request may contain a password. */
export async function requestJson(
  url: string,
  { method = "GET", headers, body }: JsonRequest,
): Promise<JsonReply> {
  const allHeaders = toHeaders({
    accept: "application/json",
    ...headers,
    ...(body && { "content-type": "application/json" }),
  });
  try {
    const response = await fetch(url, {
      method,
      redirect: "error",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      headers: allHeaders,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await readBoundedText(response);
    const retryAfter = Number(response.headers.get("retry-after") ?? "none");
    const retryAfterS = Number.isFinite(retryAfter) ? retryAfter : null;
    return { status: response.status, body: parseObject(text), retryAfterS };
  } catch (error) {
    if (error instanceof OnboardError) throw error;
    throw new OnboardError(`${new URL(url).origin} can't be reached: ${fetchErrorReason(error)}.`);
  }
}

/**
 * Keys and tokens come from files, the environment and servers, so they may be invalid in a header.
 */
function toHeaders(headerValues: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(headerValues))
    try {
      headers.set(name, value);
    } catch {
      throw new OnboardError(`The value for ${name} has characters that a header can't contain.`);
    }
  return headers;
}

function fetchErrorReason(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message: string } };
  if (name === "TimeoutError") return `no response within ${RESPONSE_TIMEOUT_MS / 1000} s`;
  return cause?.code ?? cause?.message ?? message;
}

export async function fetchText(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      redirect: "error",
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const text = await readBoundedText(response);
    return response.ok ? text : null;
  } catch (error) {
    if (error instanceof OnboardError) throw error;
    throw new OnboardError(`${url} can't be downloaded: ${fetchErrorReason(error)}.`);
  }
}

async function readBoundedText({ url, body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES)
      throw new OnboardError(
        `The response from ${url} is too long. Check that it is a Bout server.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseObject(text: string): Record<string, unknown> {
  if (isJsonTooDeep(text)) return {};
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function textField(body: Record<string, unknown>, name: string): string | null {
  const value = body[name];
  return typeof value === "string" ? value : null;
}

/** Returns the response's error text as a sentence. */
export function errorSentence({ status, body }: JsonReply): string {
  const description = textField(body, "error_description") ?? textField(body, "error");
  const errorMessage = textField(body, "msg") ?? textField(body, "message") ?? description;
  return (errorMessage ?? `status ${status}`).replace(/\.?$/, ".");
}

/** Returns a clause that says when to retry, for appending to a message. Empty if unknown. */
export const retryAdvice = ({ retryAfterS }: JsonReply): string =>
  retryAfterS === null ? "" : ` Try again in ${retryAfterS} s.`;
