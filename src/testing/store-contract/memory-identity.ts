import { StoreError } from "#data/store/errors.ts";
import type {
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
} from "#data/store/identity-grants.ts";
import type {
  CodeKey,
  SessionSelection,
  FlowRecord,
  IdentityRecord,
  NewSession,
  PendingSignUp,
  RedeemedToken,
  RedeemedFlow,
  RedeemAdditions,
  RedeemOptions,
  SessionRecord,
  TokenRecord,
  UserRecord,
} from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

export type IdentityMemory = {
  users: Map<string, UserRecord>;
  links: Map<string, IdentityRecord>;
  sessions: Map<string, SessionRecord>;
  oneTime: Map<string, TokenRecord>;
  wrongCodes: Map<string, { wrong: number; since: string }>;
  flows: Map<string, FlowRecord>;
  clients: Map<string, ClientRecord>;
  authorizations: Map<string, AuthorizationRecord>;
  consents: Map<string, ConsentRecord>;
};

export function emptyIdentityMemory(): IdentityMemory {
  return {
    users: new Map(),
    links: new Map(),
    sessions: new Map(),
    oneTime: new Map(),
    wrongCodes: new Map(),
    flows: new Map(),
    clients: new Map(),
    authorizations: new Map(),
    consents: new Map(),
  };
}

export const cloneOrNull = <T>(value: T | undefined): T | null => structuredClone(value) ?? null;

export function removeWhere<T>(map: Map<string, T>, isGone: (value: T) => boolean): T[] {
  const removedEntries = [...map].filter(([, value]) => isGone(value));
  for (const [key] of removedEntries) map.delete(key);
  return removedEntries.map(([, value]) => value);
}

export function deleteUserWhere(
  memory: IdentityMemory,
  isGone: (user: UserRecord) => boolean,
): boolean {
  const removedIds = new Set(removeWhere(memory.users, isGone).map(({ id }) => id));
  const isTheirs = (row: object) => removedIds.has((row as { userId?: string }).userId ?? "");
  const { links, sessions, oneTime, flows, authorizations, consents } = memory;
  for (const map of [links, sessions, oneTime, flows, authorizations, consents])
    removeWhere<object>(map as Map<string, object>, isTheirs);
  return removedIds.size > 0;
}

/** Also removes the user's pending tokens, codes and email change. */
export function removeSessions(
  memory: IdentityMemory,
  userId: string,
  selection: SessionSelection,
): void {
  const keptSessionId = selection === "all" ? null : selection.except;
  removeWhere(
    memory.sessions,
    (session) => session.userId === userId && session.id !== keptSessionId,
  );
  endPendingCredentials(memory, userId);
}

function endPendingCredentials(memory: IdentityMemory, userId: string): void {
  removeWhere(memory.oneTime, (token) => token.userId === userId);
  removeWhere(memory.flows, (flow) => flow.kind === "code" && flow.userId === userId);
  removeWhere(
    memory.authorizations,
    (record) => record.userId === userId && record.codeHash !== null,
  );
  const user = memory.users.get(userId);
  if (user !== undefined) user.newEmail = null;
}

export function removeConsents({ authorizations, consents }: IdentityMemory, userId: string): void {
  removeWhere(authorizations, (record) => record.userId === userId);
  removeWhere(consents, (record) => record.userId === userId);
}

function linkIdentity({ links }: IdentityMemory, record: IdentityRecord): void {
  const existing = links
    .values()
    .find(({ provider, subject }) => provider === record.provider && subject === record.subject);
  if (existing === undefined) return void links.set(record.id, { ...record });
  if (existing.userId !== record.userId)
    throw new StoreError("invalid", "the identity belongs to another user");
  Object.assign(existing, { email: record.email, lastSignInAt: record.lastSignInAt });
}

