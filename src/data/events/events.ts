import type { Selectable } from "kysely";

import type { EventDefinition, EventImage } from "#core/events/event.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { EventId } from "#core/words/ids.ts";
import { noted } from "#data/accounts/account-queries.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { AddEventOutcome, EventStep } from "#data/store/event.ts";
import type { Nouns } from "#data/store/store.ts";

import type { EventTable } from "./event-tables.ts";

export function eventQueries(backend: Backend, write: Write): Nouns["events"] {
  const { database } = backend;
  /** Runs one change of an event at a time. */
  const inTurn = <T>(id: EventId, job: (open: OpenTransaction) => Promise<T>) =>
    write(async (open) => {
      await backend.lock(open, `event ${id}`);
      return job(open);
    });
  return {
    list: () => listEvents(database),
    byId: (id) => eventById(database, id),
    add: (event, audit) =>
      inTurn(event.id, async (open) => {
        await backend.lock(open, `ladder ${event.ladderId}`);
        const outcome = await addEvent(open, event, audit.at);
        return noted(open, outcome, outcome === "added", audit);
      }),
    change: (id, step, audit) =>
      inTurn(id, async (open) => {
        const event = await changeEvent(open, id, step);
        return noted(open, event, event !== null, audit);
      }),
    delete: (id, audit) =>
      inTurn(id, async (open) => {
        const outcome = await deleteEvent(open, id);
        return noted(open, outcome, outcome === "deleted", audit);
      }),
    settled: () => settledEvents(database),
    settle: (id, at) => write((open) => settle(open, id, at)),
    images: () => images(database),
  };
}

async function listEvents(database: Database): Promise<EventDefinition[]> {
  const all = database.selectFrom("events").selectAll().orderBy("created").orderBy("id");
  return (await all.execute()).map(toEvent);
}

async function eventById(database: Database, id: EventId): Promise<EventDefinition | null> {
  const all = database.selectFrom("events").selectAll();
  const row = await all.where("id", "=", id).executeTakeFirst();
  return row ? toEvent(row) : null;
}

async function addEvent(
  open: OpenTransaction,
  event: EventDefinition,
  created: string,
): Promise<AddEventOutcome> {
  const { id, ladderId: ladder_id } = event;
  if (!hasSeasons(ladder_id)) {
    const all = open.selectFrom("ladders").select("id");
    if ((await all.where("id", "=", ladder_id).executeTakeFirst()) === undefined)
      return "no_ladder";
  }
  const row = { id, ladder_id, created, settled_at: null, ...toColumns(event) };
  const added = await open
    .insertInto("events")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n ? "added" : "event_exists";
}

async function changeEvent(
  open: OpenTransaction,
  id: EventId,
  step: EventStep,
): Promise<EventDefinition | null> {
  const event = await eventById(open, id);
  if (event === null) return null;
  const next = { ...event, ...step, revision: event.revision + 1 };
  const columns = { ...toColumns(next), settled_at: null };
  await open.updateTable("events").set(columns).where("id", "=", id).execute();
  return next;
}

async function deleteEvent(
  open: OpenTransaction,
  id: EventId,
): Promise<"deleted" | "event_has_awards" | null> {
  if ((await eventById(open, id)) === null) return null;
  const awards = open.selectFrom("awards").select("achievement_id").where("event_id", "=", id);
  if ((await awards.limit(1).executeTakeFirst()) !== undefined) return "event_has_awards";
  await open.deleteFrom("opponent_requests").where("event_id", "=", id).execute();
  await open.deleteFrom("events").where("id", "=", id).execute();
  return "deleted";
}

async function settledEvents(database: Database): Promise<EventId[]> {
  const all = database.selectFrom("events").select("id").where("settled_at", "is not", null);
  return (await all.execute()).map(({ id }) => id);
}

async function settle(open: OpenTransaction, id: EventId, settled_at: string): Promise<void> {
  await open.updateTable("events").set({ settled_at }).where("id", "=", id).execute();
}

async function images(database: Database): Promise<EventImage[]> {
  const all = database.selectFrom("events").select("image").where("image", "is not", null);
  return (await all.execute()).flatMap(({ image }) => (image === null ? [] : toImage(image)));
}

type Columns = Omit<Selectable<EventTable>, "id" | "ladder_id" | "created" | "settled_at">;

function toColumns(event: EventDefinition): Columns {
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

function toEvent(row: Selectable<EventTable>): EventDefinition {
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
