// What a ladder is made from, over HTTP and in a file, and what can be wrong with it.

import { readInstant } from "#base/clock/instant.ts";
import { passwordForm } from "#core/accounts/password.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { passwordRefusal } from "#core/ladder/settings-change.ts";
import { isWindow } from "#core/ladder/window.ts";
import type { Window } from "#core/ladder/window.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { LadderBody } from "#core/resources/admin-ladder.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import { FIXED } from "#core/words/limits.ts";

/** A field of the right type that cannot be as it is: the end of a sentence about it. */
export type FieldFault = { field: string; problem: string; code?: "invalid_window" };

type Schedule = Pick<LadderBody, "opens_at" | "closes_at">;

/** A written schedule as the window that it means; what is absent is no bound. */
export function windowOf({ opens_at = null, closes_at = null }: Schedule): Window {
  const read = (text: string | null) => (text === null ? null : readInstant(text));
  return { opensAt: read(opens_at), closesAt: read(closes_at) };
}

/** Instants that cannot be read. */
export function instantFaults(schedule: Schedule): FieldFault[] {
  const fields = ["opens_at", "closes_at"] as const;
  const isWrong = (text: string | null = null) => text !== null && readInstant(text) === null;
  return fields
    .filter((field) => isWrong(schedule[field]))
    .map((field) => ({ field, problem: "must be an instant with its offset from UTC" }));
}

const BYTES = `must have ${FIXED.ladder_password_min} to ${FIXED.ladder_password_max} bytes`;

export const PASSWORD_PROBLEMS = {
  password_needed:
    "is missing: access 'password' needs one. Send it as password, or set BOUT_LADDER_PASSWORD for bout admin",
  password_unasked: "is for access 'password' alone",
};

/** Null for a password that a ladder can have. */
export function passwordProblem(password: string): string | null {
  const bytes = Buffer.byteLength(passwordForm(password));
  const isFit = bytes >= FIXED.ladder_password_min && bytes <= FIXED.ladder_password_max;
  return isFit ? null : BYTES;
}

/** In a file a ladder may go without a password: only invitations let people in then. */
export function ladderFaults(
  body: LadderBody,
  password: string | undefined,
  { mayLackPassword = false } = {},
): FieldFault[] {
  const faults = instantFaults(body);
  if (faults.length === 0 && !isWindow(windowOf(body)))
    faults.push({ field: "closes_at", problem: "must be after opens_at", code: "invalid_window" });
  const { access = "open" } = body;
  const refusal = passwordRefusal(access, { password, isAsked: mayLackPassword });
  const problem = refusal === null ? null : PASSWORD_PROBLEMS[refusal];
  const wrong = problem ?? (password === undefined ? null : passwordProblem(password));
  return wrong === null ? faults : [...faults, { field: "password", problem: wrong }];
}

/** The text of the refusal. `bout admin` has no field for the password. */
export function faultText({ field, problem, code }: FieldFault): string {
  if (code !== undefined) return ERRORS[code].text;
  const what = field === "password" ? "The ladder's password" : `The field '${field}' of the body`;
  return `${what} ${problem}.`;
}

/** The ladder of a body without faults. */
export function definitionOf(body: LadderBody): LadderDefinition {
  const { id, name, description = "", access = "open", visible = true, enabled = true } = body;
  return {
    id,
    name,
    description,
    access,
    visible,
    enabled,
    ...windowOf(body),
    maps: body.maps ?? MAP_NAMES,
    house: body.house ?? HOUSE_KINDS,
    maxConcurrent: body.max_concurrent ?? null,
    ownerConcurrency: body.owner_concurrency ?? null,
  };
}
