import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { HOUR_MS, SECOND_MS } from "#base/util/time.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import {
  accountApi,
  addAgentKey,
  addAccountBot,
  addOwnerKey,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import {
  identityWorldWithApp,
  authorizeForTokens,
  redeemRefreshGrant,
} from "#testing/fixtures/identity-apps.ts";
import { MCP_ENDPOINT, sendMcpMessage } from "#testing/fixtures/mcp-messages.ts";
import { testApi, botTokenOf } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const METADATA = "http://localhost:7777/.well-known/oauth-protected-resource/mcp";
const BASE_CHALLENGE = `Bearer realm="${MCP_ENDPOINT}", resource_metadata="${METADATA}", scope="openid email"`;
const CHALLENGES: Record<string, string | undefined> = {
  "401 missing_authorization": BASE_CHALLENGE,
  "401 invalid_token": `${BASE_CHALLENGE}, error="invalid_token"`,
  "403 mcp_consent_required": `Bearer error="insufficient_scope", scope="openid email", resource_metadata="${METADATA}", error_description="consent required"`,
};

async function adasApi() {
  const api = accountApi();
  const { account } = await signUpAccount(api, "ada");
  const browser = "jwt-of-ada";
  const key = await addAgentKey(api, browser);
  await addAccountBot(api, account, "Rex");
  await grantApp(api, account.id);
  const { subject } = account;
  const program = api.identity.signIn("ada-program", { subject, clientId: "client-1" });
  return { api, account, browser, key, program };
}
type AdasApi = Awaited<ReturnType<typeof adasApi>>;

const AUDIT_ENTRY = {
  kind: "mcp.approved",
  actor: SYSTEM_ACTOR,
  subject: null,
  reason: null,
  detail: null,
} as const;
const auditEntryOf = (api: AccountApi) => ({
  ...AUDIT_ENTRY,
  id: api.newId(),
  at: api.now().toISOString(),
});

const grantApp = (api: AccountApi, id: string, created = api.now()) =>
  api.store.apps.authorize(
    id,
    { clientId: "client-1", name: "Agent", created: created.toISOString(), lastUsed: null },
    auditEntryOf(api),
  );
const revokeApp = (api: AccountApi, id: string) =>
  api.store.apps.revoke(id, "client-1", auditEntryOf(api));
const ban = (api: AccountApi, id: string) =>
  api.store.accounts.setBan(id, { at: api.nextMinute(), reason: null }, auditEntryOf(api));
const endSession = (api: AccountApi) => {
  api.identity.peopleByToken.get("jwt-of-ada-program")!.isActive = false;
};

type Case = [
  told: string,
  token: (world: AdasApi) => string | undefined,
  change?: (world: AdasApi) => unknown,
];

