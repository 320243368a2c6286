// The identity provider's part of the port, over plain maps.

import { StoreError } from "#data/store/errors.ts";
import type {
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
} from "#data/store/identity-grants.ts";
import type {
  CodeKey,
  EndOf,
  FlowRecord,
  IdentityRecord,
  NewSession,
  PendingSignUp,
  Redeemed,
  RedeemedFlow,
  RedeemGains,
  RedeemTimes,
  SessionRecord,
  TokenRecord,
  UserRecord,
} from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

export type IdentityFacts = {
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

export function nobody(): IdentityFacts {
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

export const copy = <T>(value: T | undefined): T | null => structuredClone(value) ?? null;

/** Deletes what matches and returns it. */
export function take<T>(map: Map<string, T>, isGone: (value: T) => boolean): T[] {
  const gone = [...map].filter(([, value]) => isGone(value));
  for (const [key] of gone) map.delete(key);
  return gone.map(([, value]) => value);
}

export function dropUser(facts: IdentityFacts, isGone: (user: UserRecord) => boolean): boolean {
  const gone = new Set(take(facts.users, isGone).map(({ id }) => id));
  const isTheirs = (row: object) => gone.has((row as { userId?: string }).userId ?? "");
  const { links, sessions, oneTime, flows, authorizations, consents } = facts;
  for (const map of [links, sessions, oneTime, flows, authorizations, consents])
    take<object>(map as Map<string, object>, isTheirs);
  return gone.size > 0;
}

/** With whatever is pending. */
export function endSessions(facts: IdentityFacts, userId: string, which: EndOf): void {
  const kept = which === "all" ? null : which.except;
  take(facts.sessions, (session) => session.userId === userId && session.id !== kept);
  endPending(facts, userId);
}

function endPending(facts: IdentityFacts, userId: string): void {
  take(facts.oneTime, (token) => token.userId === userId);
  take(facts.flows, (flow) => flow.kind === "code" && flow.userId === userId);
  take(facts.authorizations, (one) => one.userId === userId && one.codeHash !== null);
  const user = facts.users.get(userId);
  if (user !== undefined) user.newEmail = null;
}

export function revokeConsents({ authorizations, consents }: IdentityFacts, userId: string): void {
  take(authorizations, (one) => one.userId === userId);
  take(consents, (one) => one.userId === userId);
}

function link({ links }: IdentityFacts, one: IdentityRecord): void {
  const known = links
    .values()
    .find(({ provider, subject }) => provider === one.provider && subject === one.subject);
  if (known === undefined) return void links.set(one.id, { ...one });
  if (known.userId !== one.userId)
    throw new StoreError("invalid", "the identity is another user's");
  Object.assign(known, { email: one.email, lastSignInAt: one.lastSignInAt });
}

export function identityMethods(facts: IdentityFacts): Store["identity"] {
  const { users, links, sessions } = facts;
  const holderOf = (email: string | null | undefined) =>
    users.values().find((user) => user.email === email && typeof email === "string");
  return {
    addUser: async (user, identity) => {
      const holder = holderOf(user.email);
      if (holder !== undefined) return holder.id === user.id ? "added" : "email_taken";
      if (users.has(user.id)) return "added";
      link(facts, identity);
      users.set(user.id, structuredClone(user));
      return "added";
    },
    userByEmail: async (email) => copy(holderOf(email)),
    userById: async (id) => copy(users.get(id)),
    userByIdentity: async (provider, subject) => {
      const known = links.values().find((o) => o.provider === provider && o.subject === subject);
      return copy(users.get(known?.userId ?? ""));
    },
    unconfirmed: async (most) => {
      const waiting = [...users.values()]
        .filter(({ email, emailConfirmedAt }) => email !== null && emailConfirmedAt === null)
        .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? 1 : -1));
      return { total: waiting.length, users: structuredClone(waiting.slice(0, most)) };
    },
    identitiesOf: async (userId) =>
      [...links.values()]
        .filter((one) => one.userId === userId)
        .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1))
        .map((one) => ({ ...one })),
    changeUser: async (id, changes, { ends, session } = {}) => {
      if (session !== undefined && sessions.get(session)?.userId !== id) return null;
      const holder = holderOf(changes.email);
      if (holder !== undefined && holder.id !== id) return "email_taken";
      const user = users.get(id);
      if (user === undefined) return null;
      if (ends !== undefined) endSessions(facts, id, ends);
      Object.assign(user, structuredClone(changes));
      return copy(user);
    },
    setFirstPassword: async (id, signUp, at, session) =>
      sessions.get(session)?.userId === id ? copy(setFirstPassword(facts, id, signUp, at)) : null,
    linkIdentity: async (one) => link(facts, one),
    deleteUser: async (id) => dropUser(facts, (user) => user.id === id),
    addSession: async (session, passwordHash) => {
      const user = users.get(session.userId);
      return user?.passwordHash === passwordHash ? copy(addSession(facts, user, session)) : null;
    },
    session: async (id) => {
      const session = sessions.get(id);
      const user = users.get(session?.userId ?? "");
      return session && user ? structuredClone({ session, user }) : null;
    },
    rotateSession: async (id, { from, counter, parent, at }) => {
      const session = sessions.get(id);
      if (session?.counter === from) Object.assign(session, { counter, parent, refreshedAt: at });
      return copy(session);
    },
    sessionCount: async () => sessions.size,
    endSession: async (id) => sessions.delete(id),
    ...oneTimeMethods(facts),
  };
}

