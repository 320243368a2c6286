// Ladders other than public, which is the same everywhere and isn't stored.

import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./method.ts";
import type { FinalStanding, NamedStanding } from "./season.ts";

/** Archive file of a finished ladder. */
export type LadderArchive = { bytes: number; sha256: string; madeAt: string };

export type LadderRecord = LadderDefinition & {
  created: string;
  passwordSet: boolean;
  /** When its final standings were written; null until then. */
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
  /** Oldest first. */
  list: reads<() => Promise<LadderRecord[]>>(() => ["ladders"]),
  byId: reads<(id: LadderId) => Promise<LadderRecord | null>>(() => ["ladders"]),
  passwordHash: readsUncached<(id: LadderId) => Promise<string | null>>(),
  /** Its creation time is that of its audit entry. False if the ID exists. */
  add: writes<
    (ladder: LadderDefinition, passwordHash: string | null, audit: AuditEntry) => Promise<boolean>
  >(changedSubjects),
  /** Null if the ID doesn't exist. */
  change:
    writes<
      (id: LadderId, changes: LadderChange, audit: AuditEntry) => Promise<LadderRecord | null>
    >(changedSubjects),
  /**
   * Deletes a ladder without matches and events, with its settings overrides. Null if the ID
   * doesn't exist.
   */
  delete: writes<(id: LadderId, audit: AuditEntry) => Promise<"deleted" | "used" | null>>(
    (outcome) => (outcome === "used" || outcome === null ? [] : DELETION_SUBJECTS),
  ),
  /**
   * Writes the final standings, once. Returns false, changing nothing, if they are already written.
   */
  finish: writes<
    (id: LadderId, finishedAt: string, places: readonly FinalStanding[]) => Promise<boolean>
  >((isNew) => (isNew === false ? [] : ["ladders"])),
  /** By rank; empty until they are written. */
  standings: reads<(id: LadderId) => Promise<NamedStanding[]>>(() => ["ladders", "facts"]),
  /** False if the ladder doesn't exist. */
  setArchive: writes<(id: LadderId, archive: LadderArchive) => Promise<boolean>>((isKnown) =>
    isKnown === false ? [] : ["ladders"],
  ),
};
