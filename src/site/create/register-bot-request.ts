// Registers a bot and assigns API errors to form fields.

import type { RegisteredBot } from "#core/api/bot.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { FormValues, FormRefusal } from "#site/ui/form.tsx";

type RegistrationField = "name" | "owner" | "key";

type RegistrationResult =
  | { kind: "registered"; bot: RegisteredBot }
  | ({ kind: "refused" } & FormRefusal);

const FIELD_BY_ERROR_CODE: Partial<Record<NonNullable<ErrorBody["code"]>, RegistrationField>> = {
  invalid_bot: "name",
  invalid_handle: "owner",
  bot_limit: "owner",
  invalid_registration_key: "key",
};
const REQUEST_TIMEOUT_MS = 15_000;
const HTTP_CREATED = 201;

export async function submitRegistration(values: FormValues): Promise<RegistrationResult> {
  try {
    const response = await fetch("/api/bots", registrationRequest(values));
    const body: unknown = await response.json();
    if (response.status === HTTP_CREATED) return { kind: "registered", bot: body as RegisteredBot };
    return { kind: "refused", ...registrationRefusal(body as ErrorBody) };
  } catch {
    return { kind: "refused", field: null, text: REGISTRATION_LOST_TEXT };
  }
}

export const REGISTRATION_LOST_TEXT =
  "The server didn't respond. If it now says the name is taken, the bot may have been registered without you getting its token: choose another name.";

function registrationRequest({ name, owner = "", key = "" }: FormValues): RequestInit {
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key !== "" && { "x-registration-key": key }),
    },
    body: JSON.stringify({ name, ...(owner !== "" && { owner }) }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
}

function registrationRefusal({ code, error }: ErrorBody): FormRefusal {
  return { field: (code && FIELD_BY_ERROR_CODE[code]) ?? null, text: error };
}
