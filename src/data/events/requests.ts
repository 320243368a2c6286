import type { NotNull, Selectable } from "kysely";

import type { OpponentRequest } from "#core/events/request.ts";
import type { AccountId, EventId, RequestId } from "#core/words/ids.ts";
import { noted } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { LatestRequest, ServedRequest } from "#data/store/opponent-request.ts";
import type { Nouns } from "#data/store/store.ts";

import type { RequestTable } from "./event-tables.ts";

export function requestQueries(backend: Backend, write: Write): Nouns["requests"] {
  const { database } = backend;
  return {
    add: (request, audit) =>
      write(async (open) => {
        await backend.lock(open, `requests ${request.eventId} ${request.accountId}`);
        const outcome = await add(open, request);
        return noted(open, outcome, outcome === "added", audit);
      }),
    cancel: (eventId, accountId, audit) =>
      write(async (open) => {
        const request = await pendingOf(open, eventId, accountId);
        const isCancelled = request !== null && (await drop(open, request.id));
        return noted(open, isCancelled ? request : null, isCancelled, audit);
      }),
    cancelOf: (eventId) => write((open) => cancelOf(open, eventId)),
    drop: (id) => write((open) => drop(open, id)),
    pending: () => pending(database),
    latest: (eventId, accountId) => latest(database, eventId, accountId),
    servedBy: (match) => servedBy(database, match),
  };
}

async function add(
  open: OpenTransaction,
  request: OpponentRequest,
): Promise<"added" | "request_exists"> {
  const { eventId, accountId } = request;
  if (await isKnown(open, request.id)) return "added";
  if ((await pendingOf(open, eventId, accountId)) !== null) return "request_exists";
  await open.insertInto("opponent_requests").values(toColumns(request)).execute();
  return "added";
}

async function isKnown(open: OpenTransaction, id: RequestId): Promise<boolean> {
  const row = await open
    .selectFrom("opponent_requests")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

async function drop(open: OpenTransaction, id: RequestId): Promise<boolean> {
  const { numUpdatedRows } = await cancelling(open).where("id", "=", id).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function cancelOf(open: OpenTransaction, eventId: EventId): Promise<RequestId[]> {
  const rows = await cancelling(open).where("event_id", "=", eventId).returning("id").execute();
  return rows.map(({ id }) => id);
}

/** Those among the pending ones that are still to be named. */
const cancelling = (open: OpenTransaction) =>
  open.updateTable("opponent_requests").set({ state: "cancelled" }).where("state", "=", "pending");

async function pending(database: Database): Promise<OpponentRequest[]> {
  const rows = await database
    .selectFrom("opponent_requests")
    .selectAll()
    .where("state", "=", "pending")
    .orderBy("created")
    .orderBy("id")
    .execute();
  return rows.map(toRequest);
}

async function pendingOf(
  database: Database,
  eventId: EventId,
  accountId: AccountId,
): Promise<OpponentRequest | null> {
  const row = await ownOf(database, eventId, accountId, "pending").selectAll().executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

async function latest(
  database: Database,
  eventId: EventId,
  accountId: AccountId,
): Promise<LatestRequest> {
  const row = await served(database)
    .where("event_id", "=", eventId)
    .where("account_id", "=", accountId)
    .orderBy("started", "desc")
    .limit(1)
    .executeTakeFirst();
  return { pending: await pendingOf(database, eventId, accountId), served: row ?? null };
}

/** What an account has asked for in an event. */
const ownOf = (
  database: Database,
  eventId: EventId,
  accountId: AccountId,
  state: RequestTable["state"],
) =>
  database
    .selectFrom("opponent_requests")
    .where("event_id", "=", eventId)
    .where("account_id", "=", accountId)
    .where("state", "=", state);

/** Found by its bots: requests have an index of them, and none of matches. */
async function servedBy(
  database: Database,
  { id, botIds }: Parameters<Nouns["requests"]["servedBy"]>[0],
): Promise<ServedRequest | null> {
  const row = await served(database)
    .where("bot_id", "in", botIds)
    .where("match_id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

const served = (database: Database) =>
  database
    .selectFrom("opponent_requests")
    .select([
      "event_id as eventId",
      "bot_id as botId",
      "opponent",
      "match_id as matchId",
      "started",
    ])
    .where("state", "=", "served")
    .$narrowType<{ matchId: NotNull; started: NotNull }>();

function toColumns(request: OpponentRequest): Selectable<RequestTable> {
  const { id, opponent, created } = request;
  return {
    id,
    event_id: request.eventId,
    ladder_id: request.ladderId,
    account_id: request.accountId,
    bot_id: request.botId,
    opponent,
    created,
    state: "pending",
    started: null,
    match_id: null,
  };
}

function toRequest(row: Selectable<RequestTable>): OpponentRequest {
  const { id, opponent, created } = row;
  return {
    id,
    eventId: row.event_id,
    ladderId: row.ladder_id,
    accountId: row.account_id,
    botId: row.bot_id,
    opponent,
    created,
  };
}
