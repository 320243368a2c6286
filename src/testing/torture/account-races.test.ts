// T76, T77, T78: fifty people want the one thing at once, on each database. One gets it, all others
// are told why not, and nothing is half done.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { PostgresDialect } from "kysely";
import { Pool } from "pg";

import { migrate } from "#data/migrations/migrations.ts";
import { postgresBackend } from "#data/postgres/postgres.ts";
import { storeOf } from "#data/queries/database-store.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { accountApi, addOwnBot, addPerson, ask } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { SPRING } from "#testing/fixtures/event-api.ts";
import { addBot, tokenOf } from "#testing/fixtures/test-api.ts";
import { openEmbeddedPostgres } from "#testing/store-cases/pglite.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES,
  WITH_REAL_POSTGRES,
} from "#testing/store-cases/real-postgres.ts";

const RIVALS = 50;
const MADE = "2026-01-05T12:00:00.000Z";

type Person = Awaited<ReturnType<typeof addPerson>>;
type Told = Awaited<ReturnType<typeof ask>>;

const numbers = Array.from({ length: RIVALS }, (_, number) => number);

/** How often each answer came. */
function countsOf(answers: readonly Told[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { told } of answers) counts[told] = (counts[told] ?? 0) + 1;
  return counts;
}

/** In letters of either case, by number. */
const inCase = (text: string, number: number) =>
  Array.from(text, (letter, at) => ((number >> at) & 1 ? letter.toUpperCase() : letter)).join("");

