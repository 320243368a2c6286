// Custom ladders. The public ladder isn't stored, because its definition is the same on every
// server.

import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";

import type { AuditEntry } from "./audit.ts";
import type { FinalStanding, NamedStanding } from "./season.ts";
import { readsUncached, reads, writes } from "./store-method.ts";

export type LadderArchive = { bytes: number; sha256: string; madeAt: string };

export type LadderRecord = LadderDefinition & {
  created: string;
  passwordSet: boolean;
  /** When the final standings were written. Null until then. */
  finishedAt: string | null;
  archive: LadderArchive | null;
};

/** Null removes the password. */
export type LadderChange = Partial<Omit<LadderDefinition, "id">> & {
  passwordHash?: string | null;
};

const changedSubjects = (outcome: unknown): string[] =>
  outcome === false || outcome === null ? [] : ["ladders", "audit"];

const DELETION_SUBJECTS = ["ladders", "settings", "audit"];

export const LADDERS = {
  /** Returns ladders, oldest first. */
  list: reads<() => Promise<LadderRecord[]>>(() => ["ladders"]),
  byId: reads<(id: LadderId) => Promise<LadderRecord | null>>(() => ["ladders"]),
  passwordHash: readsUncached<(id: LadderId) => Promise<string | null>>(),
  /** Takes the creation time from the audit entry. Returns false if the ID already exists. */
  add: writes<
    (ladder: LadderDefinition, passwordHash: string | null, audit: AuditEntry) => Promise<boolean>
  >(changedSubjects),
  /** Returns null if the ID doesn't exist. */
  change:
    writes<
      (id: LadderId, changes: LadderChange, audit: AuditEntry) => Promise<LadderRecord | null>
    >(changedSubjects),
  /**
   * Deletes a ladder that has no matches or events, with its settings overrides. Returns null if
   * the ID doesn't exist.
   */
  delete: writes<(id: LadderId, audit: AuditEntry) => Promise<"deleted" | "used" | null>>(
    (outcome) => (outcome === "used" || outcome === null ? [] : DELETION_SUBJECTS),
  ),
  /**
   * Writes the final standings, once. Returns false, without changes, if they are already written.
   */
  finish: writes<
    (id: LadderId, finishedAt: string, places: readonly FinalStanding[]) => Promise<boolean>
  >((isNew) => (isNew === false ? [] : ["ladders"])),
  /** Returns the final standings by rank, or an empty list if they aren't written yet. */
  standings: reads<(id: LadderId) => Promise<NamedStanding[]>>(() => ["ladders", "facts"]),
  /** Returns false if the ladder doesn't exist. */
  setArchive: writes<(id: LadderId, archive: LadderArchive) => Promise<boolean>>((isKnown) =>
    isKnown === false ? [] : ["ladders"],
  ),
};
