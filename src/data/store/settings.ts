// Operator overrides of settings. The settings themselves are defined in code.

import type { AccountId, LadderId } from "#core/ids/ids.ts";
import type { BoundsByLadder, SettingValue } from "#core/limits/settings.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./method.ts";

/** By name, as stored: the build that stored them may have had other settings. */
export type StoredOverrides = Readonly<Record<string, SettingValue>>;

export type StoredSettings = {
  /** 0 until the first change. */
  revision: number;
  overrides: StoredOverrides;
  /** Omits ladders without overrides. */
  bounds: BoundsByLadder;
};

/** A changed value of the server or of a ladder, where null restores the ladder's own bound. */
export type SettingChange = {
  field: string;
  ladder_id: LadderId | null;
  from: SettingValue | null;
  to: SettingValue | null;
};

export type SettingsRevision = {
  revision: number;
  at: string;
  /** Current handle of the account that made it. */
  by: string | null;
  changes: SettingChange[];
};

/** Values of the new revision. */
export type SettingsUpdate = {
  from: number;
  overrides: StoredOverrides;
  /** All ladder overrides: a ladder left out has its own bounds again. */
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

/** Copies the overrides of a revision. */
export type NewPreset = { id: string; name: string; revision: number; accountId: AccountId };

export const SETTINGS = {
  current: reads<() => Promise<StoredSettings>>(() => ["settings"]),
  /** Newest first. */
  history: readsUncached<(limit: number) => Promise<SettingsRevision[]>>(),
  /**
   * Creates the next revision, and deletes all but the newest `retainCount`. Safe to repeat with
   * the same audit entry ID. Returns a conflict, changing nothing, if another revision is the
   * newest or a ladder doesn't exist.
   */
  change: writes<
    (
      update: SettingsUpdate,
      retainCount: number,
      audit: AuditEntry,
    ) => Promise<"changed" | "conflict">
  >((outcome) => (outcome === "conflict" ? [] : ["settings", "audit"])),
  /** By name. */
  presets: readsUncached<() => Promise<Preset[]>>(),
  /**
   * Replaces a preset of the same name, keeping its ID. Its creation time is that of its audit
   * entry.
   */
  savePreset: writes<
    (preset: NewPreset, limit: number, audit: AuditEntry) => Promise<Preset | "conflict" | "limit">
  >((outcome) => (outcome === "conflict" || outcome === "limit" ? [] : ["audit"])),
  /** False if the ID doesn't exist. */
  deletePreset: writes<(id: string, audit: AuditEntry) => Promise<boolean>>((isDeleted) =>
    isDeleted === false ? [] : ["audit"],
  ),
};
