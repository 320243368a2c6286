// Which letters the routes hand over, and to whom.
import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addPerson,
  ask,
  promote,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addBot, addMatch, addVersion } from "#testing/fixtures/test-api.ts";

/** Ada, and Grace, an admin, who does things to her. */
async function world() {
  const api = accountApi();
  const grace = await addPerson(api, "grace");
  await promote(api, grace.account);
  const ada = await addPerson(api, "ada");
  const rex = await addOwnBot(api, ada.account, "Rex");
  const post = (url: string, payload: object = {}) =>
    ask(api, ["POST", `/api/admin/${url}`], { token: grace.token, payload });
  return { api, ada, grace, rex, post, told: () => api.letters.splice(0) };
}

const TO = "ada@example.org";
const AT = "2026-01-05T12:";
/** Letters without their instants, which the clock of the test gives. */
const facts = (letters: AccountApi["letters"]) =>
  letters.map(({ to, letter: { at, ...letter } }) => {
    assert.ok(at.startsWith(AT), at);
    return { to, ...letter };
  });

it("a new agent key is told to its holder, without the key", async () => {
  const { api, ada, told } = await world();
  const key = await addAgentKey(api, ada.token);
  const letters = told();
  assert.deepEqual(facts(letters), [{ to: TO, type: "new_key", label: "agent" }]);
  assert.ok(!JSON.stringify(letters).includes(key));
  for (let number = 0; number < 10; number += 1) await addAgentKey(api, ada.token);
  assert.equal(told().length, 9, "the eleventh was refused");
});

const authorization = (api: AccountApi) =>
  api.identity.asked.set("a1", {
    authorizationId: "a1",
    redirectUri: "https://client.example/cb",
    client: { id: "client-1", name: "<b>Helper</b>", uri: null, logoUri: null },
    scopes: ["openid"],
  });

it("a program is told of when it is let in for the first time, and only then", async () => {
  const { api, ada, told } = await world();
  const answer = (action: string) => {
    authorization(api);
    const payload = { authorization_id: "a1", action };
    return ask(api, ["POST", "/api/account/mcp/authorization"], { token: ada.token, payload });
  };
  await answer("deny");
  assert.deepEqual(told(), []);
  await answer("approve");
  assert.deepEqual(facts(told()), [{ to: TO, type: "new_program", program: "<b>Helper</b>" }]);
  await answer("approve");
  assert.deepEqual(told(), []);
});

it("a program that the provider does not let in is not told of", async () => {
  const { api, ada, told } = await world();
  authorization(api);
  api.identity.provider.decide = async () => null;
  const payload = { authorization_id: "a1", action: "approve" };
  await ask(api, ["POST", "/api/account/mcp/authorization"], { token: ada.token, payload });
  assert.deepEqual(told(), []);
});

it("what is done to a bot is told once, with the reason", async () => {
  const { post, told } = await world();
  for (const [verb, type, reason] of [
    ["suspend", "bot_suspended", "noise"],
    ["activate", "bot_activated", null],
    ["ban", "bot_banned", "more noise"],
  ] as const) {
    const payload = reason === null ? {} : { reason };
    for (const time of ["first", "again"])
      assert.equal((await post(`bots/Rex/${verb}`, payload)).told, "200", time);
    assert.deepEqual(facts(told()), [{ to: TO, type, bot: "Rex", reason }]);
  }
  assert.equal((await post("bots/Rex/suspend")).told, "409 bot_moderated");
  assert.deepEqual(told(), []);
});

it("bots of the house and of nobody have nobody to tell", async () => {
  const { api, post, told } = await world();
  await addBot(api, "house-kiter", { house: true });
  await addBot(api, "Stray");
  for (const name of ["house-kiter", "Stray"])
    assert.equal((await post(`bots/${name}/suspend`)).told, "200");
  assert.deepEqual(told(), []);
});

it("what is done to an account is told once, with the reason", async () => {
  const { post, told } = await world();
  for (const time of ["first", "again"])
    assert.equal((await post("accounts/ada/ban", { reason: "threats" })).told, "200", time);
  assert.deepEqual(facts(told()), [{ to: TO, type: "account_banned", reason: "threats" }]);
  for (const time of ["first", "again"])
    assert.equal((await post("accounts/ada/unban")).told, "200", time);
  assert.deepEqual(facts(told()), [{ to: TO, type: "account_unbanned", reason: null }]);
});

it("whoever is removed is told, at the address that goes with the account", async () => {
  const { api, grace, rex, told } = await world();
  const foe = await addBot(api, "Foe");
  await addMatch(api, [await addVersion(api, rex, "v1"), await addVersion(api, foe, "v1")]);
  const url = "/api/admin/accounts/ada?reason=fraud" as const;
  assert.equal((await ask(api, ["DELETE", url], { token: grace.token })).told, "200");
  assert.deepEqual(facts(told()), [{ to: TO, type: "account_removed", reason: "fraud" }]);
});

for (const [what, user] of [
  ["without an address", { email: null, emailConfirmedAt: null }],
  ["whose address is not confirmed", { emailConfirmedAt: null }],
] as const)
  it(`nobody ${what} is told anything`, async () => {
    const { api, grace, told } = await world();
    const token = api.identity.signIn("eve", {}, user);
    await ask(api, ["GET", "/api/account"], { token });
    await ask(api, ["PUT", "/api/account/handle"], { token, payload: { handle: "eve" } });
    await addAgentKey(api, token);
    const ban = { token: grace.token, payload: { reason: "threats" } };
    assert.equal((await ask(api, ["POST", "/api/admin/accounts/eve/ban"], ban)).told, "200");
    assert.deepEqual(told(), []);
  });
