// How the port declares a method: once, with its types, whether it reads or writes, and the subjects
// that it reads or changes. Whatever treats all methods alike derives from these declarations: the
// thread that runs a call, what a cache forgets, and which calls a test makes fail.
//
// A subject is the name of something that can change:
// - `bots`: which bots exist; `facts`: the data of any bot; `bot:<id>`, `name:<key>`: one bot.
// - `owner:<id>`: an owner, and what their bots show of them; `handle:<key>`: whose a handle is.
// - `versions:<bot id>`: a bot's versions; `retired`: which versions are retired.
// - `tokens`: who is let in.
// - `matches`, `matches:<ladder>`, `played:<bot id>`: the stored matches.
// - `turns`, `turns:<version id>`: how turns were played.
// - `casual`: human and practice games, which are deleted with their bot.
// - `replays`: which replays are kept.
// - `seasons`: the seasons and their final standings.
// - `places:<ladder>`: the places noted of its days.
// - `ladders`: those other than public, with their final standings.
// - `awards:<event>`: what was earned in it.
// - `announcements`: those of operators, their mail aside.
// - `settings`: what an operator has changed of them.
// - `audit`.

/** Any method of the port. */
export type Call = (...args: never[]) => Promise<unknown>;

type Answer<M extends Call> = Awaited<ReturnType<M>>;

export type ReadMethod<M extends Call> = {
  readonly access: "read";
  /** What the answer depends on. Null when no method of the port announces its changes. */
  readonly subjects: { of(answer: Answer<M>, ...args: Parameters<M>): string[] } | null;
  /** Only carries the type; the property does not exist. */
  readonly type?: M;
};

export type WriteMethod<M extends Call> = {
  readonly access: "write";
  /**
   * What the call changed, which may be nothing, depending on its answer. Without an answer the
   * call failed, and may have been stored all the same.
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

/** A method that reads what changes unannounced, so its answer must not be cached. */
export function looks<M extends Call>(): ReadMethod<M> {
  return { access: "read", subjects: null };
}

/** A method that writes in one transaction, and what it changes. */
export function writes<M extends Call>(
  of: (answer: Answer<M> | undefined, ...args: Parameters<M>) => string[],
): WriteMethod<M> {
  return { access: "write", subjects: { of } };
}
