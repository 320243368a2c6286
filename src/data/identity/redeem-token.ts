import { clearRefusalsOfUser } from "#data/mail/refusals.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { ClientSession } from "#data/store/identity-grants.ts";
import type {
  CodeKey,
  LinkKey,
  NewSession,
  RedeemedToken,
  RedeemedFlow,
  RedeemAdditions,
  RedeemOptions,
  SessionOwner,
  TokenRecord,
  UserChanges,
  UserRecord,
  WrongCodeCount,
} from "#data/store/identity.ts";

import { authorizationByCode, consentOf, consumeCode } from "./grants.ts";
import {
  addFlow,
  countWrongCode,
  flowByHash,
  putToken,
  consumeTokenByCode,
  consumeFlow,
  consumeToken,
  tokenByHash,
  wrongCodes,
} from "./one-time-tokens.ts";
import {
  deleteClientSession,
  endPendingCredentials,
  insertSession,
  identityLock,
} from "./sessions.ts";
import {
  changeUser,
  deleteUnconfirmed,
  identitiesOf,
  linkIdentity,
  setFirstPassword,
  signInUser,
  userById,
} from "./users.ts";

export async function redeemToken(
  { lock }: Pick<Backend, "lock">,
  tx: OpenTransaction,
  key: LinkKey,
  options: RedeemOptions,
  additions: RedeemAdditions = {},
): Promise<RedeemedToken | null> {
  const userId = (await tokenByHash(tx, key.hash))?.userId;
  if (userId === undefined) return null;
  await lock(tx, identityLock(userId));
  return applyToken(tx, await consumeToken(tx, key), options, additions);
}

/**
 * A wrong code causes the same writes whether or not the address has an account, so that timing
 * doesn't reveal accounts.
 */
export async function redeemCode(
  { lock }: Pick<Backend, "lock">,
  tx: OpenTransaction,
  key: CodeKey,
  options: RedeemOptions,
  additions: RedeemAdditions = {},
): Promise<RedeemedToken | WrongCodeCount> {
  await lock(tx, identityLock(key.userId === "" ? key.addressHash : key.userId));
  const wrongBefore = await wrongCodes(tx, key);
  const token =
    (wrongBefore?.wrong ?? 0) < key.maxWrongCodes ? await consumeTokenByCode(tx, key) : null;
  const redeemed = await applyToken(tx, token, options, additions);
  return redeemed ?? { wrongCodes: await countWrongCode(tx, key, options.at) };
}

async function applyToken(
  tx: OpenTransaction,
  token: TokenRecord | null,
  options: RedeemOptions,
  additions: RedeemAdditions,
): Promise<RedeemedToken | null> {
  if (token === null || token.createdAt <= options.after || token.createdAt >= options.before)
    return null;
  const userBefore = await userById(tx, token.userId);
  const confirmedUser = userBefore && (await confirmAddress(tx, userBefore, token, options));
  if (confirmedUser !== null) await clearRefusalsOfUser(tx, confirmedUser.id);
  const user =
    confirmedUser && (await addRedemptionRows(tx, confirmedUser, token, options, additions));
  const isAddressChanged = user !== null && token.purpose === "email_change";
  return { token, user, formerEmail: isAddressChanged ? (userBefore?.email ?? null) : null };
}

async function addRedemptionRows(
  tx: OpenTransaction,
  user: UserRecord,
  { challenge, signUp }: TokenRecord,
  { at: createdAt }: RedeemOptions,
  { session, code, invite }: RedeemAdditions,
): Promise<UserRecord | null> {
  const userId = user.id;
  const signUpFields = { userId, signUp, createdAt };
  if (code !== undefined && challenge !== null)
    await addFlow(tx, { kind: "code", ...code, ...signUpFields, challenge, tokenHash: null });
  if (invite !== undefined) {
    const inviteFields = { challenge: null, signUp: null, email: user.email ?? "" };
    const token = {
      ...invite,
      ...inviteFields,
      userId,
      purpose: "invite",
      tries: 0,
      createdAt,
    } as const;
    await putToken(tx, token, []);
  }
  return session === undefined ? user : signInUser(tx, user, session);
}

