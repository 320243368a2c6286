// T65: requests another account's resources on every route with private resources.
import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { eventApi, setArenaState } from "#testing/fixtures/event-api.ts";
import { listOperations } from "#testing/fixtures/operations.ts";
import { addTestVersion, botTokenOf } from "#testing/fixtures/test-api.ts";

const PAYLOADS: Readonly<Record<string, object>> = {
  "PUT /api/account/bots/{name}/name": { name: "Mine" },
  "PUT /api/account/bots/{name}/avatar": { avatar: null },
};

/** Expected outcome for another account's resource. The response must not reveal that it exists. */
const EXPECTED_OUTCOMES: Readonly<Record<string, string>> = {
  "DELETE /api/bots/{name}": "404 no_such_bot",
  "PUT /api/account/bots/{name}/name": "404 no_such_bot",
  "POST /api/account/bots/{name}/token": "404 no_such_bot",
  "PUT /api/account/bots/{name}/avatar": "404 no_such_bot",
  "DELETE /api/account/bots/{name}": "404 no_such_bot",
  "DELETE /api/account/keys/{id}": "404",
  "DELETE /api/account/mcp/clients/{client_id}": "404",
  // Any account can star any match. These ids are unknown.
  "PUT /api/account/stars/{id}": "404",
  "DELETE /api/account/stars/{id}": "200",
};

/** Ladders and events have no owner. Tests below cover the private parts of events. */
const isShared = (operation: string) => /\/(?:ladders|events)\//.test(operation);

async function eveResources() {
  const api = accountApi();
  const eve = await signUpAccount(api, "eve");
  await addAccountBot(api, eve.account, "Neo");
  const key = await addAgentKey(api, eve.token);
  api.identity.authorizations.set("a1", {
    authorizationId: "a1",
    redirectUri: "https://client.example/cb",
    client: { id: "client-1", name: "Helper", uri: null, logoUri: null },
    scopes: ["openid"],
  });
  const payload = { authorization_id: "a1", action: "approve" };
  await sendRequest(api, ["POST", "/api/account/mcp/authorization"], { token: eve.token, payload });
  const [record] = await api.store.keys.list(eve.account.id);
  const resources = { name: "Neo", id: String(record?.id), client_id: "client-1" };
  return { api, eve, key, things: resources };
}

it("treats another account's bot, key and app as unknown, and changes nothing", async () => {
  const { api, eve, key, things: resources } = await eveResources();
  const mallory = await signUpAccount(api, "mallory");
  const mallorysKey = await addAgentKey(api, mallory.token);
  const accountBefore = await sendRequest(api, ["GET", "/api/account"], { token: eve.token });
  const outcomes = [];
  for (const { method, path, schemes } of await listOperations(api)) {
    const isOwn = schemes.includes("Browser") || schemes.includes("AgentBearer");
    const operation = `${method} ${path}`;
    if (!isOwn || !path.includes("{") || isShared(operation)) continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, part: keyof typeof resources) => resources[part]);
    const token = schemes.includes("Browser") ? mallory.token : mallorysKey;
    const payload = PAYLOADS[operation];
    const { told: outcome } = await sendRequest(api, [method, url], {
      token,
      ...(payload && { payload }),
    });
    outcomes.push([operation, outcome]);
  }
  assert.deepEqual(Object.fromEntries(outcomes), EXPECTED_OUTCOMES);
  assert.deepEqual(
    (await sendRequest(api, ["GET", "/api/account"], { token: eve.token })).body,
    accountBefore.body,
  );
  assert.equal(
    (await sendRequest(api, ["GET", "/api/me"], { token: botTokenOf("Neo") })).told,
    "200",
  );
  const createResponse = await sendRequest(api, ["POST", "/api/bots"], {
    token: key,
    payload: { name: "Two" },
  });
  assert.equal(createResponse.told, "201");
});

it("T65 no account can request a match for another account's bot, or see or cancel its request", async () => {
  const world = await eventApi();
  const { api, ada, eve, requestAs: callEvent } = world;
  await world.createEvent();
  await world.enableEvent();
  const account = (await api.store.accounts.byId(ada.account.id))!;
  const bot = await addAccountBot(api, account, "Rex");
  setArenaState(api, bot, await addTestVersion(api, bot, "v1"), "public", "waiting");
  const opponentRequest = { bot_id: bot.id, opponent: "kiter" };
  const foreignResponse = await callEvent(eve.token, "POST", "/spring/opponent", opponentRequest);
  assert.equal(foreignResponse.told, "404 no_such_bot");
  assert.equal(
    (await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest)).told,
    "201",
  );
  const eveProgress = await callEvent(eve.token, "GET", "/spring/achievements");
  assert.deepEqual([eveProgress.body.request, eveProgress.body.bots], [null, []]);
  assert.equal((await callEvent(eve.token, "DELETE", "/spring/opponent")).told, "200");
  const adaProgress = await callEvent(ada.token, "GET", "/spring/achievements");
  assert.equal(adaProgress.body.request.state, "pending");
});
