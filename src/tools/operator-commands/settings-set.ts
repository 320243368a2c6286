// `bout admin settings set`: changes one setting without a file.

import { Value } from "typebox/value";

import type { SettingsView } from "#core/api/settings-schemas.ts";
import { SettingsSchema } from "#core/api/settings-schemas.ts";
import { parseText } from "#server/configuration/flag-values.ts";
import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";
import { findNearest } from "#tools/cli/nearest-word.ts";

import { defineAction, bodyWith, createFlag, REASON } from "./admin-action.ts";
import type { CommandInput } from "./admin-action.ts";
import { formatField } from "./admin-print.ts";
import { formatSettingChange } from "./settings-print.ts";

type Field = Pick<SettingsView["fields"][number], "name" | "type" | "least" | "most">;
type SettingValue = number | boolean | null;

/** Limits that can also be set per ladder. */
const LADDER_BOUNDS = ["max_concurrent", "owner_concurrency"];
const DEFAULT_KEYWORD = "default";

export const SETTINGS_SET = defineAction({
  group: "settings",
  name: "set",
  about: "Change one setting and leave all others unchanged.",
  takes: [
    {
      name: "name",
      form: "<NAME>",
      about: "setting name, as in `bout admin settings`",
      parse: parseText,
    },
    {
      name: "value",
      form: "<VALUE>",
      about: `a number, true or false; ${DEFAULT_KEYWORD} restores the server flag`,
      parse: parseText,
    },
  ],
  flags: [
    createFlag(
      "ladder",
      "ladder <ID>",
      `change the limit for this ladder only: ${LADDER_BOUNDS.join(" or ")}`,
    ),
    REASON,
  ],
  request: () => ({ method: "GET", path: "settings" }),
  followUp: (settings, input) => {
    if (!Value.Check(SettingsSchema, settings)) return null;
    const snapshot = applyChange(settings, input);
    if (snapshot === null)
      return `${describeSetting(input)} is already ${input.value === DEFAULT_KEYWORD ? "at its default" : input.value}; nothing changed.`;
    return { method: "PUT", path: "settings", body: bodyWith(input, snapshot) };
  },
  answer: SettingsSchema,
  print: printChange,
});

const describeSetting = ({ name, ladder }: CommandInput): string =>
  ladder === undefined ? String(name) : `${name} for the ladder ${ladder}`;

/** Returns the settings with one change; null if the setting already has the value. */
function applyChange(settings: SettingsView, input: CommandInput) {
  const { revision, overrides, ladders } = settings;
  const name = String(input.name);
  const value = parseValue(findField(settings, name), String(input.value));
  if (input.ladder === undefined) {
    if (value === currentValue({ ...overrides }, { ...settings.effective }, name, value))
      return null;
    return { revision, overrides: withValue(overrides, name, value), ladders };
  }
  const ladder = String(input.ladder);
  if (!LADDER_BOUNDS.includes(name))
    throw new CommandFailure(`${name} can't be set for a single ladder.`, EXIT_USAGE);
  const ladderOverrides = { ...ladders[ladder] };
  const ladderDefaults = { ...settings.ladder_defaults[ladder] };
  if (
    value === currentValue(ladderOverrides, { ...ladderDefaults, ...ladderOverrides }, name, value)
  )
    return null;
  const bounds = withValue(ladderOverrides, name, value);
  return { revision, overrides, ladders: { ...ladders, [ladder]: bounds } };
}

type SettingValues = Readonly<Record<string, SettingValue>>;

/**
 * Returns the value to compare with. If the new value is null, that is the override. Otherwise, it
 * is the effective value.
 */
const currentValue = (
  overrides: SettingValues,
  effective: SettingValues,
  name: string,
  value: SettingValue,
): SettingValue => (value === null ? overrides : effective)[name] ?? null;

const withValue = (values: object, name: string, value: SettingValue): object =>
  Object.fromEntries(
    Object.entries({ ...values, [name]: value }).filter(([, candidate]) => candidate !== null),
  );

function findField({ fields }: SettingsView, name: string): Field {
  const field = fields.find((candidate) => candidate.name === name);
  if (field !== undefined) return field;
  const names = fields.map((candidate) => candidate.name);
  const suggestion = findNearest(name, names);
  const hint =
    suggestion === null
      ? 'To list settings, run "bout admin settings".'
      : `Did you mean ${suggestion}?`;
  throw new CommandFailure(`there is no setting ${name}. ${hint}`, EXIT_USAGE);
}

function parseValue({ name, type, least, most }: Field, input: string): SettingValue {
  if (input === DEFAULT_KEYWORD) return null;
  if (type === "boolean" && /^(?:true|false)$/.test(input)) return input === "true";
  const isNumber = type === "integer" ? /^\d+$/.test(input) : /^\d+(?:\.\d+)?$/.test(input);
  const isNumericField = type !== "boolean" && isNumber;
  if (isNumericField && Number(input) >= (least ?? 0) && Number(input) <= (most ?? Infinity))
    return Number(input);
  const expectedText =
    type === "boolean"
      ? "true or false"
      : `${type === "integer" ? "a whole number" : "a number"} from ${least} to ${most}`;
  throw new CommandFailure(
    `${name} takes ${expectedText}, or ${DEFAULT_KEYWORD}, not ${input}.`,
    EXIT_USAGE,
  );
}

function printChange({ revision, history, fields }: SettingsView): string[] {
  const [latest] = history;
  const isNew = latest?.revision === revision;
  return [
    formatField("revision", String(revision)),
    ...(isNew ? latest.changes : []).map((change) => {
      const applies = fields.find(({ name }) => name === change.field)?.applies;
      return formatField(
        "changed",
        `${formatSettingChange(change)}; applies: ${applies ?? "at once"}`,
      );
    }),
  ];
}
