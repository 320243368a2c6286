// What a command of an operator is, and what several of them take.

import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";

import { FIXED } from "#core/words/limits.ts";
import { oneOf, refuse, text } from "#server/configuration/flag-values.ts";
import type { Reader } from "#server/configuration/flag-values.ts";

import type { AdminCall } from "./admin-client.ts";
import type { Warning } from "./admin-confirm.ts";
import { CommandFailure, EXIT_USAGE } from "./command.ts";

/** Values of a call by name: arguments and flags. Those left out are undefined. */
export type Given = Readonly<Record<string, string | number | true | null | undefined>>;

export type Parameter = {
  name: string;
  /** `<NAME>` is needed, `[NAME]` is not. */
  form: string;
  about: string;
  read: Reader<string | number | null>;
};

export type AdminAction = {
  /** Empty for commands without a group. */
  group: string;
  name: string;
  about: string;
  /** Runs when only its group is named. */
  isDefault: boolean;
  takes: readonly Parameter[];
  flags: readonly Parameter[];
  request: (given: Given) => AdminCall;
  /**
   * A second call, made of the answer to the first; null if there is none. It returns null if a
   * ladder of another release answers in a shape of its own, and a text to print if no second call
   * is needed.
   */
  followUp: ((answer: unknown, given: Given) => AdminCall | string | null) | null;
  /** Lines for people; null if a ladder of another release answers in a shape of its own. */
  show: (answer: unknown, given: Given) => string[] | null;
  /** What happens for good and to whom; null if it can be undone. */
  warning: ((given: Given) => Warning) | null;
};

type Row<S extends TSchema> = Omit<Partial<AdminAction>, "show"> &
  Pick<AdminAction, "name" | "about" | "request"> & {
    answer: S;
    print: (answer: Static<S>, given: Given) => string[];
  };

export function action<S extends TSchema>({ answer, print, ...row }: Row<S>): AdminAction {
  const rest = { group: "", isDefault: false, takes: [], flags: [], warning: null, followUp: null };
  const show: AdminAction["show"] = (value, given) =>
    Value.Check(answer, value) ? print(value, given) : null;
  return { ...rest, ...row, show };
}

export const ACCOUNT: Parameter = {
  name: "account",
  form: "<ACCOUNT>",
  about: "a handle, or an id",
  read: text,
};
export const REASON: Parameter = {
  name: "reason",
  form: "--reason <TEXT>",
  about: `for the audit, and for whom it is about; at most ${FIXED.reason_max} characters`,
  read: text,
};

export const part = (value: Given[string]): string => encodeURIComponent(String(value));
export const bodyWith = ({ reason }: Given, more: object = {}): object =>
  reason === undefined ? more : { ...more, reason };

/** The same for what the ladder does not do without a reason. */
export function bodyWithReason(given: Given): object {
  if (given.reason !== undefined) return bodyWith(given);
  throw new CommandFailure(
    "it takes --reason: for the audit, and for whom it is about.",
    EXIT_USAGE,
  );
}

export const flag = (
  name: string,
  form: string,
  about: string,
  read: Parameter["read"] = text,
): Parameter => ({ name, form: `--${form}`, about, read });

/** How a table is printed: for people if absent. */
export const FORMAT = flag(
  "format",
  "format <FORMAT>",
  "csv or json, for a file; a table for people if absent",
  oneOf(["csv", "json"]),
);

/** A path with the parameters that were given. */
export function pathWith(path: string, parameters: Given): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The ladder reads it; this only tells an instant from something else. */
export const instant: Reader<string> = (value) =>
  /^\d{4}-\d\d-\d\dT/.test(value)
    ? value
    : refuse("an instant with its offset, such as 2027-03-04T18:00:00+01:00");
