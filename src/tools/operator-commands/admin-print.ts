import type { Static } from "typebox";

import type {
  AdminAccount,
  AdminAccountsSchema,
  AdminSchema,
  BotStatusSchema,
  NewOwnerSchema,
  AdminOverview,
  KeyOwnerSchema,
  RemovedAccountSchema,
  RoleSchema,
} from "#core/api/admin.ts";
import { attentionItems, formatByteSize } from "#core/api/attention.ts";
import { auditActorText, auditChangeText, auditPersonText } from "#core/api/audit-text.ts";
import { printableLine } from "#tools/terminal/printable.ts";

type ListedBot = AdminAccount["bots"][number];

const GAP = "  ";
const NAME_WIDTH = 12;
export const EMPTY_CELL = "-";

export const formatField = (name: string, value: string): string => name.padEnd(NAME_WIDTH) + value;

/** UTC, to the minute. */
export const formatInstant = (instant: string | null): string =>
  instant === null ? EMPTY_CELL : instant.slice(0, "2026-01-05T12:00".length).replace("T", " ");

const accountName = ({ handle, id }: { handle: string | null; id?: string }): string =>
  handle ?? id ?? "(no handle yet)";

function describeBots(bots: readonly ListedBot[]): string {
  const describeBot = ({ name, status, online }: ListedBot) =>
    status === "active" ? name + (online ? " (online)" : "") : `${name} (${status})`;
  return bots.length === 0 ? EMPTY_CELL : bots.map(describeBot).join(", ");
}

const describeRole = ({ admin, configured }: Pick<AdminAccount, "admin" | "configured">): string =>
  configured ? "admin (configured)" : admin ? "admin" : "player";

/** Pads columns to their widest cell. Escapes cells before measuring them. */
export function formatTextTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => printableLine(cell)));
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => Array.from(row[column] ?? "").length)),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => padCell(cell, widths[column]))
      .join(GAP)
      .trimEnd(),
  );
}

const padCell = (cell: string, width = 0): string =>
  cell + " ".repeat(Math.max(0, width - Array.from(cell).length));

export function printOverview(overview: AdminOverview): string[] {
  const { caller, admins, status, attention, bots, audit } = overview;
  const { capacity, online, draining } = status;
  const botRows = bots.map(({ name, owner, status: state, since, reason }) => {
    return [name, owner, state, formatInstant(since), reason ?? EMPTY_CELL];
  });
  return [
    formatField("you", `${accountName(caller)}${caller.configured ? " (configured)" : ""}`),
    formatField("admins", admins.map(accountName).join(", ")),
    formatField("matches", `${capacity.running} of ${capacity.max}${draining ? ", draining" : ""}`),
    formatField("online", String(online.length)),
    formatField("disk", formatFreeDisk(attention)),
    ...formatSection(["NEEDS ATTENTION", ...attentionItems(attention).map(({ text }) => text)]),
    ...formatSection(formatTextTable(["BOT", "OWNER", "STATUS", "SINCE (UTC)", "REASON"], botRows)),
    ...formatSection(auditTable(audit)),
  ];
}

const formatFreeDisk = ({ disk_free_bytes: free }: AdminOverview["attention"]): string =>
  free === null ? EMPTY_CELL : `${formatByteSize(free)} free`;

/** Puts a blank line above a table. Returns nothing if the table contains only its header. */
export const formatSection = (lines: readonly string[]): string[] =>
  lines.length > 1 ? ["", ...lines] : [];

export type AuditedEntry = AdminOverview["audit"][number];

export const auditTable = (entries: readonly AuditedEntry[]): string[] =>
  formatTextTable(
    ["AT (UTC)", "WHAT", "BY", "ABOUT", "PERSON", "CHANGE", "REASON"],
    entries.map(auditRow),
  );

