// Who may send what to the MCP endpoint, and how it answers: before any tool.

import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { it } from "node:test";

import { FIXED, LIMITS } from "#core/words/limits.ts";
import { accountApi, addAgentKey, addPerson } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { callOf, sendMessage } from "#testing/fixtures/mcp-messages.ts";
import { openAdmission } from "#web/http/admission.ts";
import { callerOf } from "#web/http/caller.ts";
import type { ApiSettings } from "#web/http/deps.ts";

async function keyedApi(settings: Partial<ApiSettings> = {}) {
  const api = accountApi(settings);
  await addPerson(api, "ada");
  return { api, token: await addAgentKey(api, "jwt-of-ada") };
}

const LOCAL = "http://localhost:7777";
const PUBLIC = "https://bout.example";
const at = (baseUrl: string, origins = [baseUrl]): Partial<ApiSettings> => ({
  baseUrl,
  origins,
  mcpEndpoint: `${baseUrl}/mcp`,
});

type Row = [status: number, headers: Record<string, string>];
const ROWS: Record<string, [settings: Partial<ApiSettings>, rows: Row[]]> = {
  "a ladder on this machine": [
    at(LOCAL, [LOCAL, "http://127.0.0.1:7777", "http://[::1]:7777"]),
    [
      [200, { host: "localhost:7777" }],
      [200, { host: "LOCALHOST:7777" }],
      [200, { host: "127.0.0.1:7777" }],
      [200, { host: "[::1]:7777" }],
      [403, { host: "localhost" }],
      [403, { host: "localhost:7778" }],
      [403, { host: "localhost:7777.evil.example" }],
      [403, { host: "evil.example:7777" }],
      [403, { host: "rebound.example" }],
      [200, { host: "localhost:7777", origin: LOCAL }],
      [200, { host: "127.0.0.1:7777", origin: "http://127.0.0.1:7777" }],
      [403, { host: "localhost:7777", origin: "null" }],
      [403, { host: "localhost:7777", origin: "http://localhost:7778" }],
      [403, { host: "localhost:7777", origin: "https://localhost:7777" }],
      [403, { host: "localhost:7777", origin: "http://127.0.0.1:7777.evil" }],
      [403, { host: "localhost:7777", origin: PUBLIC }],
    ],
  ],
  "a ladder on this machine at the usual port": [
    at("http://127.0.0.9"),
    [
      [200, { host: "127.0.0.9" }],
      [200, { host: "localhost" }],
      [200, { host: "localhost:80" }],
      [403, { host: "localhost:7777" }],
    ],
  ],
  "a public ladder": [
    at(PUBLIC),
    [
      [200, { host: "bout.example" }],
      [200, { host: "10.0.0.7:8080" }],
      [200, { host: "bout.example", origin: PUBLIC }],
      [403, { host: "bout.example", origin: "http://bout.example" }],
      [403, { host: "bout.example", origin: LOCAL }],
    ],
  ],
};

for (const [ladder, [settings, rows]] of Object.entries(ROWS))
  it(`T69 T71 looks at Host and Origin on ${ladder}`, async () => {
    const { api, token } = await keyedApi(settings);
    for (const [status, headers] of rows) {
      const { answer } = await sendMessage(api, { token, headers });
      assert.equal(answer.statusCode, status, JSON.stringify(headers));
      const anonymous = await sendMessage(api, { headers });
      assert.equal(anonymous.answer.statusCode, status === 200 ? 401 : 403);
    }
  });

it("takes POST alone", async () => {
  const { api, token } = await keyedApi();
  for (const method of ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"] as const) {
    const headers = { host: "localhost:7777", authorization: `Bearer ${token}` };
    const { statusCode, headers: given } = await api.app.inject({ method, url: "/mcp", headers });
    assert.deepEqual([statusCode, given.allow], [405, "POST"], method);
    assert.equal(given["access-control-allow-origin"], undefined);
  }
});

it("is not there without accounts, and not where it is switched off", async () => {
  for (const [settings, changes] of [
    [{ mcpEndpoint: null }, {}],
    [{ anonymous: true }, { accounts: null }],
  ] as const) {
    const api = accountApi(settings, changes);
    for (const url of ["/mcp", "/.well-known/oauth-protected-resource/mcp"])
      for (const method of ["GET", "POST"] as const)
        assert.equal((await api.app.inject({ method, url })).statusCode, 404, `${method} ${url}`);
  }
});

