// Owners without an account to whom an operator gave a key. It registers bots, nothing else.

import type { AuditEntry } from "./audit.ts";
import { looks, writes } from "./method.ts";

export type OwnerRecord = { name: string; maxBots: number; created: string };

export const OWNERS = {
  /** False when the name is an owner's or somebody's handle already. */
  add: writes<
    (owner: OwnerRecord, keyHash: string, now: string, audit: AuditEntry) => Promise<boolean>
  >((isAdded) => (isAdded === false ? [] : ["audit"])),
  byKey: looks<(keyHash: string) => Promise<OwnerRecord | null>>(),
  /** By age. */
  list: looks<() => Promise<OwnerRecord[]>>(),
};