export function identityMethods(memory: IdentityMemory): Store["identity"] {
  const { users, links, sessions } = memory;
  const holderOf = (email: string | null | undefined) =>
    users.values().find((user) => user.email === email && typeof email === "string");
  return {
    addUser: async (user, identity) => {
      const holder = holderOf(user.email);
      if (holder !== undefined) return holder.id === user.id ? "added" : "email_taken";
      if (users.has(user.id)) return "added";
      linkIdentity(memory, identity);
      users.set(user.id, structuredClone(user));
      return "added";
    },
    userByEmail: async (email) => cloneOrNull(holderOf(email)),
    userById: async (id) => cloneOrNull(users.get(id)),
    userByIdentity: async (provider, subject) => {
      const existing = links
        .values()
        .find((link) => link.provider === provider && link.subject === subject);
      return cloneOrNull(users.get(existing?.userId ?? ""));
    },
    listUnconfirmed: async (limit) => {
      const unconfirmedUsers = [...users.values()]
        .filter(({ email, emailConfirmedAt }) => email !== null && emailConfirmedAt === null)
        .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1));
      return {
        total: unconfirmedUsers.length,
        users: structuredClone(unconfirmedUsers.slice(0, limit)),
      };
    },
    identitiesOf: async (userId) =>
      [...links.values()]
        .filter((record) => record.userId === userId)
        .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1))
        .map((record) => ({ ...record })),
    changeUser: async (id, changes, { ends: sessionsToEnd, session } = {}) => {
      if (session !== undefined && sessions.get(session)?.userId !== id) return null;
      const holder = holderOf(changes.email);
      if (holder !== undefined && holder.id !== id) return "email_taken";
      const user = users.get(id);
      if (user === undefined) return null;
      if (sessionsToEnd !== undefined) removeSessions(memory, id, sessionsToEnd);
      Object.assign(user, structuredClone(changes));
      return cloneOrNull(user);
    },
    setFirstPassword: async (id, signUp, at, session) =>
      sessions.get(session)?.userId === id
        ? cloneOrNull(setFirstPassword(memory, id, signUp, at))
        : null,
    linkIdentity: async (record) => linkIdentity(memory, record),
    deleteUser: async (id) => deleteUserWhere(memory, (user) => user.id === id),
    addSession: async (session, passwordHash) => {
      const user = users.get(session.userId);
      return user?.passwordHash === passwordHash
        ? cloneOrNull(addSession(memory, user, session))
        : null;
    },
    session: async (id) => {
      const session = sessions.get(id);
      const user = users.get(session?.userId ?? "");
      return session && user ? structuredClone({ session, user }) : null;
    },
    rotateSession: async (id, { from, counter, parent, at }) => {
      const session = sessions.get(id);
      if (session?.counter === from) Object.assign(session, { counter, parent, refreshedAt: at });
      return cloneOrNull(session);
    },
    sessionCount: async () => sessions.size,
    endSession: async (id) => sessions.delete(id),
    ...oneTimeMethods(memory),
  };
}

function setFirstPassword(
  memory: IdentityMemory,
  id: string,
  signUp: PendingSignUp,
  at: string,
): UserRecord | null {
  const user = memory.users.get(id);
  if (user === undefined || user.passwordHash !== null) return null;
  endPendingCredentials(memory, id);
  return Object.assign(user, structuredClone(signUp), { updatedAt: at });
}

function addSession({ sessions }: IdentityMemory, user: UserRecord, session: NewSession) {
  if (!sessions.has(session.id))
    sessions.set(session.id, structuredClone({ ...session, userId: user.id }));
  return Object.assign(user, { lastSignInAt: session.createdAt });
}

function applyAdditions(
  memory: IdentityMemory,
  user: UserRecord,
  { challenge, signUp }: TokenRecord,
  createdAt: string,
  { session, code, invite }: RedeemAdditions,
): void {
  const userId = user.id;
  if (code !== undefined && challenge !== null) {
    const signUpFields = { userId, challenge, signUp, tokenHash: null };
    memory.flows.set(code.hash, { kind: "code", ...code, ...signUpFields, createdAt });
  }
  if (invite !== undefined) {
    const inviteFields = { challenge: null, signUp: null, email: user.email ?? "", tries: 0 };
    memory.oneTime.set(invite.hash, {
      ...invite,
      ...inviteFields,
      userId,
      purpose: "invite",
      createdAt,
    });
  }
  if (session !== undefined) addSession(memory, user, session);
}

function redeemFlow(
  memory: IdentityMemory,
  hash: string,
  options: RedeemOptions,
  session: NewSession,
): RedeemedFlow | null {
  const [flow] = removeWhere(
    memory.flows,
    (record) => record.hash === hash && record.kind === "code",
  );
  if (flow?.kind !== "code") return null;
  const { userId, tokenHash, signUp } = flow;
  if (tokenHash !== null) {
    const token = consumeToken(memory, "email_change", (record) => record.hash === tokenHash);
    return applyToken(memory, token, options, { session });
  }
  if (signUp !== null) setFirstPassword(memory, userId, signUp, options.at);
  const user = memory.users.get(userId);
  return user === undefined
    ? null
    : structuredClone({ user: addSession(memory, user, session), formerEmail: null });
}

function confirmAddress(
  memory: IdentityMemory,
  token: TokenRecord,
  options: RedeemOptions,
): UserRecord | null {
  const { at } = options;
  const user = memory.users.get(token.userId);
  if (user === undefined) return null;
  if (token.purpose === "email_change") return changeAddress(memory, user, token.email, options);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return token.purpose === "signup" ? null : user;
  removeSessions(memory, user.id, "all");
  const clearedSignUp = { passwordHash: null, userData: {} };
  return Object.assign(user, { emailConfirmedAt: at, updatedAt: at, ...clearedSignUp });
}

function changeAddress(
  memory: IdentityMemory,
  user: UserRecord,
  email: string,
  { at, reserved }: RedeemOptions,
) {
  if (user.newEmail !== email || reserved.includes(email)) return null;
  deleteUserWhere(
    memory,
    (record) => record.email === email && record.emailConfirmedAt === null && record.id !== user.id,
  );
  endPendingCredentials(memory, user.id);
  const isTaken = memory.users
    .values()
    .some((record) => record.email === email && record.id !== user.id);
  if (isTaken) return null;
  for (const record of memory.links.values())
    if (record.userId === user.id && record.provider === "email") record.email = email;
  return Object.assign(user, { email, newEmail: null, emailConfirmedAt: at, updatedAt: at });
}