function setFirstPassword(
  facts: IdentityFacts,
  id: string,
  signUp: PendingSignUp,
  at: string,
): UserRecord | null {
  const user = facts.users.get(id);
  if (user === undefined || user.passwordHash !== null) return null;
  endPending(facts, id);
  return Object.assign(user, structuredClone(signUp), { updatedAt: at });
}

function addSession({ sessions }: IdentityFacts, user: UserRecord, session: NewSession) {
  if (!sessions.has(session.id))
    sessions.set(session.id, structuredClone({ ...session, userId: user.id }));
  return Object.assign(user, { lastSignInAt: session.createdAt });
}

function addGains(
  facts: IdentityFacts,
  user: UserRecord,
  { challenge, signUp }: TokenRecord,
  createdAt: string,
  { session, code, invite }: RedeemGains,
): void {
  const userId = user.id;
  if (code !== undefined && challenge !== null) {
    const bound = { userId, challenge, signUp, tokenHash: null };
    facts.flows.set(code.hash, { kind: "code", ...code, ...bound, createdAt });
  }
  if (invite !== undefined) {
    const unbound = { challenge: null, signUp: null, email: user.email ?? "", tries: 0 };
    facts.oneTime.set(invite.hash, { ...invite, ...unbound, userId, purpose: "invite", createdAt });
  }
  if (session !== undefined) addSession(facts, user, session);
}

function redeemFlow(
  facts: IdentityFacts,
  hash: string,
  times: RedeemTimes,
  session: NewSession,
): RedeemedFlow | null {
  const [flow] = take(facts.flows, (one) => one.hash === hash && one.kind === "code");
  if (flow?.kind !== "code") return null;
  const { userId, tokenHash, signUp } = flow;
  if (tokenHash !== null) {
    const token = takeToken(facts, "email_change", (one) => one.hash === tokenHash);
    return useToken(facts, token, times, { session });
  }
  if (signUp !== null) setFirstPassword(facts, userId, signUp, times.at);
  const user = facts.users.get(userId);
  return user === undefined
    ? null
    : structuredClone({ user: addSession(facts, user, session), formerEmail: null });
}

/** What a mail was for; null when it is no longer possible. */
function confirm(facts: IdentityFacts, token: TokenRecord, times: RedeemTimes): UserRecord | null {
  const { at } = times;
  const user = facts.users.get(token.userId);
  if (user === undefined) return null;
  if (token.purpose === "email_change") return moveAddress(facts, user, token.email, times);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return token.purpose === "signup" ? null : user;
  endSessions(facts, user.id, "all");
  const none = { passwordHash: null, userData: {} };
  return Object.assign(user, { emailConfirmedAt: at, updatedAt: at, ...none });
}

function moveAddress(
  facts: IdentityFacts,
  user: UserRecord,
  email: string,
  { at, reserved }: RedeemTimes,
) {
  if (user.newEmail !== email || reserved.includes(email)) return null;
  dropUser(
    facts,
    (one) => one.email === email && one.emailConfirmedAt === null && one.id !== user.id,
  );
  endPending(facts, user.id);
  const isTaken = facts.users.values().some((one) => one.email === email && one.id !== user.id);
  if (isTaken) return null;
  for (const one of facts.links.values())
    if (one.userId === user.id && one.provider === "email") one.email = email;
  return Object.assign(user, { email, newEmail: null, emailConfirmedAt: at, updatedAt: at });
}

