// Which query answers which method of the identity provider's part of the port.

import type { Backend } from "#data/queries/backend.ts";
import type { Database } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { Nouns } from "#data/store/store.ts";

import {
  addAuthorization,
  approveAuthorization,
  authorizationByCode,
  authorizationByHash,
  claimAuthorization,
  clientById,
  consentOf,
  denyAuthorization,
  grantsOf,
  putClient,
  revokeConsent,
  sweepGrants,
  takeCode,
} from "./grants.ts";
import { addFlow, flowByHash, pendingToken, putToken, sweepPeople, takeFlow } from "./one-time.ts";
import { lockOf, redeem } from "./redeem.ts";
import { addSession, endSession, endSessions, rotateSession, sessionById } from "./sessions.ts";
import {
  addUser,
  changeUser,
  deleteUser,
  identitiesOf,
  linkIdentity,
  replaceSignUp,
  userByEmail,
  userById,
  userByIdentity,
} from "./users.ts";

export function identityQueries(backend: Backend, write: Write): Nouns["identity"] {
  const { database } = backend;
  return {
    addUser: (user, identity) => write((open) => addUser(open, user, identity)),
    userByEmail: (email) => userByEmail(database, email),
    userById: (id) => userById(database, id),
    userByIdentity: (provider, subject) => userByIdentity(database, provider, subject),
    identitiesOf: (userId) => identitiesOf(database, userId),
    changeUser: (id, changes, ends) =>
      write(async (open) => {
        if (ends !== undefined) await backend.lock(open, lockOf(id));
        return changeUser(open, id, changes, ends);
      }),
    replaceSignUp: (id, next) =>
      write(async (open) => {
        await backend.lock(open, lockOf(id));
        return replaceSignUp(open, id, next);
      }),
    linkIdentity: (identity) => write((open) => linkIdentity(open, identity)),
    deleteUser: (id) => write((open) => deleteUser(open, id)),
    putToken: (token) => write((open) => putToken(open, token)),
    pendingToken: (userId, purpose, after) => pendingToken(database, userId, purpose, after),
    redeem: (key, times) => write((open) => redeem(backend, open, key, times)),
    addFlow: (flow) => write((open) => addFlow(open, flow)),
    flow: (hash) => flowByHash(database, hash),
    takeFlow: (hash) => write((open) => takeFlow(open, hash)),
    addSession: (session) => write((open) => addSession(open, session)),
    session: async (id) => {
      const session = await sessionById(database, id);
      const user = session && (await userById(database, session.userId));
      return session && user && { session, user };
    },
    rotateSession: (id, counter, at) => write((open) => rotateSession(open, id, counter, at)),
    endSession: (id) => write((open) => endSession(open, id)),
    endSessions: (userId, which) =>
      write(async (open) => {
        await backend.lock(open, lockOf(userId));
        await endSessions(open, userId, which);
      }),
    sweep: (before) => write((open) => sweepPeople(open, before)),
  };
}

export function grantQueries(database: Database, write: Write): Nouns["grants"] {
  return {
    putClient: (client) => write((open) => putClient(open, client)),
    client: (id) => clientById(database, id),
    addAuthorization: (one) => write((open) => addAuthorization(open, one)),
    authorization: (hash) => authorizationByHash(database, hash),
    claim: (hash, userId) => write((open) => claimAuthorization(open, hash, userId)),
    approve: (hash, codeHash, consent) =>
      write((open) => approveAuthorization(open, hash, codeHash, consent)),
    deny: (hash, userId) => write((open) => denyAuthorization(open, hash, userId)),
    byCode: (codeHash) => authorizationByCode(database, codeHash),
    takeCode: (codeHash) => write((open) => takeCode(open, codeHash)),
    consent: (userId, clientId) => consentOf(database, userId, clientId),
    list: (userId) => grantsOf(database, userId),
    revoke: (userId, clientId) => write((open) => revokeConsent(open, userId, clientId)),
    sweep: (before) => write((open) => sweepGrants(open, before)),
  };
}
