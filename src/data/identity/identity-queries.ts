import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { Repositories } from "#data/store/store.ts";

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
  sweepIdentity,
  consumeFlow,
  tokenByHash,
} from "./one-time-tokens.ts";
import {
  redeemToken,
  redeemCode,
  redeemIdentityFlow,
  redeemAuthorizationCode,
} from "./redeem-token.ts";
import {
  countSessions,
  deleteSession,
  identityLock,
  rotateSession,
  sessionById,
} from "./sessions.ts";
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

export function identityQueries(backend: Backend, write: Write): Repositories["identity"] {
  const { database } = backend;
  return {
    addUser: (user, identity) => write((tx) => addUser(tx, user, identity)),
    userByEmail: (email) => userByEmail(database, email),
    userById: (id) => userById(database, id),
    userByIdentity: (provider, subject) => userByIdentity(database, provider, subject),
    listUnconfirmed: (limit) => unconfirmedUsers(database, limit),
    identitiesOf: (userId) => identitiesOf(database, userId),
    changeUser: (id, changes, options = {}) =>
      write(async (tx) => {
        if (Object.keys(options).length > 0) await backend.lock(tx, identityLock(id));
        return changeUser(tx, id, changes, options);
      }),
    setFirstPassword: (id, signUp, at, session) =>
      write(async (tx) => {
        await backend.lock(tx, identityLock(id));
        const hasSession = (await sessionById(tx, session))?.userId === id;
        return hasSession ? setFirstPassword(tx, id, signUp, at) : null;
      }),
    linkIdentity: (identity) => write((tx) => linkIdentity(tx, identity)),
    deleteUser: (id) =>
      write(async (tx) => {
        await backend.lock(tx, identityLock(id));
        return deleteUser(tx, id);
      }),
    putToken: (token, replacedHashes) => write((tx) => putToken(tx, token, replacedHashes)),
    token: (hash) => tokenByHash(database, hash),
    pendingToken: (userId, purpose, email, createdAfter) =>
      pendingToken(database, userId, purpose, email, createdAfter),
    redeem: (key, options, additions) =>
      write((tx) => redeemToken(backend, tx, key, options, additions)),
    redeemCode: (key, options, additions) =>
      write((tx) => redeemCode(backend, tx, key, options, additions)),
    addFlow: (flow) => write((tx) => addFlow(tx, flow)),
    flow: (hash) => flowByHash(database, hash),
    consumeFlow: (hash) => write((tx) => consumeFlow(tx, hash)),
    redeemFlow: (hash, options, session) =>
      write((tx) => redeemIdentityFlow(backend, tx, hash, options, session)),
    addSession: (session, passwordHash) =>
      write(async (tx) => {
        await backend.lock(tx, identityLock(session.userId));
        const user = await userById(tx, session.userId);
        return user?.passwordHash === passwordHash ? signInUser(tx, user, session) : null;
      }),
    session: async (id) => {
      const session = await sessionById(database, id);
      const user = session && (await userById(database, session.userId));
      return session && user && { session, user };
    },
    sessionCount: () => countSessions(database),
    rotateSession: (id, rotation) => write((tx) => rotateSession(tx, id, rotation)),
    endSession: (id) => write((tx) => deleteSession(backend, tx, id)),
    sweep: (cutoffs) => write((tx) => sweepIdentity(tx, cutoffs)),
  };
}

export function grantQueries(backend: Backend, write: Write): Repositories["grants"] {
  const { database } = backend;
  return {
    putClient: (client) => write((tx) => putClient(tx, client)),
    client: (id) => clientById(database, id),
    addAuthorization: (authorization) => write((tx) => addAuthorization(tx, authorization)),
    authorization: (hash) => authorizationByHash(database, hash),
    claim: (hash, userId) => write((tx) => claimAuthorization(tx, hash, userId)),
    approve: (hash, codeHash, consent, session) =>
      write(async (tx) => {
        await backend.lock(tx, identityLock(consent.userId));
        const hasSessionEnded =
          session !== undefined && (await sessionById(tx, session))?.userId !== consent.userId;
        return !hasSessionEnded && approveAuthorization(tx, hash, codeHash, consent);
      }),
    deny: (hash, userId) => write((tx) => denyAuthorization(tx, hash, userId)),
    byCode: (codeHash) => authorizationByCode(database, codeHash),
    redeemCode: (codeHash, session) =>
      write((tx) => redeemAuthorizationCode(backend, tx, codeHash, session)),
    consent: (userId, clientId) => consentOf(database, userId, clientId),
    list: (userId) => grantsOf(database, userId),
    revoke: (userId, clientId) =>
      write(async (tx) => {
        await backend.lock(tx, identityLock(userId));
        return revokeConsent(tx, userId, clientId);
      }),
    sweep: (cutoffs) => write((tx) => sweepGrants(tx, cutoffs)),
  };
}
