import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { sql } from "kysely";

import { migrate, MIGRATIONS } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { openEmbeddedPostgres } from "#testing/store-contract/pglite.ts";
import type { EmbeddedPostgres } from "#testing/store-contract/pglite.ts";

import { canonicalizeEmails } from "./canonicalize-emails.ts";

const CREATED_AT = "2026-01-01T00:00:00.000Z";
const UPGRADED_AT = "2026-02-01T00:00:00.000Z";

const USERS: readonly [id: string, email: string, created: string, confirmed: string | null][] = [
  ["holder", "u@example.com", CREATED_AT, CREATED_AT],
  ["collides", "u@ｅxample.com", CREATED_AT, CREATED_AT],
  ["unconfirmed", "v@examⓟle.com", CREATED_AT, null],
  ["confirmed", "v@example。com", UPGRADED_AT, UPGRADED_AT],
  ["single", "ada@exämple.org", CREATED_AT, CREATED_AT],
  ["no-domain", "x@localhost", CREATED_AT, CREATED_AT],
];

async function fillOldDatabase(backend: Backend): Promise<void> {
  await migrate(
    backend,
    CREATED_AT,
    MIGRATIONS.filter(({ number }) => number <= 35),
  );
  const { database } = backend;
  for (const [id, email, created, confirmed] of USERS) {
    await sql`insert into identity_users
      (id, email, email_confirmed_at, new_email, user_data, created_at, updated_at)
      values (${id}, ${email}, ${confirmed}, ${email}, '{}', ${created}, ${created})`.execute(
      database,
    );
    await sql`insert into identity_links
      (id, user_id, provider, subject, email, created_at, last_sign_in_at)
      values (${id}, ${id}, 'email', ${id}, ${email}, ${created}, ${created})`.execute(database);
  }
  await sql`insert into accounts (id, issuer, subject, role, email, email_signs_in, mail, created)
    values ('one', 'embedded', 'single', 'player', 'ada@exämple.org', 1, '{}', ${CREATED_AT})`.execute(
    database,
  );
}

async function emailsIn({ database }: Backend, table: string, column = "email") {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, ${sql.ref(column)} as email from ${sql.table(table)}`.execute(database);
  return Object.fromEntries(rows.map(({ id, email }) => [id, email]));
}

async function checkRewrite(backend: Backend): Promise<void> {
  await fillOldDatabase(backend);
  await migrate(backend, UPGRADED_AT);
  const unchanged = { holder: "u@example.com", "no-domain": "x@localhost", single: ADA };
  const expectedUsers = {
    ...unchanged,
    collides: "u@ｅxample.com",
    unconfirmed: "v@examⓟle.com",
    confirmed: "v@example.com",
  };
  const expectedCopies = {
    ...unchanged,
    collides: "u@example.com",
    unconfirmed: "v@example.com",
    confirmed: "v@example.com",
  };
  const check = async () => {
    assert.deepEqual(await emailsIn(backend, "identity_users"), expectedUsers);
    assert.deepEqual(await emailsIn(backend, "identity_users", "new_email"), expectedCopies);
    assert.deepEqual(await emailsIn(backend, "identity_links"), expectedCopies);
    assert.deepEqual(await emailsIn(backend, "accounts"), { one: ADA });
  };
  await check();
  await backend.database.transaction().execute(canonicalizeEmails);
  await check();
}

const ADA = "ada@xn--exmple-cua.org";

describe("email canonicalization on upgrade", () => {
  let server: EmbeddedPostgres;
  before(async () => {
    server = await openEmbeddedPostgres();
  });
  after(() => server.close());

  it("works on SQLite", async () => {
    const backend = sqliteBackend(sqliteDialect(":memory:", "write"));
    await checkRewrite(backend);
    await backend.database.destroy();
  });

  it("works on PostgreSQL", () => checkRewrite(postgresBackend(server.dialect())));
});
