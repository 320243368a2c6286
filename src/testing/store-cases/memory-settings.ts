// What operators have changed of the settings, over plain maps.

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderBounds } from "#core/words/settings.ts";
import { UNCHANGED } from "#data/settings/settings.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { KeptSettings, Preset, SettingsRevision } from "#data/store/settings.ts";
import type { Store } from "#data/store/store.ts";

/** In place of the handle, the id of who made it. */
type ById<T> = Omit<T, "by"> & { id: string; accountId: string };

export type SettingsFacts = {
  /** Oldest first. */
  revisions: (ById<SettingsRevision> & { kept: Omit<KeptSettings, "bounds"> })[];
  bounds: Map<string, LadderBounds>;
  presets: Map<string, ById<Preset>>;
};

export function noSettings(): SettingsFacts {
  return { revisions: [], bounds: new Map(), presets: new Map() };
}

type Around = SettingsFacts & {
  ladders: Map<string, LadderRecord>;
  accounts: Map<string, AccountRecord>;
  note: (entry: AuditEntry | undefined) => void;
};

export function settingsMethods(facts: Around): Store["settings"] {
  const { revisions, presets, note } = facts;
  const current = (): KeptSettings => ({
    ...(revisions.at(-1)?.kept ?? UNCHANGED),
    bounds: Object.fromEntries(facts.bounds),
  });
  const byOf = (accountId: string) => facts.accounts.get(accountId)?.handle ?? null;
  const shown = ({ accountId, ...preset }: ById<Preset>): Preset =>
    structuredClone({ ...preset, by: byOf(accountId) });
  return {
    current: async () => structuredClone(current()),
    history: async (most) =>
      revisions
        .toReversed()
        .slice(0, most)
        .map(({ revision, at, changes, accountId }) =>
          structuredClone({ revision, at, by: byOf(accountId), changes }),
        ),
    change: async ({ from, overrides, bounds, changes, accountId }, kept, audit) => {
      if (revisions.at(-1)?.id === audit.id) return "changed";
      const isThere = (id: string) => id === DEFAULT_LADDER || facts.ladders.has(id);
      const areThere = Object.keys(bounds).every(isThere);
      if (current().revision !== from || !areThere) return "conflict";
      facts.bounds.clear();
      for (const [id, bound] of Object.entries(bounds)) facts.bounds.set(id, { ...bound });
      const revision = from + 1;
      revisions.push(
        structuredClone({
          revision,
          id: audit.id,
          at: audit.at,
          accountId,
          changes: [...changes],
          kept: { revision, overrides },
        }),
      );
      revisions.splice(0, revisions.length - kept);
      note(audit);
      return "changed";
    },
    presets: async () =>
      [...presets.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(shown),
    savePreset: async ({ id, name, revision, accountId }, most, audit) => {
      if (current().revision !== revision) return "conflict";
      const known = presets.values().find((preset) => preset.name === name);
      if (known === undefined && presets.size >= most) return "limit";
      const made = { created: audit.at, accountId, overrides: current().overrides };
      const preset = { id: known?.id ?? id, name, ...structuredClone(made) };
      presets.set(preset.id, preset);
      note(audit);
      return shown(preset);
    },
    deletePreset: async (id, audit) => {
      const isDeleted = presets.delete(id);
      if (isDeleted) note(audit);
      return isDeleted;
    },
  };
}
