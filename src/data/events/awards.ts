import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { AccountId, EventId } from "#core/words/ids.ts";
import { noted } from "#data/accounts/account-queries.ts";
import { queueDeliveries } from "#data/mail/deliveries.ts";
import { addAudit } from "#data/queries/audit.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type {
  AwardKey,
  AwardOutcome,
  AwardRecord,
  AwardTally,
  GivenAward,
  NewAward,
} from "#data/store/award.ts";
import type { Nouns } from "#data/store/store.ts";

import type { AwardTable } from "./event-tables.ts";

export function awardQueries({ database }: Backend, write: Write): Nouns["awards"] {
  const mark = (key: AwardKey, revoked: Revocation, audit: AuditEntry) =>
    write(async (open) => {
      const outcome = await setRevocation(open, key, revoked);
      return noted(open, outcome, outcome?.isChanged === true, audit);
    });
  return {
    add: (awards) => write((open) => addAwards(open, awards)),
    revoke: (key, audit) => mark(key, { at: audit.at, reason: audit.reason }, audit),
    restore: (key, audit) => mark(key, null, audit),
    ofAccount: (accountId, eventId) => ofAccount(database, accountId, eventId),
    ofEvent: (eventId) => ofEvent(database, eventId),
    tallies: (eventIds) => tallies(database, eventIds),
  };
}

async function addAwards(
  open: OpenTransaction,
  awards: readonly GivenAward[],
): Promise<NewAward[]> {
  const added: NewAward[] = [];
  for (const { award, audit, letter } of awards) {
    if (!(await addAward(open, award, audit.at))) continue;
    await addAudit(open, [audit]);
    if (letter !== undefined) await queueDeliveries(open, [letter]);
    added.push(award);
  }
  return added;
}

async function addAward(open: OpenTransaction, award: NewAward, at: string): Promise<boolean> {
  const { eventId, accountId } = award;
  const accounts = open.selectFrom("accounts").select("id").where("id", "=", accountId);
  const events = open.selectFrom("events").select("id").where("id", "=", eventId);
  for (const needed of [accounts, events])
    if ((await needed.executeTakeFirst()) === undefined) return false;
  const row = {
    ...columnsOf(award),
    bot_id: award.botId,
    earned_at: award.earnedAt,
    evidence: JSON.stringify(award.evidence),
    awarded_at: at,
    revoked_at: null,
    revoked_reason: null,
  };
  const added = await open
    .insertInto("awards")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

const columnsOf = ({ eventId, accountId, achievementId }: AwardKey) => ({
  event_id: eventId,
  account_id: accountId,
  achievement_id: achievementId,
});

/** Null to restore. */
type Revocation = { at: string; reason: string | null } | null;

async function setRevocation(
  open: OpenTransaction,
  key: AwardKey,
  revoked: Revocation,
): Promise<AwardOutcome | null> {
  const award = await awardOf(open, key);
  if (award === null) return null;
  if ((award.revokedAt === null) === (revoked === null)) return { award, isChanged: false };
  const columns = { revoked_at: revoked?.at ?? null, revoked_reason: revoked?.reason ?? null };
  const { event_id, account_id, achievement_id } = columnsOf(key);
  await open
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
  const own = await ofAccount(database, key.accountId, key.eventId);
  return own.find(({ achievementId }) => achievementId === key.achievementId) ?? null;
}

async function ofAccount(
  database: Database,
  accountId: AccountId,
  eventId?: EventId,
): Promise<AwardRecord[]> {
  const rows = await database
    .selectFrom("awards")
    .selectAll()
    .where("account_id", "=", accountId)
    .$call((all) => (eventId === undefined ? all : all.where("event_id", "=", eventId)))
    .orderBy("earned_at")
    .orderBy("event_id")
    .orderBy("achievement_id")
    .execute();
  return rows.map(toAward);
}

async function ofEvent(database: Database, eventId: EventId): Promise<AwardRecord[]> {
  const all = database.selectFrom("awards").selectAll().where("event_id", "=", eventId);
  const inOrder = all.orderBy("earned_at").orderBy("account_id").orderBy("achievement_id");
  return (await inOrder.execute()).map(toAward);
}

async function tallies(database: Database, eventIds: readonly EventId[]): Promise<AwardTally[]> {
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
