import type { Store } from "#data/store/store.ts";

import { cloneOrNull, removeWhere } from "./memory-identity.ts";
import type { IdentityMemory } from "./memory-identity.ts";

const consentKey = (userId: string, clientId: string) => `${userId} ${clientId}`;

export function grantMethods(memory: IdentityMemory): Store["grants"] {
  const { clients, authorizations, consents, sessions, users } = memory;
  const byCode = (codeHash: string) =>
    authorizations.values().find((authorization) => authorization.codeHash === codeHash);
  return {
    putClient: async (client) => void clients.set(client.id, structuredClone(client)),
    client: async (id) => cloneOrNull(clients.get(id)),
    addAuthorization: async (authorization) =>
      void authorizations.set(authorization.hash, { ...authorization }),
    authorization: async (hash) => cloneOrNull(authorizations.get(hash)),
    claim: async (hash, userId) => {
      const authorization = authorizations.get(hash);
      if (authorization === undefined) return null;
      authorization.userId ??= userId;
      return authorization.userId === userId && authorization.codeHash === null
        ? cloneOrNull(authorization)
        : null;
    },
    approve: async (hash, codeHash, consent, session) => {
      const isOver = session !== undefined && sessions.get(session)?.userId !== consent.userId;
      if (isOver) return false;
      const authorization = authorizations.get(hash);
      if (authorization?.userId !== consent.userId || authorization.codeHash !== null) return false;
      if (authorization.clientId !== consent.clientId) return false;
      authorization.codeHash = codeHash;
      consents.set(consentKey(consent.userId, consent.clientId), structuredClone(consent));
      return true;
    },
    deny: async (hash, userId) => {
      const authorization = authorizations.get(hash);
      if (authorization?.userId !== userId || authorization.codeHash !== null) return false;
      return authorizations.delete(hash);
    },
    byCode: async (codeHash) => cloneOrNull(byCode(codeHash)),
    redeemCode: async (codeHash, session) => {
      const { id, client } = session;
      const [code] = removeWhere(
        authorizations,
        (authorization) => authorization.codeHash === codeHash,
      );
      if (code === undefined)
        removeWhere(
          sessions,
          (authorization) => authorization.id === id && authorization.client?.id === client.id,
        );
      const user = users.get(code?.userId ?? "");
      if (user === undefined || !consents.has(consentKey(user.id, client.id))) return null;
      const added = structuredClone({ ...session, userId: user.id });
      sessions.set(id, added);
      return structuredClone({ session: added, user });
    },
    consent: async (userId, clientId) => cloneOrNull(consents.get(consentKey(userId, clientId))),
    list: async (userId) =>
      [...consents.values()]
        .filter((authorization) => authorization.userId === userId)
        .toSorted((a, b) =>
          `${a.grantedAt} ${a.clientId}` < `${b.grantedAt} ${b.clientId}` ? -1 : 1,
        )
        .map((authorization) =>
          structuredClone({ ...authorization, client: clients.get(authorization.clientId)! }),
        ),
    revoke: async (userId, clientId) => {
      removeWhere(
        sessions,
        (authorization) => authorization.userId === userId && authorization.client?.id === clientId,
      );
      removeWhere(
        authorizations,
        (authorization) => authorization.userId === userId && authorization.clientId === clientId,
      );
      return consents.delete(consentKey(userId, clientId));
    },
    sweep: async (before) => {
      removeWhere(authorizations, ({ createdAt }) => createdAt < before.authorizations);
      const usedClientIds = new Set(consents.values().map(({ clientId }) => clientId));
      const removedIds = removeWhere(
        clients,
        ({ id, createdAt }) => createdAt < before.clients && !usedClientIds.has(id),
      );
      const ids = new Set(removedIds.map(({ id }) => id));
      removeWhere(authorizations, ({ clientId }) => ids.has(clientId));
    },
  };
}
