// What an operator can ask about settings, usage, the audit and replays: rows for the commands.

import { Type } from "typebox";

import {
  DeletedPresetSchema,
  PresetSchema,
  PreviewSchema,
  SettingsSchema,
} from "#core/operator/settings.ts";
import { TrimmedSchema, UsageSchema } from "#core/operator/usage.ts";
import { AuditEntrySchema } from "#core/resources/account.ts";
import { FIXED } from "#core/words/limits.ts";
import { text, whole } from "#server/configuration/flag-values.ts";
import {
  action,
  bodyWith,
  flag,
  FORMAT,
  instant,
  part,
  pathWith,
  REASON,
} from "#tools/cli/admin-action.ts";
import type { AdminAction, Given, Parameter } from "#tools/cli/admin-action.ts";

import {
  printAudit,
  printPreview,
  printSettings,
  printTrimmed,
  printUsage,
} from "./settings-print.ts";
import { SETTINGS_SET } from "./settings-set.ts";

const group = "settings";

const FILE: Parameter = {
  name: "file",
  form: "<FILE>",
  about: "JSON with revision, overrides and ladders, such as `bout admin settings --json` prints",
  read: text,
};

/** Anything else in the file stays there: so the answer of the ladder can be edited and sent back. */
const snapshot = ({ file }: Given) => ({
  json: String(file),
  only: ["revision", "overrides", "ladders"],
});

const SETTINGS: readonly AdminAction[] = [
  action({
    group,
    name: "show",
    isDefault: true,
    about: "The settings in force, and what they are changed from.",
    request: () => ({ method: "GET", path: "settings" }),
    answer: SettingsSchema,
    print: printSettings,
  }),
  SETTINGS_SET,
  action({
    group,
    name: "preview",
    about: "What a change of the settings would do.",
    takes: [FILE],
    request: (given) => ({ method: "POST", path: "settings/preview", ...snapshot(given) }),
    answer: PreviewSchema,
    print: printPreview,
  }),
  action({
    group,
    name: "apply",
    about: "Changes the settings: what the file leaves out returns to its default.",
    takes: [FILE],
    flags: [REASON],
    request: (given) => ({
      method: "PUT",
      path: "settings",
      ...snapshot(given),
      body: bodyWith(given),
    }),
    answer: SettingsSchema,
    print: printSettings,
  }),
  action({
    group,
    name: "save",
    about: "Keeps what is changed of the settings under a name.",
    takes: [
      {
        name: "revision",
        form: "<REVISION>",
        about: "that the settings have",
        read: whole(0, Number.MAX_SAFE_INTEGER),
      },
      { name: "name", form: "<NAME>", about: "a preset of this name is replaced", read: text },
    ],
    request: ({ revision, name }) => ({
      method: "POST",
      path: "settings/presets",
      body: { revision, name },
    }),
    answer: PresetSchema,
    print: ({ id, name }) => [`The preset ${name} is kept, as ${id}.`],
  }),
  action({
    group,
    name: "forget",
    about: "Deletes a preset.",
    takes: [{ name: "preset", form: "<ID>", about: "the preset's id", read: text }],
    request: ({ preset }) => ({ method: "DELETE", path: `settings/presets/${part(preset)}` }),
    answer: DeletedPresetSchema,
    print: ({ deleted }) => [`The preset ${deleted} is deleted.`],
  }),
];

export const SETTINGS_ACTIONS: readonly AdminAction[] = [
  ...SETTINGS,
  action({
    name: "usage",
    about: "Who plays how much, of what may be played.",
    request: () => ({ method: "GET", path: "usage" }),
    answer: UsageSchema,
    print: printUsage,
  }),
  action({
    name: "audit",
    about: "What was done, by whom and to what, newest first.",
    flags: [
      flag("kind", "kind <KIND>", "a kind, or the beginning of several, such as `bot.`"),
      flag(
        "limit",
        "limit <N>",
        `how many (default ${FIXED.audit_list_default})`,
        whole(1, FIXED.audit_list_max),
      ),
      flag("before", "before <ID>", "older than this entry"),
      flag("actor", "actor <WHO>", "by this account (its keys too), key label, bot, or `system`"),
      flag("subject", "subject <WHAT>", "about this account, bot, ladder, event or id"),
      flag("since", "since <INSTANT>", "from this instant on", instant),
      flag("until", "until <INSTANT>", "before this instant", instant),
      { ...FORMAT, about: "csv or json: all matching entries, not only the newest" },
    ],
    request: ({ kind, limit, before, actor, subject, since, until, format }) => {
      const selection = { kind, actor, subject, since, until };
      if (format === undefined)
        return { method: "GET", path: pathWith("audit", { ...selection, limit, before }) };
      return { method: "GET", path: pathWith("audit/export", { ...selection, format }) };
    },
    answer: Type.Array(AuditEntrySchema),
    print: printAudit,
  }),
  action({
    name: "trim",
    about: "Removes replays that nobody keeps, without waiting for the next cleanup.",
    request: () => ({ method: "POST", path: "replays/trim", body: {} }),
    answer: TrimmedSchema,
    print: printTrimmed,
  }),
];
