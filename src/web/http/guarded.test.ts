// T55, T62, T64: every operation behind a credential when its store fails, when it is sent names of
// an object's inside, and when somebody guesses.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addPerson,
  ask,
  promote,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { operationsOf } from "#testing/fixtures/operations.ts";
import type { TriedOperation } from "#testing/fixtures/operations.ts";
import { bearer, tokenOf } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const SECRET = "select hash from tokens; /srv/data/ladder.sqlite; bout_bot_secret";

/** What finding out who asks takes. */
const AT_THE_DOOR = new Set([
  "accounts.find",
  "accounts.noteContact",
  "keys.byHash",
  "keys.use",
  "bots.byToken",
]);

/** A store that can be made to fail behind the door. */
function fragile(): { store: Store; fails: { isOn: boolean } } {
  const store = memoryStore();
  const fails = { isOn: false };
  const nouns = around(store, (method, name) => async (...values) => {
    if (fails.isOn && !AT_THE_DOOR.has(name)) throw new Error(SECRET);
    return method(...values);
  });
  return { store: { ...nouns, close: store.close }, fails };
}

/** Grace, an admin, with a bot and a key, and what credential each kind of operation takes. */
async function guardedApi() {
  const { store, fails } = fragile();
  const api = accountApi({}, { store });
  const { token, account } = await addPerson(api, "grace");
  await promote(api, account);
  await addOwnBot(api, account, "Rex");
  const key = await addAgentKey(api, token);
  const credentials: Record<string, string> = {
    BotBearer: tokenOf("Rex"),
    "AgentBearer OwnerKey": key,
  };
  const guarded = (await operationsOf(api)).filter(({ schemes }) => schemes !== "");
  const tokenFor = ({ schemes }: TriedOperation) => credentials[schemes] ?? token;
  return { api, fails, guarded, tokenFor, token };
}

/** A body with which the operation gets to its store. */
const PAYLOADS: Readonly<Record<string, object>> = {
  "POST /api/bots": { name: "Neo" },
  "POST /api/me/versions": { label: "v9" },
  "PUT /api/account/handle": { handle: "grace-2" },
  "PUT /api/account/notifications": { email_announcements: false },
  "POST /api/account/bots": { name: "Neo" },
  "PUT /api/account/bots/{name}/name": { name: "Neo" },
  "PUT /api/account/bots/{name}/avatar": { avatar: null },
  "POST /api/account/claim": { token: tokenOf("Rex") },
  "POST /api/account/keys": { label: "key" },
  "DELETE /api/account": { handle: "grace" },
  "POST /api/admin/owners": { name: "Team", max_bots: 2 },
  "POST /api/admin/accounts/{account}/role": { role: "player" },
  "PUT /api/admin/accounts/{account}/max-bots": { max_bots: 3 },
};

const NAMES: Readonly<Record<string, string>> = {
  name: "Rex",
  account: "grace",
  label: "v1",
  id: "01900000-0000-7000-8000-00000000ffff",
  client_id: "client-1",
};

const addressIn = ({ path }: TriedOperation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, part: string) => NAMES[part] ?? "x");

const send = (api: AccountApi, one: TriedOperation, token: string, payload?: object) =>
  ask(api, [one.method, addressIn(one)], { token, ...(payload && { payload }) });

describe("an operation behind a credential", () => {
  it("T62 says nothing about a fault except that there was one", async () => {
    const { api, fails, guarded, tokenFor } = await guardedApi();
    fails.isOn = true;
    let faults = 0;
    for (const one of guarded) {
      const where = `${one.method} ${one.path}`;
      const { told, body, headers } = await send(api, one, tokenFor(one), PAYLOADS[where]);
      const said = JSON.stringify([told, body, headers]);
      assert.ok(!said.includes("hash from") && !said.includes("/srv"), `${where}: ${said}`);
      if (told !== "500") continue;
      faults += 1;
      assert.deepEqual(body, { error: "Internal Server Error." }, where);
    }
    assert.ok(faults > 25, `only ${faults} of ${guarded.length} got to the store`);
  });

  it("T55 takes nothing from names of an object's inside, and operators' are refused", async () => {
    const { api, guarded, tokenFor, token } = await guardedApi();
    const inside = '"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}';
    const closed = [];
    for (const one of guarded.filter(({ method }) => method !== "GET")) {
      const answer = await api.app.inject({
        method: one.method,
        url: addressIn(one),
        headers: { ...bearer(tokenFor(one)), "content-type": "application/json" },
        payload: `{${inside}}`,
      });
      const where = `${one.method} ${one.path}`;
      assert.ok(answer.statusCode < 500, `${where}: ${answer.body}`);
      const isClosed = one.schemes === "Admin" || one.path === "/api/account/notifications";
      // A route that takes an image refuses JSON by its type.
      const expected = one.path.endsWith("/image") ? 415 : 400;
      if (isClosed && one.method !== "DELETE")
        closed.push({ where, expected, status: answer.statusCode });
    }
    assert.ok(closed.length >= 8);
    assert.deepEqual(
      closed.filter(({ expected, status }) => status !== expected),
      [],
    );
    assert.equal(({} as { admin?: boolean }).admin, undefined);
    const { body } = await ask(api, ["GET", "/api/account"], { token });
    assert.equal(body.admin, true, "she was one before");
  });
});

it("T64 a guessed token, however near, is one look at its hash and no more", async () => {
  const { store } = fragile();
  const asked: string[] = [];
  const nouns = around(store, (method, name) => async (...values) => {
    asked.push(name);
    return method(...values);
  });
  const api = accountApi({}, { store: { ...nouns, close: store.close } });
  const { account } = await addPerson(api, "ada");
  await addOwnBot(api, account, "Rex");
  const right = tokenOf("Rex");
  const near = Array.from(right, (_, at) => `${right.slice(0, at)}~${right.slice(at + 1)}`);
  const far = Array.from({ length: 200 }, (_, number) => `bout_bot_guess-${number}`);
  asked.length = 0;
  for (const guess of [...near, ...far]) {
    const { told } = await ask(api, ["GET", "/api/me"], { token: guess });
    assert.equal(told, "401 invalid_token", guess);
  }
  assert.equal(asked.length, near.length + far.length);
  assert.deepEqual(new Set(asked), new Set(["bots.byToken"]));
});
