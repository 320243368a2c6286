// Declares each store method once, with its types, whether it reads or writes, and its invalidation
// subjects. Code that treats all methods alike derives from these declarations: the worker thread
// protocol, cache invalidation, and fault injection in tests.
//
// A subject names something that can change:
// - `bots`: which bots exist; `facts`: the data of any bot; `bot:<id>`, `name:<key>`: one bot.
// - `owner:<id>`: an owner, and the owner data shown by their bots; `handle:<key>`: the holder of a
//   handle.
// - `versions:<bot id>`: a bot's versions; `retired`: which versions are retired.
// - `tokens`: valid bot tokens.
// - `matches`, `matches:<ladder>`, `played:<bot id>`: the stored matches.
// - `turns`, `turns:<version id>`: turn statistics.
// - `casual`: human and practice games, which are deleted with their bot.
// - `replays`: which replays are kept.
// - `seasons`: the seasons and their final standings.
// - `places:<ladder>`: its daily standings.
// - `ladders`: ladders other than public, with their final standings.
// - `awards:<event>`: awards earned in it.
// - `announcements`: announcements, their emails aside.
// - `settings`: operator overrides.
// - `audit`.

export type StoreMethod = (...args: never[]) => Promise<unknown>;

type MethodResult<M extends StoreMethod> = Awaited<ReturnType<M>>;

export type ReadMethod<M extends StoreMethod> = {
  readonly access: "read";
  /** Subjects that the result depends on. Null if no method invalidates it. */
  readonly subjects: { resolve(result: MethodResult<M>, ...args: Parameters<M>): string[] } | null;
  /** Type-only; the property doesn't exist. */
  readonly type?: M;
};

export type WriteMethod<M extends StoreMethod> = {
  readonly access: "write";
  /**
   * Subjects that the call changed, depending on its result; possibly none. Without a result the
   * call failed, but may have been stored.
   */
  readonly subjects: {
    resolve(result: MethodResult<M> | undefined, ...args: Parameters<M>): string[];
  };
  readonly type?: M;
};

export type MethodDeclaration<M extends StoreMethod = StoreMethod> = ReadMethod<M> | WriteMethod<M>;

/** The methods declared by a repository. */
export type DeclaredMethods<Declarations> = {
  [K in keyof Declarations]: Declarations[K] extends { readonly type?: infer M } ? M : never;
};

/** Declares a read method and the subjects its result depends on. */
export function reads<M extends StoreMethod>(
  resolve: (result: MethodResult<M>, ...args: Parameters<M>) => string[],
): ReadMethod<M> & { readonly subjects: object } {
  return { access: "read", subjects: { resolve } };
}

/** Declares a read of data that changes without invalidation, so its result must not be cached. */
export function readsUncached<M extends StoreMethod>(): ReadMethod<M> {
  return { access: "read", subjects: null };
}

/** Declares a method that writes in one transaction, and the subjects it changes. */
export function writes<M extends StoreMethod>(
  resolve: (result: MethodResult<M> | undefined, ...args: Parameters<M>) => string[],
): WriteMethod<M> {
  return { access: "write", subjects: { resolve } };
}
