import { Client } from "pg";

/** Address of a PostgreSQL database that tests may empty, if configured. */
export const REAL_POSTGRES_URL = process.env["BOUT_TEST_POSTGRES"];

/** Options of a suite that needs it. */
export const REAL_POSTGRES_TEST_OPTIONS = {
  skip: REAL_POSTGRES_URL ? false : "BOUT_TEST_POSTGRES is not set",
};

/** Drops every table of the test database. */
export async function clearRealPostgres(): Promise<void> {
  const client = new Client({ connectionString: REAL_POSTGRES_URL });
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  await client.end();
}
