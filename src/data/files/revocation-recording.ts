import { join } from "node:path";

import type { AuditEntry } from "#data/store/audit.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import { appendDurably } from "./append-line.ts";
import { serializeRevocations, toRevocation, REVOCATIONS_FILE } from "./revocations.ts";

type RevocationRecordingOptions = {
  folder: string;
  /** Called if a change was stored but couldn't be added to the list. */
  onFailure: (error: unknown) => void;
};

/**
 * Wraps a store so that access revocations are added to a list in the data folder. The entry is
 * written before the caller gets the result.
 */
export function withRevocationRecording(
  store: Store,
  { folder, onFailure }: RevocationRecordingOptions,
): Store {
  const path = join(folder, REVOCATIONS_FILE);
  const repositories = wrapRepositories(store, (method, _, { access }) => {
    if (access === "read") return method;
    return async (...args) => {
      const result = await method(...args);
      const entry = isWriteApplied(result) ? findAuditEntry(args) : null;
      const revocation = entry === null ? null : toRevocation(entry);
      if (revocation !== null)
        await appendDurably(path, serializeRevocations([revocation])).catch(onFailure);
      return result;
    };
  });
  return { ...repositories, close: () => store.close() };
}

function isWriteApplied(result: unknown): boolean {
  if (result === null || result === false || typeof result === "string") return false;
  const isUnchanged =
    typeof result === "object" && "isChanged" in result && result.isChanged === false;
  return !isUnchanged;
}

function findAuditEntry(args: readonly unknown[]): AuditEntry | null {
  const objects = args.filter(
    (argument) => typeof argument === "object" && argument !== null,
  ) as Partial<AuditEntry & { audit: AuditEntry }>[];
  const entry = objects.find(({ kind, actor }) => kind !== undefined && actor !== undefined);
  return (entry as AuditEntry | undefined) ?? objects.find(({ audit }) => audit)?.audit ?? null;
}
