// What operators have changed of the settings. The table of settings itself is code.

import type { AccountId, LadderId } from "#core/words/ids.ts";
import type { BoundsByLadder, SettingValue } from "#core/words/settings.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, reads, writes } from "./method.ts";

/** By name, as they were stored: the build that stored them may have known others. */
export type StoredOverrides = Readonly<Record<string, SettingValue>>;

export type KeptSettings = {
  /** 0 until the first change. */
  revision: number;
  overrides: StoredOverrides;
  /** Without the ladders that are as they were made. */
  bounds: BoundsByLadder;
};

/** A value that changed: of the server, or of one ladder, where null leaves its own bound. */
export type SettingChange = {
  field: string;
  ladder_id: LadderId | null;
  from: SettingValue | null;
  to: SettingValue | null;
};

export type SettingsRevision = {
  revision: number;
  at: string;
  /** The handle of who made it, as it is now. */
  by: string | null;
  changes: SettingChange[];
};

/** What takes the place of a revision. */
export type NextSettings = {
  from: number;
  overrides: StoredOverrides;
  /** All of them: a ladder that is left out has its own bounds again. */
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

/** Takes the overrides of a revision. */
export type NewPreset = { id: string; name: string; revision: number; accountId: AccountId };

export const SETTINGS = {
  current: reads<() => Promise<KeptSettings>>(() => ["settings"]),
  /** Newest first. */
  history: looks<(most: number) => Promise<SettingsRevision[]>>(),
  /**
   * Makes the next revision, and forgets those before the newest `kept`. The entry's id settles a
   * repeated call. A conflict, when another revision is the newest or a ladder is gone, changes
   * nothing.
   */
  change: writes<
    (next: NextSettings, kept: number, audit: AuditEntry) => Promise<"changed" | "conflict">
  >((outcome) => (outcome === "conflict" ? [] : ["settings", "audit"])),
  /** By name. */
  presets: looks<() => Promise<Preset[]>>(),
  /** One of the same name is replaced, and keeps its id. Its making is when its entry was. */
  savePreset: writes<
    (preset: NewPreset, most: number, audit: AuditEntry) => Promise<Preset | "conflict" | "limit">
  >((outcome) => (outcome === "conflict" || outcome === "limit" ? [] : ["audit"])),
  /** False when there is none of this id. */
  deletePreset: writes<(id: string, audit: AuditEntry) => Promise<boolean>>((isDeleted) =>
    isDeleted === false ? [] : ["audit"],
  ),
};
