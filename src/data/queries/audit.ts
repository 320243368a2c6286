import { sql } from "kysely";
import type { Selectable } from "kysely";

import { ACTOR_KINDS, AUDIT_KINDS, SUBJECT_KINDS } from "#core/words/audit.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { AccountId } from "#core/words/ids.ts";
import type {
  AuditAccount,
  AuditEntry,
  AuditMatch,
  AuditPlace,
  AuditQuery,
  AuditSweep,
} from "#data/store/audit.ts";

import type { AuditTable, Database, OpenTransaction } from "./tables.ts";

/** An id that exists is left as it is, so a write with an unknown outcome may be repeated. */
export async function addAudit(transaction: OpenTransaction, entries: AuditEntry[]): Promise<void> {
  for (const entry of entries) {
    await transaction
      .insertInto("audit")
      .values(toColumns(entry))
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

export async function auditEntry(database: Database, id: string): Promise<AuditEntry | null> {
  const entries = database.selectFrom("audit").selectAll().where("id", "=", id);
  const row = await entries.executeTakeFirst();
  return row === undefined ? null : toEntry(row);
}

type Row = Selectable<AuditTable>;

/** Newest first (`at`, then id). */
export async function audit(database: Database, query: AuditQuery): Promise<AuditEntry[]> {
  const { kind, limit } = query;
  if (typeof kind !== "object") return (await newestOf(database, query, kind)).map(toEntry);
  // An index has the entries of one kind in order, but not those of several.
  const rows: Row[] = [];
  for (const one of kind) rows.push(...(await newestOf(database, query, one)));
  return rows.toSorted(byAge).slice(0, limit).map(toEntry);
}

function newestOf(
  database: Database,
  { accountId, actor, subject, since, until, before, limit }: AuditQuery,
  kind: AuditKind | undefined,
): Promise<Row[]> {
  return database
    .selectFrom("audit")
    .selectAll()
    .$call((entries) => (kind === undefined ? entries : entries.where("kind", "=", kind)))
    .$call((entries) => (accountId === undefined ? entries : entries.where(isOf(accountId))))
    .$call((entries) => (actor === undefined ? entries : entries.where(isBy(actor))))
    .$call((entries) => (subject === undefined ? entries : entries.where(isAbout(subject))))
    .$call((entries) => (since === undefined ? entries : entries.where("at", ">=", since)))
    .$call((entries) => (until === undefined ? entries : entries.where("at", "<", until)))
    .$call((entries) => (before === undefined ? entries : entries.where(isBefore(before))))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

const isBefore = ({ at, id }: AuditPlace) => sql<boolean>`(at, id) < (${at}, ${id})`;

/** Newest first. */
function byAge(one: Row, other: Row): number {
  if (one.at !== other.at) return one.at > other.at ? -1 : 1;
  return one.id > other.id ? -1 : 1;
}

const isBy = ({ ids, name }: AuditMatch) =>
  sql<boolean>`(actor_id in (${sql.join([...ids])}) or actor_account_id in (${sql.join([...ids])})
    or actor_kind = ${name}
    or lower(actor_name) = lower(${name}) or lower(actor_account_name) = lower(${name}))`;

const isAbout = ({ ids, name }: AuditMatch) =>
  sql<boolean>`(subject_id in (${sql.join([...ids])}) or person_id in (${sql.join([...ids])})
    or lower(subject_name) = lower(${name}) or lower(person_name) = lower(${name}))`;

/** By an account or one of its keys, about it or one of its bots. The kinds let partial indexes serve. */
const isOf = (id: AccountId) =>
  sql<boolean>`((actor_kind = 'account' and actor_id = ${id})
    or (actor_kind = 'agent_key' and actor_id in (select id from agent_keys where account_id = ${id}))
    or person_id = ${id}
    or (subject_kind = 'account' and subject_id = ${id})
    or (subject_kind = 'bot' and subject_id in (select id from bots where owner_id = ${id})))`;

export async function sweepAudit(
  open: OpenTransaction,
  { throttled, all }: AuditSweep,
  most: number,
): Promise<number> {
  const ofThrottled = open.selectFrom("audit").select("id").where("kind", "=", THROTTLED);
  const past = [
    ofThrottled.where("at", "<", throttled),
    open.selectFrom("audit").select("id").where("at", "<", all),
  ];
  let forgotten = 0;
  for (const query of past) {
    const rows = await query
      .orderBy("at")
      .limit(most - forgotten)
      .execute();
    if (rows.length === 0) continue;
    const ids = rows.map(({ id }) => id);
    await open.deleteFrom("audit").where("id", "in", ids).execute();
    forgotten += ids.length;
  }
  return forgotten;
}

const THROTTLED = "bot.throttled";

/** Number of entries of an unknown kind. */
export async function wrongEntries(database: Database): Promise<number> {
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

const accountIn = (id: string | null, name: string | null): AuditAccount | null =>
  id === null ? null : { id, name };

function toEntry(row: Selectable<AuditTable>): AuditEntry {
  const { id, at, kind, reason, detail, subject_kind: about } = row;
  const account = accountIn(row.actor_account_id, row.actor_account_name);
  const person = accountIn(row.person_id, row.person_name);
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
    subject: about && { kind: about, id: row.subject_id, name: row.subject_name },
    ...(person && { person }),
    reason,
    detail: JSON.parse(detail ?? "null") as object | null,
  };
}
