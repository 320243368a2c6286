// Answers to an operator about settings, usage and the audit, for people.

import type { Static } from "typebox";

import type { Preview, SettingsView } from "#core/operator/settings.ts";
import type { TrimmedSchema, Usage } from "#core/operator/usage.ts";
import { auditTable, line, NOTHING, section, table, when } from "#tools/cli/admin-print.ts";
import type { Audited } from "#tools/cli/admin-print.ts";

const HISTORY_SHOWN = 5;

export function printSettings(settings: SettingsView): string[] {
  const { revision, deployment, overrides, effective, fields, presets, history } = settings;
  const values = fields.map(({ name, unit, applies }) => {
    const isChanged = overrides[name] !== undefined;
    const usual = isChanged ? String(deployment[name]) : "";
    return [name, String(effective[name]), usual, unit ?? "", applies];
  });
  const kept = presets.map(({ id, name, created, by }) => [name, id, when(created), by ?? NOTHING]);
  const made = history
    .slice(0, HISTORY_SHOWN)
    .map(({ revision: number, at, by, changes }) => [
      String(number),
      when(at),
      by ?? NOTHING,
      changes.map(changeText).join(", "),
    ]);
  return [
    line("revision", String(revision)),
    "",
    ...table(["SETTING", "VALUE", "DEFAULT", "UNIT", "NEW VALUES APPLY"], values),
    ...section(table(["LADDER", "BOUND", "VALUE", "SET", "DEFAULT"], boundRows(settings))),
    ...section(table(["PRESET", "ID", "MADE (UTC)", "BY"], kept)),
    ...section(table(["REVISION", "AT (UTC)", "BY", "CHANGES"], made)),
  ];
}

/** What holds on ladders, what settings say in place of their own, and how they were made. */
function boundRows({ capacity, ladders, ladder_defaults }: SettingsView): string[][] {
  return capacity.flatMap(({ ladder_id, ...inEffect }) =>
    (["max_concurrent", "owner_concurrency"] as const).flatMap((bound) => {
      const set = ladders[ladder_id]?.[bound];
      const own = ladder_defaults[ladder_id]?.[bound];
      if (set === undefined && own === undefined) return [];
      const texts = [inEffect[bound], set ?? NOTHING, own ?? NOTHING].map(String);
      return [[ladder_id, bound, ...texts]];
    }),
  );
}

type Change = SettingsView["history"][number]["changes"][number];

export function changeText({ field, ladder_id, from, to }: Change): string {
  const where = ladder_id === null ? "" : `${ladder_id} `;
  return `${where}${field} ${from ?? NOTHING} to ${to ?? NOTHING}`;
}

export function printPreview({ revision, changes, replays_removed }: Preview): string[] {
  return [
    line("revision", String(revision)),
    line("replays", `the next cleanup would remove ${replays_removed}`),
    ...section(
      table(
        ["CHANGE", "APPLIES"],
        changes.map((change) => [changeText(change), change.applies]),
      ),
    ),
    ...(changes.length === 0 ? ["Nothing would change."] : []),
  ];
}

export function printUsage({ capacity, bots, owners, floods }: Usage): string[] {
  const counts = ({ running, hour, day }: Usage["bots"][number] | Usage["owners"][number]) =>
    [running, hour, day].map(String);
  const head = ["NOW", "HOUR", "DAY"];
  return [
    line("matches", `${capacity.running} of ${capacity.max}`),
    ...section(
      table(
        ["OWNER", "BOTS", ...head],
        owners.map((one) => [one.owner, String(one.bots), ...counts(one)]),
      ),
    ),
    ...section(
      table(
        ["BOT", "OWNER", ...head],
        bots.map((one) => [one.name, one.owner, ...counts(one)]),
      ),
    ),
    ...floodTable(floods),
  ];
}

function floodTable(floods: Usage["floods"]): string[] {
  if (floods.length === 0) return [];
  const rows = floods.map(({ name, owner, hour, suspended_until: until }) => [
    name,
    owner,
    String(hour),
    until ?? NOTHING,
  ]);
  return section(table(["FLOODING BOT", "OWNER", "HOUR", "SUSPENDED UNTIL"], rows));
}

export const printAudit = (entries: readonly Audited[]): string[] =>
  entries.length === 0 ? ["There is no such entry."] : auditTable(entries);

export const printTrimmed = ({ removed, bytes }: Static<typeof TrimmedSchema>): string[] => [
  `${removed} replays are removed, ${bytes} bytes.`,
];
