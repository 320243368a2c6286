// The identity provider's part of the port, over plain maps.

import { FIXED } from "#core/words/limits.ts";
import { StoreError } from "#data/store/errors.ts";
import type {
  AuthorizationRecord,
  ClientRecord,
  ConsentRecord,
} from "#data/store/identity-grants.ts";
import type {
  EndOf,
  FlowRecord,
  IdentityRecord,
  SessionRecord,
  TokenKey,
  TokenRecord,
  UserRecord,
} from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

export type IdentityFacts = {
  users: Map<string, UserRecord>;
  links: Map<string, IdentityRecord>;
  sessions: Map<string, SessionRecord>;
  oneTime: Map<string, TokenRecord>;
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
    flows: new Map(),
    clients: new Map(),
    authorizations: new Map(),
    consents: new Map(),
  };
}

const copy = <T>(value: T | undefined): T | null => structuredClone(value) ?? null;

/** Deletes what matches and returns it. */
function take<T>(map: Map<string, T>, isGone: (value: T) => boolean): T[] {
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
    identitiesOf: async (userId) =>
      [...links.values()]
        .filter((one) => one.userId === userId)
        .toSorted((a, b) => (`${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1))
        .map((one) => ({ ...one })),
    changeUser: async (id, changes, ends) => {
      const holder = holderOf(changes.email);
      if (holder !== undefined && holder.id !== id) return "email_taken";
      const user = users.get(id);
      if (user === undefined) return null;
      if (ends !== undefined) endSessions(facts, id, ends);
      Object.assign(user, structuredClone(changes));
      return copy(user);
    },
    replaceSignUp: async (id, next) => {
      const user = users.get(id);
      if (user === undefined || user.emailConfirmedAt !== null) return null;
      endSessions(facts, id, "all");
      Object.assign(user, structuredClone(next));
      return copy(user);
    },
    linkIdentity: async (one) => link(facts, one),
    deleteUser: async (id) => dropUser(facts, (user) => user.id === id),
    addSession: async (session) => {
      if (!sessions.has(session.id)) sessions.set(session.id, structuredClone(session));
    },
    session: async (id) => {
      const session = sessions.get(id);
      const user = users.get(session?.userId ?? "");
      return session && user ? structuredClone({ session, user }) : null;
    },
    rotateSession: async (id, counter, at) => {
      const session = sessions.get(id);
      if (session?.counter === counter)
        Object.assign(session, { counter: counter + 1, refreshedAt: at });
      return copy(session);
    },
    endSession: async (id) => sessions.delete(id),
    endSessions: async (userId, which) => endSessions(facts, userId, which),
    ...oneTimeMethods(facts),
  };
}

/** What a mail was for; null when it is no longer possible. */
function confirm(facts: IdentityFacts, token: TokenRecord, at: string): UserRecord | null {
  const user = facts.users.get(token.userId);
  if (user === undefined) return null;
  if (token.purpose === "email_change") return moveAddress(facts, user, token.email, at);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return user;
  if (token.purpose === "recovery") user.passwordHash = null;
  return Object.assign(user, { emailConfirmedAt: at, updatedAt: at });
}

function moveAddress(facts: IdentityFacts, user: UserRecord, email: string, at: string) {
  const isTaken = facts.users.values().some((one) => one.email === email && one.id !== user.id);
  if (user.newEmail !== email || isTaken) return null;
  for (const one of facts.links.values())
    if (one.userId === user.id && one.provider === "email") one.email = email;
  return Object.assign(user, { email, newEmail: null, emailConfirmedAt: at, updatedAt: at });
}

function takeKey({ oneTime }: IdentityFacts, key: TokenKey): TokenRecord | null {
  const isOne = (token: TokenRecord) => token.purpose === key.purpose;
  if ("hash" in key) return take(oneTime, (one) => isOne(one) && one.hash === key.hash)[0] ?? null;
  const theirs = oneTime.values().filter((one) => isOne(one) && one.userId === key.userId);
  const tokens = [...theirs];
  const right = tokens.find((one) => one.codeHash === key.codeHash && one.tries < key.mostTries);
  if (right !== undefined) return take(oneTime, (one) => one === right)[0] ?? null;
  for (const token of tokens) token.tries += 1;
  return null;
}

type OneTime = "putToken" | "pendingToken" | "redeem" | "addFlow" | "flow" | "takeFlow" | "sweep";

function oneTimeMethods(facts: IdentityFacts): Pick<Store["identity"], OneTime> {
  const { oneTime, flows, sessions } = facts;
  return {
    putToken: async (token) => {
      const { userId, purpose, hash } = token;
      const before = [...oneTime.values()]
        .filter((one) => one.userId === userId && one.purpose === purpose && one.hash !== hash)
        .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
      for (const beyond of before.slice(FIXED.mailed_tokens - 1)) oneTime.delete(beyond.hash);
      oneTime.set(hash, { ...token });
    },
    pendingToken: async (userId, purpose, after) =>
      copy(
        oneTime
          .values()
          .find((o) => o.userId === userId && o.purpose === purpose && o.createdAt > after),
      ),
    redeem: async (key, { at, after, before }) => {
      const token = takeKey(facts, key);
      if (token === null || token.createdAt <= after || token.createdAt >= before) return null;
      const formerEmail = facts.users.get(token.userId)?.email ?? null;
      const user = confirm(facts, token, at);
      const hasMoved = user !== null && token.purpose === "email_change";
      return structuredClone({ token, user, formerEmail: hasMoved ? formerEmail : null });
    },
    addFlow: async (flow) => void flows.set(flow.hash, { ...flow }),
    flow: async (hash) => copy(flows.get(hash)),
    takeFlow: async (hash) => copy(take(flows, (flow) => flow.hash === hash)[0]),
    sweep: async (before) => {
      take(oneTime, ({ createdAt }) => createdAt < before.tokens);
      take(flows, ({ createdAt }) => createdAt < before.tokens);
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

const consentKey = (userId: string, clientId: string) => `${userId} ${clientId}`;

export function grantMethods(facts: IdentityFacts): Store["grants"] {
  const { clients, authorizations, consents, sessions } = facts;
  const byCode = (codeHash: string) =>
    authorizations.values().find((one) => one.codeHash === codeHash);
  return {
    putClient: async (client) => void clients.set(client.id, structuredClone(client)),
    client: async (id) => copy(clients.get(id)),
    addAuthorization: async (one) => void authorizations.set(one.hash, { ...one }),
    authorization: async (hash) => copy(authorizations.get(hash)),
    claim: async (hash, userId) => {
      const one = authorizations.get(hash);
      if (one === undefined) return null;
      one.userId ??= userId;
      return one.userId === userId && one.codeHash === null ? copy(one) : null;
    },
    approve: async (hash, codeHash, consent) => {
      const one = authorizations.get(hash);
      if (one?.userId !== consent.userId || one.codeHash !== null) return false;
      if (one.clientId !== consent.clientId) return false;
      one.codeHash = codeHash;
      consents.set(consentKey(consent.userId, consent.clientId), structuredClone(consent));
      return true;
    },
    deny: async (hash, userId) => {
      const one = authorizations.get(hash);
      if (one?.userId !== userId || one.codeHash !== null) return false;
      return authorizations.delete(hash);
    },
    byCode: async (codeHash) => copy(byCode(codeHash)),
    takeCode: async (codeHash) => copy(take(authorizations, (o) => o.codeHash === codeHash)[0]),
    consent: async (userId, clientId) => copy(consents.get(consentKey(userId, clientId))),
    list: async (userId) =>
      [...consents.values()]
        .filter((one) => one.userId === userId)
        .toSorted((a, b) =>
          `${a.grantedAt} ${a.clientId}` < `${b.grantedAt} ${b.clientId}` ? -1 : 1,
        )
        .map((one) => structuredClone({ ...one, client: clients.get(one.clientId)! })),
    revoke: async (userId, clientId) => {
      take(sessions, (one) => one.userId === userId && one.client?.id === clientId);
      take(authorizations, (one) => one.userId === userId && one.clientId === clientId);
      return consents.delete(consentKey(userId, clientId));
    },
    sweep: async (before) => {
      take(authorizations, ({ createdAt }) => createdAt < before.authorizations);
      const used = new Set(consents.values().map(({ clientId }) => clientId));
      const gone = take(
        clients,
        ({ id, createdAt }) => createdAt < before.clients && !used.has(id),
      );
      const ids = new Set(gone.map(({ id }) => id));
      take(authorizations, ({ clientId }) => ids.has(clientId));
    },
  };
}
