// Which query answers which method of the identity provider's part of the port.

import type { Backend } from "#data/queries/backend.ts";
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
} from "./grants.ts";
import {
  addFlow,
  flowByHash,
  pendingToken,
  putToken,
  sweepPeople,
  takeFlow,
  tokenByHash,
} from "./one-time.ts";
import { redeem, redeemCode, redeemFlow, redeemGrantCode } from "./redeem.ts";
import { countSessions, endSession, lockOf, rotateSession, sessionById } from "./sessions.ts";
import {
  addUser,
  changeUser,
  deleteUser,
  identitiesOf,
  linkIdentity,
  setFirstPassword,
  signInUser,
  unconfirmedUsers,
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
    unconfirmed: (most) => unconfirmedUsers(database, most),
    identitiesOf: (userId) => identitiesOf(database, userId),
    changeUser: (id, changes, terms = {}) =>
      write(async (open) => {
        if (Object.keys(terms).length > 0) await backend.lock(open, lockOf(id));
        return changeUser(open, id, changes, terms);
      }),
    setFirstPassword: (id, signUp, at, session) =>
      write(async (open) => {
        await backend.lock(open, lockOf(id));
        const isLive = (await sessionById(open, session))?.userId === id;
        return isLive ? setFirstPassword(open, id, signUp, at) : null;
      }),
    linkIdentity: (identity) => write((open) => linkIdentity(open, identity)),
    deleteUser: (id) =>
      write(async (open) => {
        await backend.lock(open, lockOf(id));
        return deleteUser(open, id);
      }),
    putToken: (token, ends) => write((open) => putToken(open, token, ends)),
    token: (hash) => tokenByHash(database, hash),
    pendingToken: (userId, purpose, email, after) =>
      pendingToken(database, userId, purpose, email, after),
    redeem: (key, times, gains) => write((open) => redeem(backend, open, key, times, gains)),
    redeemCode: (key, times, gains) =>
      write((open) => redeemCode(backend, open, key, times, gains)),
    addFlow: (flow) => write((open) => addFlow(open, flow)),
    flow: (hash) => flowByHash(database, hash),
    takeFlow: (hash) => write((open) => takeFlow(open, hash)),
    redeemFlow: (hash, times, session) =>
      write((open) => redeemFlow(backend, open, hash, times, session)),
    addSession: (session, passwordHash) =>
      write(async (open) => {
        await backend.lock(open, lockOf(session.userId));
        const user = await userById(open, session.userId);
        return user?.passwordHash === passwordHash ? signInUser(open, user, session) : null;
      }),
    session: async (id) => {
      const session = await sessionById(database, id);
      const user = session && (await userById(database, session.userId));
      return session && user && { session, user };
    },
    sessionCount: () => countSessions(database),
    rotateSession: (id, rotation) => write((open) => rotateSession(open, id, rotation)),
    endSession: (id) => write((open) => endSession(backend, open, id)),
    sweep: (before) => write((open) => sweepPeople(open, before)),
  };
}

export function grantQueries(backend: Backend, write: Write): Nouns["grants"] {
  const { database } = backend;
  return {
    putClient: (client) => write((open) => putClient(open, client)),
    client: (id) => clientById(database, id),
    addAuthorization: (one) => write((open) => addAuthorization(open, one)),
    authorization: (hash) => authorizationByHash(database, hash),
    claim: (hash, userId) => write((open) => claimAuthorization(open, hash, userId)),
    approve: (hash, codeHash, consent, session) =>
      write(async (open) => {
        await backend.lock(open, lockOf(consent.userId));
        const isOver =
          session !== undefined && (await sessionById(open, session))?.userId !== consent.userId;
        return !isOver && approveAuthorization(open, hash, codeHash, consent);
      }),
    deny: (hash, userId) => write((open) => denyAuthorization(open, hash, userId)),
    byCode: (codeHash) => authorizationByCode(database, codeHash),
    redeemCode: (codeHash, session) =>
      write((open) => redeemGrantCode(backend, open, codeHash, session)),
    consent: (userId, clientId) => consentOf(database, userId, clientId),
    list: (userId) => grantsOf(database, userId),
    revoke: (userId, clientId) =>
      write(async (open) => {
        await backend.lock(open, lockOf(userId));
        return revokeConsent(open, userId, clientId);
      }),
    sweep: (before) => write((open) => sweepGrants(open, before)),
  };
}
