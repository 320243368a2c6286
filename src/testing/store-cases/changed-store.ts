import type { Nouns, Store } from "#data/store/store.ts";

export type StoreChanges = { [N in keyof Nouns]?: Partial<Nouns[N]> };

/** The same store with some methods replaced. */
export function changedStore(store: Store, changes: StoreChanges): Store {
  const nouns = Object.entries(changes).map(([noun, methods]) => {
    return [noun, { ...store[noun as keyof Nouns], ...methods }];
  });
  return { ...store, ...(Object.fromEntries(nouns) as Partial<Nouns>) };
}
