// Inconsistencies in a database are reported.
import assert from "node:assert/strict";
import { it } from "node:test";

import { sql } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/backend.ts";
import { storeOf } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  SAMPLES_MADE,
  SAMPLE_SEASON,
} from "./store-samples.ts";

const FIRST = `match_id = '${sampleId("match", 1)}' and seat = 0`;
const FIRST_BOT = `bot_id = '${sampleId("bot", 0)}'`;
const CONTRARY = "1 matches contradict themselves";
const RATINGS = "1 seats have ratings that their matches do not have";
const EVER = "2 results of all seasons differ from a recount";
const OWNER = "1 bots have an owner that they cannot have";

/** A change by hand, the statement that undoes it, and the faults reported in between. */
const FAULTS: [change: string, undo: string, faults: string[]][] = [
  [
    "update matches set unrated_reason = 'mode' where rated = 1",
    "update matches set unrated_reason = null where rated = 1",
    [CONTRARY],
  ],
  [
    "update matches set unrated_reason = null where rated = 0",
    "update matches set unrated_reason = 'nobody_ready' where rated = 0",
    [CONTRARY],
  ],
  [
    "update matches set winner_seat = 0 where voided = 1",
    "update matches set winner_seat = null where voided = 1",
    [CONTRARY],
  ],
  [
    `update seats set mode = 'practice' where ${FIRST}`,
    `update seats set mode = 'ranked' where ${FIRST}`,
    ["1 matches lack a seat"],
  ],
  [
    `update seats set deviation_after = 60 where ${FIRST}`,
    `update seats set deviation_after = null where ${FIRST}`,
    [RATINGS],
  ],
  [
    `update seats set rating_before = null, rating_after = null where ${FIRST}`,
    `update seats set rating_before = 1500, rating_after = 1508 where ${FIRST}`,
    [RATINGS],
  ],
  [
    "update bots set owner_id = 'house' where name = 'Bot-0'",
    "update bots set owner_id = 'anon:owner-0' where name = 'Bot-0'",
    [OWNER],
  ],
  [
    "update audit set kind = 'throttled'",
    "update audit set kind = 'bot.throttled'",
    ["1 audit entries are of no known kind"],
  ],
  ["update ever_rivals set shared = 3", "update ever_rivals set shared = 0", [EVER]],
  [
    `update ever_maps set draws = 1 where ${FIRST_BOT}`,
    `update ever_maps set draws = 0 where ${FIRST_BOT}`,
    [EVER],
  ],
  [
    "update ladder_tallies set voided = 2",
    "update ladder_tallies set voided = 1",
    ["1 ladder tallies differ from a recount"],
  ],
];

async function checkFaults(backend: Backend): Promise<void> {
  await migrate(backend, SAMPLES_MADE);
  const store = storeOf(backend);
  await addSamplePlayers(store, 2);
  await store.matches.save(sampleMatch(1));
  await store.matches.save(sampleMatch(2, { voided: true, rated: false, stats: null }));
  await store.audit.add([sampleAudit(1)]);
  await store.seasons.archive(SAMPLE_SEASON, SAMPLES_MADE, []);
  for (const [change, undo, faults] of FAULTS) {
    assert.deepEqual(await store.database.faults(), [], `before: ${change}`);
    await sql.raw(change).execute(backend.database);
    assert.deepEqual(await store.database.faults(), faults, change);
    await sql.raw(undo).execute(backend.database);
  }
  await store.close();
}

it("reports inconsistencies over SQLite", async () => {
  await checkFaults(sqliteBackend(sqliteDialect(":memory:", "write")));
});

it("reports inconsistencies over PostgreSQL", async () => {
  const server = await openEmbeddedPostgres();
  await checkFaults(postgresBackend(server.dialect()));
  await server.close();
});
