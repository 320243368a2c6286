import { normalizeOwner } from "#core/accounts/name-rules.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { Store } from "#data/store/store.ts";

import { byAge, isHandleTaken } from "./memory-accounts.ts";
import type { AccountContext } from "./memory-accounts.ts";

export function ownerMethods(memory: AccountContext): Store["owners"] {
  const { owners, recordAudit } = memory;
  const withoutHash = (row: OwnerRecord & { hash: string }): OwnerRecord => {
    const { hash: _, ...owner } = row;
    return owner;
  };
  return {
    add: async (owner, hash, now, audit) => {
      const key = normalizeOwner(owner.name);
      if (owners.has(key) || isHandleTaken(memory, owner.name, now)) return false;
      owners.set(key, { ...owner, hash });
      recordAudit(audit);
      return true;
    },
    byKey: async (hash) => {
      const owner = owners.values().find((candidate) => candidate.hash === hash);
      return owner ? withoutHash(owner) : null;
    },
    list: async () => byAge(owners.values(), ({ name }) => normalizeOwner(name)).map(withoutHash),
  };
}
