import type { Static } from "typebox";

import type { Preview, SettingsView } from "#core/api/settings-schemas.ts";
import type { ReplayTrimSchema, UsageReport } from "#core/api/usage.ts";

import {
  auditTable,
  formatField,
  EMPTY_CELL,
  formatSection,
  formatTextTable,
  formatInstant,
} from "./admin-print.ts";
import type { AuditedEntry } from "./admin-print.ts";

const HISTORY_SHOWN = 5;

export function printSettings(settings: SettingsView): string[] {
  const { revision, deployment, overrides, effective, fields, presets, history } = settings;
  const values = fields.map(({ name, unit, applies }) => {
    const isChanged = overrides[name] !== undefined;
    const defaultValue = isChanged ? String(deployment[name]) : "";
    return [name, String(effective[name]), defaultValue, unit ?? "", applies];
  });
  const presetRows = presets.map(({ id, name, created, by }) => [
    name,
    id,
    formatInstant(created),
    by ?? EMPTY_CELL,
  ]);
  const historyRows = history
    .slice(0, HISTORY_SHOWN)
    .map(({ revision: number, at, by, changes }) => [
      String(number),
      formatInstant(at),
      by ?? EMPTY_CELL,
      changes.map(formatSettingChange).join(", "),
    ]);
  return [
    formatField("revision", String(revision)),
    "",
    ...formatTextTable(["SETTING", "VALUE", "DEFAULT", "UNIT", "NEW VALUES APPLY"], values),
    ...formatSection(
      formatTextTable(["LADDER", "BOUND", "VALUE", "SET", "DEFAULT"], boundRows(settings)),
    ),
    ...formatSection(formatTextTable(["PRESET", "ID", "CREATED (UTC)", "BY"], presetRows)),
    ...formatSection(formatTextTable(["REVISION", "AT (UTC)", "BY", "CHANGES"], historyRows)),
  ];
}

function boundRows({ capacity, ladders, ladder_defaults }: SettingsView): string[][] {
  return capacity.flatMap(({ ladder_id, ...effectiveBounds }) =>
    (["max_concurrent", "owner_concurrency"] as const).flatMap((bound) => {
      const overrideValue = ladders[ladder_id]?.[bound];
      const ladderDefault = ladder_defaults[ladder_id]?.[bound];
      if (overrideValue === undefined && ladderDefault === undefined) return [];
      const texts = [
        effectiveBounds[bound],
        overrideValue ?? EMPTY_CELL,
        ladderDefault ?? EMPTY_CELL,
      ].map(String);
      return [[ladder_id, bound, ...texts]];
    }),
  );
}

type Change = SettingsView["history"][number]["changes"][number];

export function formatSettingChange({ field, ladder_id, from, to }: Change): string {
  const ladderPrefix = ladder_id === null ? "" : `${ladder_id} `;
  return `${ladderPrefix}${field} ${from ?? EMPTY_CELL} to ${to ?? EMPTY_CELL}`;
}

export function printPreview({ revision, changes, replays_removed }: Preview): string[] {
  return [
    formatField("revision", String(revision)),
    formatField("replays", `the next cleanup would remove ${replays_removed}`),
    ...formatSection(
      formatTextTable(
        ["CHANGE", "APPLIES"],
        changes.map((change) => [formatSettingChange(change), change.applies]),
      ),
    ),
    ...(changes.length === 0 ? ["Nothing would change."] : []),
  ];
}

export function printUsage({ capacity, bots, owners, floods }: UsageReport): string[] {
  const counts = ({
    running,
    hour,
    day,
  }: UsageReport["bots"][number] | UsageReport["owners"][number]) =>
    [running, hour, day].map(String);
  const head = ["NOW", "HOUR", "DAY"];
  return [
    formatField("matches", `${capacity.running} of ${capacity.max}`),
    ...formatSection(
      formatTextTable(
        ["OWNER", "BOTS", ...head],
        owners.map((usageRow) => [usageRow.owner, String(usageRow.bots), ...counts(usageRow)]),
      ),
    ),
    ...formatSection(
      formatTextTable(
        ["BOT", "OWNER", ...head],
        bots.map((usageRow) => [usageRow.name, usageRow.owner, ...counts(usageRow)]),
      ),
    ),
    ...rateLimitTable(floods),
  ];
}

function rateLimitTable(floods: UsageReport["floods"]): string[] {
  if (floods.length === 0) return [];
  const rows = floods.map(({ name, owner, hour, suspended_until: until }) => [
    name,
    owner,
    String(hour),
    until ?? EMPTY_CELL,
  ]);
  return formatSection(formatTextTable(["FLOODING BOT", "OWNER", "HOUR", "SUSPENDED UNTIL"], rows));
}

export const printAudit = (entries: readonly AuditedEntry[]): string[] =>
  entries.length === 0 ? ["No matching entries."] : auditTable(entries);

export const printTrimmed = ({ removed, bytes }: Static<typeof ReplayTrimSchema>): string[] => [
  `Removed replays: ${removed}, ${bytes} bytes.`,
];
