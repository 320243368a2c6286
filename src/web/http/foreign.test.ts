// T65: what belongs to somebody else, at every address of people's own things.
import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addPerson,
  ask,
} from "#testing/fixtures/account-api.ts";
import { eventApi, show } from "#testing/fixtures/event-api.ts";
import { operationsOf } from "#testing/fixtures/operations.ts";
import { addVersion, tokenOf } from "#testing/fixtures/test-api.ts";

const PAYLOADS: Readonly<Record<string, object>> = {
  "PUT /api/account/bots/{name}/name": { name: "Mine" },
  "PUT /api/account/bots/{name}/avatar": { avatar: null },
};

/** What each address says of somebody else's thing: as if it were not there. */
const TOLD: Readonly<Record<string, string>> = {
  "DELETE /api/bots/{name}": "404 no_such_bot",
  "PUT /api/account/bots/{name}/name": "404 no_such_bot",
  "POST /api/account/bots/{name}/token": "404 no_such_bot",
  "PUT /api/account/bots/{name}/avatar": "404 no_such_bot",
  "DELETE /api/account/bots/{name}": "404 no_such_bot",
  "DELETE /api/account/keys/{id}": "404",
  "DELETE /api/account/mcp/clients/{client_id}": "404",
  // Any match may be starred; these ids name none.
  "PUT /api/account/stars/{id}": "404",
  "DELETE /api/account/stars/{id}": "200",
};

/** Ladders and events belong to nobody; what is somebody's own in an event is looked at below. */
const isShared = (operation: string) => /\/(?:ladders|events)\//.test(operation);

/** Eve has a bot, a key and a program. */
async function evesThings() {
  const api = accountApi();
  const eve = await addPerson(api, "eve");
  await addOwnBot(api, eve.account, "Neo");
  const key = await addAgentKey(api, eve.token);
  api.identity.asked.set("a1", {
    authorizationId: "a1",
    redirectUri: "https://client.example/cb",
    client: { id: "client-1", name: "Helper", uri: null, logoUri: null },
    scopes: ["openid"],
  });
  const payload = { authorization_id: "a1", action: "approve" };
  await ask(api, ["POST", "/api/account/mcp/authorization"], { token: eve.token, payload });
  const [record] = await api.store.keys.list(eve.account.id);
  const things = { name: "Neo", id: String(record?.id), client_id: "client-1" };
  return { api, eve, key, things };
}

it("somebody else's bot, key or program is not there, and nothing happens to it", async () => {
  const { api, eve, key, things } = await evesThings();
  const mallory = await addPerson(api, "mallory");
  const mallorysKey = await addAgentKey(api, mallory.token);
  const before = await ask(api, ["GET", "/api/account"], { token: eve.token });
  const found = [];
  for (const { method, path, schemes } of await operationsOf(api)) {
    const isOwn = schemes.includes("Browser") || schemes.includes("AgentBearer");
    const operation = `${method} ${path}`;
    if (!isOwn || !path.includes("{") || isShared(operation)) continue;
    const url = path.replaceAll(/\{(\w+)\}/g, (_, part: keyof typeof things) => things[part]);
    const token = schemes.includes("Browser") ? mallory.token : mallorysKey;
    const payload = PAYLOADS[operation];
    const { told } = await ask(api, [method, url], { token, ...(payload && { payload }) });
    found.push([operation, told]);
  }
  assert.deepEqual(Object.fromEntries(found), TOLD);
  assert.deepEqual(
    (await ask(api, ["GET", "/api/account"], { token: eve.token })).body,
    before.body,
  );
  assert.equal((await ask(api, ["GET", "/api/me"], { token: tokenOf("Neo") })).told, "200");
  const made = await ask(api, ["POST", "/api/bots"], { token: key, payload: { name: "Two" } });
  assert.equal(made.told, "201");
});

it("T65 nobody asks for a game of somebody else's bot in an event, sees their wish or takes it back", async () => {
  const world = await eventApi();
  const { api, ada, eve, of } = world;
  await world.begin();
  await world.enable();
  const account = (await api.store.accounts.byId(ada.account.id))!;
  const bot = await addOwnBot(api, account, "Rex");
  show(api, bot, await addVersion(api, bot, "v1"), "public", "waiting");
  const wish = { bot_id: bot.id, opponent: "kiter" };
  const foreign = await of(eve.token, "POST", "/spring/opponent", wish);
  assert.equal(foreign.told, "404 no_such_bot");
  assert.equal((await of(ada.token, "POST", "/spring/opponent", wish)).told, "201");
  const seen = await of(eve.token, "GET", "/spring/achievements");
  assert.deepEqual([seen.body.request, seen.body.bots], [null, []]);
  assert.equal((await of(eve.token, "DELETE", "/spring/opponent")).told, "200");
  const kept = await of(ada.token, "GET", "/spring/achievements");
  assert.equal(kept.body.request.state, "pending");
});