const CASES: Record<string, Case> = {
  "no credential": ["401 missing_authorization", () => undefined],
  "an empty bearer token": ["401 invalid_token", () => ""],
  "two words": ["401 invalid_token", () => "a b"],
  "an agent key": ["200", ({ key }) => key],
  "an unknown agent key": ["401 invalid_token", ({ key }) => `${key}x`],
  "a revoked agent key": [
    "401 invalid_token",
    ({ key }) => key,
    async ({ api, account, browser: token }) => {
      const [{ id } = { id: "" }] = await api.store.keys.list(account.id);
      await sendRequest(api, ["DELETE", `/api/account/keys/${id}`], { token });
    },
  ],
  "the agent key of a banned account": [
    "403 account_banned",
    ({ key }) => key,
    ({ api, account }) => ban(api, account.id),
  ],
  "an agent key while the provider is down": [
    "200",
    ({ key }) => key,
    ({ api }) => (api.identity.isUnavailable = true),
  ],
  "a browser's token": ["401 invalid_token", ({ browser }) => browser],
  "a bot's token": ["401 invalid_token", () => botTokenOf("Rex")],
  "a new bot token": ["401 invalid_token", () => "bout_bot_0123456789"],
  "an owner key": [
    "401 invalid_token",
    () => "bout_owner_of-lab",
    ({ api }) => addOwnerKey(api, "lab", 5),
  ],
  "an invitation": ["401 invalid_token", () => "bout_invite_0123456789"],
  "a token that was never issued": ["401 invalid_token", () => "eyJ.eyJ.AAAA"],
  "a connected app's token": ["200", ({ program }) => program],
  "that token while the provider is down": [
    "503 auth_unavailable",
    ({ program }) => program,
    ({ api }) => (api.identity.isUnavailable = true),
  ],
  "that token after its session ended": [
    "401 invalid_token",
    ({ program }) => program,
    ({ api }) => endSession(api),
  ],
  "that token after the account was signed out everywhere": [
    "401 invalid_token",
    ({ program }) => program,
    async ({ api, account }) => {
      const second = Date.parse(api.nextMinute()) / SECOND_MS;
      await api.store.accounts.signOut(account.id, second, auditEntryOf(api));
    },
  ],
  "that token after the app was revoked": [
    "403 mcp_consent_required",
    ({ program }) => program,
    ({ api, account }) => revokeApp(api, account.id),
  ],
  "that token after the app was revoked and its session ended": [
    "403 mcp_consent_required",
    ({ program }) => program,
    ({ api, account }) => {
      endSession(api);
      return revokeApp(api, account.id);
    },
  ],
  "a token that is older than the current consent": [
    "403 mcp_consent_required",
    ({ program }) => program,
    async ({ api, account }) => {
      await revokeApp(api, account.id);
      api.nextMinute();
      await grantApp(api, account.id);
    },
  ],
  "a token a few seconds older than the consent, by the provider's clock": [
    "200",
    ({ program }) => program,
    async ({ api, account }) => {
      await revokeApp(api, account.id);
      await grantApp(api, account.id, new Date(api.now().getTime() + 4 * SECOND_MS));
    },
  ],
  "a token of another app": [
    "403 mcp_consent_required",
    ({ api }) => api.identity.signIn("ada", { clientId: "client-2" }),
  ],
  "an app's token of a person without an account here": [
    "403 mcp_consent_required",
    ({ api }) => api.identity.signIn("stranger", { clientId: "client-1" }),
  ],
  "an app of a banned account": [
    "403 account_banned",
    ({ program }) => program,
    ({ api, account }) => ban(api, account.id),
  ],
  "a revoked app of a banned account": [
    "403 account_banned",
    ({ program }) => program,
    async ({ api, account }) => {
      await revokeApp(api, account.id);
      await ban(api, account.id);
    },
  ],
  "an app of a deleted account": [
    "401 invalid_token",
    ({ program }) => program,
    async ({ api, browser: token }) => {
      api.nextMinute();
      await sendRequest(api, ["DELETE", "/api/account"], { token, payload: { handle: "ada" } });
    },
  ],
};

describe("the MCP endpoint", () => {
  for (const [credential, [outcome, tokenIn, change]] of Object.entries(CASES))
    it(`T13 T71 responds with ${outcome} to ${credential}`, async () => {
      const world = await adasApi();
      await change?.(world);
      const token = tokenIn(world);
      const { told: actualOutcome, answer: response } = await sendMcpMessage(
        world.api,
        token === undefined ? {} : { token },
      );
      assert.equal(actualOutcome, outcome, response.body);
      assert.equal(response.headers["www-authenticate"], CHALLENGES[outcome]);
      assert.equal(response.headers["cache-control"], "private, no-store");
      assert.equal(response.headers["retry-after"], outcome.startsWith("503") ? "1" : undefined);
    });

  it("ignores credentials in the URL and in other headers", async () => {
    const { api, key } = await adasApi();
    const url = `/mcp?access_token=${key}`;
    const headers = { host: "localhost:7777", "x-owner-key": key };
    const response = await api.app.inject({ method: "POST", url, headers, payload: {} });
    assert.equal(response.json<{ code: string }>().code, "missing_authorization");
  });

  it("records the use of apps and keys at most once a minute", async () => {
    const { api, account, key, program } = await adasApi();
    const lastUsedTimes = async () => {
      const [keyToken] = await api.store.apps.list(account.id);
      const [otherKey] = await api.store.keys.list(account.id);
      return [keyToken?.lastUsed, otherKey?.lastUsed];
    };
    const use = async () => {
      for (const token of [key, program]) await sendMcpMessage(api, { token });
      return lastUsedTimes();
    };
    assert.deepEqual(await lastUsedTimes(), [null, null]);
    const first = api.now().toISOString();
    assert.deepEqual(await use(), [first, first]);
    let writes = 0;
    const { apps, keys } = api.store;
    const [useProgram, useKey] = [apps.recordUse, keys.recordUse];
    apps.recordUse = (...values) => ((writes += 1), useProgram(...values));
    keys.recordUse = (...values) => ((writes += 1), useKey(...values));
    assert.deepEqual([await use(), writes], [[first, first], 0]);
    const laterTime = api.nextMinute();
    assert.deepEqual([await use(), writes], [[laterTime, laterTime], 2]);
  });

  it("neither forwards nor logs credentials", async () => {
    const { api, key, program } = await adasApi();
    for (const token of [key, program, `${key}x`]) await sendMcpMessage(api, { token });
    const log = api.log.join("");
    assert.ok(log.includes('"/mcp"'));
    for (const secret of [key, program]) assert.ok(!log.includes(secret));
  });
});

