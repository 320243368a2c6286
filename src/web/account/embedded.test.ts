// Accounts with the embedded identity provider, over one store.
import assert from "node:assert/strict";
import { it } from "node:test";

import { ask } from "#testing/fixtures/account-api.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { begin, register } from "#testing/fixtures/identity-programs.ts";
import { codeIn, identityWorld, PASSWORD, signIn } from "#testing/fixtures/identity-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const ADA = "ada@example.org";
const ACCOUNT = ["GET", "/api/account"] as const;

async function world() {
  const store = memoryStore();
  const people = await identityWorld({ store });
  const { provider } = people.embedded;
  const accounts = {
    provider,
    adminEmails: () => new Set([ADA]),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendLetter: () => {},
    noteLeft: async () => {},
    signUps: people.embedded.signUps,
  };
  const clock = () => people.clock.wall();
  const api = testApi({ anonymous: false }, { store, accounts, clock });
  return { api, people };
}

it("lets somebody sign up, choose a handle and register a bot with a key", async () => {
  const { api, people } = await world();
  const { access: token, id } = await people.member("eve@example.org");
  const { told, body } = await ask(api, ACCOUNT, { token });
  assert.deepEqual([told, body.suggested_handle, body.admin], ["200", "eve", false]);
  const stored = await api.store.accounts.byId(String(body.id));
  assert.deepEqual([stored?.issuer, stored?.subject], ["embedded", id]);
  const handle = { token, payload: { handle: "eve" } };
  assert.equal((await ask(api, ["PUT", "/api/account/handle"], handle)).told, "200");
  const key = await ask(api, ["POST", "/api/account/keys"], { token, payload: { label: "x" } });
  const made = await ask(api, ["POST", "/api/bots"], {
    token: String(key.body.key),
    payload: { name: "Neo" },
  });
  assert.equal(made.told, "201");
});

it("makes an admin of the configured address once it is confirmed", async () => {
  const { api, people } = await world();
  const { access: token } = await people.member(ADA);
  assert.equal((await ask(api, ACCOUNT, { token })).body.admin, true);
  const { told, body } = await ask(api, ["GET", "/api/admin/admins"], { token });
  assert.deepEqual([told, body], ["200", [{ handle: null, configured: true }]]);
});

it("is over with the session, and with an operator's sign-out", async () => {
  const { api, people } = await world();
  const admin = await people.member(ADA);
  const { access: token } = await people.member("eve@example.org");
  const { body } = await ask(api, ACCOUNT, { token });
  people.clock.pass(2000);
  const url = `/api/admin/accounts/${body.id}/sign-out` as const;
  assert.equal((await ask(api, ["POST", url], { token: admin.access })).told, "200");
  assert.equal((await ask(api, ACCOUNT, { token })).told, "401 invalid_session");
  const again = await signIn(people, "eve@example.org");
  assert.equal((await ask(api, ACCOUNT, { token: again.access })).body.id, body.id);
  await people.ask("POST", "/logout", { jwt: again.access });
  assert.equal((await ask(api, ACCOUNT, { token: again.access })).told, "401 invalid_session");
});

it("forgets the person who leaves, who can sign in no more", async () => {
  const { api, people } = await world();
  const { access: token, email } = await people.member("eve@example.org");
  const { body: account } = await ask(api, ACCOUNT, { token });
  const { told, body } = await ask(api, ["DELETE", "/api/account"], {
    token,
    payload: { handle: null },
  });
  assert.deepEqual([told, body.identity, body.deleted], ["200", "deleted", account.id]);
  assert.equal((await ask(api, ACCOUNT, { token })).told, "401 invalid_session");
  const credentials = { body: { email, password: PASSWORD } };
  const refused = await people.ask("POST", "/token?grant_type=password", credentials);
  assert.equal(codeIn(refused)[0], 400);
});

it("keeps the grant when two approvals of one request overlap", async () => {
  const { api, people } = await world();
  const { access: token } = await people.member("eve@example.org");
  const app = await register(people);
  const { id } = await begin(people, app);
  const address = "/api/account/mcp/authorization";
  await ask(api, ["GET", `${address}?authorization_id=${id}`], { token });
  const payload = { authorization_id: id, action: "approve" };
  const bothLooked = Promise.withResolvers<void>();
  const { find } = api.store.programs;
  let looked = 0;
  api.store.programs.find = async (...args) => {
    const found = await find(...args);
    looked += 1;
    if (looked === 2) bothLooked.resolve();
    await bothLooked.promise;
    return found;
  };
  const approve = () => ask(api, ["POST", address], { token, payload });
  const outcomes = (await Promise.all([approve(), approve()])).map(({ told }) => told);
  assert.deepEqual(outcomes.toSorted(), ["200", "404"]);
  const { body } = await ask(api, ACCOUNT, { token });
  const clients = body.mcp_clients as { client_id: string }[];
  assert.deepEqual(
    clients.map((client) => client.client_id),
    [app.id],
  );
});
