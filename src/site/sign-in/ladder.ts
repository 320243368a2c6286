// The ladder's own account routes, asked in the name of the person who is signed in.

import type { ErrorBody } from "#core/resources/common.ts";
import type { FormRefusal } from "#site/look/form.tsx";

import type { Identity } from "./identity.ts";

const LONGEST_WAIT_MS = 15_000;

export type AccountRefusal = {
  code: ErrorBody["code"] | "away" | "out";
  /** For people. */
  text: string;
};

/** What the ladder answers, or why it does not. */
type LadderAnswer<T> = { value: T } | { refusal: AccountRefusal };

export type AskLadder = <T>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  /** Sent as JSON; a file as it is. */
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<LadderAnswer<T>>;

const OUT = { refusal: { code: "out", text: "Your session has ended. Sign in again." } } as const;
const AUTH_AWAY = {
  refusal: {
    code: "auth_unavailable",
    text: "The identity provider does not answer at the moment, so nothing can be changed here. Bots play on; try again in a little while.",
  },
} as const;
const AWAY = {
  refusal: { code: "away", text: "The server did not answer. Try again." },
} as const;

/** Asks in the name of the person who is signed in; a token that has run out is renewed once. */
export function openLadder(identity: Pick<Identity, "token" | "renew">): AskLadder {
  return async <T>(...asked: Parameters<AskLadder>): Promise<LadderAnswer<T>> => {
    const found = await identity.token();
    if (found === "away") return AUTH_AWAY;
    if (found === "out") return OUT;
    const answer = await askOnce<T>(found.jwt, ...asked);
    if (!("refusal" in answer) || answer.refusal.code !== "invalid_session") return answer;
    if (!(await identity.renew())) return OUT;
    const renewed = await identity.token();
    if (typeof renewed === "string") return renewed === "away" ? AUTH_AWAY : OUT;
    const again = await askOnce<T>(renewed.jwt, ...asked);
    return "refusal" in again && again.refusal.code === "invalid_session" ? OUT : again;
  };
}

async function askOnce<T>(
  jwt: string,
  ...[method, path, body, further]: Parameters<AskLadder>
): Promise<LadderAnswer<T>> {
  const isFile = body instanceof Blob;
  const headers = {
    authorization: `Bearer ${jwt}`,
    ...(body !== undefined && { "content-type": isFile ? body.type : "application/json" }),
    ...further,
  };
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const sent = body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) };
  try {
    const response = await fetch(path, { method, headers, signal, cache: "no-store", ...sent });
    const isCsv = response.headers.get("content-type")?.startsWith("text/csv") === true;
    const answer: unknown = isCsv ? await response.text() : await response.json();
    if (response.ok) return { value: answer as T };
    return { refusal: refusalIn(answer as ErrorBody, response) };
  } catch {
    return AWAY;
  }
}

function refusalIn({ code, error }: ErrorBody, { status, headers }: Response): AccountRefusal {
  if (code === "auth_unavailable") return AUTH_AWAY.refusal;
  const seconds = headers.get("retry-after");
  if (status !== 429 || seconds === null) return { code, text: error };
  return { code, text: `${error.replace(VAGUE, "")} Try again in ${seconds} s.` };
}

const VAGUE = / Try again[^.]*\.$/;

/** A refusal in a form: at the field that its code is about, if any. */
export function inForm(
  { code, text }: AccountRefusal,
  fields: Partial<Record<NonNullable<AccountRefusal["code"]>, string>> = {},
): FormRefusal {
  return { field: (code && fields[code]) ?? null, text };
}
