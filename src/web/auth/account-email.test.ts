import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addTestBot, addMatch, addTestVersion } from "#testing/fixtures/test-api.ts";

/** Opens an API with Ada, and with Grace, an admin who moderates Ada's account. */
async function world() {
  const api = accountApi();
  const grace = await signUpAccount(api, "grace");
  await makeAdmin(api, grace.account);
  const ada = await signUpAccount(api, "ada");
  const rex = await addAccountBot(api, ada.account, "Rex");
  const post = (url: string, payload: object = {}) =>
    sendRequest(api, ["POST", `/api/admin/${url}`], { token: grace.token, payload });
  return { api, ada, grace, rex, post, told: () => api.emails.splice(0) };
}

const TO = "ada@example.org";
const AT = "2026-01-05T12:";
const emailFields = (emails: AccountApi["emails"]) =>
  emails.map(({ to, letter: { at, ...email } }) => {
    assert.ok(at.startsWith(AT), at);
    return { to, ...email };
  });

it("a new agent key is reported to its account without the secret", async () => {
  const { api, ada, told: outcome } = await world();
  const key = await addAgentKey(api, ada.token);
  const emails = outcome();
  assert.deepEqual(emailFields(emails), [{ to: TO, type: "new_key", label: "agent" }]);
  assert.ok(!JSON.stringify(emails).includes(key));
  for (let number = 0; number < 10; number += 1) await addAgentKey(api, ada.token);
  assert.equal(outcome().length, 9, "the eleventh was refused");
});

const authorization = (api: AccountApi) =>
  api.identity.authorizations.set("a1", {
    authorizationId: "a1",
    redirectUri: "https://client.example/cb",
    client: { id: "client-1", name: "<b>Helper</b>", uri: null, logoUri: null },
    scopes: ["openid"],
  });

it("an app is reported once, when it is first approved", async () => {
  const { api, ada, told: outcome } = await world();
  const response = (action: string) => {
    authorization(api);
    const payload = { authorization_id: "a1", action };
    return sendRequest(api, ["POST", "/api/account/mcp/authorization"], {
      token: ada.token,
      payload,
    });
  };
  await response("deny");
  assert.deepEqual(outcome(), []);
  await response("approve");
  assert.deepEqual(emailFields(outcome()), [{ to: TO, type: "new_program", app: "<b>Helper</b>" }]);
  await response("approve");
  assert.deepEqual(outcome(), []);
});

it("an app the provider refuses is not reported", async () => {
  const { api, ada, told: outcome } = await world();
  authorization(api);
  api.identity.provider.decide = async () => null;
  const payload = { authorization_id: "a1", action: "approve" };
  await sendRequest(api, ["POST", "/api/account/mcp/authorization"], { token: ada.token, payload });
  assert.deepEqual(outcome(), []);
});

it("moderating a bot is reported once, with the reason", async () => {
  const { post, told: outcome } = await world();
  for (const [verb, type, reason] of [
    ["suspend", "bot_suspended", "noise"],
    ["activate", "bot_activated", null],
    ["ban", "bot_banned", "more noise"],
  ] as const) {
    const payload = reason === null ? {} : { reason };
    for (const time of ["first", "again"])
      assert.equal((await post(`bots/Rex/${verb}`, payload)).told, "200", time);
    assert.deepEqual(emailFields(outcome()), [{ to: TO, type, bot: "Rex", reason }]);
  }
  assert.equal((await post("bots/Rex/suspend")).told, "409 bot_moderated");
  assert.deepEqual(outcome(), []);
});

it("moderating a bot whose owner has no account sends no email", async () => {
  const { api, post, told: outcome } = await world();
  await addTestBot(api, "house-kiter", { house: true });
  await addTestBot(api, "Stray");
  for (const name of ["house-kiter", "Stray"])
    assert.equal((await post(`bots/${name}/suspend`)).told, "200");
  assert.deepEqual(outcome(), []);
});

it("moderating an account is reported once, with the reason", async () => {
  const { post, told: outcome } = await world();
  for (const time of ["first", "again"])
    assert.equal((await post("accounts/ada/ban", { reason: "threats" })).told, "200", time);
  assert.deepEqual(emailFields(outcome()), [{ to: TO, type: "account_banned", reason: "threats" }]);
  for (const time of ["first", "again"])
    assert.equal((await post("accounts/ada/unban")).told, "200", time);
  assert.deepEqual(emailFields(outcome()), [{ to: TO, type: "account_unbanned", reason: null }]);
});

it("deleting an account is reported to its email address", async () => {
  const { api, grace, rex, told: outcome } = await world();
  const opponent = await addTestBot(api, "Foe");
  await addMatch(api, [
    await addTestVersion(api, rex, "v1"),
    await addTestVersion(api, opponent, "v1"),
  ]);
  const url = "/api/admin/accounts/ada?reason=fraud" as const;
  assert.equal((await sendRequest(api, ["DELETE", url], { token: grace.token })).told, "200");
  assert.deepEqual(emailFields(outcome()), [{ to: TO, type: "account_removed", reason: "fraud" }]);
});

for (const [what, user] of [
  ["without an email address", { email: null, emailConfirmedAt: null }],
  ["with an unconfirmed email address", { emailConfirmedAt: null }],
] as const)
  it(`an account ${what} gets no email`, async () => {
    const { api, grace, told: outcome } = await world();
    const token = api.identity.signIn("eve", {}, user);
    await sendRequest(api, ["GET", "/api/account"], { token });
    await sendRequest(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
    await addAgentKey(api, token);
    const ban = { token: grace.token, payload: { reason: "threats" } };
    assert.equal(
      (await sendRequest(api, ["POST", "/api/admin/accounts/eve/ban"], ban)).told,
      "200",
    );
    assert.deepEqual(outcome(), []);
  });
