import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { FormRefusal } from "#site/ui/form.tsx";

import type { IdentityClient } from "./identity-client.ts";

const REQUEST_TIMEOUT_MS = 15_000;

export type AccountRefusal = {
  code: ErrorBody["code"] | "away" | "out";
  text: string;
};

type ApiResult<T> = { value: T } | { refusal: AccountRefusal };

export type SendRequest = <T>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  /** Sent as JSON, except for a File, which is sent unchanged. */
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<ApiResult<T>>;

const SESSION_ENDED = {
  refusal: { code: "out", text: "Your session has ended. Sign in again." },
} as const;
const PROVIDER_UNAVAILABLE = {
  refusal: {
    code: "auth_unavailable",
    text: "The sign-in service isn't responding, so you can't change anything right now. Your bots keep playing. Try again in a moment.",
  },
} as const;
const SERVER_UNAVAILABLE = {
  refusal: { code: "away", text: "The server didn't respond. Try again." },
} as const;

/**
 * Returns a function that sends requests as the signed-in person. An expired token is refreshed
 * once.
 */
export function createAccountApi(
  identity: Pick<IdentityClient, "token" | "renewSession">,
): SendRequest {
  return async <T>(...requestArgs: Parameters<SendRequest>): Promise<ApiResult<T>> => {
    const tokenLookup = await identity.token();
    if (tokenLookup === "away") return PROVIDER_UNAVAILABLE;
    if (tokenLookup === "out") return SESSION_ENDED;
    const result = await sendOnce<T>(tokenLookup.jwt, ...requestArgs);
    if (!("refusal" in result) || result.refusal.code !== "invalid_session") return result;
    if (!(await identity.renewSession())) return SESSION_ENDED;
    const renewedToken = await identity.token();
    if (typeof renewedToken === "string")
      return renewedToken === "away" ? PROVIDER_UNAVAILABLE : SESSION_ENDED;
    const retriedResult = await sendOnce<T>(renewedToken.jwt, ...requestArgs);
    return "refusal" in retriedResult && retriedResult.refusal.code === "invalid_session"
      ? SESSION_ENDED
      : retriedResult;
  };
}

async function sendOnce<T>(
  jwt: string,
  ...[method, path, body, extraHeaders]: Parameters<SendRequest>
): Promise<ApiResult<T>> {
  const isFile = body instanceof Blob;
  const headers = {
    authorization: `Bearer ${jwt}`,
    ...(body !== undefined && { "content-type": isFile ? body.type : "application/json" }),
    ...extraHeaders,
  };
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const requestBody = body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) };
  try {
    const response = await fetch(path, {
      method,
      headers,
      signal,
      cache: "no-store",
      ...requestBody,
    });
    const isCsv = response.headers.get("content-type")?.startsWith("text/csv") === true;
    const responseBody: unknown = isCsv ? await response.text() : await response.json();
    if (response.ok) return { value: responseBody as T };
    return { refusal: parseRefusal(responseBody as ErrorBody, response) };
  } catch {
    return SERVER_UNAVAILABLE;
  }
}

function parseRefusal({ code, error }: ErrorBody, { status, headers }: Response): AccountRefusal {
  if (code === "auth_unavailable") return PROVIDER_UNAVAILABLE.refusal;
  const seconds = headers.get("retry-after");
  if (status !== 429 || seconds === null) return { code, text: error };
  return { code, text: `${error.replace(VAGUE_RETRY_TEXT, "")} Try again in ${seconds} s.` };
}

const VAGUE_RETRY_TEXT = / Try again[^.]*\.$/;

/** Converts an API error to a form error at the field that the error code belongs to. */
export function toFormRefusal(
  { code, text }: AccountRefusal,
  fieldByCode: Partial<Record<NonNullable<AccountRefusal["code"]>, string>> = {},
): FormRefusal {
  return { field: (code && fieldByCode[code]) ?? null, text };
}
