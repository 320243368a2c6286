// `bout admin settings set`: one setting, without a file.

import { Value } from "typebox/value";

import type { SettingsView } from "#core/operator/settings.ts";
import { SettingsSchema } from "#core/operator/settings.ts";
import { text } from "#server/configuration/flag-values.ts";
import { action, bodyWith, flag, REASON } from "#tools/cli/admin-action.ts";
import type { Given } from "#tools/cli/admin-action.ts";
import { line } from "#tools/cli/admin-print.ts";
import { CommandFailure, EXIT_USAGE } from "#tools/cli/command.ts";
import { nearest } from "#tools/program/nearest.ts";

import { changeText } from "./settings-print.ts";

type Field = Pick<SettingsView["fields"][number], "name" | "type" | "least" | "most">;
type Setting = number | boolean | null;

/** Bounds that a single ladder may have too. */
const BOUNDS = ["max_concurrent", "owner_concurrency"];
const DEFAULT = "default";

export const SETTINGS_SET = action({
  group: "settings",
  name: "set",
  about: "Changes one setting; the others keep their values.",
  takes: [
    {
      name: "name",
      form: "<NAME>",
      about: "a setting, as `bout admin settings` lists it",
      read: text,
    },
    {
      name: "value",
      form: "<VALUE>",
      about: `a number, true or false; ${DEFAULT} for what this server's flags say`,
      read: text,
    },
  ],
  flags: [flag("ladder", "ladder <ID>", `for this ladder alone: ${BOUNDS.join(" or ")}`), REASON],
  request: () => ({ method: "GET", path: "settings" }),
  followUp: (settings, given) => {
    if (!Value.Check(SettingsSchema, settings)) return null;
    const snapshot = changed(settings, given);
    if (snapshot === null)
      return `${nameOf(given)} is already ${given.value === DEFAULT ? "at its default" : given.value}; nothing changed.`;
    return { method: "PUT", path: "settings", body: bodyWith(given, snapshot) };
  },
  answer: SettingsSchema,
  print: printChange,
});

const nameOf = ({ name, ladder }: Given): string =>
  ladder === undefined ? String(name) : `${name} of the ladder ${ladder}`;

/** The snapshot of the settings with one change; null if the setting has that value already. */
function changed(settings: SettingsView, given: Given) {
  const { revision, overrides, ladders } = settings;
  const name = String(given.name);
  const value = valueOf(fieldOf(settings, name), String(given.value));
  if (given.ladder === undefined) {
    if (value === presentOf({ ...overrides }, { ...settings.effective }, name, value)) return null;
    return { revision, overrides: withValue(overrides, name, value), ladders };
  }
  const ladder = String(given.ladder);
  if (!BOUNDS.includes(name))
    throw new CommandFailure(`${name} can't be set for a single ladder.`, EXIT_USAGE);
  const own = { ...ladders[ladder] };
  const made = { ...settings.ladder_defaults[ladder] };
  if (value === presentOf(own, { ...made, ...own }, name, value)) return null;
  const bounds = withValue(own, name, value);
  return { revision, overrides, ladders: { ...ladders, [ladder]: bounds } };
}

type Values = Readonly<Record<string, Setting>>;

/** What a new value is compared with: for null, which removes an override, the override. */
const presentOf = (overrides: Values, effective: Values, name: string, value: Setting): Setting =>
  (value === null ? overrides : effective)[name] ?? null;

/** Null removes it. */
const withValue = (values: object, name: string, value: Setting): object =>
  Object.fromEntries(
    Object.entries({ ...values, [name]: value }).filter(([, one]) => one !== null),
  );

function fieldOf({ fields }: SettingsView, name: string): Field {
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) return field;
  const names = fields.map((one) => one.name);
  const close = nearest(name, names);
  const hint = close === null ? "See bout admin settings." : `Did you mean ${close}?`;
  throw new CommandFailure(`there is no setting ${name}. ${hint}`, EXIT_USAGE);
}

function valueOf({ name, type, least, most }: Field, given: string): Setting {
  if (given === DEFAULT) return null;
  if (type === "boolean" && /^(?:true|false)$/.test(given)) return given === "true";
  const isNumber = type === "integer" ? /^\d+$/.test(given) : /^\d+(?:\.\d+)?$/.test(given);
  const isMeant = type !== "boolean" && isNumber;
  if (isMeant && Number(given) >= (least ?? 0) && Number(given) <= (most ?? Infinity))
    return Number(given);
  const wanted =
    type === "boolean"
      ? "true or false"
      : `${type === "integer" ? "a whole number" : "a number"} from ${least} to ${most}`;
  throw new CommandFailure(`${name} takes ${wanted}, or ${DEFAULT}, not ${given}.`, EXIT_USAGE);
}

function printChange({ revision, history, fields }: SettingsView): string[] {
  const [latest] = history;
  const isNew = latest?.revision === revision;
  return [
    line("revision", String(revision)),
    ...(isNew ? latest.changes : []).map((change) => {
      const applies = fields.find(({ name }) => name === change.field)?.applies;
      return line("changed", `${changeText(change)}; applies: ${applies ?? "at once"}`);
    }),
  ];
}
