// Which query answers which method about the settings.

import { noted } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { Nouns } from "#data/store/store.ts";

import {
  changeSettings,
  currentSettings,
  deletePreset,
  listPresets,
  savePreset,
  settingsHistory,
} from "./settings.ts";

export function settingsQueries(backend: Backend, write: Write): Nouns["settings"] {
  const { database } = backend;
  const inTurn = <T>(job: (open: OpenTransaction) => Promise<T>) =>
    write(async (open) => {
      await backend.lock(open, "settings");
      return job(open);
    });
  return {
    current: () => currentSettings(database),
    history: (most) => settingsHistory(database, most),
    change: (next, kept, audit) =>
      inTurn(async (open) => {
        for (const id of Object.keys(next.bounds).toSorted())
          await backend.lock(open, `ladder ${id}`);
        const outcome = await changeSettings(open, next, kept, audit);
        await noted(open, outcome, outcome === "changed", audit);
        return outcome === "conflict" ? "conflict" : "changed";
      }),
    presets: () => listPresets(database),
    savePreset: (preset, most, audit) =>
      inTurn(async (open) => {
        const saved = await savePreset(open, preset, most, audit.at);
        return noted(open, saved, typeof saved === "object", audit);
      }),
    deletePreset: (id, audit) =>
      inTurn(async (open) => {
        const isDeleted = await deletePreset(open, id);
        return noted(open, isDeleted, isDeleted, audit);
      }),
  };
}
