// Operator overrides of settings. The settings themselves are defined in code.

import type { AccountId, LadderId } from "#core/ids/ids.ts";
import type { BoundsByLadder, SettingValue } from "#core/limits/settings.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./store-method.ts";

/** Values by setting name. Names may be unknown, because another build may have stored them. */
export type StoredOverrides = Readonly<Record<string, SettingValue>>;

export type StoredSettings = {
  /** 0 before the first change. */
  revision: number;
  overrides: StoredOverrides;
  /** Omits ladders without overrides. */
  bounds: BoundsByLadder;
};

/** A changed value of the server or of a ladder. Null restores the ladder's own bound. */
export type SettingChange = {
  field: string;
  ladder_id: LadderId | null;
  from: SettingValue | null;
  to: SettingValue | null;
};

export type SettingsRevision = {
  revision: number;
  at: string;
  /** Current handle of the account that made the change. */
  by: string | null;
  changes: SettingChange[];
};

export type SettingsUpdate = {
  from: number;
  overrides: StoredOverrides;
  /** Overrides for all ladders. Ladders that aren't listed use their own bounds. */
  bounds: BoundsByLadder;
  changes: readonly SettingChange[];
  accountId: AccountId;
};

export type Preset = {
  id: string;
  name: string;
  created: string;
  by: string | null;
  overrides: StoredOverrides;
};

/** Stores the overrides of a revision under a name. */
export type NewPreset = { id: string; name: string; revision: number; accountId: AccountId };

export const SETTINGS = {
  current: reads<() => Promise<StoredSettings>>(() => ["settings"]),
  /** Returns revisions, newest first. */
  history: readsUncached<(limit: number) => Promise<SettingsRevision[]>>(),
  /**
   * Creates the next revision and deletes all but the newest `retainCount`. Safe to repeat with the
   * same audit entry ID. Returns "conflict", without changes, if `from` isn't the newest revision
   * or a ladder doesn't exist.
   */
  change: writes<
    (
      update: SettingsUpdate,
      retainCount: number,
      audit: AuditEntry,
    ) => Promise<"changed" | "conflict">
  >((outcome) => (outcome === "conflict" ? [] : ["settings", "audit"])),
  /** Returns presets by name. */
  presets: readsUncached<() => Promise<Preset[]>>(),
  /**
   * Saves a preset, with the creation time of the audit entry. Replaces a preset of the same name
   * and keeps its ID.
   */
  savePreset: writes<
    (preset: NewPreset, limit: number, audit: AuditEntry) => Promise<Preset | "conflict" | "limit">
  >((outcome) => (outcome === "conflict" || outcome === "limit" ? [] : ["audit"])),
  /** Returns false if the ID doesn't exist. */
  deletePreset: writes<(id: string, audit: AuditEntry) => Promise<boolean>>((isDeleted) =>
    isDeleted === false ? [] : ["audit"],
  ),
};
