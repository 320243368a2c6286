import type { Revisions } from "#base/cache/revisions.ts";
import type { StoreMethod, ReadMethod, WriteMethod } from "#data/store/store-method.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";

/**
 * Wraps a store so that reads are tracked and writes invalidate them, as each method declares. A
 * change is invalidated after it is stored and before the caller gets the result.
 */
export function withInvalidation(store: Store, revisions: Revisions): Store {
  const repositories = wrapRepositories(store, (method, _, declaration) => {
    if (declaration.access === "write")
      return invalidateAfterWrite(revisions, declaration.subjects, method);
    return declaration.subjects === null
      ? method
      : trackReads(revisions, declaration.subjects, method);
  });
  return { ...repositories, close: () => store.close() };
}

type ReadSubjects = NonNullable<ReadMethod<StoreMethod>["subjects"]>;
type WriteSubjects = WriteMethod<StoreMethod>["subjects"];

function trackReads(
  revisions: Revisions,
  subjects: ReadSubjects,
  method: StoreMethod,
): StoreMethod {
  return async (...args) => {
    const startRevision = revisions.newestRevision();
    const result = await method(...args);
    revisions.track(subjects.resolve(result, ...args), startRevision);
    return result;
  };
}

function invalidateAfterWrite(
  revisions: Revisions,
  subjects: WriteSubjects,
  method: StoreMethod,
): StoreMethod {
  return async (...args) => {
    let result: unknown;
    try {
      result = await method(...args);
      return result;
    } finally {
      revisions.invalidate(subjects.resolve(result, ...args));
    }
  };
}