function runRaces(open: () => Promise<Store>): void {
  let api: AccountApi;
  let rivals: Person[];
  before(async () => {
    api = accountApi({}, { store: await open() });
    rivals = [];
    for (const number of numbers) rivals.push(await addPerson(api, `rival-${number}`));
  });
  after(() => api.store.close());

  const race = (run: (rival: Person, number: number) => Promise<Told>) =>
    Promise.all(rivals.map((rival, number) => run(rival, number)));

  it("for a handle, in whatever letter case", async () => {
    const answers = await race(({ token }, number) =>
      ask(api, ["PUT", "/api/account/handle"], {
        token,
        payload: { handle: inCase("the-one", number) },
      }),
    );
    assert.deepEqual(countsOf(answers), { "200": 1, "409 handle_taken": RIVALS - 1 });
    const { total, accounts } = await api.store.accounts.list({ text: "", limit: 500 });
    assert.equal(total, RIVALS);
    const owners = accounts.filter(({ handle }) => handle?.toLowerCase() === "the-one");
    assert.equal(owners.length, 1);
  });

  it("for a bot's name, in whatever letter case", async () => {
    const answers = await race(({ token }, number) =>
      ask(api, ["POST", "/api/account/bots"], {
        token,
        payload: { name: inCase("neo-bot", number) },
      }),
    );
    assert.deepEqual(countsOf(answers), { "201": 1, "400 invalid_bot": RIVALS - 1 });
  });

  it("for the one place that an account has left", async () => {
    const { token, account } = await addPerson(api, "narrow");
    for (const number of [1, 2, 3, 4]) await addOwnBot(api, account, `narrow-${number}`);
    const answers = await Promise.all(
      numbers.map((number) =>
        ask(api, ["POST", "/api/account/bots"], { token, payload: { name: `slot-${number}` } }),
      ),
    );
    assert.deepEqual(countsOf(answers), { "201": 1, "409 bot_limit": RIVALS - 1 });
    const { body } = await ask(api, ["GET", "/api/account"], { token });
    assert.equal(body.bot_count, 5);
  });

  it("for a bot that nobody has claimed", async () => {
    await addBot(api, "Orphan");
    const payload = { token: tokenOf("Orphan") };
    const answers = await race(({ token }) =>
      ask(api, ["POST", "/api/account/claim"], { token, payload }),
    );
    assert.deepEqual(countsOf(answers), { "200": 1, "409 already_claimed": RIVALS - 1 });
    const winner = answers.find(({ told }) => told === "200");
    const orphan = await api.store.bots.byName("Orphan");
    assert.equal(orphan?.owner, winner?.body.owner);
  });

  it("for a version's label", async () => {
    await addBot(api, "Labelled");
    const answers = await Promise.all(
      numbers.map(() =>
        ask(api, ["POST", "/api/me/versions"], {
          token: tokenOf("Labelled"),
          payload: { label: "v9" },
        }),
      ),
    );
    assert.deepEqual(countsOf(answers), { "201": 1, "409 version_exists": RIVALS - 1 });
  });

  it("for the last of ten keys", async () => {
    const { token } = await addPerson(api, "keys");
    const answers = await Promise.all(
      numbers.map((number) =>
        ask(api, ["POST", "/api/account/keys"], { token, payload: { label: `key ${number}` } }),
      ),
    );
    assert.deepEqual(countsOf(answers), { "201": 10, "409 key_limit": RIVALS - 10 });
  });

  it("T77 for the id of a ladder, and for that of an event on it", async () => {
    const root = api.identity.signIn("root");
    const ladder = { id: "cup", name: "Cup" };
    const ladders = await Promise.all(
      numbers.map(() => ask(api, ["POST", "/api/admin/ladders"], { token: root, payload: ladder })),
    );
    assert.deepEqual(countsOf(ladders), { "201": 1, "409 ladder_exists": RIVALS - 1 });
    const event = { ...SPRING, ladder_id: "cup" };
    const events = await Promise.all(
      numbers.map(() => ask(api, ["POST", "/api/admin/events"], { token: root, payload: event })),
    );
    assert.deepEqual(countsOf(events), { "201": 1, "409 event_exists": RIVALS - 1 });
    assert.equal((await api.store.ladders.list()).length, 1);
    assert.equal((await api.store.events.list()).length, 1);
    const notes = await api.store.audit.list({ kind: "ladder.created", limit: 99 });
    assert.equal(notes.length, 1);
  });

  it("T77 for one invitation", async () => {
    const root = api.identity.signIn("root");
    const closed = { id: "closed", name: "Closed", access: "invite" };
    await ask(api, ["POST", "/api/admin/ladders"], { token: root, payload: closed });
    const made = await ask(api, ["POST", "/api/admin/ladders/closed/invitations"], {
      token: root,
      payload: {},
    });
    const payload = { invitation: String(made.body.code) };
    const answers = await race(({ token }) =>
      ask(api, ["POST", "/api/account/ladders/closed/enrollment"], { token, payload }),
    );
    assert.deepEqual(countsOf(answers), { "200": 1, "403 invalid_invitation": RIVALS - 1 });
    const members = await api.store.members.of("closed");
    assert.equal(members.length, 1);
  });

  it("for the role of the last admin, which somebody keeps", async () => {
    const admins = rivals.slice(0, 10);
    const root = api.identity.signIn("root");
    await ask(api, ["GET", "/api/account"], { token: root });
    for (const { account } of admins)
      await ask(api, ["POST", `/api/admin/accounts/${account.id}/role`], {
        token: root,
        payload: { role: "admin" },
      });
    const answers = await Promise.all(
      admins.map(({ token }, number) =>
        ask(api, ["POST", `/api/admin/accounts/${admins[(number + 1) % 10]!.account.id}/role`], {
          token,
          payload: { role: "player" },
        }),
      ),
    );
    const { body } = await ask(api, ["GET", "/api/admin/admins"], { token: root });
    assert.ok(Array.isArray(body) && body.length >= 1);
    assert.ok(answers.every(({ told }) => ["200", "403 not_admin"].includes(told)));
  });
}

describe("a race over SQLite", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "bout-races-"));
  });
  runRaces(() => openStore({ data: folder }, MADE));
  after(() => rm(folder, { recursive: true }));
});

describe("a race over embedded PostgreSQL", () => {
  runRaces(async () => {
    const server = await openEmbeddedPostgres();
    const backend = postgresBackend(server.dialect());
    await migrate(backend, MADE);
    const store = storeOf(backend);
    return { ...store, close: () => store.close().then(() => server.close()) };
  });
});

describe("a race over a PostgreSQL server", WITH_REAL_POSTGRES, () => {
  runRaces(async () => {
    await clearRealPostgres();
    const pool = new Pool({ connectionString: REAL_POSTGRES });
    const backend = postgresBackend(new PostgresDialect({ pool }));
    await migrate(backend, MADE);
    await backend.database.destroy();
    return openStore({ postgres: REAL_POSTGRES ?? "" });
  });
});
