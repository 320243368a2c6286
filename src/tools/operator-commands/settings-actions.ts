import { Type } from "typebox";

import { AuditEntrySchema } from "#core/api/account.ts";
import {
  DeletedPresetSchema,
  PresetSchema,
  PreviewSchema,
  SettingsSchema,
} from "#core/api/settings-schemas.ts";
import { ReplayTrimSchema, UsageSchema } from "#core/api/usage.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { parseText, parseWhole } from "#server/configuration/flag-values.ts";

import {
  defineAction,
  bodyWith,
  createFlag,
  FORMAT,
  parseInstantArgument,
  encodePathPart,
  pathWithQuery,
  REASON,
} from "./admin-action.ts";
import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
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
  about:
    "JSON file with revision, overrides and ladders, such as the output of `bout admin settings --json`",
  parse: parseText,
};

/** Ignores other fields, so that the server's response can be edited and sent back. */
const createSnapshotBody = ({ file }: CommandInput) => ({
  json: String(file),
  jsonFields: ["revision", "overrides", "ladders"],
});

const SETTINGS_GROUP_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "show",
    isDefault: true,
    about: "Show the current settings, overrides, presets and recent changes.",
    request: () => ({ method: "GET", path: "settings" }),
    answer: SettingsSchema,
    print: printSettings,
  }),
  SETTINGS_SET,
  defineAction({
    group,
    name: "preview",
    about: "Preview a change to the settings.",
    takes: [FILE],
    request: (input) => ({
      method: "POST",
      path: "settings/preview",
      ...createSnapshotBody(input),
    }),
    answer: PreviewSchema,
    print: printPreview,
  }),
  defineAction({
    group,
    name: "apply",
    about: "Apply settings from a file. Settings missing from the file return to their default.",
    takes: [FILE],
    flags: [REASON],
    request: (input) => ({
      method: "PUT",
      path: "settings",
      ...createSnapshotBody(input),
      body: bodyWith(input),
    }),
    answer: SettingsSchema,
    print: printSettings,
  }),
  defineAction({
    group,
    name: "save",
    about: "Save the overrides as a preset.",
    takes: [
      {
        name: "revision",
        form: "<REVISION>",
        about: "current revision of the settings",
        parse: parseWhole(0, Number.MAX_SAFE_INTEGER),
      },
      {
        name: "name",
        form: "<NAME>",
        about: "name of the preset; replaces a preset with the same name",
        parse: parseText,
      },
    ],
    request: ({ revision, name }) => ({
      method: "POST",
      path: "settings/presets",
      body: { revision, name },
    }),
    answer: PresetSchema,
    print: ({ id, name }) => [`Saved the preset ${name} with id ${id}.`],
  }),
  defineAction({
    group,
    name: "forget",
    about: "Delete a preset.",
    takes: [{ name: "preset", form: "<ID>", about: "preset id", parse: parseText }],
    request: ({ preset }) => ({
      method: "DELETE",
      path: `settings/presets/${encodePathPart(preset)}`,
    }),
    answer: DeletedPresetSchema,
    print: ({ deleted }) => [`The preset ${deleted} is deleted.`],
  }),
];

export const SETTINGS_ACTIONS: readonly AdminAction[] = [
  ...SETTINGS_GROUP_ACTIONS,
  defineAction({
    name: "usage",
    about: "Show matches played per owner against the limits.",
    request: () => ({ method: "GET", path: "usage" }),
    answer: UsageSchema,
    print: printUsage,
  }),
  defineAction({
    name: "audit",
    about: "List audit entries, newest first.",
    flags: [
      createFlag("kind", "kind <KIND>", "a kind or prefix, such as `bot.`"),
      createFlag(
        "limit",
        "limit <N>",
        `max number of entries (default: ${FIXED_LIMITS.audit_list_default})`,
        parseWhole(1, FIXED_LIMITS.audit_list_max),
      ),
      createFlag("before", "before <ID>", "only entries older than this one"),
      createFlag(
        "actor",
        "actor <WHO>",
        "by this account (including its keys), key label, bot, or `system`",
      ),
      createFlag("subject", "subject <WHAT>", "about this account, bot, ladder, event or id"),
      createFlag("since", "since <INSTANT>", "from this time on", parseInstantArgument),
      createFlag("until", "until <INSTANT>", "before this time", parseInstantArgument),
      { ...FORMAT, about: "export all matching entries as csv or json" },
    ],
    request: ({ kind, limit, before, actor, subject, since, until, format }) => {
      const selection = { kind, actor, subject, since, until };
      if (format === undefined)
        return { method: "GET", path: pathWithQuery("audit", { ...selection, limit, before }) };
      return { method: "GET", path: pathWithQuery("audit/export", { ...selection, format }) };
    },
    answer: Type.Array(AuditEntrySchema),
    print: printAudit,
  }),
  defineAction({
    name: "trim",
    about: "Remove expired replays now, instead of at the next cleanup.",
    request: () => ({ method: "POST", path: "replays/trim", body: {} }),
    answer: ReplayTrimSchema,
    print: printTrimmed,
  }),
];
