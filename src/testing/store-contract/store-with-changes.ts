import type { Repositories, Store } from "#data/store/store.ts";

export type StoreOverrides = { [N in keyof Repositories]?: Partial<Repositories[N]> };

export function overrideStore(store: Store, overrides: StoreOverrides): Store {
  const repositories = Object.entries(overrides).map(([repositoryName, methods]) => {
    return [repositoryName, { ...store[repositoryName as keyof Repositories], ...methods }];
  });
  return { ...store, ...(Object.fromEntries(repositories) as Partial<Repositories>) };
}
