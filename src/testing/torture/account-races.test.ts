// T76, T77, T78: fifty concurrent requests for one resource, on each database. One request
// succeeds, all others are told why they failed, and no partial change is stored.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { PostgresDialect } from "kysely";
import { Pool } from "pg";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import { createStore } from "#data/queries/database-store.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  accountApi,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { SPRING_EVENT } from "#testing/fixtures/event-api.ts";
import { addTestBot, botTokenOf } from "#testing/fixtures/test-api.ts";
import { openEmbeddedPostgres } from "#testing/store-contract/pglite.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";

const CONTENDERS = 50;
const CREATED_AT = "2026-01-05T12:00:00.000Z";

type Person = Awaited<ReturnType<typeof signUpAccount>>;
type AskResult = Awaited<ReturnType<typeof sendRequest>>;

const numbers = Array.from({ length: CONTENDERS }, (_, number) => number);

function countsOf(responses: readonly AskResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { told: outcome } of responses) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const inMixedCase = (text: string, number: number) =>
  Array.from(text, (letter, createdAt) =>
    (number >> createdAt) & 1 ? letter.toUpperCase() : letter,
  ).join("");

function runRaces(openTestStore: () => Promise<Store>): void {
  let api: AccountApi;
  let contenders: Person[];
  before(async () => {
    api = accountApi({}, { store: await openTestStore() });
    contenders = [];
    for (const number of numbers) contenders.push(await signUpAccount(api, `rival-${number}`));
  });
  after(() => api.store.close());

  const race = (run: (contender: Person, number: number) => Promise<AskResult>) =>
    Promise.all(contenders.map((contender, number) => run(contender, number)));

  it("give a handle to only one account, in any letter case", async () => {
    const responses = await race(({ token }, number) =>
      sendRequest(api, ["PUT", "/api/account/handle"], {
        token,
        payload: { handle: inMixedCase("the-one", number) },
      }),
    );
    assert.deepEqual(countsOf(responses), { "200": 1, "409 handle_taken": CONTENDERS - 1 });
    const { total, accounts } = await api.store.accounts.list({ text: "", limit: 500 });
    assert.equal(total, CONTENDERS);
    const owners = accounts.filter(({ handle }) => handle?.toLowerCase() === "the-one");
    assert.equal(owners.length, 1);
  });

  it("give a name to only one bot, in any letter case", async () => {
    const responses = await race(({ token }, number) =>
      sendRequest(api, ["POST", "/api/account/bots"], {
        token,
        payload: { name: inMixedCase("neo-bot", number) },
      }),
    );
    assert.deepEqual(countsOf(responses), { "201": 1, "400 invalid_bot": CONTENDERS - 1 });
  });

  it("fill an account's last bot slot only once", async () => {
    const { token, account } = await signUpAccount(api, "narrow");
    for (const number of [1, 2, 3, 4]) await addAccountBot(api, account, `narrow-${number}`);
    const responses = await Promise.all(
      numbers.map((number) =>
        sendRequest(api, ["POST", "/api/account/bots"], {
          token,
          payload: { name: `slot-${number}` },
        }),
      ),
    );
    assert.deepEqual(countsOf(responses), { "201": 1, "409 bot_limit": CONTENDERS - 1 });
    const { body } = await sendRequest(api, ["GET", "/api/account"], { token });
    assert.equal(body.bot_count, 5);
  });

  it("let only one account claim a bot", async () => {
    await addTestBot(api, "Orphan");
    const payload = { token: botTokenOf("Orphan") };
    const responses = await race(({ token }) =>
      sendRequest(api, ["POST", "/api/account/claim"], { token, payload }),
    );
    assert.deepEqual(countsOf(responses), { "200": 1, "409 already_claimed": CONTENDERS - 1 });
    const winner = responses.find(({ told: outcome }) => outcome === "200");
    const orphan = await api.store.bots.byName("Orphan");
    assert.equal(orphan?.owner, winner?.body.owner);
  });

  it("create a version label only once", async () => {
    await addTestBot(api, "Labelled");
    const responses = await Promise.all(
      numbers.map(() =>
        sendRequest(api, ["POST", "/api/me/versions"], {
          token: botTokenOf("Labelled"),
          payload: { label: "v9" },
        }),
      ),
    );
    assert.deepEqual(countsOf(responses), { "201": 1, "409 version_exists": CONTENDERS - 1 });
  });

  it("create no more than ten keys for an account", async () => {
    const { token } = await signUpAccount(api, "keys");
    const responses = await Promise.all(
      numbers.map((number) =>
        sendRequest(api, ["POST", "/api/account/keys"], {
          token,
          payload: { label: `key ${number}` },
        }),
      ),
    );
    assert.deepEqual(countsOf(responses), { "201": 10, "409 key_limit": CONTENDERS - 10 });
  });

  it("T77 create only one ladder and one event with the same ID", async () => {
    const root = api.identity.signIn("root");
    const ladder = { id: "cup", name: "Cup" };
    const ladders = await Promise.all(
      numbers.map(() =>
        sendRequest(api, ["POST", "/api/admin/ladders"], { token: root, payload: ladder }),
      ),
    );
    assert.deepEqual(countsOf(ladders), { "201": 1, "409 ladder_exists": CONTENDERS - 1 });
    const event = { ...SPRING_EVENT, ladder_id: "cup" };
    const events = await Promise.all(
      numbers.map(() =>
        sendRequest(api, ["POST", "/api/admin/events"], { token: root, payload: event }),
      ),
    );
    assert.deepEqual(countsOf(events), { "201": 1, "409 event_exists": CONTENDERS - 1 });
    assert.equal((await api.store.ladders.list()).length, 1);
    assert.equal((await api.store.events.list()).length, 1);
    const notes = await api.store.audit.list({ kind: "ladder.created", limit: 99 });
    assert.equal(notes.length, 1);
  });

  it("T77 let only one account use an invitation", async () => {
    const root = api.identity.signIn("root");
    const closedLadder = { id: "closed", name: "Closed", access: "invite" };
    await sendRequest(api, ["POST", "/api/admin/ladders"], { token: root, payload: closedLadder });
    const invitationResponse = await sendRequest(
      api,
      ["POST", "/api/admin/ladders/closed/invitations"],
      {
        token: root,
        payload: {},
      },
    );
    const payload = { invitation: String(invitationResponse.body.code) };
    const responses = await race(({ token }) =>
      sendRequest(api, ["POST", "/api/account/ladders/closed/enrollment"], { token, payload }),
    );
    assert.deepEqual(countsOf(responses), { "200": 1, "403 invalid_invitation": CONTENDERS - 1 });
    const members = await api.store.members.list("closed");
    assert.equal(members.length, 1);
  });

  it("never leave a server without an admin when admins demote each other", async () => {
    const admins = contenders.slice(0, 10);
    const root = api.identity.signIn("root");
    await sendRequest(api, ["GET", "/api/account"], { token: root });
    for (const { account } of admins)
      await sendRequest(api, ["POST", `/api/admin/accounts/${account.id}/role`], {
        token: root,
        payload: { role: "admin" },
      });
    const responses = await Promise.all(
      admins.map(({ token }, number) =>
        sendRequest(
          api,
          ["POST", `/api/admin/accounts/${admins[(number + 1) % 10]!.account.id}/role`],
          {
            token,
            payload: { role: "player" },
          },
        ),
      ),
    );
    const { body } = await sendRequest(api, ["GET", "/api/admin/admins"], { token: root });
    assert.ok(Array.isArray(body) && body.length >= 1);
    assert.ok(responses.every(({ told: outcome }) => ["200", "403 not_admin"].includes(outcome)));
  });
}

describe("concurrent requests on SQLite", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bout-races-"));
  });
  runRaces(() => openStore({ data: folder }, CREATED_AT));
  after(() => rm(folder, { recursive: true }));
});

describe("concurrent requests on embedded PostgreSQL", () => {
  runRaces(async () => {
    const server = await openEmbeddedPostgres();
    const backend = postgresBackend(server.dialect());
    await migrate(backend, CREATED_AT);
    const store = createStore(backend);
    return { ...store, close: () => store.close().then(() => server.close()) };
  });
});

describe("concurrent requests on a PostgreSQL server", REAL_POSTGRES_TEST_OPTIONS, () => {
  runRaces(async () => {
    await clearRealPostgres();
    const pool = new Pool({ connectionString: REAL_POSTGRES_URL });
    const backend = postgresBackend(new PostgresDialect({ pool }));
    await migrate(backend, CREATED_AT);
    await backend.database.destroy();
    return openStore({ postgres: REAL_POSTGRES_URL ?? "" });
  });
});
