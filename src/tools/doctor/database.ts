// The database: whether it answers, what schema it has, whether it is sound, and who serves it.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import type { Holding } from "#data/access/server-lock.ts";
import { appliedSchema, NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { connectTo, databaseHolding } from "#data/postgres/postgres-lock.ts";
import type { LockSession } from "#data/postgres/postgres-lock.ts";
import { checkIntegrity } from "#data/queries/integrity.ts";
import { replayIds } from "#data/queries/kept-replay.ts";
import { folderHolding } from "#data/sqlite/folder-lock.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { StoreError } from "#data/store/errors.ts";
import { openStore } from "#server/composition/open-store.ts";
import { DATABASE_FILES } from "#tools/keep/manifest.ts";

import { failure, fine, looked, warning } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { EMAILS_QUERY, emailFindings } from "./emails.ts";
import type { EmailRow } from "./emails.ts";
import { INCIDENTS_QUERY, incidentFindings } from "./incidents.ts";
import type { IncidentRow } from "./incidents.ts";
import { skewFinding } from "./machine.ts";
import { replayFinding } from "./replays.ts";

type Place = { data: string; database: string | null };

/** Changes nothing; a database that is missing stays so. */
export function lookAtDatabase({ data, database }: Place): Promise<Diagnosis[]> {
  return looked("database", () =>
    database === null ? lookAtFile(data) : lookAtServer(database, data),
  );
}

/** Who serves the folder. Nobody does where there is none. */
export function lookAtFolderLock(data: string): { holding: Holding; finding: Diagnosis } {
  const holding = folderHolding(data);
  return { holding, finding: fine("server", servedBy(holding)) };
}

function servedBy(holding: Holding): string {
  if (!holding.isHeld) return "nobody serves it now";
  const { holder } = holding;
  if (holder === null) return "another process serves it now";
  return `process ${holder.pid} serves it now${holder.address === null ? "" : ` at ${holder.address}`}`;
}

async function lookAtFile(data: string): Promise<Diagnosis[]> {
  const path = join(data, DATABASE_FILES.sqlite);
  if (!existsSync(path)) return [fine("database", "it is made at the first start")];
  const backend = sqliteBackend(sqliteDialect(path, "read"));
  try {
    const schema = await appliedSchema(backend.database);
    if (schema !== NEWEST_SCHEMA)
      return [schemaFinding(schema), soundFinding(await backend.faults(backend.database))];
    const faults = await checkIntegrity(backend);
    const emails = await sql.raw<EmailRow>(EMAILS_QUERY).execute(backend.database);
    const incidents = await sql.raw<IncidentRow>(INCIDENTS_QUERY).execute(backend.database);
    const mail = [...emailFindings(emails.rows), ...incidentFindings(incidents.rows)];
    const replays = await replayFinding(data, () => replayIds(backend.database));
    return [schemaFinding(schema), soundFinding(faults), replays, ...mail];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [failure("database", `${path}: ${error.message}`, RESTORE)];
  } finally {
    await backend.database.destroy();
  }
}

const RESTORE = "Stop the server, keep the folder, and bring back a backup: bout restore.";

function schemaFinding(schema: number): Diagnosis {
  if (schema === NEWEST_SCHEMA) return fine("schema", `${schema}, the newest that is known`);
  if (schema > NEWEST_SCHEMA)
    return failure(
      "schema",
      `${schema}, and this release knows up to ${NEWEST_SCHEMA}`,
      "Start the release that made it, or a later one.",
    );
  return warning(
    "schema",
    schema === 0 ? "none yet" : `${schema}, and the next start makes it ${NEWEST_SCHEMA}`,
    "Make a backup before the next start: bout backup.",
  );
}

/** Lines that are shown. */
const MOST_FAULTS = 5;

function soundFinding(faults: readonly string[]): Diagnosis {
  if (faults.length === 0) return fine("integrity", "a recount agrees with it");
  const more = faults.length > MOST_FAULTS ? ` and ${faults.length - MOST_FAULTS} more` : "";
  return failure("integrity", `${faults.slice(0, MOST_FAULTS).join("; ")}${more}`, RESTORE);
}

async function lookAtServer(url: string, data: string): Promise<Diagnosis[]> {
  const start = performance.now();
  let session: LockSession;
  try {
    session = await connectTo(url);
  } catch (error) {
    const { code = "no code", message } = error as NodeJS.ErrnoException;
    const advice = "See to --database: name, password, address, and pg_hba.conf of the server.";
    return [failure("database", `it cannot be reached (${code}): ${message}`, advice)];
  }
  const ms = Math.round(performance.now() - start);
  try {
    const schema = await schemaOf(session);
    const findings = [
      fine("database", `it took ${ms} ms to connect; ${servedBy(await databaseHolding(session))}`),
      ...(await settingsOf(session)),
      await skewOf(session),
      schema === 0 ? fine("schema", "none yet: made at the first start") : schemaFinding(schema),
    ];
    if (schema !== NEWEST_SCHEMA) return findings;
    const emails = emailFindings((await session.query(EMAILS_QUERY)) as EmailRow[]);
    const incidents = incidentFindings((await session.query(INCIDENTS_QUERY)) as IncidentRow[]);
    return [...findings, ...(await storeFindings(url, data)), ...emails, ...incidents];
  } finally {
    await session.end();
  }
}

async function schemaOf(session: LockSession): Promise<number> {
  const [known] = await session.query("select to_regclass('schema_migrations') as name");
  if (known?.["name"] === null) return 0;
  const [row] = await session.query("select max(number) as number from schema_migrations");
  return Number(row?.["number"] ?? 0);
}

async function settingsOf(session: LockSession): Promise<Diagnosis[]> {
  const [row] = await session.query("select current_setting('server_encoding') as encoding");
  const encoding = String(row?.["encoding"]);
  if (encoding === "UTF8") return [];
  const advice = "Make a database with encoding UTF8.";
  return [failure("encoding", `the database has ${encoding}`, advice)];
}

async function skewOf(session: LockSession): Promise<Diagnosis> {
  const before = Date.now();
  const [row] = await session.query("select extract(epoch from clock_timestamp()) * 1000 as ms");
  const after = Date.now();
  const ours = (before + after) / 2;
  return skewFinding("clock of the database", Number(row?.["ms"]), ours, after - before);
}

/** The schema is the newest, so opening changes nothing. */
async function storeFindings(postgres: string, data: string): Promise<Diagnosis[]> {
  const store = await openStore({ postgres });
  try {
    const faults = soundFinding(await store.database.faults());
    return [faults, await replayFinding(data, () => store.replays.ids())];
  } finally {
    await store.close();
  }
}
