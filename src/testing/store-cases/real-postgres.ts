import { Client } from "pg";

/** Address of a PostgreSQL database that tests may empty, if there is one. */
export const REAL_POSTGRES = process.env["BOUT_TEST_POSTGRES"];

/** Options of a suite that needs it. */
export const WITH_REAL_POSTGRES = {
  skip: REAL_POSTGRES ? false : "BOUT_TEST_POSTGRES names no database",
};

/** Drops every table of the test database. */
export async function clearRealPostgres(): Promise<void> {
  const client = new Client({ connectionString: REAL_POSTGRES });
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  await client.end();
}
