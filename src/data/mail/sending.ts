// The two transactions around a letter that goes out, and what its end changes.

import type { DeliveryEnd } from "#core/mail/delivery.ts";
import { isLate, skipOf } from "#core/mail/gate.ts";
import type { MailReader, Skip } from "#core/mail/gate.ts";
import { ALL_MAIL, TRANSACTIONAL, incidentAfter, RECIPIENT_REFUSED } from "#core/mail/incident.ts";
import type { NewIncident } from "#core/mail/incident.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import { playedBots } from "#data/accounts/account-bots.ts";
import { accountById } from "#data/accounts/accounts.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Begun, DeliveryOutcome, DeliveryRecord } from "#data/store/delivery.ts";

import { toDelivery } from "./deliveries.ts";
import { openIncident, openScopes } from "./incidents.ts";
import { countRefusal, endRow, refusalsInRow, refusalsOf, takeBackRow } from "./refusals.ts";

/** What a process left behind that ended in between. */
const INTERRUPTED = "interrupted";

export async function beginDelivery(
  open: OpenTransaction,
  at: string,
  host: string,
): Promise<Begun | null> {
  const next = await oldestDue(open, at);
  if (next === null) return null;
  const { id, accountId, category, notice, attempt } = next;
  const reader = await readerOf(open, accountId);
  const skipped = skipOf(reader, category) ?? (await pointOf(open, next, at));
  if (skipped !== null || notice === null || reader.email === null) {
    const error = skipped ?? "no_address";
    await change(open, id, { state: "skipped", ended: at, error });
    return { id, skipped: error };
  }
  const message_id = `<${id}@${host}>`;
  await change(open, id, { state: "sending", started: at, attempt: attempt + 1, message_id });
  return { id, to: reader.email, accountId, category, notice };
}

/** What has made a letter pointless while it waited; null for nothing. */
async function pointOf(
  open: OpenTransaction,
  { accountId, notice, due }: DeliveryRecord,
  at: string,
): Promise<Skip | null> {
  if (notice === null) return null;
  if (isLate(notice, due, at)) return "too_late";
  if (notice.kind !== "first_match") return null;
  const bots = open.selectFrom("bots").select("id").where("owner_id", "=", accountId);
  const ids = (await bots.execute()).map(({ id }) => id);
  return (await playedBots(open, ids)).length > 0 ? "has_played" : null;
}

async function oldestDue(open: OpenTransaction, at: string): Promise<DeliveryRecord | null> {
  const scopes = await openScopes(open);
  if (scopes.includes(ALL_MAIL)) return null;
  const held = scopes.filter((scope) => scope !== ALL_MAIL && scope !== TRANSACTIONAL);
  const row = await open
    .selectFrom("deliveries")
    .selectAll()
    .where("state", "=", "pending")
    .where("due", "<=", at)
    .$if(held.length > 0, (rows) => rows.where("category", "not in", held))
    .orderBy("due")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toDelivery(row);
}

const NOBODY = { email: null, emailConfirmedAt: null, bannedAt: null };

async function readerOf(open: OpenTransaction, accountId: AccountId): Promise<MailReader> {
  const account = await accountById(open, accountId);
  if (account === null) throw new Error("a delivery goes with its account");
  return { ...NOBODY, ...account, refusals: await refusalsOf(open, accountId) };
}

const confirmedAtOf = async (open: OpenTransaction, accountId: AccountId) =>
  (await accountById(open, accountId))?.emailConfirmedAt ?? null;

type Changed = Partial<{
  state: DeliveryRecord["state"];
  started: string;
  ended: string;
  attempt: number;
  response_code: number | null;
  error: string | null;
  message_id: string;
}>;

const change = (open: OpenTransaction, id: string, columns: Changed) =>
  open.updateTable("deliveries").set(columns).where("id", "=", id).execute();

export async function endDelivery(
  open: OpenTransaction,
  id: string,
  { at, state, responseCode, error, refused }: DeliveryOutcome,
  audit: AuditEntry,
): Promise<NewIncident | null> {
  const row = await open
    .selectFrom("deliveries")
    .selectAll()
    .where("id", "=", id)
    .where("state", "=", "sending")
    .executeTakeFirst();
  if (row === undefined) return null;
  const why = refused === "recipient" ? RECIPIENT_REFUSED : error;
  await change(open, id, { state, ended: at, response_code: responseCode, error: why });
  if (refused === "recipient")
    await countRefusal(open, row.account_id, await confirmedAtOf(open, row.account_id));
  if (state === "accepted") {
    await endRow(open);
    return null;
  }
  const [recent, refusals] = [await recentEnds(open), await refusalsInRow(open)];
  const incident = incidentAfter(row.category, refused, recent, refusals);
  if (incident === null) return null;
  if (incident.cause === "recipients_refused") await takeBackRow(open);
  return (await openIncident(open, incident, audit)) ? incident : null;
}

/** Those since all mail was last let go on that may tell of the mail server, newest first. */
async function recentEnds(open: OpenTransaction): Promise<DeliveryEnd[]> {
  const last = await open
    .selectFrom("mail_incidents")
    .select((eb) => eb.fn.max("resolved").as("resolved"))
    .where("scope", "=", ALL_MAIL)
    .executeTakeFirst();
  const rows = await open
    .selectFrom("deliveries")
    .select("state")
    .where("state", "in", ["accepted", "failed", "unknown"])
    .where((eb) =>
      eb.or([eb("error", "is", null), eb("error", "not in", [INTERRUPTED, RECIPIENT_REFUSED])]),
    )
    .where("ended", ">", last?.resolved ?? "")
    .orderBy("ended", "desc")
    .orderBy("id", "desc")
    .limit(FIXED.mail_failures)
    .execute();
  return rows.map(({ state }) => state as DeliveryEnd);
}

export async function interruptDeliveries(open: OpenTransaction, at: string): Promise<number> {
  const interrupted = await open
    .updateTable("deliveries")
    .set({ state: "unknown", ended: at, error: INTERRUPTED })
    .where("state", "=", "sending")
    .executeTakeFirst();
  return Number(interrupted.numUpdatedRows);
}
