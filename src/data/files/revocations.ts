// A list of what took access away: revoked keys, replaced tokens, roles, bans. It is kept outside the
// database, so that an operator who restores a backup can see which of these changes are undone.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { ROLES } from "#core/accounts/account.ts";
import type { Role } from "#core/accounts/account.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";

import { parseLines } from "./append-line.ts";
import type { ParsedLines } from "./append-line.ts";
import { FILE_MODE, wholeFiles } from "./whole-file.ts";

export const REVOCATIONS_FILE = "revoked.jsonl";

const KINDS = [
  "key.revoked",
  "mcp.revoked",
  "account.sign_out",
  "account.role",
  "account.ban",
  "account.unban",
  "bot.rotated",
  "bot.suspended",
  "bot.activated",
  "bot.banned",
] as const satisfies readonly AuditKind[];
type RevocationKind = (typeof KINDS)[number];

/** Names are left out, so that the list says nothing about accounts that are deleted. */
export type Revocation = {
  /** A UTC instant. */
  at: string;
  kind: RevocationKind;
  /** The account or bot. */
  id: string;
  /** The agent key or OAuth client. */
  credential?: string;
  /** The new role. */
  role?: Role;
};

/** Null for entries that change nobody's access. */
export function revocationOf({ at, kind, subject, detail }: AuditEntry): Revocation | null {
  const known = KINDS.find((one) => one === kind);
  const id = subject?.id ?? null;
  if (known === undefined || id === null) return null;
  const { key, client_id, to } = (detail ?? {}) as Record<string, string>;
  const credential = key ?? client_id;
  const role = known === "account.role" ? ROLES.find((one) => one === to) : undefined;
  return { at, kind: known, id, ...(credential && { credential }), ...(role && { role }) };
}

export const printRevocations = (revocations: readonly Revocation[]): string =>
  revocations.map((revocation) => `${JSON.stringify(revocation)}\n`).join("");

export const parseRevocations = (text: string): ParsedLines<Revocation> =>
  parseLines(text, readRevocation);

function readRevocation(value: unknown): Revocation | null {
  const { at, kind, id, credential, role } = value as Record<keyof Revocation, unknown>;
  const known = KINDS.find((one) => one === kind);
  if (known === undefined || typeof id !== "string" || typeof at !== "string") return null;
  if (Number.isNaN(Date.parse(at))) return null;
  const newRole = ROLES.find((one) => one === role);
  return {
    at: new Date(at).toISOString(),
    kind: known,
    id,
    ...(typeof credential === "string" && { credential }),
    ...(newRole && { role: newRole }),
  };
}

/** What a later revocation of the same subject replaces: a ban and its end are one state. */
const STATES: Partial<Record<RevocationKind, string>> = {
  "account.ban": "ban",
  "account.unban": "ban",
  "bot.suspended": "status",
  "bot.activated": "status",
  "bot.banned": "status",
};

/** The latest of each kind and subject, by time. */
export function latestOf(revocations: readonly Revocation[]): Revocation[] {
  const latest = new Map<string, Revocation>();
  for (const revocation of revocations.toSorted((one, two) => one.at.localeCompare(two.at))) {
    const { kind, id, credential = "" } = revocation;
    latest.set([STATES[kind] ?? kind, id, credential].join(" "), revocation);
  }
  return [...latest.values()].toSorted((one, two) => one.at.localeCompare(two.at));
}

/**
 * Shortens the list to the latest of each kind and subject, or creates an empty one; a server does
 * so at its start.
 */
export async function compactRevocations(folder: string): Promise<void> {
  const path = join(folder, REVOCATIONS_FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const compact = printRevocations(latestOf(parseRevocations(text ?? "").items));
  if (compact.length === text?.length) return;
  const options = { flag: "wx", flush: true, mode: FILE_MODE };
  await wholeFiles(folder).put(path, (temporary) => writeFile(temporary, compact, options));
}