/** A token of the purpose that matches is taken. */
const takeToken = (
  { oneTime }: IdentityFacts,
  purpose: TokenRecord["purpose"],
  isOne: (token: TokenRecord) => boolean,
): TokenRecord | null => take(oneTime, (one) => one.purpose === purpose && isOne(one))[0] ?? null;

function useToken(
  facts: IdentityFacts,
  token: TokenRecord | null,
  times: RedeemTimes,
  gains: RedeemGains = {},
): Redeemed | null {
  if (token === null || token.createdAt <= times.after || token.createdAt >= times.before)
    return null;
  const formerEmail = facts.users.get(token.userId)?.email ?? null;
  const user = confirm(facts, token, times);
  if (user !== null) addGains(facts, user, token, times.at, gains);
  const hasMoved = user !== null && token.purpose === "email_change";
  return structuredClone({ token, user, formerEmail: hasMoved ? formerEmail : null });
}

/** Newest first. */
const newestTokens = (
  { oneTime }: IdentityFacts,
  userId: string,
  purpose: TokenRecord["purpose"],
): TokenRecord[] =>
  [...oneTime.values()]
    .filter((one) => one.userId === userId && one.purpose === purpose)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));

function redeemCode(
  facts: IdentityFacts,
  key: CodeKey,
  times: RedeemTimes,
  gains: RedeemGains | undefined,
) {
  const count = facts.wrongCodes.get(key.addressHash);
  const isCounted =
    count !== undefined && count.since > key.countAfter && count.since < key.countBefore;
  const before = isCounted ? count : { wrong: 0, since: times.at };
  const newest = newestTokens(facts, key.userId, key.purpose).slice(0, key.newest);
  const isRight = (one: TokenRecord) =>
    newest.includes(one) && one.codeHash === key.codeHash && one.tries < key.mostTries;
  const token = before.wrong < key.mostWrong ? takeToken(facts, key.purpose, isRight) : null;
  const redeemed = useToken(facts, token, times, gains);
  if (redeemed !== null) return redeemed;
  for (const one of facts.oneTime.values())
    if (one.userId === key.userId && one.purpose === key.purpose) one.tries += 1;
  facts.wrongCodes.set(key.addressHash, { ...before, wrong: before.wrong + 1 });
  return { wrongCodes: before.wrong + 1 };
}

type OneTime =
  | "putToken"
  | "token"
  | "pendingToken"
  | "redeem"
  | "redeemCode"
  | "addFlow"
  | "flow"
  | "takeFlow"
  | "redeemFlow"
  | "sweep";

function oneTimeMethods(facts: IdentityFacts): Pick<Store["identity"], OneTime> {
  const { oneTime, flows, sessions } = facts;
  return {
    putToken: async (token, ends) => {
      const { userId, purpose } = token;
      take(
        oneTime,
        (one) => one.userId === userId && one.purpose === purpose && ends.includes(one.hash),
      );
      oneTime.set(token.hash, structuredClone(token));
    },
    token: async (hash) => copy(oneTime.get(hash)),
    pendingToken: async (userId, purpose, email, after) =>
      copy(
        newestTokens(facts, userId, purpose).find(
          (one) => one.email === email && one.createdAt > after,
        ),
      ),
    redeem: async ({ hash, purpose }, times, gains) =>
      useToken(
        facts,
        takeToken(facts, purpose, (one) => one.hash === hash),
        times,
        gains,
      ),
    redeemCode: async (key, times, gains) => redeemCode(facts, key, times, gains),
    redeemFlow: async (hash, times, session) => redeemFlow(facts, hash, times, session),
    addFlow: async (flow) => void flows.set(flow.hash, { ...flow }),
    flow: async (hash) => copy(flows.get(hash)),
    takeFlow: async (hash) => copy(take(flows, (flow) => flow.hash === hash)[0]),
    sweep: async (before) => {
      take(oneTime, ({ createdAt }) => createdAt < before.tokens);
      take(flows, ({ createdAt }) => createdAt < before.tokens);
      take(facts.wrongCodes, ({ since }) => since < before.tokens);
      take(sessions, ({ refreshedAt }) => refreshedAt < before.sessions);
      for (const user of facts.users.values())
        if (!oneTime.values().some((o) => o.userId === user.id && o.purpose === "email_change"))
          user.newEmail = null;
      dropUser(
        facts,
        ({ email, emailConfirmedAt, updatedAt }) =>
          email !== null && emailConfirmedAt === null && updatedAt < before.unconfirmed,
      );
    },
  };
}
