// How the port declares a method: once, with its types, with what it does to the database, and with
// the subjects that it reads or changes. Everything that treats all methods alike is made from these
// declarations: which thread runs a call, what a cache forgets, which calls a test lets fail.
//
// A subject is the name of something that can change. `bots`: which ones exist. `facts`: what is
// said of any of them. `bot:<id>`, `name:<key>`: one of them. `versions:<bot id>`: a bot's.
// `retired`: which versions are. `tokens`: who is let in. `matches`, `matches:<ladder>`,
// `played:<bot id>`: the stored ones. `turns`, `turns:<version id>`: how they were played.
// `casual`: human and practice games that went with a bot. `replays`: which are kept. `seasons`: these and their final standings. `audit`.

/** Any method of the port. */
export type Call = (...args: never[]) => Promise<unknown>;

type Answer<M extends Call> = Awaited<ReturnType<M>>;

export type ReadMethod<M extends Call> = {
  readonly access: "read";
  /** What the answer depends on. Null when no method of the port says that it changed. */
  readonly subjects: { of(answer: Answer<M>, ...args: Parameters<M>): string[] } | null;
  /** Carries the type alone: there is no such property. */
  readonly type?: M;
};

export type WriteMethod<M extends Call> = {
  readonly access: "write";
  /**
   * What the call changed: nothing, where its answer says so. A call without an answer failed, and
   * may have been stored all the same.
   */
  readonly subjects: { of(answer: Answer<M> | undefined, ...args: Parameters<M>): string[] };
  readonly type?: M;
};

export type Declared<M extends Call = Call> = ReadMethod<M> | WriteMethod<M>;

/** The methods that a noun of the port declares. */
export type MethodsOf<Noun> = {
  [K in keyof Noun]: Noun[K] extends { readonly type?: infer M } ? M : never;
};

/** A method that reads, and what its answer depends on. */
export function reads<M extends Call>(
  of: (answer: Answer<M>, ...args: Parameters<M>) => string[],
): ReadMethod<M> & { readonly subjects: object } {
  return { access: "read", subjects: { of } };
}

/** A method that reads what changes unannounced, so that nobody may keep its answer. */
export function looks<M extends Call>(): ReadMethod<M> {
  return { access: "read", subjects: null };
}

/** A method that writes, in one transaction, and what it changed. */
export function writes<M extends Call>(
  of: (answer: Answer<M> | undefined, ...args: Parameters<M>) => string[],
): WriteMethod<M> {
  return { access: "write", subjects: { of } };
}
