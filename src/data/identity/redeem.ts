// Redeems one-time tokens: consumes a token and applies it in one transaction.

import { clearRefusalsOfUser } from "#data/mail/refusals.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { ClientSession } from "#data/store/identity-grants.ts";
import type {
  CodeKey,
  LinkKey,
  NewSession,
  Redeemed,
  RedeemedFlow,
  RedeemGains,
  RedeemTimes,
  SessionOwner,
  TokenRecord,
  UserChanges,
  UserRecord,
  WrongCode,
} from "#data/store/identity.ts";

import { authorizationByCode, consentOf, takeCode } from "./grants.ts";
import {
  addFlow,
  countWrongCode,
  flowByHash,
  putToken,
  takeByCode,
  takeFlow,
  takeToken,
  tokenByHash,
  wrongCodes,
} from "./one-time.ts";
import { endClientSession, endPending, insertSession, lockOf } from "./sessions.ts";
import {
  changeUser,
  deleteUnconfirmed,
  identitiesOf,
  linkIdentity,
  setFirstPassword,
  signInUser,
  userById,
} from "./users.ts";

/** Null without such a token, or one that is too old, which is deleted. */
export async function redeem(
  { lock }: Pick<Backend, "lock">,
  open: OpenTransaction,
  key: LinkKey,
  times: RedeemTimes,
  gains: RedeemGains = {},
): Promise<Redeemed | null> {
  const userId = (await tokenByHash(open, key.hash))?.userId;
  if (userId === undefined) return null;
  await lock(open, lockOf(userId));
  return useToken(open, await takeToken(open, key), times, gains);
}

/** A wrong code costs the same writes whether or not the address has an account. */
export async function redeemCode(
  { lock }: Pick<Backend, "lock">,
  open: OpenTransaction,
  key: CodeKey,
  times: RedeemTimes,
  gains: RedeemGains = {},
): Promise<Redeemed | WrongCode> {
  await lock(open, lockOf(key.userId === "" ? key.addressHash : key.userId));
  const before = await wrongCodes(open, key);
  const token = (before?.wrong ?? 0) < key.mostWrong ? await takeByCode(open, key) : null;
  const redeemed = await useToken(open, token, times, gains);
  return redeemed ?? { wrongCodes: await countWrongCode(open, key, times.at) };
}

async function useToken(
  open: OpenTransaction,
  token: TokenRecord | null,
  times: RedeemTimes,
  gains: RedeemGains,
): Promise<Redeemed | null> {
  if (token === null || token.createdAt <= times.after || token.createdAt >= times.before)
    return null;
  const before = await userById(open, token.userId);
  const confirmed = before && (await confirm(open, before, token, times));
  if (confirmed !== null) await clearRefusalsOfUser(open, confirmed.id);
  const user = confirmed && (await addGains(open, confirmed, token, times, gains));
  const hasMoved = user !== null && token.purpose === "email_change";
  return { token, user, formerEmail: hasMoved ? (before?.email ?? null) : null };
}

async function addGains(
  open: OpenTransaction,
  user: UserRecord,
  { challenge, signUp }: TokenRecord,
  { at: createdAt }: RedeemTimes,
  { session, code, invite }: RedeemGains,
): Promise<UserRecord | null> {
  const userId = user.id;
  const bound = { userId, signUp, createdAt };
  if (code !== undefined && challenge !== null)
    await addFlow(open, { kind: "code", ...code, ...bound, challenge, tokenHash: null });
  if (invite !== undefined) {
    const unbound = { challenge: null, signUp: null, email: user.email ?? "" };
    const token = {
      ...invite,
      ...unbound,
      userId,
      purpose: "invite",
      tries: 0,
      createdAt,
    } as const;
    await putToken(open, token, []);
  }
  return session === undefined ? user : signInUser(open, user, session);
}

/** Null when it is no longer possible. */
async function confirm(
  open: OpenTransaction,
  user: UserRecord,
  token: TokenRecord,
  times: RedeemTimes,
): Promise<UserRecord | null> {
  if (token.purpose === "email_change") return moveAddress(open, user, token.email, times);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return token.purpose === "signup" ? null : user;
  // No pending password is proved yet, so all other sign-ups of the address end.
  const none = { passwordHash: null, userData: {} };
  const changes = { emailConfirmedAt: times.at, updatedAt: times.at, ...none };
  const confirmed = await changeUser(open, user.id, changes, { ends: "all" });
  return confirmed === "email_taken" ? null : confirmed;
}

async function moveAddress(
  open: OpenTransaction,
  user: UserRecord,
  email: string,
  { at, reserved }: RedeemTimes,
): Promise<UserRecord | null> {
  if (user.newEmail !== email || reserved.includes(email)) return null;
  // An unconfirmed sign-up must not keep the address from the person who reads its mailbox.
  await deleteUnconfirmed(open, email, user.id);
  const changes = { email, newEmail: null, emailConfirmedAt: at, updatedAt: at };
  // Includes emails and codes sent to the old mailbox.
  await endPending(open, user.id);
  const moved = await changed(open, user.id, changes);
  const known = await identitiesOf(open, user.id);
  const own = known.find(({ provider }) => provider === "email");
  if (moved !== null && own !== undefined) await linkIdentity(open, { ...own, email });
  return moved;
}

/** What a code waited for, and its session. `times` are those of an email change. */
export async function redeemFlow(
  { lock }: Pick<Backend, "lock">,
  open: OpenTransaction,
  hash: string,
  times: RedeemTimes,
  session: NewSession,
): Promise<RedeemedFlow | null> {
  const found = await flowByHash(open, hash);
  if (found?.kind !== "code") return null;
  const { userId } = found;
  await lock(open, lockOf(userId));
  const flow = await takeFlow(open, hash);
  if (flow?.kind !== "code") return null;
  const { tokenHash, signUp } = flow;
  if (tokenHash !== null) {
    const token = await takeToken(open, { hash: tokenHash, purpose: "email_change" });
    return useToken(open, token, times, { session });
  }
  if (signUp !== null) await setFirstPassword(open, userId, signUp, times.at);
  const user = await userById(open, userId);
  return user && { user: await signInUser(open, user, session), formerEmail: null };
}

/** Ends the session of a code that was taken before. */
export async function redeemGrantCode(
  { lock }: Pick<Backend, "lock">,
  open: OpenTransaction,
  codeHash: string,
  session: ClientSession,
): Promise<SessionOwner | null> {
  const { id, client } = session;
  const userId = (await authorizationByCode(open, codeHash))?.userId ?? null;
  if (userId !== null) await lock(open, lockOf(userId));
  const code = await takeCode(open, codeHash);
  if (code === null || userId === null) {
    await endClientSession(open, id, client.id);
    return null;
  }
  const user = await userById(open, userId);
  if (user === null || (await consentOf(open, userId, client.id)) === null) return null;
  const added = { ...session, userId };
  await insertSession(open, added);
  return { session: added, user };
}

async function changed(
  open: OpenTransaction,
  id: string,
  changes: UserChanges,
): Promise<UserRecord | null> {
  const user = await changeUser(open, id, changes);
  return user === "email_taken" ? null : user;
}
