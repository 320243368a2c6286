// Who may do what: every operation of the contract with every kind of credential.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import { ERRORS } from "#core/protocol/errors.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { hashToken } from "#data/access/token.ts";
import {
  accountApi,
  addAgentKey,
  addOwnerKey,
  addPerson,
  promote,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addHolders, CREDENTIAL_CASES } from "#testing/fixtures/credential-cases.ts";
import { addressOf, askOperation, operationsOf } from "#testing/fixtures/operations.ts";
import type { Headers, TriedOperation } from "#testing/fixtures/operations.ts";
import { addBot, addVersion, bearer, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

/** Makes each credential in a world of its own. */
const CREDENTIALS: Record<string, (api: AccountApi) => Promise<Headers>> = {
  nothing: async () => ({}),
  "a bot token": async (api) => {
    await addBot(api, "Rex");
    return bearer(tokenOf("Rex"));
  },
  "an unknown token": async () => bearer("bout_bot_nobody"),
  "a browser": async (api) => bearer((await addPerson(api, "ada")).token),
  "an agent key": async (api) =>
    bearer(await addAgentKey(api, (await addPerson(api, "ada")).token)),
  "a revoked agent key": async (api) => {
    const { token, account } = await addPerson(api, "ada");
    const key = await addAgentKey(api, token);
    const [record] = await api.store.keys.list(account.id);
    const [note] = await api.store.audit.list({ limit: 1 });
    await api.store.keys.revoke(account.id, record!.id, note!);
    return bearer(key);
  },
  "an ended session": async (api) => {
    const { token } = await addPerson(api, "ada");
    api.identity.people.get(token)!.isLive = false;
    return bearer(token);
  },
  "a program's token": async (api) => bearer(api.identity.signIn("x", { clientId: "client-1" })),
  "an admin's browser": async (api) => bearer(await adminToken(api)),
  "an admin's agent key": async (api) => bearer(await addAgentKey(api, await adminToken(api))),
  "a banned browser": async (api) => bearer((await banned(api)).token),
  "a banned agent key": async (api) => bearer((await banned(api)).key),
  "an agent key as X-Owner-Key": async (api) => {
    const { token } = await addPerson(api, "ada");
    return { "x-owner-key": await addAgentKey(api, token) };
  },
  "an owner's key": async (api) => ({ "x-owner-key": await addOwnerKey(api, "Team", 5) }),
  "a browser while the provider is away": async (api) => {
    const { token } = await addPerson(api, "ada");
    api.identity.isAway = true;
    return bearer(token);
  },
  "a malformed header": async (api) => {
    const { token } = await addPerson(api, "ada");
    return { authorization: `Bearer ${token} ${token}` };
  },
  "a rotated bot token": async (api) => {
    const { id } = await addBot(api, "Rex");
    await api.store.bots.rotateToken(id, hashToken(`new-${tokenOf("Rex")}`));
    return bearer(tokenOf("Rex"));
  },
  "the browser of somebody who was an admin": async (api) => bearer((await demoted(api)).token),
  "the agent key of somebody who was an admin": async (api) => bearer((await demoted(api)).key),
};

async function adminToken(api: AccountApi): Promise<string> {
  const { token, account } = await addPerson(api, "grace");
  await promote(api, account);
  return token;
}

async function demoted(api: AccountApi) {
  const { token, account } = await addPerson(api, "eve");
  await promote(api, account);
  const key = await addAgentKey(api, token);
  const [note] = await api.store.audit.list({ limit: 1 });
  // The ladder keeps an admin.
  await adminToken(api);
  const after = await api.store.accounts.setRole(account.id, "player", [], note!);
  assert.ok(typeof after === "object" && after?.role === "player");
  return { token, key };
}

async function banned(api: AccountApi) {
  const { token, account } = await addPerson(api, "eve");
  const key = await addAgentKey(api, token);
  const [note] = await api.store.audit.list({ limit: 1 });
  await api.store.accounts.setBan(account.id, { at: api.tick(), reason: null }, note!);
  return { token, key };
}

type Told = HttpCode | "in";

/** What each kind of operation tells each credential, in the order of the credentials above. */
const TOLD: Record<string, readonly Told[]> = {
  "": Array<Told>(19).fill("in"),
  BotBearer: [
    "missing_authorization",
    "in",
    ...Array<Told>(10).fill("invalid_token"),
    "missing_authorization",
    "missing_authorization",
    "invalid_token",
    "invalid_token",
    "invalid_token",
    "invalid_token",
    "invalid_token",
  ],
  Browser: [
    "missing_authorization",
    "invalid_session",
    "invalid_session",
    "in",
    "invalid_session",
    "invalid_session",
    "invalid_session",
    "invalid_session",
    "in",
    "invalid_session",
    "account_banned",
    "invalid_session",
    "missing_authorization",
    "missing_authorization",
    "auth_unavailable",
    "invalid_session",
    "invalid_session",
    "in",
    "invalid_session",
  ],
  Admin: [
    "admin_required",
    "invalid_session",
    "invalid_session",
    "not_admin",
    "not_admin",
    "invalid_session",
    "invalid_session",
    "invalid_session",
    "in",
    "in",
    "account_banned",
    "account_banned",
    "admin_required",
    "admin_required",
    "auth_unavailable",
    "invalid_session",
    "invalid_session",
    "not_admin",
    "not_admin",
  ],
  "AccountBearer OwnerKey": [
    "authentication_required",
    "authentication_required",
    "authentication_required",
    "in",
    "in",
    "authentication_required",
    "authentication_required",
    "authentication_required",
    "in",
    "in",
    "account_banned",
    "account_banned",
    "in",
    "invalid_owner_key",
    "auth_unavailable",
    "authentication_required",
    "authentication_required",
    "in",
    "in",
  ],
  "AgentBearer OwnerKey": [
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "in",
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "in",
    "invalid_owner_key",
    "account_banned",
    "in",
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "invalid_owner_key",
    "in",
  ],
};

/** Codes of the gates; any other answer means that somebody was let in. */
const GATES: ReadonlySet<unknown> = new Set(Object.values(TOLD).flat());

async function ask(api: Pick<TestApi, "app">, operation: TriedOperation, headers: Headers) {
  const answer = await askOperation(api, operation, headers);
  return { ...answer, told: GATES.has(answer.code) ? String(answer.code) : "in" };
}

/** Replacing the token comes last: no other operation would find its credential afterwards. */
const byEffect = (operations: TriedOperation[]) =>
  operations.toSorted((one, other) => Number(isRotation(one)) - Number(isRotation(other)));
const isRotation = ({ path }: TriedOperation) => path === "/api/me/token";

describe("every operation of the contract", () => {
  for (const [at, [credential, make]] of Object.entries(CREDENTIALS).entries())
    it(`tells ${credential} what its kind of operation tells it`, async () => {
      const api = accountApi();
      const headers = await make(api);
      for (const operation of byEffect(await operationsOf(api))) {
        const expected = TOLD[operation.schemes]?.[at];
        const { told, status } = await ask(api, operation, headers);
        const where = `${operation.method} ${operation.path}`;
        assert.equal(told, expected, where);
        if (operation.schemes === "") assert.ok(status !== 401 && status !== 403, where);
        assert.ok(status < 500 || told === "auth_unavailable", where);
      }
    });

  it("is of a kind that the table knows, and each kind has operations", async () => {
    const operations = await operationsOf(accountApi());
    const kinds = new Set(operations.map(({ schemes }) => schemes));
    assert.deepEqual([...kinds].toSorted(), Object.keys(TOLD).toSorted());
    assert.ok(operations.length > 70, `only ${operations.length}`);
    for (const told of Object.values(TOLD))
      assert.equal(told.length, Object.keys(CREDENTIALS).length);
  });

  it("keeps private answers from caches and other sites, and public ones from neither", async () => {
    const api = accountApi();
    for (const operation of await operationsOf(api)) {
      const { headers } = await ask(api, operation, {});
      const where = `${operation.method} ${operation.path}`;
      // What is in a letter is its reader's alone.
      const isLink = operation.path === UNSUBSCRIBE_PATH;
      const isPublic = operation.schemes === "" && !isLink;
      assert.equal(headers["access-control-allow-origin"], isPublic ? "*" : undefined, where);
      if (isPublic) continue;
      assert.equal(headers["cache-control"], "private, no-store", where);
      if (isLink || operation.schemes === "BotBearer") continue;
      assert.match(String(headers.vary), /^Authorization/, where);
    }
  });

  it("refuses other sites' pages where people and admins are let in", async () => {
    const api = accountApi();
    const headers = { ...bearer(await adminToken(api)), origin: "https://evil.example" };
    for (const operation of await operationsOf(api)) {
      if (!["Browser", "Admin"].includes(operation.schemes)) continue;
      const { status } = await ask(api, operation, headers);
      assert.equal(status, 403, `${operation.method} ${operation.path}`);
    }
  });

  it("of an account or an operator lets nobody in without accounts", async () => {
    const off = testApi();
    for (const operation of await operationsOf(accountApi()))
      for (const headers of [{}, bearer("bout_key_x"), bearer("x.y.z")]) {
        const { told } = await ask(off, operation, headers);
        const where = `${operation.method} ${operation.path}`;
        const isBare = !("authorization" in headers);
        if (operation.schemes === "Browser") {
          const url = addressOf(operation);
          const { method } = operation;
          const { code } = (await off.app.inject({ method, url, headers })).json<{
            code: string;
          }>();
          assert.equal(code, "accounts_disabled", where);
        }
        if (operation.schemes === "Admin")
          assert.equal(told, isBare ? "admin_required" : "invalid_session", where);
      }
  });
});

type Route = { method: "GET" | "POST"; url: string; payload?: object; status: number };

const OF_BOTS: Route[] = [
  { method: "GET", url: "/api/me", status: 200 },
  { method: "GET", url: "/api/me/versions", status: 200 },
  { method: "POST", url: "/api/me/versions", payload: { label: "v2" }, status: 201 },
  { method: "POST", url: "/api/me/versions/v1/retire", status: 200 },
  { method: "POST", url: "/api/me/token", status: 200 },
];

const REGISTRATION: Route = {
  method: "POST",
  url: "/api/bots",
  payload: { name: "Neo" },
  status: 201,
};

async function populated(): Promise<TestApi> {
  const api = testApi();
  const rex = await addHolders(api.store, (name, facts) => addBot(api, name, facts));
  for (const label of ["v0", "v1"]) await addVersion(api, rex, label);
  return api;
}

type Shown = Partial<Pick<(typeof CREDENTIAL_CASES)[string], "headers" | "query">>;

async function send({ app }: TestApi, route: Route, { headers = {}, query = "" }: Shown) {
  const { method, payload } = route;
  const url = `${route.url}?${query}`;
  const answer = await app.inject({ method, url, headers, ...(payload && { payload }) });
  const { statusCode, body } = answer;
  if (statusCode < 400) return { told: String(statusCode), error: "" };
  const { code, error } = JSON.parse(body) as { code?: string; error: string };
  return { told: `${statusCode} ${code}`, error };
}

describe("a bot's routes", () => {
  for (const [kind, shown] of Object.entries(CREDENTIAL_CASES)) {
    const { headers, code, text = /./ } = shown;
    const isAnonymous = !("authorization" in headers || "x-owner-key" in headers);

    it(`T13 give ${kind} ${code ?? "what they are for"}`, async () => {
      const api = await populated();
      for (const route of OF_BOTS) {
        const { told, error } = await send(api, route, shown);
        const expected = code === null ? route.status : `${ERRORS[code].status} ${code}`;
        assert.equal(told, String(expected), route.url);
        if (code !== null) assert.match(error, text);
      }
    });

    it(`let nobody register with ${kind} without the ladder's registration key`, async () => {
      const api = testApi({ registrationKeyHash: hashToken("let-me-in") });
      const expected = (isKnown: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        if (!isAnonymous) return "401 authentication_required";
        return isKnown ? "201" : "403 invalid_registration_key";
      };
      for (const key of [undefined, "", "let-me-out", hashToken("let-me-in"), "let-me-in"]) {
        const sent = { ...headers, ...(key !== undefined && { "x-registration-key": key }) };
        const { told } = await send(api, REGISTRATION, { ...shown, headers: sent });
        assert.equal(told, expected(key === "let-me-in"), `with ${key}`);
      }
    });

    it(`let nobody register with ${kind} unless none is needed`, async () => {
      const expected = (anonymous: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        return isAnonymous && anonymous ? "201" : "401 authentication_required";
      };
      for (const anonymous of [true, false]) {
        const { told } = await send(testApi({ anonymous }), REGISTRATION, shown);
        assert.equal(told, expected(anonymous));
      }
    });
  }

  it("say in their challenge whether a token was wrong or missing", async () => {
    const { app } = await populated();
    const challengeOf = async (headers: Headers) =>
      (await app.inject({ url: "/api/me", headers })).headers["www-authenticate"];
    assert.equal(await challengeOf({}), "Bearer");
    assert.equal(await challengeOf(bearer("nobody")), 'Bearer error="invalid_token"');
    assert.equal(await challengeOf(bearer(tokenOf("Held"))), undefined);
  });

  it("refuse before they read a body", async () => {
    const { app } = await populated();
    const payload = "x".repeat(100_000);
    for (const url of ["/api/me/versions", "/api/me/token"])
      assert.equal((await app.inject({ method: "POST", url, payload })).statusCode, 401, url);
  });
});
