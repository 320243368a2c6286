import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { AccountId, EventId } from "#core/ids/ids.ts";
import { withAudit } from "#data/accounts/account-queries.ts";
import { queueDeliveries } from "#data/mail/deliveries.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type {
  AwardKey,
  AwardOutcome,
  AwardRecord,
  AwardTally,
  AwardGrant,
  NewAward,
} from "#data/store/award.ts";
import type { Repositories } from "#data/store/store.ts";

import type { AwardTable } from "./event-tables.ts";

export function awardQueries({ database }: Backend, write: Write): Repositories["awards"] {
  const setRevoked = (key: AwardKey, revocation: AwardRevocation, audit: AuditEntry) =>
    write(async (tx) => {
      const outcome = await setRevocation(tx, key, revocation);
      return withAudit(tx, outcome, outcome?.isChanged === true, audit);
    });
  return {
    add: (awards) => write((tx) => grantAwards(tx, awards)),
    revoke: (key, audit) => setRevoked(key, { at: audit.at, reason: audit.reason }, audit),
    restore: (key, audit) => setRevoked(key, null, audit),
    listByAccount: (accountId, eventId) => awardsOfAccount(database, accountId, eventId),
    listByEvent: (eventId) => awardsOfEvent(database, eventId),
    tallies: (eventIds) => awardTallies(database, eventIds),
  };
}

async function grantAwards(
  tx: OpenTransaction,
  awards: readonly AwardGrant[],
): Promise<NewAward[]> {
  const granted: NewAward[] = [];
  for (const { award, audit, email } of awards) {
    if (!(await addAward(tx, award, audit.at))) continue;
    await addAudit(tx, [audit]);
    if (email !== undefined) await queueDeliveries(tx, [email]);
    granted.push(award);
  }
  return granted;
}

async function addAward(tx: OpenTransaction, award: NewAward, at: string): Promise<boolean> {
  const { eventId, accountId } = award;
  const accounts = tx.selectFrom("accounts").select("id").where("id", "=", accountId);
  const events = tx.selectFrom("events").select("id").where("id", "=", eventId);
  for (const query of [accounts, events])
    if ((await query.executeTakeFirst()) === undefined) return false;
  const row = {
    ...keyColumns(award),
    bot_id: award.botId,
    earned_at: award.earnedAt,
    evidence: JSON.stringify(award.evidence),
    awarded_at: at,
    revoked_at: null,
    revoked_reason: null,
  };
  const result = await tx
    .insertInto("awards")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

const keyColumns = ({ eventId, accountId, achievementId }: AwardKey) => ({
  event_id: eventId,
  account_id: accountId,
  achievement_id: achievementId,
});

/** Null restores a revoked award. */
type AwardRevocation = { at: string; reason: string | null } | null;

async function setRevocation(
  tx: OpenTransaction,
  key: AwardKey,
  revocation: AwardRevocation,
): Promise<AwardOutcome | null> {
  const award = await awardOf(tx, key);
  if (award === null) return null;
  if ((award.revokedAt === null) === (revocation === null)) return { award, isChanged: false };
  const columns = {
    revoked_at: revocation?.at ?? null,
    revoked_reason: revocation?.reason ?? null,
  };
  const { event_id, account_id, achievement_id } = keyColumns(key);
  await tx
    .updateTable("awards")
    .set(columns)
    .where("event_id", "=", event_id)
    .where("account_id", "=", account_id)
    .where("achievement_id", "=", achievement_id)
    .execute();
  const { revoked_at: revokedAt, revoked_reason: revokedReason } = columns;
  return { award: { ...award, revokedAt, revokedReason }, isChanged: true };
}

async function awardOf(database: Database, key: AwardKey): Promise<AwardRecord | null> {
  const accountAwards = await awardsOfAccount(database, key.accountId, key.eventId);
  return accountAwards.find(({ achievementId }) => achievementId === key.achievementId) ?? null;
}

async function awardsOfAccount(
  database: Database,
  accountId: AccountId,
  eventId?: EventId,
): Promise<AwardRecord[]> {
  const rows = await database
    .selectFrom("awards")
    .selectAll()
    .where("account_id", "=", accountId)
    .$call((query) => (eventId === undefined ? query : query.where("event_id", "=", eventId)))
    .orderBy("earned_at")
    .orderBy("event_id")
    .orderBy("achievement_id")
    .execute();
  return rows.map(toAward);
}

async function awardsOfEvent(database: Database, eventId: EventId): Promise<AwardRecord[]> {
  const query = database.selectFrom("awards").selectAll().where("event_id", "=", eventId);
  const ordered = query.orderBy("earned_at").orderBy("account_id").orderBy("achievement_id");
  return (await ordered.execute()).map(toAward);
}

async function awardTallies(
  database: Database,
  eventIds: readonly EventId[],
): Promise<AwardTally[]> {
  if (eventIds.length === 0) return [];
  const rows = await database
    .selectFrom("awards")
    .select(["event_id as eventId", "achievement_id as achievementId"])
    .select(sql<number>`cast(count(*) as integer)`.as("earned"))
    .select(sql<number>`cast(count(revoked_at) as integer)`.as("revoked"))
    .where("event_id", "in", [...eventIds])
    .groupBy(["event_id", "achievement_id"])
    .orderBy("event_id")
    .orderBy("achievement_id")
    .execute();
  return rows.map((row) => ({ ...row }));
}

function toAward(row: Selectable<AwardTable>): AwardRecord {
  return {
    eventId: row.event_id,
    accountId: row.account_id,
    achievementId: row.achievement_id,
    botId: row.bot_id,
    earnedAt: row.earned_at,
    evidence: JSON.parse(row.evidence) as string[],
    awardedAt: row.awarded_at,
    revokedAt: row.revoked_at,
    revokedReason: row.revoked_reason,
  };
}
