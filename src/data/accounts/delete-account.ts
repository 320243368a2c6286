// Deletes an account at the request of its owner or an operator. Bots that have played remain under
// a placeholder owner.

import { DELETED_OWNER as LEFT_OWNER } from "#core/accounts/account.ts";
import { ownerIdOf } from "#core/accounts/name-rules.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { deleteUser } from "#data/identity/users.ts";
import { botsById, botsOfOwners, deleteBot } from "#data/queries/bot.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type {
  AccountRecord,
  AccountDeletionResult,
  AccountDeletionOptions,
} from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import { playedBots } from "./account-bots.ts";
import { accountById, recordSignOut } from "./accounts.ts";
import { replaceHandle } from "./former-names.ts";

const OWNER = {
  owner: LEFT_OWNER,
  owner_id: ownerIdOf({ house: false, owner: LEFT_OWNER, accountId: null }),
};

/** Foreign keys delete the account's agent keys and connected apps. */
export async function deleteAccountRows(
  tx: OpenTransaction,
  id: AccountId,
  options: AccountDeletionOptions,
): Promise<AccountDeletionResult | null> {
  const account = await accountById(tx, id);
  if (account === null) return null;
  const bots = await botsOfOwners(tx, [id]);
  const retainedIds = await botsToRetain(tx, bots, options);
  for (const bot of bots) if (!retainedIds.has(bot.id)) await deleteBot(tx, bot.id);
  for (const botId of retainedIds) await retireBot(tx, botId, options);
  await replaceHandle(tx, id, [account.handle, null], options);
  await recordSignOut(tx, account, options.second);
  await tx.deleteFrom("accounts").where("id", "=", id).execute();
  return {
    account,
    deletedBots: bots
      .filter((bot) => !retainedIds.has(bot.id))
      .map(({ id, name }) => ({ id, name })),
    retainedBots: await botsById(tx, [...retainedIds]),
    identityDeleted: await deleteIdentity(tx, account),
  };
}

async function botsToRetain(
  tx: OpenTransaction,
  bots: readonly BotRecord[],
  { inMatch }: AccountDeletionOptions,
): Promise<ReadonlySet<string>> {
  const playedIds = await playedBots(
    tx,
    bots.map(({ id }) => id),
  );
  const moderated = bots.filter(({ status }) => status === "suspended" || status === "banned");
  const botsInMatch = bots.filter(({ id }) => inMatch.includes(id));
  return new Set([...playedIds, ...[...moderated, ...botsInMatch].map(({ id }) => id)]);
}

async function retireBot(
  tx: OpenTransaction,
  id: string,
  { at, ban }: AccountDeletionOptions,
): Promise<void> {
  await tx.updateTable("bots").set(OWNER).where("id", "=", id).execute();
  const status = ban === null ? "retired" : "banned";
  const replaceableStatuses =
    ban === null ? (["active"] as const) : (["active", "suspended", "retired"] as const);
  await tx
    .updateTable("bots")
    .set({ status, status_reason: ban?.reason ?? null, status_since: at })
    .where("id", "=", id)
    .where("status", "in", replaceableStatuses)
    .execute();
  if (ban !== null)
    await tx.updateTable("tokens").set({ stale: 1 }).where("bot_id", "=", id).execute();
}

async function deleteIdentity(
  tx: OpenTransaction,
  { issuer, subject }: AccountRecord,
): Promise<boolean> {
  return issuer === EMBEDDED_ISSUER && deleteUser(tx, subject);
}