/** Opens an embedded provider with an app that the ladder and the provider have both approved. */
async function embeddedProgram() {
  const store = memoryStore();
  const world = await identityWorldWithApp({ store });
  const { embedded, clock } = world.world;
  const accounts = {
    provider: embedded.provider,
    adminEmails: () => new Set<string>(),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendEmail: () => {},
    recordDeletion: async () => {},
    signUps: embedded.signUps,
  };
  const settings = { anonymous: false, mcpEndpoint: MCP_ENDPOINT };
  const api = testApi(settings, { store, accounts, clock: () => clock.wall() });
  const { body } = await sendRequest(api, ["GET", "/api/account"], { token: world.person.access });
  const created = clock.wall().toISOString();
  const program = { clientId: world.program.id, name: "Agent", created, lastUsed: null };
  await store.apps.authorize(String(body.id), program, {
    ...AUDIT_ENTRY,
    id: api.newId(),
    at: created,
  });
  const tokens = await authorizeForTokens(world.world, world.program, world.person);
  return { api, ...world, tokens };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Each entry modifies the parts of a token as a forger would. */
const FORGERIES: Record<string, (head: string, claims: string, signature: string) => string> = {
  "without a signature": (_head, claims) => `${encoded({ alg: "none" })}.${claims}.`,
  "with another algorithm": (_head, claims, signature) =>
    `${encoded({ alg: "HS256" })}.${claims}.${signature}`,
  "with an unknown key": (head, claims, signature) =>
    `${encoded({ ...decoded(head), kid: "../../x" })}.${claims}.${signature}`,
  "for another audience": (head, claims, signature) =>
    `${head}.${encoded({ ...decoded(claims), sub: "0" })}.${signature}`,
  "with a later expiry": (head, claims, signature) =>
    `${head}.${encoded({ ...decoded(claims), exp: 9_999_999_999 })}.${signature}`,
  truncated: (head, claims, signature) => `${head}.${claims}.${signature.slice(0, -4)}`,
};
const decoded = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as object;

it("T67 accepts only complete, unexpired tokens that the provider signed for this endpoint", async () => {
  const { api, world, tokens } = await embeddedProgram();
  const token = tokens.access_token;
  const send = async (keyToken: string) => (await sendMcpMessage(api, { token: keyToken })).told;
  assert.equal(await send(token), "200");
  const [head = "", claims = "", signature = ""] = token.split(".");
  for (const [forgery, forge] of Object.entries(FORGERIES))
    assert.equal(await send(forge(head, claims, signature)), "401 invalid_token", forgery);
  assert.equal(await send(tokens.refresh_token), "401 invalid_token");
  assert.equal(await send(tokens.id_token), "401 invalid_token");
  world.clock.advance(2 * HOUR_MS);
  assert.equal(await send(token), "401 invalid_token");
});

it("T67 accepts a refreshed token, but no token for another server", async () => {
  const { api, world, program, tokens } = await embeddedProgram();
  world.clock.advance(2 * HOUR_MS);
  const { body } = await redeemRefreshGrant(world, program, tokens.refresh_token);
  const send = async () => (await sendMcpMessage(api, { token: body.access_token })).told;
  assert.equal(await send(), "200");
  world.settings.baseUrl = "https://other.example";
  assert.equal(await send(), "401 invalid_token");
});

it("a consent revoked only at the provider ends access on the next request", async () => {
  const { api, world, person, program, tokens } = await embeddedProgram();
  const path = `/user/oauth/grants?client_id=${program.id}`;
  assert.equal((await world.sendRequest("DELETE", path, { jwt: person.access })).status, 204);
  const { told: outcome } = await sendMcpMessage(api, { token: tokens.access_token });
  assert.equal(outcome, "401 invalid_token");
});
