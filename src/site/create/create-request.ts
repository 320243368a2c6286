// Registering a bot from the page, and what refusals mean for the fields of the form.

import type { RegisteredBot } from "#core/resources/bot.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import type { FormAnswers, FormRefusal } from "#site/look/form.tsx";

/** What the form asks for. */
type FormField = "name" | "owner" | "key";

type Outcome = { kind: "registered"; bot: RegisteredBot } | ({ kind: "refused" } & FormRefusal);

const FIELDS: Partial<Record<NonNullable<ErrorBody["code"]>, FormField>> = {
  invalid_bot: "name",
  invalid_handle: "owner",
  bot_limit: "owner",
  invalid_registration_key: "key",
};
const LONGEST_WAIT_MS = 15_000;
const CREATED = 201;

export async function register(wish: FormAnswers): Promise<Outcome> {
  try {
    const response = await fetch("/api/bots", requestOf(wish));
    const answer: unknown = await response.json();
    if (response.status === CREATED) return { kind: "registered", bot: answer as RegisteredBot };
    return { kind: "refused", ...refusalOf(answer as ErrorBody) };
  } catch {
    return { kind: "refused", field: null, text: LOST };
  }
}

export const LOST =
  "The server did not answer. If it now says that the name is taken, the bot may have been registered without its token: choose another name.";

function requestOf({ name, owner = "", key = "" }: FormAnswers): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== "" && { "x-registration-key": key }),
    },
    body: JSON.stringify({ name, ...(owner !== "" && { owner }) }),
    signal: AbortSignal.timeout(LONGEST_WAIT_MS),
  };
}

function refusalOf({ code, error }: ErrorBody): FormRefusal {
  return { field: (code && FIELDS[code]) ?? null, text: error };
}
