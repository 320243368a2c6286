import { Client } from "pg";

/**
 * URL of a PostgreSQL database for tests, which delete all of its data. Undefined if not
 * configured.
 */
export const REAL_POSTGRES_URL = process.env["BOUT_TEST_POSTGRES"];

export const REAL_POSTGRES_TEST_OPTIONS = {
  skip: REAL_POSTGRES_URL ? false : "BOUT_TEST_POSTGRES is not set",
};

export async function clearRealPostgres(): Promise<void> {
  const client = new Client({ connectionString: REAL_POSTGRES_URL });
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  await client.end();
}
