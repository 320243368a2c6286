import assert from "node:assert/strict";
import { BlockList } from "node:net";
import { it } from "node:test";

import { FIXED_LIMITS, DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { accountApi, addAgentKey, signUpAccount } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { toolCall, sendMcpMessage } from "#testing/fixtures/mcp-messages.ts";
import { openAdmission } from "#web/http/admission.ts";
import { callerOf } from "#web/http/client-address.ts";
import type { ApiSettings } from "#web/http/deps.ts";

async function keyedApi(settings: Partial<ApiSettings> = {}) {
  const api = accountApi(settings);
  await signUpAccount(api, "ada");
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
  "a local server": [
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
  "a local server at the default port": [
    at("http://127.0.0.9"),
    [
      [200, { host: "127.0.0.9" }],
      [200, { host: "localhost" }],
      [200, { host: "localhost:80" }],
      [403, { host: "localhost:7777" }],
    ],
  ],
  "a public server": [
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
  it(`T69 T71 checks Host and Origin on ${ladder}`, async () => {
    const { api, token } = await keyedApi(settings);
    for (const [status, headers] of rows) {
      const { answer: response } = await sendMcpMessage(api, { token, headers });
      assert.equal(response.statusCode, status, JSON.stringify(headers));
      const anonymous = await sendMcpMessage(api, { headers });
      assert.equal(anonymous.answer.statusCode, status === 200 ? 401 : 403);
    }
  });

it("accepts POST only", async () => {
  const { api, token } = await keyedApi();
  for (const method of ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"] as const) {
    const headers = { host: "localhost:7777", authorization: `Bearer ${token}` };
    const { statusCode, headers: responseHeaders } = await api.app.inject({
      method,
      url: "/mcp",
      headers,
    });
    assert.deepEqual([statusCode, responseHeaders.allow], [405, "POST"], method);
    assert.equal(responseHeaders["access-control-allow-origin"], undefined);
  }
});

it("doesn't exist on a server without accounts or if turned off", async () => {
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
    "invalid JSON": [400, "{"],
    "no body": [400, ""],
    "a text": [400, '"whoami"'],
    "an object without a method": [400, {}],
    "an unknown JSON-RPC version": [400, { ...toolCall("whoami"), jsonrpc: "1.0" }],
    "a key that pollutes prototypes": [400, '{"__proto__":{"a":1}}'],
    "a batch": [400, [toolCall("whoami"), toolCall("whoami")]],
    "an empty batch": [400, []],
    "a form": [415, "a=b", { "content-type": "application/x-www-form-urlencoded" }],
    "plain text": [415, toolCall("whoami"), { "content-type": "text/plain" }],
    "a compressed body": [415, toolCall("whoami"), { "content-encoding": "gzip" }],
    "64 KiB": [413, toolCall("whoami", { a: "x".repeat(FIXED_LIMITS.json_body_bytes) })],
    "an unknown method": [200, { jsonrpc: "2.0", id: 1, method: "nothing/such" }],
    "an unknown tool": [200, toolCall("constructor")],
    "deeply nested arguments": [200, NESTED],
    "an unknown protocol": [400, toolCall("whoami"), { "mcp-protocol-version": "1999-01-01" }],
    "the new protocol without its required fields": [
      400,
      toolCall("whoami"),
      { "mcp-protocol-version": "2026-07-28" },
    ],
    "a session of an older server": [200, toolCall("whoami"), { "mcp-session-id": "x" }],
    "no Accept header": [200, toolCall("whoami"), { accept: "text/html" }],
  };

it("T71 responds in JSON to malformed messages and keeps running", async () => {
  const { api, token } = await keyedApi();
  for (const [name, [status, body, headers = {}]] of Object.entries(MESSAGES)) {
    const { answer: response } = await sendMcpMessage(api, { token, body, headers });
    assert.equal(response.statusCode, status, `${name}: ${response.body}`);
    assert.match(String(response.headers["content-type"]), /^application\/json/, name);
    assert.ok("error" in response.json<object>() || "result" in response.json<object>(), name);
  }
  assert.ok(api.log.every((line) => !line.includes('"level":50')));
});

it("responds to a notification without a body", async () => {
  const { api, token } = await keyedApi();
  const body = { jsonrpc: "2.0", method: "notifications/initialized" };
  const { answer: response } = await sendMcpMessage(api, { token, body });
  assert.deepEqual([response.statusCode, response.body], [202, ""]);
});

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

it("ends a subscription immediately, because the tools never change", async () => {
  const { api, token } = await keyedApi();
  const method = "subscriptions/listen";
  const params = { _meta: META, notifications: { toolsListChanged: true } };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const { answer: response } = await sendMcpMessage(api, { token, headers, body });
  assert.equal(response.statusCode, 200);
  assert.match(response.body, /"resultType":"complete"/);
});

it("counts messages separately from an address's reads and writes", async () => {
  const clock = fakeClock();
  const admission = openAdmission({
    limits: DEFAULT_LIMITS,
    now: () => clock.now(),
    callerOf: (request) => callerOf(request, new BlockList()),
  });
  const api: AccountApi = accountApi({}, { admission });
  const ask = (method: "GET" | "POST", url: string) =>
    api.app.inject({ method, url, remoteAddress: "203.0.113.1" });
  const postMany = await Promise.all(
    Array.from({ length: DEFAULT_LIMITS.mcp_burst + 5 }, () => ask("POST", "/mcp")),
  );
  const limited = postMany.filter(({ statusCode }) => statusCode === 429);
  assert.equal(limited.length, 5);
  assert.equal(limited[0]?.json<{ limit: string }>().limit, "mcp_per_second");
  assert.equal((await ask("GET", "/api")).statusCode, 200);
  assert.equal((await ask("POST", "/api/bots")).statusCode, 401);
  clock.advance(1000);
  assert.notEqual((await ask("POST", "/mcp")).statusCode, 429);
});

it("tells clients where to get tokens, including pages on other sites", async () => {
  const { api } = await keyedApi();
  const url = "/.well-known/oauth-protected-resource/mcp";
  const response = await api.app.inject({ url, headers: { origin: PUBLIC } });
  assert.equal(response.headers["access-control-allow-origin"], "*");
  assert.deepEqual(response.json(), {
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

it("is listed by GET /api and by the account", async () => {
  const { api } = await keyedApi();
  const { mcp } = (await api.app.inject("/api")).json<{ mcp: string }>();
  assert.equal(mcp, `${LOCAL}/mcp`);
  const headers = { authorization: "Bearer jwt-of-ada" };
  const account = await api.app.inject({ url: "/api/account", headers });
  assert.equal(account.json<{ mcp_url: string }>().mcp_url, mcp);
});