/** Returns null if the address can no longer be confirmed. */
async function confirmAddress(
  tx: OpenTransaction,
  user: UserRecord,
  token: TokenRecord,
  options: RedeemOptions,
): Promise<UserRecord | null> {
  if (token.purpose === "email_change") return changeAddress(tx, user, token.email, options);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return token.purpose === "signup" ? null : user;
  // No pending password is proven to belong to the owner of the mailbox, so all other sign-ups for
  // the address end.
  const clearedSignUp = { passwordHash: null, userData: {} };
  const changes = { emailConfirmedAt: options.at, updatedAt: options.at, ...clearedSignUp };
  const confirmedUser = await changeUser(tx, user.id, changes, { ends: "all" });
  return confirmedUser === "email_taken" ? null : confirmedUser;
}

async function changeAddress(
  tx: OpenTransaction,
  user: UserRecord,
  email: string,
  { at, reserved }: RedeemOptions,
): Promise<UserRecord | null> {
  if (user.newEmail !== email || reserved.includes(email)) return null;
  // An unconfirmed sign-up must not prevent the owner of the mailbox from using the address.
  await deleteUnconfirmed(tx, email, user.id);
  const changes = { email, newEmail: null, emailConfirmedAt: at, updatedAt: at };
  // Includes links and codes sent to the old mailbox.
  await endPendingCredentials(tx, user.id);
  const changedUser = await changeUserOrNull(tx, user.id, changes);
  const identities = await identitiesOf(tx, user.id);
  const emailIdentity = identities.find(({ provider }) => provider === "email");
  if (changedUser !== null && emailIdentity !== undefined)
    await linkIdentity(tx, { ...emailIdentity, email });
  return changedUser;
}

/**
 * Consumes a code, applies its action and adds the session. The time limits in `options` apply only
 * to email changes.
 */
export async function redeemIdentityFlow(
  { lock }: Pick<Backend, "lock">,
  tx: OpenTransaction,
  hash: string,
  options: RedeemOptions,
  session: NewSession,
): Promise<RedeemedFlow | null> {
  const storedFlow = await flowByHash(tx, hash);
  if (storedFlow?.kind !== "code") return null;
  const { userId } = storedFlow;
  await lock(tx, identityLock(userId));
  const flow = await consumeFlow(tx, hash);
  if (flow?.kind !== "code") return null;
  const { tokenHash, signUp } = flow;
  if (tokenHash !== null) {
    const token = await consumeToken(tx, { hash: tokenHash, purpose: "email_change" });
    return applyToken(tx, token, options, { session });
  }
  if (signUp !== null) await setFirstPassword(tx, userId, signUp, options.at);
  const user = await userById(tx, userId);
  return user && { user: await signInUser(tx, user, session), formerEmail: null };
}

/** If the code was already consumed, ends the session that was issued for it. */
export async function redeemAuthorizationCode(
  { lock }: Pick<Backend, "lock">,
  tx: OpenTransaction,
  codeHash: string,
  session: ClientSession,
): Promise<SessionOwner | null> {
  const { id, client } = session;
  const userId = (await authorizationByCode(tx, codeHash))?.userId ?? null;
  if (userId !== null) await lock(tx, identityLock(userId));
  const code = await consumeCode(tx, codeHash);
  if (code === null || userId === null) {
    await deleteClientSession(tx, id, client.id);
    return null;
  }
  const user = await userById(tx, userId);
  if (user === null || (await consentOf(tx, userId, client.id)) === null) return null;
  const newSession = { ...session, userId };
  await insertSession(tx, newSession);
  return { session: newSession, user };
}

async function changeUserOrNull(
  tx: OpenTransaction,
  id: string,
  changes: UserChanges,
): Promise<UserRecord | null> {
  const user = await changeUser(tx, id, changes);
  return user === "email_taken" ? null : user;
}
