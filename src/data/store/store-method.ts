// Declares each store method once: its types, whether it reads or writes, and its invalidation
// subjects. The worker thread protocol, cache invalidation and fault injection in tests are derived
// from these declarations.
//
// A subject names something that can change:
// - `bots`: which bots exist; `facts`: the data of any bot; `bot:<id>`, `name:<key>`: one bot.
// - `owner:<id>`: an owner, and the owner data that bots show; `handle:<key>`: who has the handle.
// - `versions:<bot id>`: a bot's versions; `retired`: which versions are retired.
// - `tokens`: valid bot tokens.
// - `matches`, `matches:<ladder>`, `played:<bot id>`: stored matches.
// - `turns`, `turns:<version id>`: turn statistics.
// - `casual`: human and practice games, which are deleted with their bot.
// - `replays`: which replays are retained.
// - `seasons`: seasons and their final standings.
// - `places:<ladder>`: daily standings of a ladder.
// - `ladders`: custom ladders and their final standings.
// - `awards:<event>`: awards earned in an event.
// - `announcements`: announcements, excluding their emails.
// - `settings`: operator overrides.
// - `audit`: the audit log.

export type StoreMethod = (...args: never[]) => Promise<unknown>;

type MethodResult<M extends StoreMethod> = Awaited<ReturnType<M>>;

export type ReadMethod<M extends StoreMethod> = {
  readonly access: "read";
  /** Returns the subjects that the result depends on. Null if the result must not be cached. */
  readonly subjects: { resolve(result: MethodResult<M>, ...args: Parameters<M>): string[] } | null;
  /** Exists only for type inference. */
  readonly type?: M;
};

export type WriteMethod<M extends StoreMethod> = {
  readonly access: "write";
  /**
   * Returns the subjects that the call changed, which may be none. `result` is undefined if the
   * call failed, in which case the write may have been stored.
   */
  readonly subjects: {
    resolve(result: MethodResult<M> | undefined, ...args: Parameters<M>): string[];
  };
  readonly type?: M;
};

export type MethodDeclaration<M extends StoreMethod = StoreMethod> = ReadMethod<M> | WriteMethod<M>;

export type DeclaredMethods<Declarations> = {
  [K in keyof Declarations]: Declarations[K] extends { readonly type?: infer M } ? M : never;
};

/** Declares a read method, and the subjects on which its result depends. */
export function reads<M extends StoreMethod>(
  resolve: (result: MethodResult<M>, ...args: Parameters<M>) => string[],
): ReadMethod<M> & { readonly subjects: object } {
  return { access: "read", subjects: { resolve } };
}

/** Declares a read method whose result must not be cached, because writes don't invalidate it. */
export function readsUncached<M extends StoreMethod>(): ReadMethod<M> {
  return { access: "read", subjects: null };
}

/** Declares a method that writes in one transaction, and the subjects that it changes. */
export function writes<M extends StoreMethod>(
  resolve: (result: MethodResult<M> | undefined, ...args: Parameters<M>) => string[],
): WriteMethod<M> {
  return { access: "write", subjects: { resolve } };
}
