// Answers to an operator, for people.

import type { Static } from "typebox";

import { attentionItems, bytesText } from "#core/operator/attention.ts";
import { actorText, changeText, personText } from "#core/operator/audit-text.ts";
import type {
  AdminAccount,
  AdminAccountsSchema,
  AdminSchema,
  BotStatusSchema,
  NewOwnerSchema,
  Overview,
  OwnerSchema,
  RemovedAccountSchema,
  RoleSchema,
} from "#core/resources/admin.ts";
import { oneLine } from "#tools/terminal/printable.ts";

type ListedBot = AdminAccount["bots"][number];

const GAP = "  ";
const NAME_WIDTH = 12;
export const NOTHING = "-";

export const line = (name: string, value: string): string => name.padEnd(NAME_WIDTH) + value;

/** To the minute, in UTC. */
export const when = (instant: string | null): string =>
  instant === null ? NOTHING : instant.slice(0, "2026-01-05T12:00".length).replace("T", " ");

const nameOf = ({ handle, id }: { handle: string | null; id?: string }): string =>
  handle ?? id ?? "(no handle yet)";

function botWords(bots: readonly ListedBot[]): string {
  const one = ({ name, status, online }: ListedBot) =>
    status === "active" ? name + (online ? " (online)" : "") : `${name} (${status})`;
  return bots.length === 0 ? NOTHING : bots.map(one).join(", ");
}

const roleWords = ({ admin, configured }: Pick<AdminAccount, "admin" | "configured">): string =>
  configured ? "admin (configured)" : admin ? "admin" : "player";

/** Columns as wide as their widest cell; texts of strangers are escaped before they are measured. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => oneLine(cell)));
  const widths = head.map((_, column) =>
    Math.max(...cells.map((row) => Array.from(row[column] ?? "").length)),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column]))
      .join(GAP)
      .trimEnd(),
  );
}

const padded = (cell: string, width = 0): string =>
  cell + " ".repeat(Math.max(0, width - Array.from(cell).length));

export function printOverview(overview: Overview): string[] {
  const { caller, admins, status, attention, bots, audit } = overview;
  const { capacity, online, draining } = status;
  const listed = bots.map(({ name, owner, status: state, since, reason }) => {
    return [name, owner, state, when(since), reason ?? NOTHING];
  });
  return [
    line("you", `${nameOf(caller)}${caller.configured ? " (configured)" : ""}`),
    line("admins", admins.map(nameOf).join(", ")),
    line("matches", `${capacity.running} of ${capacity.max}${draining ? ", draining" : ""}`),
    line("online", String(online.length)),
    line("disk", diskText(attention)),
    ...section(["NEEDS ATTENTION", ...attentionItems(attention).map(({ text }) => text)]),
    ...section(table(["BOT", "OWNER", "STATUS", "SINCE (UTC)", "REASON"], listed)),
    ...section(auditTable(audit)),
  ];
}

const diskText = ({ disk_free_bytes: free }: Overview["attention"]): string =>
  free === null ? NOTHING : `${bytesText(free)} free`;

/** A table with a line above it; nothing if it has only a head. */
export const section = (lines: readonly string[]): string[] =>
  lines.length > 1 ? ["", ...lines] : [];

export type Audited = Overview["audit"][number];

export const auditTable = (entries: readonly Audited[]): string[] =>
  table(["AT (UTC)", "WHAT", "BY", "ABOUT", "PERSON", "CHANGE", "REASON"], entries.map(entryRow));

function entryRow(entry: Audited): string[] {
  const { at, kind, actor, subject, reason } = entry;
  const about = subject === null ? NOTHING : (subject.name ?? subject.id ?? subject.kind);
  const person = personText(entry) ?? NOTHING;
  return [
    when(at),
    kind,
    actorText(actor),
    about,
    person,
    changeText(entry) ?? NOTHING,
    reason ?? NOTHING,
  ];
}

export const printBotStatus = ({ name, status }: Static<typeof BotStatusSchema>): string[] => [
  `${name} is ${status}.`,
];

export function printAccounts(list: Static<typeof AdminAccountsSchema>): string[] {
  const { accounts, found, total } = list;
  const rows = accounts.map((account) => [
    nameOf(account),
    roleWords(account),
    when(account.created),
    when(account.banned),
    String(account.keys),
    botWords(account.bots),
  ]);
  const head = ["ACCOUNT", "ROLE", "SINCE (UTC)", "BANNED (UTC)", "KEYS", "BOTS"];
  const counts = `${accounts.length} shown, ${found} found, ${total} in all`;
  return accounts.length === 0 ? [counts] : [...table(head, rows), "", counts];
}

export function printBots(list: Static<typeof AdminAccountsSchema>): string[] {
  const { accounts, found, total } = list;
  const rows = accounts.flatMap((account) =>
    account.bots.map(({ name, status, online }) => [
      name,
      nameOf(account),
      status,
      online ? "yes" : "no",
    ]),
  );
  const counts = `bots shown: ${rows.length}; accounts shown: ${accounts.length}, found: ${found}, in all: ${total}`;
  const head = ["BOT", "OWNER", "STATUS", "ONLINE"];
  return rows.length === 0 ? [counts] : [...table(head, rows), "", counts];
}

export function printAccount(account: AdminAccount): string[] {
  const { id, handle, created, banned, max_bots, bots, keys, key_last_used: used } = account;
  return [
    line("account", handle ?? "(no handle yet)"),
    line("id", id),
    line("role", roleWords(account)),
    line("since", `${when(created)} UTC`),
    line("banned", banned === null ? "no" : `${when(banned)} UTC`),
    line("bots", `${botWords(bots)}; at most ${max_bots}`),
    line("keys", used === null ? String(keys) : `${keys}, last used ${when(used)} UTC`),
  ];
}

export function printRole({ handle, role, admin }: Static<typeof RoleSchema>): string[] {
  const still = admin && role === "player" ? ", and an admin by configuration" : "";
  return [`${nameOf({ handle })} has the role ${role}${still}.`];
}

export function printRemoved(removed: Static<typeof RemovedAccountSchema>): string[] {
  const { deleted, handle, banned_bots: bots } = removed;
  const banned =
    bots.length === 0 ? "No bot stays." : `Bots that stay, banned: ${bots.join(", ")}.`;
  return [`${nameOf({ handle, id: deleted })} is removed. ${banned}`];
}

export function printAdmins(admins: readonly Static<typeof AdminSchema>[]): string[] {
  const rows = admins.map((admin) => [nameOf(admin), admin.configured ? "configured" : "role"]);
  return table(["ADMIN", "BY"], rows);
}

export function printOwners(owners: readonly Static<typeof OwnerSchema>[]): string[] {
  if (owners.length === 0) return ["No owner has a key."];
  const rows = owners.map(({ name, max_bots, created, bots }) => {
    return [name, String(max_bots), when(created), botWords(bots)];
  });
  return table(["OWNER", "MOST BOTS", "SINCE (UTC)", "BOTS"], rows);
}

export const printNewOwner = (owner: Static<typeof NewOwnerSchema>): string[] => [
  `${owner.name} may have ${owner.max_bots} bots. Its key is shown this once:`,
  owner.owner_key,
];
