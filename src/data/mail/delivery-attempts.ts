import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { DeliveryResult } from "#core/mail/delivery.ts";
import {
  ALL_OPTIONAL_EMAIL,
  TRANSACTIONAL_SCOPE,
  detectIncident,
  RECIPIENT_REFUSED,
} from "#core/mail/incident.ts";
import type { NewIncident } from "#core/mail/incident.ts";
import { isTooLate, skipReason } from "#core/mail/skip-reason.ts";
import type { EmailRecipient, SkipReason } from "#core/mail/skip-reason.ts";
import { playedBots } from "#data/accounts/account-bots.ts";
import { accountById } from "#data/accounts/accounts.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { StartedDelivery, DeliveryOutcome, DeliveryRecord } from "#data/store/delivery.ts";

import { toDelivery } from "./deliveries.ts";
import { openIncident, openIncidentScopes } from "./incidents.ts";
import {
  countRefusal,
  endRefusalStreak,
  refusalStreaks,
  countedRefusals,
  revertRefusalStreak,
} from "./refusals.ts";

/** Error code of deliveries that were in progress when a process ended. */
const INTERRUPTED = "interrupted";

export async function beginDelivery(
  tx: OpenTransaction,
  now: string,
  host: string,
): Promise<StartedDelivery | null> {
  const delivery = await oldestDue(tx, now);
  if (delivery === null) return null;
  const { id, accountId, category, notice, attempt } = delivery;
  const recipient = await findRecipient(tx, accountId);
  const skipped = skipReason(recipient, category) ?? (await lateSkipReason(tx, delivery, now));
  if (skipped !== null || notice === null || recipient.email === null) {
    const error = skipped ?? "no_address";
    await updateDelivery(tx, id, { state: "skipped", ended: now, error });
    return { id, skipped: error };
  }
  const message_id = `<${id}@${host}>`;
  await updateDelivery(tx, id, {
    state: "sending",
    started: now,
    attempt: attempt + 1,
    message_id,
  });
  return { id, to: recipient.email, accountId, category, notice };
}

async function lateSkipReason(
  tx: OpenTransaction,
  { accountId, notice, due }: DeliveryRecord,
  at: string,
): Promise<SkipReason | null> {
  if (notice === null) return null;
  if (isTooLate(notice, due, at)) return "too_late";
  if (notice.kind !== "first_match") return null;
  const bots = tx.selectFrom("bots").select("id").where("owner_id", "=", accountId);
  const ids = (await bots.execute()).map(({ id }) => id);
  return (await playedBots(tx, ids)).length > 0 ? "has_played" : null;
}

async function oldestDue(tx: OpenTransaction, at: string): Promise<DeliveryRecord | null> {
  const scopes = await openIncidentScopes(tx);
  if (scopes.includes(ALL_OPTIONAL_EMAIL)) return null;
  const heldCategories = scopes.filter(
    (scope) => scope !== ALL_OPTIONAL_EMAIL && scope !== TRANSACTIONAL_SCOPE,
  );
  const row = await tx
    .selectFrom("deliveries")
    .selectAll()
    .where("state", "=", "pending")
    .where("due", "<=", at)
    .$if(heldCategories.length > 0, (rows) => rows.where("category", "not in", heldCategories))
    .orderBy("due")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toDelivery(row);
}

const NO_CONTACT = { email: null, emailConfirmedAt: null, bannedAt: null };

async function findRecipient(tx: OpenTransaction, accountId: AccountId): Promise<EmailRecipient> {
  const account = await accountById(tx, accountId);
  if (account === null) throw new Error("deliveries are deleted with their account");
  return { ...NO_CONTACT, ...account, refusals: await countedRefusals(tx, accountId) };
}

const emailConfirmedAt = async (tx: OpenTransaction, accountId: AccountId) =>
  (await accountById(tx, accountId))?.emailConfirmedAt ?? null;

type DeliveryUpdate = Partial<{
  state: DeliveryRecord["state"];
  started: string;
  ended: string;
  attempt: number;
  response_code: number | null;
  error: string | null;
  message_id: string;
}>;

const updateDelivery = (tx: OpenTransaction, id: string, columns: DeliveryUpdate) =>
  tx.updateTable("deliveries").set(columns).where("id", "=", id).execute();

export async function endDelivery(
  tx: OpenTransaction,
  id: string,
  { at, state, responseCode, error, refused }: DeliveryOutcome,
  audit: AuditEntry,
): Promise<NewIncident | null> {
  const row = await tx
    .selectFrom("deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "sending")
    .executeTakeFirst();
  if (row === undefined) return null;
  const errorCode = refused === "recipient" ? RECIPIENT_REFUSED : error;
  await updateDelivery(tx, id, { state, ended: at, response_code: responseCode, error: errorCode });
  if (refused === "recipient")
    await countRefusal(tx, row.account_id, await emailConfirmedAt(tx, row.account_id));
  if (state === "accepted") {
    await endRefusalStreak(tx);
    return null;
  }
  const [recentStates, refusals] = [await recentOutcomes(tx), await refusalStreaks(tx)];
  const incident = detectIncident(row.category, refused, recentStates, refusals);
  if (incident === null) return null;
  if (incident.cause === "recipients_refused") await revertRefusalStreak(tx);
  return (await openIncident(tx, incident, audit)) ? incident : null;
}

/**
 * Returns the outcomes from which a mail server fault can be detected, newest first. Starts at the
 * last time all email was resumed.
 */
async function recentOutcomes(tx: OpenTransaction): Promise<DeliveryResult[]> {
  const lastResolved = await tx
    .selectFrom("mail_incidents")
    .select((eb) => eb.fn.max("resolved").as("resolved"))
    .where("scope", "=", ALL_OPTIONAL_EMAIL)
    .executeTakeFirst();
  const rows = await tx
    .selectFrom("deliveries")
    .select("state")
    .where("state", "in", ["accepted", "failed", "unknown"])
    .where((eb) =>
      eb.or([eb("error", "is", null), eb("error", "not in", [INTERRUPTED, RECIPIENT_REFUSED])]),
    )
    .where("ended", ">", lastResolved?.resolved ?? "")
    .orderBy("ended", "desc")
    .orderBy("id", "desc")
    .limit(FIXED_LIMITS.mail_failures)
    .execute();
  return rows.map(({ state }) => state as DeliveryResult);
}

export async function interruptDeliveries(tx: OpenTransaction, at: string): Promise<number> {
  const result = await tx
    .updateTable("deliveries")
    .set({ state: "unknown", ended: at, error: INTERRUPTED })
    .where("state", "=", "sending")
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}
