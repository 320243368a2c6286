import assert from "node:assert/strict";
import { it } from "node:test";

import { sql } from "kysely";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { createStore } from "#data/queries/database-store.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

import { openEmbeddedPostgres } from "./pglite.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  SAMPLES_CREATED_AT,
  SAMPLE_SEASON,
} from "./store-samples.ts";

const FIRST_SEAT = `match_id = '${sampleId("match", 1)}' and seat = 0`;
const FIRST_BOT = `bot_id = '${sampleId("bot", 0)}'`;
const CONTRADICTION = "1 matches are inconsistent";
const WRONG_RATINGS = "1 seats have ratings that don't fit their match";
const WRONG_ALL_TIME = "2 all-time results differ from a recount";
const WRONG_OWNER = "1 bots have an invalid owner";

/** Each row: a manual change, a statement that reverts it, and the faults reported in between. */
const CORRUPTIONS: [change: string, undo: string, faults: string[]][] = [
  [
    "update matches set unrated_reason = 'mode' where rated = 1",
    "update matches set unrated_reason = null where rated = 1",
    [CONTRADICTION],
  ],
  [
    "update matches set unrated_reason = null where rated = 0",
    "update matches set unrated_reason = 'nobody_ready' where rated = 0",
    [CONTRADICTION],
  ],
  [
    "update matches set winner_seat = 0 where voided = 1",
    "update matches set winner_seat = null where voided = 1",
    [CONTRADICTION],
  ],
  [
    `update seats set mode = 'practice' where ${FIRST_SEAT}`,
    `update seats set mode = 'ranked' where ${FIRST_SEAT}`,
    ["1 matches lack a seat"],
  ],
  [
    `update seats set deviation_after = 60 where ${FIRST_SEAT}`,
    `update seats set deviation_after = null where ${FIRST_SEAT}`,
    [WRONG_RATINGS],
  ],
  [
    `update seats set rating_before = null, rating_after = null where ${FIRST_SEAT}`,
    `update seats set rating_before = 1500, rating_after = 1508 where ${FIRST_SEAT}`,
    [WRONG_RATINGS],
  ],
  [
    "update bots set owner_id = 'house' where name = 'Bot-0'",
    "update bots set owner_id = 'anon:owner-0' where name = 'Bot-0'",
    [WRONG_OWNER],
  ],
  [
    "update audit set kind = 'throttled'",
    "update audit set kind = 'bot.throttled'",
    ["1 audit entries have an unknown kind"],
  ],
  ["update ever_rivals set shared = 3", "update ever_rivals set shared = 0", [WRONG_ALL_TIME]],
  [
    `update ever_maps set draws = 1 where ${FIRST_BOT}`,
    `update ever_maps set draws = 0 where ${FIRST_BOT}`,
    [WRONG_ALL_TIME],
  ],
  [
    "update ladder_tallies set voided = 2",
    "update ladder_tallies set voided = 1",
    ["1 ladder tallies differ from a recount"],
  ],
];

async function checkFaults(backend: Backend): Promise<void> {
  await migrate(backend, SAMPLES_CREATED_AT);
  const store = createStore(backend);
  await addSamplePlayers(store, 2);
  await store.matches.save(sampleMatch(1));
  await store.matches.save(sampleMatch(2, { voided: true, rated: false, stats: null }));
  await store.audit.add([sampleAudit(1)]);
  await store.seasons.archive(SAMPLE_SEASON, SAMPLES_CREATED_AT, []);
  for (const [corruption, undo, faults] of CORRUPTIONS) {
    assert.deepEqual(await store.database.faults(), [], `before: ${corruption}`);
    await sql.raw(corruption).execute(backend.database);
    assert.deepEqual(await store.database.faults(), faults, corruption);
    await sql.raw(undo).execute(backend.database);
  }
  await store.close();
}

it("reports inconsistencies on SQLite", async () => {
  await checkFaults(sqliteBackend(sqliteDialect(":memory:", "write")));
});

it("reports inconsistencies on PostgreSQL", async () => {
  const server = await openEmbeddedPostgres();
  await checkFaults(postgresBackend(server.dialect()));
  await server.close();
});
