// List of access revocations: revoked keys, replaced tokens, role changes and bans. The list is
// stored outside the database, so that restoring a backup can report which revocations it undoes.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { ROLES } from "#core/accounts/account.ts";
import type { Role } from "#core/accounts/account.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { AuditEntry } from "#data/store/audit.ts";

import { parseLines } from "./append-line.ts";
import type { ParsedLines } from "./append-line.ts";
import { FILE_MODE, openAtomicFiles } from "./atomic-files.ts";

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

/** Contains no names, so that the list reveals nothing about deleted accounts. */
export type Revocation = {
  at: string;
  kind: RevocationKind;
  id: string;
  credential?: string;
  role?: Role;
};

export function toRevocation({ at, kind, subject, detail }: AuditEntry): Revocation | null {
  const knownKind = KINDS.find((a) => a === kind);
  const id = subject?.id ?? null;
  if (knownKind === undefined || id === null) return null;
  const { key, client_id, to } = (detail ?? {}) as Record<string, string>;
  const credential = key ?? client_id;
  const role = knownKind === "account.role" ? ROLES.find((a) => a === to) : undefined;
  return { at, kind: knownKind, id, ...(credential && { credential }), ...(role && { role }) };
}

export const serializeRevocations = (revocations: readonly Revocation[]): string =>
  revocations.map((revocation) => `${JSON.stringify(revocation)}\n`).join("");

export const parseRevocations = (text: string): ParsedLines<Revocation> =>
  parseLines(text, parseRevocation);

function parseRevocation(value: unknown): Revocation | null {
  const { at, kind, id, credential, role } = value as Record<keyof Revocation, unknown>;
  const knownKind = KINDS.find((a) => a === kind);
  if (knownKind === undefined || typeof id !== "string" || typeof at !== "string") return null;
  if (Number.isNaN(Date.parse(at))) return null;
  const newRole = ROLES.find((a) => a === role);
  return {
    at: new Date(at).toISOString(),
    kind: knownKind,
    id,
    ...(typeof credential === "string" && { credential }),
    ...(newRole && { role: newRole }),
  };
}

/** Kinds with the same key replace each other, because a ban and its end describe one state. */
const REPLACEMENT_KEYS: Partial<Record<RevocationKind, string>> = {
  "account.ban": "ban",
  "account.unban": "ban",
  "bot.suspended": "status",
  "bot.activated": "status",
  "bot.banned": "status",
};

export function latestRevocations(revocations: readonly Revocation[]): Revocation[] {
  const latest = new Map<string, Revocation>();
  for (const revocation of revocations.toSorted((a, b) => a.at.localeCompare(b.at))) {
    const { kind, id, credential = "" } = revocation;
    latest.set([REPLACEMENT_KEYS[kind] ?? kind, id, credential].join(" "), revocation);
  }
  return [...latest.values()].toSorted((a, b) => a.at.localeCompare(b.at));
}

/**
 * Compacts the list to the latest revocation per kind and subject, or creates an empty list. Runs
 * at server start.
 */
export async function compactRevocations(folder: string): Promise<void> {
  const path = join(folder, REVOCATIONS_FILE);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const compactText = serializeRevocations(latestRevocations(parseRevocations(text ?? "").items));
  if (compactText.length === text?.length) return;
  const options = { flag: "wx", flush: true, mode: FILE_MODE };
  await openAtomicFiles(folder).put(path, (temporary) =>
    writeFile(temporary, compactText, options),
  );
}
