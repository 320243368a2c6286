// Ladders other than public, which is the same everywhere and is not stored.

import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, reads, writes } from "./method.ts";
import type { FinalStanding, ReadStanding } from "./season.ts";

/** The file with everything about a ladder that is over. */
export type LadderArchive = { bytes: number; sha256: string; madeAt: string };

export type LadderRecord = LadderDefinition & {
  created: string;
  passwordSet: boolean;
  /** When its final standings were written; null until then. */
  finishedAt: string | null;
  archive: LadderArchive | null;
};

/** With null the password is dropped. */
export type LadderChange = Partial<Omit<LadderDefinition, "id">> & {
  passwordHash?: string | null;
};

const changed = (outcome: unknown): string[] =>
  outcome === false || outcome === null ? [] : ["ladders", "audit"];

const DELETION = ["ladders", "settings", "audit"];

export const LADDERS = {
  /** By age. */
  list: reads<() => Promise<LadderRecord[]>>(() => ["ladders"]),
  byId: reads<(id: LadderId) => Promise<LadderRecord | null>>(() => ["ladders"]),
  passwordHash: looks<(id: LadderId) => Promise<string | null>>(),
  /** Made when its audit entry was. False when there is one of this id. */
  add: writes<
    (ladder: LadderDefinition, passwordHash: string | null, audit: AuditEntry) => Promise<boolean>
  >(changed),
  /** Null when there is none of this id. */
  change:
    writes<(id: LadderId, change: LadderChange, audit: AuditEntry) => Promise<LadderRecord | null>>(
      changed,
    ),
  /** Only one without a match and an event goes, with what settings say of it. Null when there is none of this id. */
  delete: writes<(id: LadderId, audit: AuditEntry) => Promise<"deleted" | "used" | null>>(
    (outcome) => (outcome === "used" || outcome === null ? [] : DELETION),
  ),
  /** Writes the final standings, once. False, changing nothing, when they are written. */
  finish: writes<
    (id: LadderId, finishedAt: string, places: readonly FinalStanding[]) => Promise<boolean>
  >((isNew) => (isNew === false ? [] : ["ladders"])),
  /** By rank; empty until they are written. */
  standings: reads<(id: LadderId) => Promise<ReadStanding[]>>(() => ["ladders", "facts"]),
  /** False when there is no such ladder. */
  noteArchive: writes<(id: LadderId, archive: LadderArchive) => Promise<boolean>>((isKnown) =>
    isKnown === false ? [] : ["ladders"],
  ),
};
