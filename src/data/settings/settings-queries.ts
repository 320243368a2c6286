import { withAudit } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Repositories } from "#data/store/store.ts";

import {
  changeSettings,
  currentSettings,
  deletePreset,
  listPresets,
  savePreset,
  settingsHistory,
} from "./settings.ts";

export function settingsQueries(backend: Backend, write: Write): Repositories["settings"] {
  const { database } = backend;
  const runExclusively = <T>(work: (tx: OpenTransaction) => Promise<T>) =>
    write(async (tx) => {
      await backend.lock(tx, "settings");
      return work(tx);
    });
  return {
    current: () => currentSettings(database),
    history: (limit) => settingsHistory(database, limit),
    change: (update, retainCount, audit) =>
      runExclusively(async (tx) => {
        for (const id of Object.keys(update.bounds).toSorted())
          await backend.lock(tx, `ladder ${id}`);
        const outcome = await changeSettings(tx, update, retainCount, audit);
        await withAudit(tx, outcome, outcome === "changed", audit);
        return outcome === "conflict" ? "conflict" : "changed";
      }),
    presets: () => listPresets(database),
    savePreset: (preset, limit, audit) =>
      runExclusively(async (tx) => {
        const result = await savePreset(tx, preset, limit, audit.at);
        return withAudit(tx, result, typeof result === "object", audit);
      }),
    deletePreset: (id, audit) =>
      runExclusively(async (tx) => {
        const isDeleted = await deletePreset(tx, id);
        return withAudit(tx, isDeleted, isDeleted, audit);
      }),
  };
}
