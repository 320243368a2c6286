import assert from "node:assert/strict";
import { it } from "node:test";

import { migrate } from "#data/migrations/migrations.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";

it("stores passwords, tokens and codes only as hashes", async () => {
  const { database, ...backend } = sqliteBackend(sqliteDialect(":memory:", "write"));
  await migrate({ database, ...backend });
  const tables = await database.introspection.getTables();
  const identityTables = tables.filter(({ name }) => name.startsWith("identity_"));
  assert.deepEqual(identityTables.map(({ name }) => name.slice("identity_".length)).toSorted(), [
    "authorizations",
    "clients",
    "consents",
    "flows",
    "links",
    "sessions",
    "tokens",
    "users",
    "wrong_codes",
  ]);
  const columns = identityTables.flatMap((table) => table.columns.map(({ name }) => name));
  const sensitiveColumns = columns.filter((name) =>
    /password|secret|token|code|verifier/.test(name),
  );
  assert.deepEqual([...new Set(sensitiveColumns)].toSorted(), [
    "code_hash",
    "password_hash",
    "secret_hash",
    "token_hash",
  ]);
  await database.destroy();
});