function auditRow(entry: AuditedEntry): string[] {
  const { at, kind, actor, subject, reason } = entry;
  const about = subject === null ? EMPTY_CELL : (subject.name ?? subject.id ?? subject.kind);
  const person = auditPersonText(entry) ?? EMPTY_CELL;
  return [
    formatInstant(at),
    kind,
    auditActorText(actor),
    about,
    person,
    auditChangeText(entry) ?? EMPTY_CELL,
    reason ?? EMPTY_CELL,
  ];
}

export const printBotStatus = ({ name, status }: Static<typeof BotStatusSchema>): string[] => [
  `${name} is ${status}.`,
];

export function printAccounts(list: Static<typeof AdminAccountsSchema>): string[] {
  const { accounts, found: foundCount, total } = list;
  const rows = accounts.map((account) => [
    accountName(account),
    describeRole(account),
    formatInstant(account.created),
    formatInstant(account.banned),
    String(account.keys),
    describeBots(account.bots),
  ]);
  const head = ["ACCOUNT", "ROLE", "SINCE (UTC)", "BANNED (UTC)", "KEYS", "BOTS"];
  const counts = `${accounts.length} shown, ${foundCount} matching, ${total} in total`;
  return accounts.length === 0 ? [counts] : [...formatTextTable(head, rows), "", counts];
}

export function printBots(list: Static<typeof AdminAccountsSchema>): string[] {
  const { accounts, found: foundCount, total } = list;
  const rows = accounts.flatMap((account) =>
    account.bots.map(({ name, status, online }) => [
      name,
      accountName(account),
      status,
      online ? "yes" : "no",
    ]),
  );
  const counts = `bots shown: ${rows.length}; accounts shown: ${accounts.length}, matching: ${foundCount}, total: ${total}`;
  const head = ["BOT", "OWNER", "STATUS", "ONLINE"];
  return rows.length === 0 ? [counts] : [...formatTextTable(head, rows), "", counts];
}

export function printAccount(account: AdminAccount): string[] {
  const { id, handle, created, banned, max_bots, bots, keys, key_last_used: lastUsed } = account;
  return [
    formatField("account", handle ?? "(no handle yet)"),
    formatField("id", id),
    formatField("role", describeRole(account)),
    formatField("since", `${formatInstant(created)} UTC`),
    formatField("banned", banned === null ? "no" : `${formatInstant(banned)} UTC`),
    formatField("bots", `${describeBots(bots)}; max ${max_bots}`),
    formatField(
      "keys",
      lastUsed === null ? String(keys) : `${keys}, last used ${formatInstant(lastUsed)} UTC`,
    ),
  ];
}

export function printRole({ handle, role, admin }: Static<typeof RoleSchema>): string[] {
  const roleSuffix = admin && role === "player" ? ", and is an admin by configuration" : "";
  return [`${accountName({ handle })} has the role ${role}${roleSuffix}.`];
}

export function printRemoved(removedAccount: Static<typeof RemovedAccountSchema>): string[] {
  const { deleted, handle, banned_bots: bots } = removedAccount;
  const banned =
    bots.length === 0 ? "It had no bots that have played." : `Banned bots: ${bots.join(", ")}.`;
  return [`${accountName({ handle, id: deleted })} is deleted. ${banned}`];
}

export function printAdmins(admins: readonly Static<typeof AdminSchema>[]): string[] {
  const rows = admins.map((admin) => [
    accountName(admin),
    admin.configured ? "configured" : "role",
  ]);
  return formatTextTable(["ADMIN", "BY"], rows);
}

export function printOwners(owners: readonly Static<typeof KeyOwnerSchema>[]): string[] {
  if (owners.length === 0) return ["No owner has a key."];
  const rows = owners.map(({ name, max_bots, created, bots }) => {
    return [name, String(max_bots), formatInstant(created), describeBots(bots)];
  });
  return formatTextTable(["OWNER", "BOT LIMIT", "SINCE (UTC)", "BOTS"], rows);
}

export const printNewOwner = (owner: Static<typeof NewOwnerSchema>): string[] => [
  `${owner.name} may have up to ${owner.max_bots} bots. Its key, shown only once:`,
  owner.owner_key,
];
