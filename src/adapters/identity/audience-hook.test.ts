import assert from "node:assert/strict";
import { after, before, it } from "node:test";

import { Kysely, sql } from "kysely";

import { blockWithInfo, readDocPage } from "#testing/fixtures/doc-page.ts";
import { openEmbeddedPostgres } from "#testing/store-contract/pglite.ts";
import type { EmbeddedPostgres } from "#testing/store-contract/pglite.ts";

const BROWSER = { sub: "a user", aud: "authenticated", role: "authenticated", session_id: "s" };

let server: EmbeddedPostgres;
before(async () => {
  server = await openEmbeddedPostgres();
});
after(() => server.close());

it("sets the MCP endpoint as the audience of app tokens and changes nothing else", async () => {
  const database = new Kysely<object>({ dialect: server.dialect() });
  await sql.raw(blockWithInfo(readDocPage("identity-provider"), "hook")).execute(database);
  const hooked = async (claims: object) => {
    const event = JSON.stringify({ user_id: "a user", claims });
    const query = sql<{ answer: { claims: object } }>`
      select ladder_mcp_audience(${event}::jsonb) as answer`;
    return (await query.execute(database)).rows[0]?.answer.claims;
  };
  const program = { ...BROWSER, client_id: "a client" };
  const expected = { ...program, aud: "https://ladder.example/mcp" };
  assert.deepEqual(await hooked(program), expected);
  for (const claims of [BROWSER, { ...BROWSER, client_id: "" }])
    assert.deepEqual(await hooked(claims), claims);
});