const consumeToken = (
  { oneTime }: IdentityMemory,
  purpose: TokenRecord["purpose"],
  isWanted: (token: TokenRecord) => boolean,
): TokenRecord | null =>
  removeWhere(oneTime, (record) => record.purpose === purpose && isWanted(record))[0] ?? null;

function applyToken(
  memory: IdentityMemory,
  token: TokenRecord | null,
  options: RedeemOptions,
  additions: RedeemAdditions = {},
): RedeemedToken | null {
  if (token === null || token.createdAt <= options.after || token.createdAt >= options.before)
    return null;
  const formerEmail = memory.users.get(token.userId)?.email ?? null;
  const user = confirmAddress(memory, token, options);
  if (user !== null) applyAdditions(memory, user, token, options.at, additions);
  const isAddressChanged = user !== null && token.purpose === "email_change";
  return structuredClone({ token, user, formerEmail: isAddressChanged ? formerEmail : null });
}

const newestTokens = (
  { oneTime }: IdentityMemory,
  userId: string,
  purpose: TokenRecord["purpose"],
): TokenRecord[] =>
  [...oneTime.values()]
    .filter((record) => record.userId === userId && record.purpose === purpose)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));

function redeemCode(
  memory: IdentityMemory,
  key: CodeKey,
  options: RedeemOptions,
  additions: RedeemAdditions | undefined,
) {
  const count = memory.wrongCodes.get(key.addressHash);
  const isCounted =
    count !== undefined && count.since > key.countAfter && count.since < key.countBefore;
  const before = isCounted ? count : { wrong: 0, since: options.at };
  const newest = newestTokens(memory, key.userId, key.purpose).slice(0, key.newest);
  const isCorrect = (record: TokenRecord) =>
    newest.includes(record) && record.codeHash === key.codeHash && record.tries < key.maxTries;
  const token =
    before.wrong < key.maxWrongCodes ? consumeToken(memory, key.purpose, isCorrect) : null;
  const redeemed = applyToken(memory, token, options, additions);
  if (redeemed !== null) return redeemed;
  for (const record of memory.oneTime.values())
    if (record.userId === key.userId && record.purpose === key.purpose) record.tries += 1;
  memory.wrongCodes.set(key.addressHash, { ...before, wrong: before.wrong + 1 });
  return { wrongCodes: before.wrong + 1 };
}

type OneTimeMethod =
  | "putToken"
  | "token"
  | "pendingToken"
  | "redeem"
  | "redeemCode"
  | "addFlow"
  | "flow"
  | "consumeFlow"
  | "redeemFlow"
  | "sweep";

function oneTimeMethods(memory: IdentityMemory): Pick<Store["identity"], OneTimeMethod> {
  const { oneTime, flows, sessions } = memory;
  return {
    putToken: async (token, replacedHashes) => {
      const { userId, purpose } = token;
      removeWhere(
        oneTime,
        (record) =>
          record.userId === userId &&
          record.purpose === purpose &&
          replacedHashes.includes(record.hash),
      );
      oneTime.set(token.hash, structuredClone(token));
    },
    token: async (hash) => cloneOrNull(oneTime.get(hash)),
    pendingToken: async (userId, purpose, email, after) =>
      cloneOrNull(
        newestTokens(memory, userId, purpose).find(
          (record) => record.email === email && record.createdAt > after,
        ),
      ),
    redeem: async ({ hash, purpose }, options, additions) =>
      applyToken(
        memory,
        consumeToken(memory, purpose, (record) => record.hash === hash),
        options,
        additions,
      ),
    redeemCode: async (key, options, additions) => redeemCode(memory, key, options, additions),
    redeemFlow: async (hash, options, session) => redeemFlow(memory, hash, options, session),
    addFlow: async (flow) => void flows.set(flow.hash, { ...flow }),
    flow: async (hash) => cloneOrNull(flows.get(hash)),
    consumeFlow: async (hash) => cloneOrNull(removeWhere(flows, (flow) => flow.hash === hash)[0]),
    sweep: async (before) => {
      removeWhere(oneTime, ({ createdAt }) => createdAt < before.tokens);
      removeWhere(flows, ({ createdAt }) => createdAt < before.tokens);
      removeWhere(memory.wrongCodes, ({ since }) => since < before.tokens);
      removeWhere(sessions, ({ refreshedAt }) => refreshedAt < before.sessions);
      for (const user of memory.users.values())
        if (
          !oneTime
            .values()
            .some((link) => link.userId === user.id && link.purpose === "email_change")
        )
          user.newEmail = null;
      deleteUserWhere(
        memory,
        ({ email, emailConfirmedAt, updatedAt }) =>
          email !== null && emailConfirmedAt === null && updatedAt < before.unconfirmed,
      );
    },
  };
}
