import type { NotNull, Selectable } from "kysely";

import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { AccountId, EventId, RequestId } from "#core/ids/ids.ts";
import { withAudit } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  LatestOpponentRequests,
  ServedOpponentRequest,
} from "#data/store/opponent-request.ts";
import type { Repositories } from "#data/store/store.ts";

import type { OpponentRequestTable } from "./event-tables.ts";

export function requestQueries(backend: Backend, write: Write): Repositories["requests"] {
  const { database } = backend;
  return {
    add: (request, audit) =>
      write(async (tx) => {
        await backend.lock(tx, `requests ${request.eventId} ${request.accountId}`);
        const outcome = await addRequest(tx, request);
        return withAudit(tx, outcome, outcome === "added", audit);
      }),
    cancel: (eventId, accountId, audit) =>
      write(async (tx) => {
        const request = await pendingRequest(tx, eventId, accountId);
        const isCancelled = request !== null && (await cancelRequest(tx, request.id));
        return withAudit(tx, isCancelled ? request : null, isCancelled, audit);
      }),
    cancelForEvent: (eventId) => write((tx) => cancelForEvent(tx, eventId)),
    cancelById: (id) => write((tx) => cancelRequest(tx, id)),
    pending: () => listPending(database),
    latest: (eventId, accountId) => latestRequests(database, eventId, accountId),
    servedBy: (match) => requestServedBy(database, match),
  };
}

async function addRequest(
  tx: OpenTransaction,
  request: OpponentRequest,
): Promise<"added" | "request_exists"> {
  const { eventId, accountId } = request;
  if (await requestExists(tx, request.id)) return "added";
  if ((await pendingRequest(tx, eventId, accountId)) !== null) return "request_exists";
  await tx.insertInto("opponent_requests").values(toColumns(request)).execute();
  return "added";
}

async function requestExists(tx: OpenTransaction, id: RequestId): Promise<boolean> {
  const row = await tx
    .selectFrom("opponent_requests")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

async function cancelRequest(tx: OpenTransaction, id: RequestId): Promise<boolean> {
  const { numUpdatedRows } = await cancelPending(tx).where("id", "=", id).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function cancelForEvent(tx: OpenTransaction, eventId: EventId): Promise<RequestId[]> {
  const rows = await cancelPending(tx).where("event_id", "=", eventId).returning("id").execute();
  return rows.map(({ id }) => id);
}

const cancelPending = (tx: OpenTransaction) =>
  tx.updateTable("opponent_requests").set({ state: "cancelled" }).where("state", "=", "pending");

async function listPending(database: Database): Promise<OpponentRequest[]> {
  const rows = await database
    .selectFrom("opponent_requests")
    .selectAll()
    .where("state", "=", "pending")
    .orderBy("created")
    .orderBy("id")
    .execute();
  return rows.map(toRequest);
}

async function pendingRequest(
  database: Database,
  eventId: EventId,
  accountId: AccountId,
): Promise<OpponentRequest | null> {
  const row = await accountRequests(database, eventId, accountId, "pending")
    .selectAll()
    .executeTakeFirst();
  return row === undefined ? null : toRequest(row);
}

async function latestRequests(
  database: Database,
  eventId: EventId,
  accountId: AccountId,
): Promise<LatestOpponentRequests> {
  const row = await servedRequests(database)
    .where("event_id", "=", eventId)
    .where("account_id", "=", accountId)
    .orderBy("started", "desc")
    .limit(1)
    .executeTakeFirst();
  return { pending: await pendingRequest(database, eventId, accountId), served: row ?? null };
}

const accountRequests = (
  database: Database,
  eventId: EventId,
  accountId: AccountId,
  state: OpponentRequestTable["state"],
) =>
  database
    .selectFrom("opponent_requests")
    .where("event_id", "=", eventId)
    .where("account_id", "=", accountId)
    .where("state", "=", state);

/** Searches by bot, because requests are indexed by bot and not by match. */
async function requestServedBy(
  database: Database,
  { id, botIds }: Parameters<Repositories["requests"]["servedBy"]>[0],
): Promise<ServedOpponentRequest | null> {
  const row = await servedRequests(database)
    .where("bot_id", "in", botIds)
    .where("match_id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

const servedRequests = (database: Database) =>
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

function toColumns(request: OpponentRequest): Selectable<OpponentRequestTable> {
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

function toRequest(row: Selectable<OpponentRequestTable>): OpponentRequest {
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
