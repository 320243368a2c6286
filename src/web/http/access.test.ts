import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { UNSUBSCRIBE_PATH } from "#core/mail/unsubscribe.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import type { HttpCode } from "#core/protocol/errors.ts";
import { hashToken } from "#data/credentials/token.ts";
import {
  accountApi,
  addAgentKey,
  addOwnerKey,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { addCredentialBots, CREDENTIAL_CASES } from "#testing/fixtures/credential-cases.ts";
import { unknownAddress, requestOperation, listOperations } from "#testing/fixtures/operations.ts";
import type { RequestHeaders, ListedOperation } from "#testing/fixtures/operations.ts";
import {
  addTestBot,
  addTestVersion,
  bearerHeader,
  testApi,
  botTokenOf,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const CREDENTIALS: Record<string, (api: AccountApi) => Promise<RequestHeaders>> = {
  nothing: async () => ({}),
  "a bot token": async (api) => {
    await addTestBot(api, "Rex");
    return bearerHeader(botTokenOf("Rex"));
  },
  "an unknown token": async () => bearerHeader("bout_bot_nobody"),
  "a browser": async (api) => bearerHeader((await signUpAccount(api, "ada")).token),
  "an agent key": async (api) =>
    bearerHeader(await addAgentKey(api, (await signUpAccount(api, "ada")).token)),
  "a revoked agent key": async (api) => {
    const { token, account } = await signUpAccount(api, "ada");
    const key = await addAgentKey(api, token);
    const [record] = await api.store.keys.list(account.id);
    const [auditEntry] = await api.store.audit.list({ limit: 1 });
    await api.store.keys.revoke(account.id, record!.id, auditEntry!);
    return bearerHeader(key);
  },
  "an ended session": async (api) => {
    const { token } = await signUpAccount(api, "ada");
    api.identity.peopleByToken.get(token)!.isActive = false;
    return bearerHeader(token);
  },
  "a program's token": async (api) =>
    bearerHeader(api.identity.signIn("x", { clientId: "client-1" })),
  "an admin's browser session": async (api) => bearerHeader(await adminToken(api)),
  "an admin's agent key": async (api) =>
    bearerHeader(await addAgentKey(api, await adminToken(api))),
  "a banned browser session": async (api) => bearerHeader((await banned(api)).token),
  "a banned agent key": async (api) => bearerHeader((await banned(api)).key),
  "an agent key as X-Owner-Key": async (api) => {
    const { token } = await signUpAccount(api, "ada");
    return { "x-owner-key": await addAgentKey(api, token) };
  },
  "an owner key": async (api) => ({ "x-owner-key": await addOwnerKey(api, "Team", 5) }),
  "a browser session while the provider is down": async (api) => {
    const { token } = await signUpAccount(api, "ada");
    api.identity.isUnavailable = true;
    return bearerHeader(token);
  },
  "a malformed header": async (api) => {
    const { token } = await signUpAccount(api, "ada");
    return { authorization: `Bearer ${token} ${token}` };
  },
  "a rotated bot token": async (api) => {
    const { id } = await addTestBot(api, "Rex");
    await api.store.bots.rotateToken(id, hashToken(`new-${botTokenOf("Rex")}`));
    return bearerHeader(botTokenOf("Rex"));
  },
  "a former admin's browser session": async (api) => bearerHeader((await demoted(api)).token),
  "a former admin's agent key": async (api) => bearerHeader((await demoted(api)).key),
};

async function adminToken(api: AccountApi): Promise<string> {
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  return token;
}

async function demoted(api: AccountApi) {
  const { token, account } = await signUpAccount(api, "eve");
  await makeAdmin(api, account);
  const key = await addAgentKey(api, token);
  const [auditEntry] = await api.store.audit.list({ limit: 1 });
  // The last admin can't be demoted, so a second admin is added first.
  await adminToken(api);
  const updatedAccount = await api.store.accounts.setRole(account.id, "player", [], auditEntry!);
  assert.ok(typeof updatedAccount === "object" && updatedAccount?.role === "player");
  return { token, key };
}

async function banned(api: AccountApi) {
  const { token, account } = await signUpAccount(api, "eve");
  const key = await addAgentKey(api, token);
  const [auditEntry] = await api.store.audit.list({ limit: 1 });
  await api.store.accounts.setBan(account.id, { at: api.nextMinute(), reason: null }, auditEntry!);
  return { token, key };
}

type AccessOutcome = HttpCode | "in";

/** Expected outcome by accepted schemes, with one entry per credential in the order above. */
const EXPECTED_OUTCOMES: Record<string, readonly AccessOutcome[]> = {
  "": Array<AccessOutcome>(19).fill("in"),
  BotBearer: [
    "missing_authorization",
    "in",
    ...Array<AccessOutcome>(10).fill("invalid_token"),
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

/** Codes of authentication failures. Any other response means that the credential was accepted. */
const ACCESS_CODES: ReadonlySet<unknown> = new Set(Object.values(EXPECTED_OUTCOMES).flat());

async function ask(api: Pick<TestApi, "app">, operation: ListedOperation, headers: RequestHeaders) {
  const response = await requestOperation(api, operation, headers);
  return { ...response, told: ACCESS_CODES.has(response.code) ? String(response.code) : "in" };
}

/** Token replacement runs last, because it invalidates the credential of the other operations. */
const rotationLast = (operations: ListedOperation[]) =>
  operations.toSorted((a, b) => Number(isRotation(a)) - Number(isRotation(b)));
const isRotation = ({ path }: ListedOperation) => path === "/api/me/token";

describe("every operation in the contract", () => {
  for (const [index, [credential, makeHeaders]] of Object.entries(CREDENTIALS).entries())
    it(`gives ${credential} the outcome expected for its schemes`, async () => {
      const api = accountApi();
      const headers = await makeHeaders(api);
      for (const operation of rotationLast(await listOperations(api))) {
        const expected = EXPECTED_OUTCOMES[operation.schemes]?.[index];
        const { told: outcome, status } = await ask(api, operation, headers);
        const location = `${operation.method} ${operation.path}`;
        assert.equal(outcome, expected, location);
        if (operation.schemes === "") assert.ok(status !== 401 && status !== 403, location);
        assert.ok(status < 500 || outcome === "auth_unavailable", location);
      }
    });

  it("has an entry in the table, and every entry has operations", async () => {
    const operations = await listOperations(accountApi());
    const kinds = new Set(operations.map(({ schemes }) => schemes));
    assert.deepEqual([...kinds].toSorted(), Object.keys(EXPECTED_OUTCOMES).toSorted());
    assert.ok(operations.length > 70, `only ${operations.length}`);
    for (const outcome of Object.values(EXPECTED_OUTCOMES))
      assert.equal(outcome.length, Object.keys(CREDENTIALS).length);
  });

  it("prevents caches and other sites from reading private responses, but not public responses", async () => {
    const api = accountApi();
    for (const operation of await listOperations(api)) {
      const { headers } = await ask(api, operation, {});
      const location = `${operation.method} ${operation.path}`;
      // The unsubscribe link is private, so its page is too.
      const isLink = operation.path === UNSUBSCRIBE_PATH;
      const isPublic = operation.schemes === "" && !isLink;
      assert.equal(headers["access-control-allow-origin"], isPublic ? "*" : undefined, location);
      if (isPublic) continue;
      assert.equal(headers["cache-control"], "private, no-store", location);
      if (isLink || operation.schemes === "BotBearer") continue;
      assert.match(String(headers.vary), /^Authorization/, location);
    }
  });

  it("rejects cross-origin requests to account and admin operations", async () => {
    const api = accountApi();
    const headers = { ...bearerHeader(await adminToken(api)), origin: "https://evil.example" };
    for (const operation of await listOperations(api)) {
      if (!["Browser", "Admin"].includes(operation.schemes)) continue;
      const { status } = await ask(api, operation, headers);
      assert.equal(status, 403, `${operation.method} ${operation.path}`);
    }
  });

  it("rejects every caller on account and operator routes of a server without accounts", async () => {
    const closedApi = testApi();
    for (const operation of await listOperations(accountApi()))
      for (const headers of [{}, bearerHeader("bout_key_x"), bearerHeader("x.y.z")]) {
        const { told: outcome } = await ask(closedApi, operation, headers);
        const location = `${operation.method} ${operation.path}`;
        const isBare = !("authorization" in headers);
        if (operation.schemes === "Browser") {
          const url = unknownAddress(operation);
          const { method } = operation;
          const { code } = (await closedApi.app.inject({ method, url, headers })).json<{
            code: string;
          }>();
          assert.equal(code, "accounts_disabled", location);
        }
        if (operation.schemes === "Admin")
          assert.equal(outcome, isBare ? "admin_required" : "invalid_session", location);
      }
  });
});

type Route = { method: "GET" | "POST"; url: string; payload?: object; status: number };

const BOT_ROUTES: Route[] = [
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

async function populatedApi(): Promise<TestApi> {
  const api = testApi();
  const rex = await addCredentialBots(api.store, (name, botFacts) =>
    addTestBot(api, name, botFacts),
  );
  for (const label of ["v0", "v1"]) await addTestVersion(api, rex, label);
  return api;
}

type CredentialHeaders = Partial<Pick<(typeof CREDENTIAL_CASES)[string], "headers" | "query">>;

async function send(
  { app }: TestApi,
  route: Route,
  { headers = {}, query = "" }: CredentialHeaders,
) {
  const { method, payload } = route;
  const url = `${route.url}?${query}`;
  const response = await app.inject({ method, url, headers, ...(payload && { payload }) });
  const { statusCode, body } = response;
  if (statusCode < 400) return { told: String(statusCode), error: "" };
  const { code, error } = JSON.parse(body) as { code?: string; error: string };
  return { told: `${statusCode} ${code}`, error };
}

describe("a bot's routes", () => {
  for (const [kind, credentialCase] of Object.entries(CREDENTIAL_CASES)) {
    const { headers, code, text = /./ } = credentialCase;
    const isAnonymous = !("authorization" in headers || "x-owner-key" in headers);

    it(`T13 respond to ${kind} with ${code ?? "the expected access"}`, async () => {
      const api = await populatedApi();
      for (const route of BOT_ROUTES) {
        const { told: outcome, error } = await send(api, route, credentialCase);
        const expected = code === null ? route.status : `${ERROR_CATALOGUE[code].status} ${code}`;
        assert.equal(outcome, String(expected), route.url);
        if (code !== null) assert.match(error, text);
      }
    });

    it(`reject registration with ${kind} if the registration key is missing`, async () => {
      const api = testApi({ registrationKeyHash: hashToken("let-me-in") });
      const expected = (isKnown: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        if (!isAnonymous) return "401 authentication_required";
        return isKnown ? "201" : "403 invalid_registration_key";
      };
      for (const key of [undefined, "", "let-me-out", hashToken("let-me-in"), "let-me-in"]) {
        const requestHeaders = {
          ...headers,
          ...(key !== undefined && { "x-registration-key": key }),
        };
        const { told: outcome } = await send(api, REGISTRATION, {
          ...credentialCase,
          headers: requestHeaders,
        });
        assert.equal(outcome, expected(key === "let-me-in"), `with ${key}`);
      }
    });

    it(`reject registration with ${kind} unless no credential is required`, async () => {
      const expected = (anonymous: boolean) => {
        if ("x-owner-key" in headers) return "400 invalid_owner_key";
        return isAnonymous && anonymous ? "201" : "401 authentication_required";
      };
      for (const anonymous of [true, false]) {
        const { told: outcome } = await send(testApi({ anonymous }), REGISTRATION, credentialCase);
        assert.equal(outcome, expected(anonymous));
      }
    });
  }

  it("state in the challenge whether a token was invalid or missing", async () => {
    const { app } = await populatedApi();
    const challengeOf = async (headers: RequestHeaders) =>
      (await app.inject({ url: "/api/me", headers })).headers["www-authenticate"];
    assert.equal(await challengeOf({}), "Bearer");
    assert.equal(await challengeOf(bearerHeader("nobody")), 'Bearer error="invalid_token"');
    assert.equal(await challengeOf(bearerHeader(botTokenOf("Held"))), undefined);
  });

  it("reject a request before reading its body", async () => {
    const { app } = await populatedApi();
    const payload = "x".repeat(100_000);
    for (const url of ["/api/me/versions", "/api/me/token"])
      assert.equal((await app.inject({ method: "POST", url, payload })).statusCode, 401, url);
  });
});
