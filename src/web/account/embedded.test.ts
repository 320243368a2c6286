// Accounts with the embedded identity provider, sharing one store.
import assert from "node:assert/strict";
import { it } from "node:test";

import { sendRequest } from "#testing/fixtures/account-api.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { beginAuthorization, registerApp } from "#testing/fixtures/identity-apps.ts";
import {
  statusAndCode,
  identityWorld,
  TEST_PASSWORD,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

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
    sendEmail: () => {},
    recordDeletion: async () => {},
    signUps: people.embedded.signUps,
  };
  const clock = () => people.clock.wall();
  const api = testApi({ anonymous: false }, { store, accounts, clock });
  return { api, people };
}

it("supports sign-up, choosing a handle and registering a bot with an agent key", async () => {
  const { api, people } = await world();
  const { access: token, id } = await people.addMember("eve@example.org");
  const { told: outcome, body } = await sendRequest(api, ACCOUNT, { token });
  assert.deepEqual([outcome, body.suggested_handle, body.admin], ["200", "eve", false]);
  const stored = await api.store.accounts.byId(String(body.id));
  assert.deepEqual([stored?.issuer, stored?.subject], ["embedded", id]);
  const handle = { token, payload: { handle: "eve" } };
  assert.equal((await sendRequest(api, ["PUT", "/api/account/handle"], handle)).told, "200");
  const key = await sendRequest(api, ["POST", "/api/account/keys"], {
    token,
    payload: { label: "x" },
  });
  const createResponse = await sendRequest(api, ["POST", "/api/bots"], {
    token: String(key.body.key),
    payload: { name: "Neo" },
  });
  assert.equal(createResponse.told, "201");
});

it("makes the configured address an admin once the address is confirmed", async () => {
  const { api, people } = await world();
  const { access: token } = await people.addMember(ADA);
  assert.equal((await sendRequest(api, ACCOUNT, { token })).body.admin, true);
  const { told: outcome, body } = await sendRequest(api, ["GET", "/api/admin/admins"], { token });
  assert.deepEqual([outcome, body], ["200", [{ handle: null, configured: true }]]);
});

it("ends access when the session ends or an operator signs the account out", async () => {
  const { api, people } = await world();
  const admin = await people.addMember(ADA);
  const { access: token } = await people.addMember("eve@example.org");
  const { body } = await sendRequest(api, ACCOUNT, { token });
  people.clock.advance(2000);
  const url = `/api/admin/accounts/${body.id}/sign-out` as const;
  assert.equal((await sendRequest(api, ["POST", url], { token: admin.access })).told, "200");
  assert.equal((await sendRequest(api, ACCOUNT, { token })).told, "401 invalid_session");
  const secondSession = await signInMember(people, "eve@example.org");
  assert.equal((await sendRequest(api, ACCOUNT, { token: secondSession.access })).body.id, body.id);
  await people.sendRequest("POST", "/logout", { jwt: secondSession.access });
  assert.equal(
    (await sendRequest(api, ACCOUNT, { token: secondSession.access })).told,
    "401 invalid_session",
  );
});

it("deletes a user's identity, so that the user can't sign in again", async () => {
  const { api, people } = await world();
  const { access: token, email } = await people.addMember("eve@example.org");
  const { body: account } = await sendRequest(api, ACCOUNT, { token });
  const { told: outcome, body } = await sendRequest(api, ["DELETE", "/api/account"], {
    token,
    payload: { handle: null },
  });
  assert.deepEqual([outcome, body.identity, body.deleted], ["200", "deleted", account.id]);
  assert.equal((await sendRequest(api, ACCOUNT, { token })).told, "401 invalid_session");
  const credentials = { body: { email, password: TEST_PASSWORD } };
  const signInResponse = await people.sendRequest(
    "POST",
    "/token?grant_type=password",
    credentials,
  );
  assert.equal(statusAndCode(signInResponse)[0], 400);
});

it("keeps the grant when two approvals of one request overlap", async () => {
  const { api, people } = await world();
  const { access: token } = await people.addMember("eve@example.org");
  const app = await registerApp(people);
  const { id } = await beginAuthorization(people, app);
  const address = "/api/account/mcp/authorization";
  await sendRequest(api, ["GET", `${address}?authorization_id=${id}`], { token });
  const payload = { authorization_id: id, action: "approve" };
  const bothFound = Promise.withResolvers<void>();
  const { find } = api.store.apps;
  let findCount = 0;
  api.store.apps.find = async (...args) => {
    const grant = await find(...args);
    findCount += 1;
    if (findCount === 2) bothFound.resolve();
    await bothFound.promise;
    return grant;
  };
  const approve = () => sendRequest(api, ["POST", address], { token, payload });
  const outcomes = (await Promise.all([approve(), approve()])).map(({ told: outcome }) => outcome);
  assert.deepEqual(outcomes.toSorted(), ["200", "404"]);
  const { body } = await sendRequest(api, ACCOUNT, { token });
  const clients = body.mcp_clients as { client_id: string }[];
  assert.deepEqual(
    clients.map((client) => client.client_id),
    [app.id],
  );
});
