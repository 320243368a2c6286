// T55, T62, T64: calls every authenticated operation with a failing store, with prototype-polluting
// bodies, and with guessed tokens.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { listOperations } from "#testing/fixtures/operations.ts";
import type { ListedOperation } from "#testing/fixtures/operations.ts";
import { bearerHeader, botTokenOf } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const SECRET = "select hash from tokens; /srv/data/ladder.sqlite; bout_bot_secret";

/** Store methods that authentication calls. They never fail in these tests. */
const TOKEN_LOOKUPS = new Set([
  "accounts.find",
  "accounts.updateContact",
  "keys.byHash",
  "keys.recordUse",
  "bots.byToken",
]);

/**
 * Returns a store that can be made to fail in all methods except those that authentication calls.
 */
function failingStore(): { store: Store; failure: { isOn: boolean } } {
  const store = memoryStore();
  const failure = { isOn: false };
  const namespaces = wrapRepositories(store, (method, name) => async (...values) => {
    if (failure.isOn && !TOKEN_LOOKUPS.has(name)) throw new Error(SECRET);
    return method(...values);
  });
  return { store: { ...namespaces, close: store.close }, failure };
}

/**
 * Opens an API with Grace, an admin with a bot and an agent key, and a credential for each kind of
 * operation.
 */
async function guardedApi() {
  const { store, failure } = failingStore();
  const api = accountApi({}, { store });
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  await addAccountBot(api, account, "Rex");
  const key = await addAgentKey(api, token);
  const credentials: Record<string, string> = {
    BotBearer: botTokenOf("Rex"),
    "AgentBearer OwnerKey": key,
  };
  const protectedOperations = (await listOperations(api)).filter(({ schemes }) => schemes !== "");
  const tokenFor = ({ schemes }: ListedOperation) => credentials[schemes] ?? token;
  return { api, fails: failure, guarded: protectedOperations, tokenFor, token };
}

/** Bodies that pass validation, so that the operation reaches the store. */
const PAYLOADS: Readonly<Record<string, object>> = {
  "POST /api/bots": { name: "Neo" },
  "POST /api/me/versions": { label: "v9" },
  "PUT /api/account/handle": { handle: "grace-2" },
  "PUT /api/account/notifications": { email_announcements: false },
  "POST /api/account/bots": { name: "Neo" },
  "PUT /api/account/bots/{name}/name": { name: "Neo" },
  "PUT /api/account/bots/{name}/avatar": { avatar: null },
  "POST /api/account/claim": { token: botTokenOf("Rex") },
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

const addressIn = ({ path }: ListedOperation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, part: string) => NAMES[part] ?? "x");

const send = (api: AccountApi, operation: ListedOperation, token: string, payload?: object) =>
  sendRequest(api, [operation.method, addressIn(operation)], {
    token,
    ...(payload && { payload }),
  });

describe("an authenticated operation", () => {
  it("T62 reveals no details of a server error", async () => {
    const { api, fails: failure, guarded: protectedOperations, tokenFor } = await guardedApi();
    failure.isOn = true;
    let faults = 0;
    for (const operation of protectedOperations) {
      const message = `${operation.method} ${operation.path}`;
      const {
        told: outcome,
        body,
        headers,
      } = await send(api, operation, tokenFor(operation), PAYLOADS[message]);
      const responseText = JSON.stringify([outcome, body, headers]);
      assert.ok(
        !responseText.includes("hash from") && !responseText.includes("/srv"),
        `${message}: ${responseText}`,
      );
      if (outcome !== "500") continue;
      faults += 1;
      assert.deepEqual(body, { error: "Internal Server Error." }, message);
    }
    assert.ok(faults > 25, `only ${faults} of ${protectedOperations.length} reached the store`);
  });

  it("T55 ignores prototype keys in bodies, and rejects them on operator routes", async () => {
    const { api, guarded: protectedOperations, tokenFor, token } = await guardedApi();
    const pollutingKeys = '"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}';
    const unavailable = [];
    for (const operation of protectedOperations.filter(({ method }) => method !== "GET")) {
      const response = await api.app.inject({
        method: operation.method,
        url: addressIn(operation),
        headers: { ...bearerHeader(tokenFor(operation)), "content-type": "application/json" },
        payload: `{${pollutingKeys}}`,
      });
      const message = `${operation.method} ${operation.path}`;
      assert.ok(response.statusCode < 500, `${message}: ${response.body}`);
      const isClosed =
        operation.schemes === "Admin" || operation.path === "/api/account/notifications";
      // Image routes reject JSON by its media type.
      const expected = operation.path.endsWith("/image") ? 415 : 400;
      if (isClosed && operation.method !== "DELETE")
        unavailable.push({ where: message, expected, status: response.statusCode });
    }
    assert.ok(unavailable.length >= 8);
    assert.deepEqual(
      unavailable.filter(({ expected, status }) => status !== expected),
      [],
    );
    assert.equal(({} as { admin?: boolean }).admin, undefined);
    const { body } = await sendRequest(api, ["GET", "/api/account"], { token });
    assert.equal(body.admin, true, "was an admin before");
  });
});

it("T64 a guessed token costs a single hash lookup, however close it is", async () => {
  const { store } = failingStore();
  const storeReads: string[] = [];
  const namespaces = wrapRepositories(store, (method, name) => async (...values) => {
    storeReads.push(name);
    return method(...values);
  });
  const api = accountApi({}, { store: { ...namespaces, close: store.close } });
  const { account } = await signUpAccount(api, "ada");
  await addAccountBot(api, account, "Rex");
  const validToken = botTokenOf("Rex");
  const nearGuesses = Array.from(
    validToken,
    (_, at) => `${validToken.slice(0, at)}~${validToken.slice(at + 1)}`,
  );
  const randomGuesses = Array.from({ length: 200 }, (_, number) => `bout_bot_guess-${number}`);
  storeReads.length = 0;
  for (const guess of [...nearGuesses, ...randomGuesses]) {
    const { told: outcome } = await sendRequest(api, ["GET", "/api/me"], { token: guess });
    assert.equal(outcome, "401 invalid_token", guess);
  }
  assert.equal(storeReads.length, nearGuesses.length + randomGuesses.length);
  assert.deepEqual(new Set(storeReads), new Set(["bots.byToken"]));
});
