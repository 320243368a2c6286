import { sql } from "kysely";
import type { Selectable } from "kysely";

import { ACTOR_KINDS, AUDIT_KINDS, SUBJECT_KINDS } from "#core/ids/audit-kinds.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { AccountId } from "#core/ids/ids.ts";
import type {
  AuditAccount,
  AuditEntry,
  AuditPartyFilter,
  AuditCursor,
  AuditQuery,
  AuditSweep,
} from "#data/store/audit.ts";

import type { AuditTable, Database, OpenTransaction } from "./tables.ts";

/** Skips entries whose ID already exists, so a write with an unknown outcome can be repeated. */
export async function addAudit(tx: OpenTransaction, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) {
    await tx
      .insertInto("audit")
      .values(toColumns(entry))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

export async function findAuditEntry(database: Database, id: string): Promise<AuditEntry | null> {
  const entries = database.selectFrom("audit").selectAll().where("id", "=", id);
  const row = await entries.executeTakeFirst();
  return row === undefined ? null : toEntry(row);
}

type Row = Selectable<AuditTable>;

export async function listAudit(database: Database, query: AuditQuery): Promise<AuditEntry[]> {
  const { kind, limit } = query;
  if (typeof kind !== "object") return (await newestEntries(database, query, kind)).map(toEntry);
  // The index is ordered within one kind, but not across several.
  const rows: Row[] = [];
  for (const entryKind of kind) rows.push(...(await newestEntries(database, query, entryKind)));
  return rows.toSorted(newestFirst).slice(0, limit).map(toEntry);
}

function newestEntries(
  database: Database,
  { accountId, actor, subject, since, until, before, limit }: AuditQuery,
  kind: AuditKind | undefined,
): Promise<Row[]> {
  return database
    .selectFrom("audit")
    .selectAll()
    .$call((entries) => (kind === undefined ? entries : entries.where("kind", "=", kind)))
    .$call((entries) =>
      accountId === undefined ? entries : entries.where(accountCondition(accountId)),
    )
    .$call((entries) => (actor === undefined ? entries : entries.where(actorCondition(actor))))
    .$call((entries) =>
      subject === undefined ? entries : entries.where(subjectCondition(subject)),
    )
    .$call((entries) => (since === undefined ? entries : entries.where("at", ">=", since)))
    .$call((entries) => (until === undefined ? entries : entries.where("at", "<", until)))
    .$call((entries) => (before === undefined ? entries : entries.where(beforeCondition(before))))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

const beforeCondition = ({ at, id }: AuditCursor) => sql<boolean>`(at, id) < (${at}, ${id})`;

function newestFirst(a: Row, b: Row): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  return a.id > b.id ? -1 : 1;
}

const actorCondition = ({ ids, name }: AuditPartyFilter) =>
  sql<boolean>`(actor_id in (${sql.join([...ids])}) or actor_account_id in (${sql.join([...ids])})
    or actor_kind = ${name}
    or lower(actor_name) = lower(${name}) or lower(actor_account_name) = lower(${name}))`;

const subjectCondition = ({ ids, name }: AuditPartyFilter) =>
  sql<boolean>`(subject_id in (${sql.join([...ids])}) or person_id in (${sql.join([...ids])})
    or lower(subject_name) = lower(${name}) or lower(person_name) = lower(${name}))`;

/**
 * Matches entries by the account or its keys, and entries about the account or its bots. Lists the
 * kinds explicitly, so that partial indexes apply.
 */
const accountCondition = (id: AccountId) =>
  sql<boolean>`((actor_kind = 'account' and actor_id = ${id})
    or (actor_kind = 'agent_key' and actor_id in (select id from agent_keys where account_id = ${id}))
    or person_id = ${id}
    or (subject_kind = 'account' and subject_id = ${id})
    or (subject_kind = 'bot' and subject_id in (select id from bots where owner_id = ${id})))`;

export async function sweepAudit(
  tx: OpenTransaction,
  { throttled: throttledBefore, all: allBefore }: AuditSweep,
  limit: number,
): Promise<number> {
  const throttledQuery = tx.selectFrom("audit").select("id").where("kind", "=", THROTTLED_KIND);
  const expiredQueries = [
    throttledQuery.where("at", "<", throttledBefore),
    tx.selectFrom("audit").select("id").where("at", "<", allBefore),
  ];
  let deletedCount = 0;
  for (const query of expiredQueries) {
    const rows = await query
      .orderBy("at")
      .limit(limit - deletedCount)
      .execute();
    if (rows.length === 0) continue;
    const ids = rows.map(({ id }) => id);
    await tx.deleteFrom("audit").where("id", "in", ids).execute();
    deletedCount += ids.length;
  }
  return deletedCount;
}

const THROTTLED_KIND = "bot.throttled";

export async function countUnknownEntries(database: Database): Promise<number> {
  const { entries } = await database
    .selectFrom("audit")
    .select((eb) => eb.fn.countAll<number>().as("entries"))
    .where((eb) =>
      eb.or([
        eb("kind", "not in", AUDIT_KINDS),
        eb("actor_kind", "not in", ACTOR_KINDS),
        eb("subject_kind", "not in", SUBJECT_KINDS),
      ]),
    )
    .executeTakeFirstOrThrow();
  return entries;
}

function toColumns(entry: AuditEntry): Selectable<AuditTable> {
  const { id, at, kind, actor, subject, person, reason, detail } = entry;
  return {
    id,
    at,
    kind,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id ?? null,
    subject_name: subject?.name ?? null,
    reason,
    detail: detail && JSON.stringify(detail),
    actor_account_id: actor.account?.id ?? null,
    actor_account_name: actor.account?.name ?? null,
    person_id: person?.id ?? null,
    person_name: person?.name ?? null,
  };
}

const toAuditAccount = (id: string | null, name: string | null): AuditAccount | null =>
  id === null ? null : { id, name };

function toEntry(row: Selectable<AuditTable>): AuditEntry {
  const { id, at, kind, reason, detail, subject_kind: subjectKind } = row;
  const account = toAuditAccount(row.actor_account_id, row.actor_account_name);
  const person = toAuditAccount(row.person_id, row.person_name);
  return {
    id,
    at,
    kind,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.actor_name,
      ...(account && { account }),
    },
    subject: subjectKind && { kind: subjectKind, id: row.subject_id, name: row.subject_name },
    ...(person && { person }),
    reason,
    detail: JSON.parse(detail ?? "null") as object | null,
  };
}
