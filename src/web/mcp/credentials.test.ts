// Every kind of credential at the MCP endpoint, and what a program is told that may not.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { HOUR_MS, SECOND_MS } from "#base/units/time.ts";
import { SYSTEM } from "#core/words/audit.ts";
import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addOwnerKey,
  addPerson,
  ask,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { openWorld, tokensFor, withRefresh } from "#testing/fixtures/identity-programs.ts";
import { MCP_ENDPOINT, sendMessage } from "#testing/fixtures/mcp-messages.ts";
import { testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const METADATA = "http://localhost:7777/.well-known/oauth-protected-resource/mcp";
const ASKING = `Bearer realm="${MCP_ENDPOINT}", resource_metadata="${METADATA}", scope="openid email"`;
const CHALLENGES: Record<string, string | undefined> = {
  "401 missing_authorization": ASKING,
  "401 invalid_token": `${ASKING}, error="invalid_token"`,
  "403 mcp_consent_required": `Bearer error="insufficient_scope", scope="openid email", resource_metadata="${METADATA}", error_description="consent required"`,
};

/** Ada with a bot and an agent key, and a program that she let in, with a token of hers. */
async function adasApi() {
  const api = accountApi();
  const { account } = await addPerson(api, "ada");
  const browser = "jwt-of-ada";
  const key = await addAgentKey(api, browser);
  await addOwnBot(api, account, "Rex");
  await letIn(api, account.id);
  const { subject } = account;
  const program = api.identity.signIn("ada-program", { subject, clientId: "client-1" });
  return { api, account, browser, key, program };
}
type AdasApi = Awaited<ReturnType<typeof adasApi>>;

const NOTE = {
  kind: "mcp.approved",
  actor: SYSTEM,
  subject: null,
  reason: null,
  detail: null,
} as const;
const noteOf = (api: AccountApi) => ({ ...NOTE, id: api.newId(), at: api.now().toISOString() });

const letIn = (api: AccountApi, id: string, created = api.now()) =>
  api.store.programs.allow(
    id,
    { clientId: "client-1", name: "Agent", created: created.toISOString(), lastUsed: null },
    noteOf(api),
  );
const turnOut = (api: AccountApi, id: string) =>
  api.store.programs.revoke(id, "client-1", noteOf(api));
const ban = (api: AccountApi, id: string) =>
  api.store.accounts.setBan(id, { at: api.tick(), reason: null }, noteOf(api));
const endSession = (api: AccountApi) => {
  api.identity.people.get("jwt-of-ada-program")!.isLive = false;
};

type Case = [
  told: string,
  token: (world: AdasApi) => string | undefined,
  change?: (world: AdasApi) => unknown,
];

const CASES: Record<string, Case> = {
  "no credential": ["401 missing_authorization", () => undefined],
  "an empty bearer": ["401 invalid_token", () => ""],
  "two words": ["401 invalid_token", () => "a b"],
  "an agent key": ["200", ({ key }) => key],
  "an unknown agent key": ["401 invalid_token", ({ key }) => `${key}x`],
  "a revoked agent key": [
    "401 invalid_token",
    ({ key }) => key,
    async ({ api, account, browser: token }) => {
      const [{ id } = { id: "" }] = await api.store.keys.list(account.id);
      await ask(api, ["DELETE", `/api/account/keys/${id}`], { token });
    },
  ],
  "the agent key of a banned account": [
    "403 account_banned",
    ({ key }) => key,
    ({ api, account }) => ban(api, account.id),
  ],
  "an agent key while the provider is away": [
    "200",
    ({ key }) => key,
    ({ api }) => (api.identity.isAway = true),
  ],
  "a browser's token": ["401 invalid_token", ({ browser }) => browser],
  "a bot's token": ["401 invalid_token", () => tokenOf("Rex")],
  "a bot's token as one is made": ["401 invalid_token", () => "bout_bot_0123456789"],
  "an owner's key": [
    "401 invalid_token",
    () => "bout_owner_of-lab",
    ({ api }) => addOwnerKey(api, "lab", 5),
  ],
  "an invitation": ["401 invalid_token", () => "bout_invite_0123456789"],
  "a token that nobody gave out": ["401 invalid_token", () => "eyJ.eyJ.AAAA"],
  "the token of a program that was let in": ["200", ({ program }) => program],
  "that token while the provider is away": [
    "503 auth_unavailable",
    ({ program }) => program,
    ({ api }) => (api.identity.isAway = true),
  ],
  "that token once its session is over": [
    "401 invalid_token",
    ({ program }) => program,
    ({ api }) => endSession(api),
  ],
  "that token after its owner was signed out everywhere": [
    "401 invalid_token",
    ({ program }) => program,
    async ({ api, account }) => {
      const second = Date.parse(api.tick()) / SECOND_MS;
      await api.store.accounts.signOut(account.id, second, noteOf(api));
    },
  ],
  "that token once the program is turned out": [
    "403 mcp_consent_required",
    ({ program }) => program,
    ({ api, account }) => turnOut(api, account.id),
  ],
  "that token once the program is turned out and its session is over": [
    "403 mcp_consent_required",
    ({ program }) => program,
    ({ api, account }) => {
      endSession(api);
      return turnOut(api, account.id);
    },
  ],
  "a token from before the consent that counts": [
    "403 mcp_consent_required",
    ({ program }) => program,
    async ({ api, account }) => {
      await turnOut(api, account.id);
      api.tick();
      await letIn(api, account.id);
    },
  ],
  "a token that is a few seconds older than the consent, by the provider's clock": [
    "200",
    ({ program }) => program,
    async ({ api, account }) => {
      await turnOut(api, account.id);
      await letIn(api, account.id, new Date(api.now().getTime() + 4 * SECOND_MS));
    },
  ],
  "the token of another program": [
    "403 mcp_consent_required",
    ({ api }) => api.identity.signIn("ada", { clientId: "client-2" }),
  ],
  "a program's token of somebody who never came here": [
    "403 mcp_consent_required",
    ({ api }) => api.identity.signIn("stranger", { clientId: "client-1" }),
  ],
  "a program of a banned account": [
    "403 account_banned",
    ({ program }) => program,
    ({ api, account }) => ban(api, account.id),
  ],
  "a program that a banned account turned out": [
    "403 account_banned",
    ({ program }) => program,
    async ({ api, account }) => {
      await turnOut(api, account.id);
      await ban(api, account.id);
    },
  ],
  "a program of somebody who left": [
    "401 invalid_token",
    ({ program }) => program,
    async ({ api, browser: token }) => {
      api.tick();
      await ask(api, ["DELETE", "/api/account"], { token, payload: { handle: "ada" } });
    },
  ],
};

describe("the MCP endpoint", () => {
  for (const [credential, [told, tokenIn, change]] of Object.entries(CASES))
    it(`T13 T71 says ${told} to ${credential}`, async () => {
      const world = await adasApi();
      await change?.(world);
      const token = tokenIn(world);
      const { told: said, answer } = await sendMessage(
        world.api,
        token === undefined ? {} : { token },
      );
      assert.equal(said, told, answer.body);
      assert.equal(answer.headers["www-authenticate"], CHALLENGES[told]);
      assert.equal(answer.headers["cache-control"], "private, no-store");
      assert.equal(answer.headers["retry-after"], told.startsWith("503") ? "1" : undefined);
    });

  it("reads no credential from the address or another header", async () => {
    const { api, key } = await adasApi();
    const url = `/mcp?access_token=${key}`;
    const headers = { host: "localhost:7777", "x-owner-key": key };
    const answer = await api.app.inject({ method: "POST", url, headers, payload: {} });
    assert.equal(answer.json<{ code: string }>().code, "missing_authorization");
  });

  it("notes the use of a program and of a key at most once a minute", async () => {
    const { api, account, key, program } = await adasApi();
    const used = async () => {
      const [one] = await api.store.programs.list(account.id);
      const [other] = await api.store.keys.list(account.id);
      return [one?.lastUsed, other?.lastUsed];
    };
    const use = async () => {
      for (const token of [key, program]) await sendMessage(api, { token });
      return used();
    };
    assert.deepEqual(await used(), [null, null]);
    const first = api.now().toISOString();
    assert.deepEqual(await use(), [first, first]);
    let writes = 0;
    const { programs, keys } = api.store;
    const [useProgram, useKey] = [programs.use, keys.use];
    programs.use = (...values) => ((writes += 1), useProgram(...values));
    keys.use = (...values) => ((writes += 1), useKey(...values));
    assert.deepEqual([await use(), writes], [[first, first], 0]);
    const later = api.tick();
    assert.deepEqual([await use(), writes], [[later, later], 2]);
  });

  it("hands on no credential and logs none", async () => {
    const { api, key, program } = await adasApi();
    for (const token of [key, program, `${key}x`]) await sendMessage(api, { token });
    const log = api.log.join("");
    assert.ok(log.includes('"/mcp"'));
    for (const secret of [key, program]) assert.ok(!log.includes(secret));
  });
});

/** A program with a consent of both sides, at the embedded provider. */
async function embeddedProgram() {
  const store = memoryStore();
  const world = await openWorld({ store });
  const { embedded, clock } = world.world;
  const accounts = {
    provider: embedded.provider,
    adminEmails: () => new Set<string>(),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendLetter: () => {},
    noteLeft: async () => {},
    signUps: embedded.signUps,
  };
  const settings = { anonymous: false, mcpEndpoint: MCP_ENDPOINT };
  const api = testApi(settings, { store, accounts, clock: () => clock.wall() });
  const { body } = await ask(api, ["GET", "/api/account"], { token: world.person.access });
  const created = clock.wall().toISOString();
  const program = { clientId: world.program.id, name: "Agent", created, lastUsed: null };
  await store.programs.allow(String(body.id), program, { ...NOTE, id: api.newId(), at: created });
  const tokens = await tokensFor(world.world, world.program, world.person);
  return { api, ...world, tokens };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The parts of a token, and what a forger makes of them. */
const FORGERIES: Record<string, (head: string, claims: string, signature: string) => string> = {
  "without a signature": (_head, claims) => `${encoded({ alg: "none" })}.${claims}.`,
  "with another algorithm": (_head, claims, signature) =>
    `${encoded({ alg: "HS256" })}.${claims}.${signature}`,
  "with a key of nobody": (head, claims, signature) =>
    `${encoded({ ...decoded(head), kid: "../../x" })}.${claims}.${signature}`,
  "for somebody else": (head, claims, signature) =>
    `${head}.${encoded({ ...decoded(claims), sub: "0" })}.${signature}`,
  "for longer": (head, claims, signature) =>
    `${head}.${encoded({ ...decoded(claims), exp: 9_999_999_999 })}.${signature}`,
  "cut short": (head, claims, signature) => `${head}.${claims}.${signature.slice(0, -4)}`,
};
const decoded = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as object;

it("T67 takes only whole and lasting tokens that the provider signed for this endpoint", async () => {
  const { api, world, tokens } = await embeddedProgram();
  const token = tokens.access_token;
  const say = async (one: string) => (await sendMessage(api, { token: one })).told;
  assert.equal(await say(token), "200");
  const [head = "", claims = "", signature = ""] = token.split(".");
  for (const [forgery, forge] of Object.entries(FORGERIES))
    assert.equal(await say(forge(head, claims, signature)), "401 invalid_token", forgery);
  assert.equal(await say(tokens.refresh_token), "401 invalid_token");
  assert.equal(await say(tokens.id_token), "401 invalid_token");
  world.clock.pass(2 * HOUR_MS);
  assert.equal(await say(token), "401 invalid_token");
});

it("T67 goes on with a token that was renewed, and takes none for another ladder", async () => {
  const { api, world, program, tokens } = await embeddedProgram();
  world.clock.pass(2 * HOUR_MS);
  const { body } = await withRefresh(world, program, tokens.refresh_token);
  const say = async () => (await sendMessage(api, { token: body.access_token })).told;
  assert.equal(await say(), "200");
  world.settings.baseUrl = "https://other.example";
  assert.equal(await say(), "401 invalid_token");
});

it("a consent that is taken back at the provider alone ends at the next use", async () => {
  const { api, world, person, program, tokens } = await embeddedProgram();
  const path = `/user/oauth/grants?client_id=${program.id}`;
  assert.equal((await world.ask("DELETE", path, { jwt: person.access })).status, 204);
  const { told } = await sendMessage(api, { token: tokens.access_token });
  assert.equal(told, "401 invalid_token");
});
