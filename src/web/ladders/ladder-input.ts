import { parseIsoInstant } from "#base/clock/parse-instant.ts";
import { normalizePassword } from "#core/accounts/password-normalization.ts";
import type { LadderBody } from "#core/api/admin-ladder.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import { isValidWindow } from "#core/ladder/ladder-window.ts";
import type { Window } from "#core/ladder/ladder-window.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { passwordRefusal } from "#core/ladder/settings-change.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";

export type FieldError = { field: string; problem: string; code?: "invalid_window" };

type Schedule = Pick<LadderBody, "opens_at" | "closes_at">;

/** Parses a schedule. A missing bound leaves that side open. */
export function ladderWindow({ opens_at = null, closes_at = null }: Schedule): Window {
  const parseOptional = (text: string | null) => (text === null ? null : parseIsoInstant(text));
  return { opensAt: parseOptional(opens_at), closesAt: parseOptional(closes_at) };
}

export function ladderInstantErrors(schedule: Schedule): FieldError[] {
  const fields = ["opens_at", "closes_at"] as const;
  const isInvalid = (text: string | null = null) => text !== null && parseIsoInstant(text) === null;
  return fields
    .filter((field) => isInvalid(schedule[field]))
    .map((field) => ({ field, problem: "must be an instant with its UTC offset" }));
}

const BYTE_LENGTH_TEXT = `must have ${FIXED_LIMITS.ladder_password_min} to ${FIXED_LIMITS.ladder_password_max} bytes`;

export const PASSWORD_PROBLEMS = {
  password_needed:
    "is missing: access 'password' requires one. Send it as password, or set BOUT_LADDER_PASSWORD for bout admin",
  password_unasked: "is only allowed with access 'password'",
};

export function passwordProblem(password: string): string | null {
  const bytes = Buffer.byteLength(normalizePassword(password));
  const isValidLength =
    bytes >= FIXED_LIMITS.ladder_password_min && bytes <= FIXED_LIMITS.ladder_password_max;
  return isValidLength ? null : BYTE_LENGTH_TEXT;
}

/**
 * Returns all errors in a new ladder. In a file the password may be missing; the ladder then
 * accepts invitations only.
 */
export function ladderErrors(
  body: LadderBody,
  password: string | undefined,
  { mayLackPassword: isPasswordOptional = false } = {},
): FieldError[] {
  const errors = ladderInstantErrors(body);
  if (errors.length === 0 && !isValidWindow(ladderWindow(body)))
    errors.push({ field: "closes_at", problem: "must be after opens_at", code: "invalid_window" });
  const { access = "open" } = body;
  const refusal = passwordRefusal(access, { password, hadPassword: isPasswordOptional });
  const problem = refusal === null ? null : PASSWORD_PROBLEMS[refusal];
  const passwordError = problem ?? (password === undefined ? null : passwordProblem(password));
  return passwordError === null
    ? errors
    : [...errors, { field: "password", problem: passwordError }];
}

/**
 * Returns the error text. Doesn't call the password a field, because `bout admin` has no field for
 * it.
 */
export function ladderErrorText({ field, problem, code }: FieldError): string {
  if (code !== undefined) return ERROR_CATALOGUE[code].text;
  const subject =
    field === "password" ? "The ladder's password" : `The field '${field}' of the body`;
  return `${subject} ${problem}.`;
}

export function toLadderDefinition(body: LadderBody): LadderDefinition {
  const { id, name, description = "", access = "open", visible = true, enabled = true } = body;
  return {
    id,
    name,
    description,
    access,
    visible,
    enabled,
    ...ladderWindow(body),
    maps: body.maps ?? MAP_NAMES,
    house: body.house ?? HOUSE_KINDS,
    maxConcurrent: body.max_concurrent ?? null,
    ownerConcurrency: body.owner_concurrency ?? null,
  };
}
