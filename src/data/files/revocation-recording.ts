// A store that adds what takes access away to the list in the data folder.

import { join } from "node:path";

import type { AuditEntry } from "#data/store/audit.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

import { appendDurably } from "./append-line.ts";
import { printRevocations, revocationOf, REVOCATIONS_FILE } from "./revocations.ts";

type Recording = {
  /** The data folder. */
  folder: string;
  /** Called when a change was stored and could not be added to the list. */
  failed: (error: unknown) => void;
};

/** The same store. A change is on the list before its caller learns that it is stored. */
export function recordRevocations(store: Store, { folder, failed }: Recording): Store {
  const path = join(folder, REVOCATIONS_FILE);
  const nouns = around(store, (method, _, { access }) => {
    if (access === "read") return method;
    return async (...args) => {
      const answer = await method(...args);
      const entry = isDone(answer) ? entryIn(args) : null;
      const revocation = entry === null ? null : revocationOf(entry);
      if (revocation !== null)
        await appendDurably(path, printRevocations([revocation])).catch(failed);
      return answer;
    };
  });
  return { ...nouns, close: () => store.close() };
}

/** False if the answer of a write says that it changed nothing. */
function isDone(answer: unknown): boolean {
  if (answer === null || answer === false || typeof answer === "string") return false;
  const isUnchanged =
    typeof answer === "object" && "isChanged" in answer && answer.isChanged === false;
  return !isUnchanged;
}

/** The audit entry among the arguments of a write, or in its options. */
function entryIn(args: readonly unknown[]): AuditEntry | null {
  const objects = args.filter((one) => typeof one === "object" && one !== null) as Partial<
    AuditEntry & { audit: AuditEntry }
  >[];
  const found = objects.find(({ kind, actor }) => kind !== undefined && actor !== undefined);
  return (found as AuditEntry | undefined) ?? objects.find(({ audit }) => audit)?.audit ?? null;
}
