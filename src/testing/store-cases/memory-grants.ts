// The part of the port about OAuth clients and consents, over plain maps.

import type { Store } from "#data/store/store.ts";

import { copy, take } from "./memory-identity.ts";
import type { IdentityFacts } from "./memory-identity.ts";

const consentKey = (userId: string, clientId: string) => `${userId} ${clientId}`;

export function grantMethods(facts: IdentityFacts): Store["grants"] {
  const { clients, authorizations, consents, sessions, users } = facts;
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
    approve: async (hash, codeHash, consent, session) => {
      const isOver = session !== undefined && sessions.get(session)?.userId !== consent.userId;
      if (isOver) return false;
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
    redeemCode: async (codeHash, session) => {
      const { id, client } = session;
      const [code] = take(authorizations, (one) => one.codeHash === codeHash);
      if (code === undefined)
        take(sessions, (one) => one.id === id && one.client?.id === client.id);
      const user = users.get(code?.userId ?? "");
      if (user === undefined || !consents.has(consentKey(user.id, client.id))) return null;
      const added = structuredClone({ ...session, userId: user.id });
      sessions.set(id, added);
      return structuredClone({ session: added, user });
    },
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
