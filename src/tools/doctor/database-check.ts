import { existsSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import type { LockStatus } from "#data/credentials/server-lock.ts";
import { appliedSchema, NEWEST_SCHEMA } from "#data/migrations/migrations.ts";
import { openLockSession, databaseLockStatus } from "#data/postgres/postgres-lock.ts";
import type { LockSession } from "#data/postgres/postgres-lock.ts";
import { checkIntegrity } from "#data/queries/integrity.ts";
import { replayIds } from "#data/queries/retained-replays.ts";
import { folderLockStatus } from "#data/sqlite/folder-lock.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { StoreError } from "#data/store/errors.ts";
import { openStore } from "#server/composition/open-store.ts";
import { DATABASE_FILES } from "#tools/backup/manifest.ts";

import { failDiagnosis, okDiagnosis, runCheck, warnDiagnosis } from "./diagnosis.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { EMAILS_QUERY, emailFindings } from "./email-spelling-check.ts";
import type { EmailRow } from "./email-spelling-check.ts";
import { skewFinding } from "./machine-check.ts";
import { INCIDENTS_QUERY, incidentFindings } from "./mail-incident-check.ts";
import type { IncidentRow } from "./mail-incident-check.ts";
import { replayFinding } from "./replay-file-check.ts";

type DatabaseLocation = { data: string; database: string | null };

/** Read-only: doesn't create a missing database. */
export function checkDatabase({ data, database }: DatabaseLocation): Promise<Diagnosis[]> {
  return runCheck("database", () =>
    database === null ? checkSqliteFile(data) : checkPostgres(database, data),
  );
}

/** Returns which process holds the folder's lock. A missing folder has no holder. */
export function checkFolderLock(data: string): { holding: LockStatus; finding: Diagnosis } {
  const holding = folderLockStatus(data);
  return { holding, finding: okDiagnosis("server", describeHolder(holding)) };
}

function describeHolder(holding: LockStatus): string {
  if (!holding.isLocked) return "no server is running";
  const { holder } = holding;
  if (holder === null) return "another process serves it";
  return `process ${holder.pid} serves it${holder.address === null ? "" : ` at ${holder.address}`}`;
}

async function checkSqliteFile(data: string): Promise<Diagnosis[]> {
  const path = join(data, DATABASE_FILES.sqlite);
  if (!existsSync(path)) return [okDiagnosis("database", "will be created at the first start")];
  const backend = sqliteBackend(sqliteDialect(path, "read"));
  try {
    const schema = await appliedSchema(backend.database);
    if (schema !== NEWEST_SCHEMA)
      return [schemaFinding(schema), integrityFinding(await backend.faults(backend.database))];
    const faults = await checkIntegrity(backend);
    const emails = await sql.raw<EmailRow>(EMAILS_QUERY).execute(backend.database);
    const incidents = await sql.raw<IncidentRow>(INCIDENTS_QUERY).execute(backend.database);
    const mail = [...emailFindings(emails.rows), ...incidentFindings(incidents.rows)];
    const replays = await replayFinding(data, () => replayIds(backend.database));
    return [schemaFinding(schema), integrityFinding(faults), replays, ...mail];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [failDiagnosis("database", `${path}: ${error.message}`, RESTORE_ADVICE)];
  } finally {
    await backend.database.destroy();
  }
}

const RESTORE_ADVICE = "Stop the server, keep the folder, and restore a backup: bout restore.";

function schemaFinding(schema: number): Diagnosis {
  if (schema === NEWEST_SCHEMA) return okDiagnosis("schema", `${schema}, the newest`);
  if (schema > NEWEST_SCHEMA)
    return failDiagnosis(
      "schema",
      `${schema}, but this release supports up to ${NEWEST_SCHEMA}`,
      "Start the release that created it, or a newer one.",
    );
  return warnDiagnosis(
    "schema",
    schema === 0 ? "no schema yet" : `${schema}; the next start migrates it to ${NEWEST_SCHEMA}`,
    "Make a backup before the next start: bout backup.",
  );
}

const MAX_LISTED_FAULTS = 5;

function integrityFinding(faults: readonly string[]): Diagnosis {
  if (faults.length === 0) return okDiagnosis("integrity", "a recount matches");
  const moreText =
    faults.length > MAX_LISTED_FAULTS ? ` and ${faults.length - MAX_LISTED_FAULTS} more` : "";
  return failDiagnosis(
    "integrity",
    `${faults.slice(0, MAX_LISTED_FAULTS).join("; ")}${moreText}`,
    RESTORE_ADVICE,
  );
}

async function checkPostgres(url: string, data: string): Promise<Diagnosis[]> {
  const start = performance.now();
  let session: LockSession;
  try {
    session = await openLockSession(url);
  } catch (error) {
    const { code = "no code", message } = error as NodeJS.ErrnoException;
    const advice = "Check --database (name, password, address) and the server's pg_hba.conf.";
    return [failDiagnosis("database", `can't be reached (${code}): ${message}`, advice)];
  }
  const ms = Math.round(performance.now() - start);
  try {
    const schema = await readSchemaNumber(session);
    const findings = [
      okDiagnosis(
        "database",
        `connected in ${ms} ms; ${describeHolder(await databaseLockStatus(session))}`,
      ),
      ...(await checkEncoding(session)),
      await checkClockSkew(session),
      schema === 0
        ? okDiagnosis("schema", "no schema yet; will be created at the first start")
        : schemaFinding(schema),
    ];
    if (schema !== NEWEST_SCHEMA) return findings;
    const emails = emailFindings((await session.query(EMAILS_QUERY)) as EmailRow[]);
    const incidents = incidentFindings((await session.query(INCIDENTS_QUERY)) as IncidentRow[]);
    return [...findings, ...(await checkStore(url, data)), ...emails, ...incidents];
  } finally {
    await session.end();
  }
}

async function readSchemaNumber(session: LockSession): Promise<number> {
  const [migrationsTable] = await session.query("select to_regclass('schema_migrations') as name");
  if (migrationsTable?.["name"] === null) return 0;
  const [row] = await session.query("select max(number) as number from schema_migrations");
  return Number(row?.["number"] ?? 0);
}

async function checkEncoding(session: LockSession): Promise<Diagnosis[]> {
  const [row] = await session.query("select current_setting('server_encoding') as encoding");
  const encoding = String(row?.["encoding"]);
  if (encoding === "UTF8") return [];
  const advice = "Create a database with encoding UTF8.";
  return [failDiagnosis("encoding", `the database has encoding ${encoding}`, advice)];
}

async function checkClockSkew(session: LockSession): Promise<Diagnosis> {
  const before = Date.now();
  const [row] = await session.query("select extract(epoch from clock_timestamp()) * 1000 as ms");
  const after = Date.now();
  const ourTime = (before + after) / 2;
  return skewFinding("clock of the database", Number(row?.["ms"]), ourTime, after - before);
}

/** Only for the newest schema, so that opening the store runs no migrations. */
async function checkStore(postgres: string, data: string): Promise<Diagnosis[]> {
  const store = await openStore({ postgres });
  try {
    const faults = integrityFinding(await store.database.faults());
    return [faults, await replayFinding(data, () => store.replays.ids())];
  } finally {
    await store.close();
  }
}
