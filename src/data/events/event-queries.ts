import type { Selectable } from "kysely";

import type { EventDefinition, EventImage } from "#core/events/event.ts";
import type { EventId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { withAudit } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AddEventOutcome, EventChanges } from "#data/store/event.ts";
import type { Repositories } from "#data/store/store.ts";

import type { EventDefinitionTable } from "./event-tables.ts";

export function eventQueries(backend: Backend, write: Write): Repositories["events"] {
  const { database } = backend;
  const runExclusively = <T>(id: EventId, work: (tx: OpenTransaction) => Promise<T>) =>
    write(async (tx) => {
      await backend.lock(tx, `event ${id}`);
      return work(tx);
    });
  return {
    list: () => listEvents(database),
    byId: (id) => eventById(database, id),
    add: (event, audit) =>
      runExclusively(event.id, async (tx) => {
        await backend.lock(tx, `ladder ${event.ladderId}`);
        const outcome = await addEvent(tx, event, audit.at);
        return withAudit(tx, outcome, outcome === "added", audit);
      }),
    change: (id, changes, audit) =>
      runExclusively(id, async (tx) => {
        const event = await changeEvent(tx, id, changes);
        return withAudit(tx, event, event !== null, audit);
      }),
    delete: (id, audit) =>
      runExclusively(id, async (tx) => {
        const outcome = await deleteEvent(tx, id);
        return withAudit(tx, outcome, outcome === "deleted", audit);
      }),
    settledIds: () => settledEvents(database),
    markSettled: (id, at) => write((tx) => markSettled(tx, id, at)),
    images: () => eventImages(database),
  };
}

async function listEvents(database: Database): Promise<EventDefinition[]> {
  const query = database.selectFrom("events").selectAll().orderBy("created").orderBy("id");
  return (await query.execute()).map(toEvent);
}

async function eventById(database: Database, id: EventId): Promise<EventDefinition | null> {
  const query = database.selectFrom("events").selectAll();
  const row = await query.where("id", "=", id).executeTakeFirst();
  return row ? toEvent(row) : null;
}

async function addEvent(
  tx: OpenTransaction,
  event: EventDefinition,
  created: string,
): Promise<AddEventOutcome> {
  const { id, ladderId: ladder_id } = event;
  if (!hasSeasons(ladder_id)) {
    const query = tx.selectFrom("ladders").select("id");
    if ((await query.where("id", "=", ladder_id).executeTakeFirst()) === undefined)
      return "no_ladder";
  }
  const row = { id, ladder_id, created, settled_at: null, ...toColumns(event) };
  const result = await tx
    .insertInto("events")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n ? "added" : "event_exists";
}

async function changeEvent(
  tx: OpenTransaction,
  id: EventId,
  changes: EventChanges,
): Promise<EventDefinition | null> {
  const event = await eventById(tx, id);
  if (event === null) return null;
  const updated = { ...event, ...changes, revision: event.revision + 1 };
  const columns = { ...toColumns(updated), settled_at: null };
  await tx.updateTable("events").set(columns).where("id", "=", id).execute();
  return updated;
}

async function deleteEvent(
  tx: OpenTransaction,
  id: EventId,
): Promise<"deleted" | "event_has_awards" | null> {
  if ((await eventById(tx, id)) === null) return null;
  const awards = tx.selectFrom("awards").select("achievement_id").where("event_id", "=", id);
  if ((await awards.limit(1).executeTakeFirst()) !== undefined) return "event_has_awards";
  await tx.deleteFrom("opponent_requests").where("event_id", "=", id).execute();
  await tx.deleteFrom("events").where("id", "=", id).execute();
  return "deleted";
}

async function settledEvents(database: Database): Promise<EventId[]> {
  const query = database.selectFrom("events").select("id").where("settled_at", "is not", null);
  return (await query.execute()).map(({ id }) => id);
}

async function markSettled(tx: OpenTransaction, id: EventId, settled_at: string): Promise<void> {
  await tx.updateTable("events").set({ settled_at }).where("id", "=", id).execute();
}

async function eventImages(database: Database): Promise<EventImage[]> {
  const query = database.selectFrom("events").select("image").where("image", "is not", null);
  return (await query.execute()).flatMap(({ image }) => (image === null ? [] : toImage(image)));
}

type EventColumns = Omit<
  Selectable<EventDefinitionTable>,
  "id" | "ladder_id" | "created" | "settled_at"
>;

function toColumns(event: EventDefinition): EventColumns {
  const { name, description, timezone, revision, metadata, image } = event;
  return {
    name,
    description,
    opens_at: event.opensAt,
    closes_at: event.closesAt,
    timezone,
    metadata: metadata && JSON.stringify(metadata),
    image: image && JSON.stringify(image),
    submission_url: event.submissionUrl,
    submission_instructions: event.submissionInstructions,
    flag_mode: event.flagMode,
    revision,
    enabled: Number(event.enabled),
    achievements: JSON.stringify(event.achievements),
    approved: JSON.stringify(event.approved),
  };
}

const toImage = (text: string): EventImage => JSON.parse(text) as EventImage;

function toEvent(row: Selectable<EventDefinitionTable>): EventDefinition {
  const { id, name, description, timezone, revision, metadata, image } = row;
  return {
    id,
    ladderId: row.ladder_id,
    name,
    description,
    opensAt: row.opens_at,
    closesAt: row.closes_at,
    timezone,
    metadata: metadata === null ? null : (JSON.parse(metadata) as EventDefinition["metadata"]),
    image: image === null ? null : toImage(image),
    submissionUrl: row.submission_url,
    submissionInstructions: row.submission_instructions,
    flagMode: row.flag_mode,
    revision,
    enabled: row.enabled === 1,
    achievements: JSON.parse(row.achievements) as EventDefinition["achievements"],
    approved: JSON.parse(row.approved) as EventDefinition["approved"],
  };
}
