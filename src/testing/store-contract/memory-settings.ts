import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderBounds } from "#core/limits/settings.ts";
import { DEFAULT_STORED_SETTINGS } from "#data/settings/settings.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { LadderRecord } from "#data/store/ladder.ts";
import type { StoredSettings, Preset, SettingsRevision } from "#data/store/settings.ts";
import type { Store } from "#data/store/store.ts";

/** Stores the author's account ID instead of the handle, which can change. */
type StoredById<T> = Omit<T, "by"> & { id: string; accountId: string };

export type SettingsMemory = {
  revisions: (StoredById<SettingsRevision> & { kept: Omit<StoredSettings, "bounds"> })[];
  bounds: Map<string, LadderBounds>;
  presets: Map<string, StoredById<Preset>>;
};

export function emptySettingsMemory(): SettingsMemory {
  return { revisions: [], bounds: new Map(), presets: new Map() };
}

type SettingsContext = SettingsMemory & {
  ladders: Map<string, LadderRecord>;
  accounts: Map<string, AccountRecord>;
  recordAudit: (entry: AuditEntry | undefined) => void;
};

export function settingsMethods(memory: SettingsContext): Store["settings"] {
  const { revisions, presets, recordAudit } = memory;
  const current = (): StoredSettings => ({
    ...(revisions.at(-1)?.kept ?? DEFAULT_STORED_SETTINGS),
    bounds: Object.fromEntries(memory.bounds),
  });
  const handleOf = (accountId: string) => memory.accounts.get(accountId)?.handle ?? null;
  const toPreset = ({ accountId, ...preset }: StoredById<Preset>): Preset =>
    structuredClone({ ...preset, by: handleOf(accountId) });
  return {
    current: async () => structuredClone(current()),
    history: async (limit) =>
      revisions
        .toReversed()
        .slice(0, limit)
        .map(({ revision, at, changes, accountId }) =>
          structuredClone({ revision, at, by: handleOf(accountId), changes }),
        ),
    change: async ({ from, overrides, bounds, changes, accountId }, kept, audit) => {
      if (revisions.at(-1)?.id === audit.id) return "changed";
      const ladderExists = (id: string) => id === DEFAULT_LADDER || memory.ladders.has(id);
      const laddersExist = Object.keys(bounds).every(ladderExists);
      if (current().revision !== from || !laddersExist) return "conflict";
      memory.bounds.clear();
      for (const [id, bound] of Object.entries(bounds)) memory.bounds.set(id, { ...bound });
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
      recordAudit(audit);
      return "changed";
    },
    presets: async () =>
      [...presets.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(toPreset),
    savePreset: async ({ id, name, revision, accountId }, limit, audit) => {
      if (current().revision !== revision) return "conflict";
      const existing = presets.values().find((preset) => preset.name === name);
      if (existing === undefined && presets.size >= limit) return "limit";
      const fields = { created: audit.at, accountId, overrides: current().overrides };
      const preset = { id: existing?.id ?? id, name, ...structuredClone(fields) };
      presets.set(preset.id, preset);
      recordAudit(audit);
      return toPreset(preset);
    },
    deletePreset: async (id, audit) => {
      const isDeleted = presets.delete(id);
      if (isDeleted) recordAudit(audit);
      return isDeleted;
    },
  };
}
