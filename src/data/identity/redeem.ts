// A mail is answered: its token is taken, and what it was for is done, in one transaction. A
// stranger who signs up again with the address meanwhile is either before or after all of it.

import type { Backend } from "#data/queries/backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type {
  Redeemed,
  RedeemTimes,
  TokenKey,
  TokenRecord,
  UserChanges,
  UserRecord,
} from "#data/store/identity.ts";

import { takeToken, tokenByHash, tryCode } from "./one-time.ts";
import { changeUser, identitiesOf, linkIdentity, userById } from "./users.ts";

/** Null without such a token, or one that is too old, which is gone then. */
export async function redeem(
  { lock }: Pick<Backend, "lock">,
  open: OpenTransaction,
  key: TokenKey,
  times: RedeemTimes,
): Promise<Redeemed | null> {
  const userId = "hash" in key ? (await tokenByHash(open, key.hash))?.userId : key.userId;
  if (userId === undefined) return null;
  await lock(open, lockOf(userId));
  const token = await take(open, key);
  if (token === null || token.createdAt <= times.after || token.createdAt >= times.before)
    return null;
  const before = await userById(open, token.userId);
  const user = before && (await confirm(open, before, token, times.at));
  const hasMoved = user !== null && token.purpose === "email_change";
  return { token, user, formerEmail: hasMoved ? (before?.email ?? null) : null };
}

/** Serializes what is decided about the sessions and mails of one user. */
export const lockOf = (userId: string): string => `identity ${userId}`;

function take(open: OpenTransaction, key: TokenKey): Promise<TokenRecord | null> {
  if ("hash" in key) return takeToken(open, key.hash, key.purpose);
  return tryCode(open, key.userId, key.purpose, key.codeHash, key.mostTries);
}

/** Null when it is no longer possible. */
async function confirm(
  open: OpenTransaction,
  user: UserRecord,
  token: TokenRecord,
  at: string,
): Promise<UserRecord | null> {
  if (token.purpose === "email_change") return moveAddress(open, user, token.email, at);
  if (user.email !== token.email) return null;
  if (user.emailConfirmedAt !== null) return user;
  // Somebody else may have chosen the password of an address that nobody had confirmed.
  const forgotten = token.purpose === "recovery" ? { passwordHash: null } : {};
  return changed(open, user.id, { emailConfirmedAt: at, updatedAt: at, ...forgotten });
}

async function moveAddress(
  open: OpenTransaction,
  user: UserRecord,
  email: string,
  at: string,
): Promise<UserRecord | null> {
  if (user.newEmail !== email) return null;
  const changes = { email, newEmail: null, emailConfirmedAt: at, updatedAt: at };
  const moved = await changed(open, user.id, changes);
  const known = await identitiesOf(open, user.id);
  const own = known.find(({ provider }) => provider === "email");
  if (moved !== null && own !== undefined) await linkIdentity(open, { ...own, email });
  return moved;
}

async function changed(
  open: OpenTransaction,
  id: string,
  changes: UserChanges,
): Promise<UserRecord | null> {
  const user = await changeUser(open, id, changes);
  return user === "email_taken" ? null : user;
}
