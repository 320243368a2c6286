import type { Static, TSchema } from "typebox";
import { Value } from "typebox/value";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { parseOneOf, rejectValue, parseText } from "#server/configuration/flag-values.ts";
import type { FlagParser } from "#server/configuration/flag-values.ts";
import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";

import type { AdminCall } from "./admin-client.ts";
import type { ActionWarning } from "./admin-confirm.ts";

/** Arguments and flags by name. Omitted arguments and flags are undefined. */
export type CommandInput = Readonly<Record<string, string | number | true | null | undefined>>;

export type Parameter = {
  name: string;
  /** `<NAME>` is required, `[NAME]` is optional. */
  form: string;
  about: string;
  parse: FlagParser<string | number | null>;
};

export type AdminAction = {
  group: string;
  name: string;
  about: string;
  isDefault: boolean;
  takes: readonly Parameter[];
  flags: readonly Parameter[];
  request: (input: CommandInput) => AdminCall;
  /**
   * Builds a second call from the first response. Returns null if no second call is possible, for
   * example because a server running another release uses a different format. Returns a message to
   * print if no second call is needed.
   */
  followUp: ((answer: unknown, input: CommandInput) => AdminCall | string | null) | null;
  /**
   * Returns lines for a terminal, or null if a server running another release uses a different
   * format.
   */
  show: (answer: unknown, input: CommandInput) => string[] | null;
  /** The irreversible effect and its target; null if the action can be undone. */
  warning: ((input: CommandInput) => ActionWarning) | null;
};

type ActionDefinition<S extends TSchema> = Omit<Partial<AdminAction>, "show"> &
  Pick<AdminAction, "name" | "about" | "request"> & {
    answer: S;
    print: (answer: Static<S>, input: CommandInput) => string[];
  };

export function defineAction<S extends TSchema>({
  answer,
  print,
  ...row
}: ActionDefinition<S>): AdminAction {
  const defaults = {
    group: "",
    isDefault: false,
    takes: [],
    flags: [],
    warning: null,
    followUp: null,
  };
  const show: AdminAction["show"] = (value, input) =>
    Value.Check(answer, value) ? print(value, input) : null;
  return { ...defaults, ...row, show };
}

export const ACCOUNT: Parameter = {
  name: "account",
  form: "<ACCOUNT>",
  about: "handle or id",
  parse: parseText,
};
export const REASON: Parameter = {
  name: "reason",
  form: "--reason <TEXT>",
  about: `reason for the audit log and the email to the person affected (max ${FIXED_LIMITS.reason_max} characters)`,
  parse: parseText,
};

export const encodePathPart = (value: CommandInput[string]): string =>
  encodeURIComponent(String(value));
export const bodyWith = ({ reason }: CommandInput, extraFields: object = {}): object =>
  reason === undefined ? extraFields : { ...extraFields, reason };

/** Throws if --reason is missing. */
export function bodyWithReason(input: CommandInput): object {
  if (input.reason !== undefined) return bodyWith(input);
  throw new CommandFailure(
    "--reason is required. It is recorded in the audit log and sent to the person affected.",
    EXIT_USAGE,
  );
}

export const createFlag = (
  name: string,
  form: string,
  about: string,
  parse: Parameter["parse"] = parseText,
): Parameter => ({ name, form: `--${form}`, about, parse });

/** Without this flag, prints a table for a terminal. */
export const FORMAT = createFlag(
  "format",
  "format <FORMAT>",
  "output format: csv or json (default: a table)",
  parseOneOf(["csv", "json"]),
);

export function pathWithQuery(path: string, parameters: CommandInput): string {
  const input = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return input.length === 0 ? path : `${path}?${new URLSearchParams(input)}`;
}

/** Checks only the form. The server parses the instant. */
export const parseInstantArgument: FlagParser<string> = (value) =>
  /^\d{4}-\d\d-\d\dT/.test(value)
    ? value
    : rejectValue("a time with its UTC offset, such as 2027-03-04T18:00:00+01:00");