const NESTED = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":${'{"a":'.repeat(9000)}1${"}".repeat(9000)}}}`;
const MESSAGES: Record<string, [status: number, body: unknown, headers?: Record<string, string>]> =
  {
    "bytes that are not JSON": [400, "{"],
    "no body": [400, ""],
    "a text": [400, '"whoami"'],
    "an object without a method": [400, {}],
    "an odd version of JSON-RPC": [400, { ...callOf("whoami"), jsonrpc: "1.0" }],
    "a key that pollutes prototypes": [400, '{"__proto__":{"a":1}}'],
    "a batch": [400, [callOf("whoami"), callOf("whoami")]],
    "an empty batch": [400, []],
    "a form": [415, "a=b", { "content-type": "application/x-www-form-urlencoded" }],
    "plain text": [415, callOf("whoami"), { "content-type": "text/plain" }],
    "a compressed body": [415, callOf("whoami"), { "content-encoding": "gzip" }],
    "64 KiB": [413, callOf("whoami", { a: "x".repeat(FIXED.json_body_bytes) })],
    "an unknown method": [200, { jsonrpc: "2.0", id: 1, method: "nothing/such" }],
    "an unknown tool": [200, callOf("constructor")],
    "deep arguments": [200, NESTED],
    "an unknown protocol": [400, callOf("whoami"), { "mcp-protocol-version": "1999-01-01" }],
    "the new protocol without its parts": [
      400,
      callOf("whoami"),
      { "mcp-protocol-version": "2026-07-28" },
    ],
    "a session of an older server": [200, callOf("whoami"), { "mcp-session-id": "x" }],
    "no word of what it accepts": [200, callOf("whoami"), { accept: "text/html" }],
  };

it("T71 answers odd messages in JSON, and does not fall over", async () => {
  const { api, token } = await keyedApi();
  for (const [name, [status, body, headers = {}]] of Object.entries(MESSAGES)) {
    const { answer } = await sendMessage(api, { token, body, headers });
    assert.equal(answer.statusCode, status, `${name}: ${answer.body}`);
    assert.match(String(answer.headers["content-type"]), /^application\/json/, name);
    assert.ok("error" in answer.json<object>() || "result" in answer.json<object>(), name);
  }
  assert.ok(api.log.every((line) => !line.includes('"level":50')));
});

it("says nothing to a notification", async () => {
  const { api, token } = await keyedApi();
  const body = { jsonrpc: "2.0", method: "notifications/initialized" };
  const { answer } = await sendMessage(api, { token, body });
  assert.deepEqual([answer.statusCode, answer.body], [202, ""]);
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

it("ends a subscription at once: its tools never change", async () => {
  const { api, token } = await keyedApi();
  const method = "subscriptions/listen";
  const params = { _meta: META, notifications: { toolsListChanged: true } };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const { answer } = await sendMessage(api, { token, headers, body });
  assert.equal(answer.statusCode, 200);
  assert.match(answer.body, /"resultType":"complete"/);
});

it("counts messages of an address apart from reads and writes", async () => {
  const clock = fakeClock();
  const admission = openAdmission({
    limits: LIMITS,
    now: () => clock.now(),
    callerOf: (request) => callerOf(request, new BlockList()),
  });
  const api: AccountApi = accountApi({}, { admission });
  const ask = (method: "GET" | "POST", url: string) =>
    api.app.inject({ method, url, remoteAddress: "203.0.113.1" });
  const flood = await Promise.all(
    Array.from({ length: LIMITS.mcp_burst + 5 }, () => ask("POST", "/mcp")),
  );
  const limited = flood.filter(({ statusCode }) => statusCode === 429);
  assert.equal(limited.length, 5);
  assert.equal(limited[0]?.json<{ limit: string }>().limit, "mcp_per_second");
  assert.equal((await ask("GET", "/api")).statusCode, 200);
  assert.equal((await ask("POST", "/api/bots")).statusCode, 401);
  clock.pass(1000);
  assert.notEqual((await ask("POST", "/mcp")).statusCode, 429);
});

it("says where programs get tokens, to pages of other sites too", async () => {
  const { api } = await keyedApi();
  const url = "/.well-known/oauth-protected-resource/mcp";
  const answer = await api.app.inject({ url, headers: { origin: PUBLIC } });
  assert.equal(answer.headers["access-control-allow-origin"], "*");
  assert.deepEqual(answer.json(), {
    resource: `${LOCAL}/mcp`,
    authorization_servers: [`${LOCAL}/auth/v1`],
    scopes_supported: ["openid", "email"],
    bearer_methods_supported: ["header"],
    resource_name: "Bout",
    resource_documentation: `${LOCAL}/guide/mcp`,
  });
  const preflight = await api.app.inject({ method: "OPTIONS", url });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers["access-control-allow-origin"], "*");
  const allowed = String(preflight.headers["access-control-allow-headers"]);
  assert.match(allowed, /MCP-Protocol-Version/);
  assert.equal((await api.app.inject(url.replace("/mcp", ""))).statusCode, 404);
});

it("is named by GET /api and by the account", async () => {
  const { api } = await keyedApi();
  const { mcp } = (await api.app.inject("/api")).json<{ mcp: string }>();
  assert.equal(mcp, `${LOCAL}/mcp`);
  const headers = { authorization: "Bearer jwt-of-ada" };
  const account = await api.app.inject({ url: "/api/account", headers });
  assert.equal(account.json<{ mcp_url: string }>().mcp_url, mcp);
});
