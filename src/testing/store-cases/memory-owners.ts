// Owners with a key, over plain maps.

import { ownerFold } from "#core/accounts/name.ts";
import type { OwnerRecord } from "#data/store/account.ts";
import type { Store } from "#data/store/store.ts";

import { byAge, isTakenHandle } from "./memory-accounts.ts";
import type { AroundAccounts } from "./memory-accounts.ts";

export function ownerMethods(facts: AroundAccounts): Store["owners"] {
  const { owners, note } = facts;
  const bare = (row: OwnerRecord & { hash: string }): OwnerRecord => {
    const { hash: _, ...owner } = row;
    return owner;
  };
  return {
    add: async (owner, hash, now, audit) => {
      const key = ownerFold(owner.name);
      if (owners.has(key) || isTakenHandle(facts, owner.name, now)) return false;
      owners.set(key, { ...owner, hash });
      note(audit);
      return true;
    },
    byKey: async (hash) => {
      const owner = owners.values().find((one) => one.hash === hash);
      return owner ? bare(owner) : null;
    },
    list: async () => byAge(owners.values(), ({ name }) => ownerFold(name)).map(bare),
  };
}
