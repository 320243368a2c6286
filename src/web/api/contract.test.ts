// The contract at /openapi.json is complete and true.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Type } from "typebox";

import { ERRORS } from "#core/protocol/errors.ts";
import { IMAGE_TYPES } from "#core/words/images.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import { openContract } from "#testing/fixtures/contract.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { addBot, bearer, testApi, tokenOf } from "#testing/fixtures/test-api.ts";
import { refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };
type Described = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
};
type Contract = {
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: object; securitySchemes: object };
};

const { app } = accountApi({ anonymous: true });
/** Pages for people are not operations, and HEAD counts as GET. */
const routes: string[] = [];
app.addHook("onRoute", ({ url, method, config }) => {
  if (method === "HEAD" || config?.endpoint === undefined) return;
  routes.push(`${String(method)} ${url.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}")}`);
});
const text = (await app.inject("/openapi.json")).body;
const contract = JSON.parse(text) as Contract;
const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

describe("the contract", () => {
  it("has every route of data and documents, and nothing else", () => {
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    assert.ok(routes.length >= 25);
    assert.deepEqual(described.toSorted(), routes.toSorted());
  });

  it("names operations as GET /api names endpoints", async () => {
    const { endpoints } = (await app.inject("/api")).json<{ endpoints: Record<string, string> }>();
    const named = operations.map(({ path, operation }) => [operation.operationId, path] as const);
    assert.deepEqual(Object.fromEntries(named), endpoints);
  });

  it("carries the release and the address that was configured", () => {
    assert.equal(contract.info.version, "0.48.1");
    assert.deepEqual(
      contract.servers.map(({ url }) => url),
      ["http://localhost:7777"],
    );
  });

  it("has everything that it refers to, and refers to everything that it has", () => {
    const found = text.matchAll(/"#\/components\/schemas\/(\w+)"/g);
    const referred = new Set([...found].map(([, name]) => name));
    assert.deepEqual([...referred].toSorted(), Object.keys(contract.components.schemas));
    const schemes = operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    const known = Object.keys(contract.components.securitySchemes);
    assert.deepEqual([...new Set(schemes)].toSorted(), known.toSorted());
  });

  for (const { method, path, operation } of operations)
    it(`explains ${method.toUpperCase()} ${path}`, () => {
      assert.ok(operation.summary.length > 5 && operation.description.length > 20);
      assert.ok(!operation.summary.endsWith("."));
      assert.doesNotMatch(operation.description, /\]\((?!https?:)/, "links are whole");
      for (const { name, description } of operation.parameters ?? [])
        assert.ok((description ?? "").length > 5, name);
      const statuses = Object.keys(operation.responses);
      for (const status of ["429", "500", "503"]) assert.ok(statuses.includes(status));
      if (method !== "get")
        for (const status of ["400", "413", "415"]) assert.ok(statuses.includes(status), status);
      assert.equal(statuses.includes("414"), path.includes("{"));
    });

  it("has an example of every JSON answer and body, which matches its schema", () => {
    const whole = openContract(contract);
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`;
      const opened = whole.operation(method, path);
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        const media = content["application/json"];
        const schema = opened?.answer(Number(status))?.content["application/json"];
        if (media === undefined || schema === undefined || path === "/openapi.json") continue;
        const named = Object.values(media.examples ?? {}).map(({ value }) => value);
        if (Number(status) < 400) assert.ok(media.example !== undefined, name);
        for (const value of media.example === undefined ? named : [media.example])
          assert.deepEqual(strictCheck(schema)(value), [], `${name} ${status}`);
      }
      const body = operation.requestBody?.content["application/json"];
      if (body === undefined) continue;
      assert.deepEqual(strictCheck(opened!.body!)(body.example), [], name);
    }
  });

  it("names the types of a body that is a file, and the headers that go with it", () => {
    const { requestBody, parameters } = contract.paths["/api/admin/events/{event}/image"]!.put!;
    assert.deepEqual(Object.keys(requestBody?.content ?? {}), [...IMAGE_TYPES]);
    const named = parameters?.map(({ name }) => name);
    assert.deepEqual(named, ["event", "x-service-image-alt"]);
  });

  it("says which credential an operation needs", () => {
    const needed = operations.map(({ path, operation }) => [path, operation.security] as const);
    for (const [path, security] of needed) {
      if (path.startsWith("/api/me")) assert.deepEqual(security, [{ BotBearer: [] }], path);
      else if (path.startsWith("/api/account")) assert.deepEqual(security, [{ Browser: [] }], path);
      else if (path.startsWith("/api/admin")) assert.deepEqual(security, [{ Admin: [] }], path);
      else if (path === "/api/bots") assert.equal(security.length, 3);
      else if (path === "/api/bots/{name}" && security.length > 0)
        assert.deepEqual(security, [{ AgentBearer: [] }, { OwnerKey: [] }]);
      else assert.deepEqual(security, [], path);
    }
  });
});

describe("a route that refuses", () => {
  const refuses = [
    403,
    409,
    413,
    429,
    503,
    "no_such_bot",
    "account_banned",
    ["account_banned", 409],
  ] as const;
  const api = testApi();
  const config = { endpoint: "picky", about: "Refuses as it is asked", refuses };
  const querystring = Type.Object({ at: Type.Integer({ description: "which refusal" }) });
  const schema = { querystring, response: answers(Type.Object({})) };
  api.app.get("/api/picky", { config, schema }, ({ query }, reply) => {
    const refusal = refuses[query.at];
    if (refusal === undefined) return reply.send(refuse(reply, ["account_banned", 409], "Nearer."));
    const isBare = typeof refusal === "number";
    return reply.send(isBare ? refuseWith(reply, refusal, "No.") : refuse(reply, refusal));
  });
  const ask = async (at: number) => {
    const { statusCode, body } = await api.app.inject(`/api/picky?at=${at}`);
    const { code, error } = JSON.parse(body) as { code?: string; error: string };
    return { said: code === undefined ? statusCode : `${statusCode} ${code}`, error };
  };

  it("states bare statuses, codes, and codes with another of their statuses", async () => {
    const said = await Promise.all(refuses.map(async (_, at) => (await ask(at)).said));
    const codes = ["404 no_such_bot", "403 account_banned", "409 account_banned"];
    assert.deepEqual(said, [403, 409, 413, 429, 503, ...codes]);
    const nearer = await ask(refuses.length);
    assert.deepEqual(nearer, { said: "409 account_banned", error: "Nearer." });
  });

  it("announces each status with its codes, and describes all of them", async () => {
    const { paths } = (await api.app.inject("/openapi.json")).json<Contract>();
    const { responses } = paths["/api/picky"]!.get!;
    const announced = Object.entries(responses).map(([status, { description, content }]) => {
      assert.match(description, /^[A-Z].+\.$/, status);
      return [status, ...Object.keys(content?.["application/json"]?.examples ?? {})].join(" ");
    });
    assert.deepEqual(announced.slice(2), [
      "400",
      "403 account_banned",
      "404 no_such_bot",
      "409 account_banned",
      "413",
      "429 rate_limited",
      "500",
      "503 store_unavailable",
    ]);
    assert.notEqual(responses["409"]?.description, ERRORS.account_banned.text);
  });
});

describe("an exchange outside the contract", () => {
  it("fails for an answer with a code that was not announced", async () => {
    const api = testApi();
    api.app.addHook("preHandler", async (request, reply) => {
      if (request.url === "/api/status") return reply.code(404).send({ error: "x", code: "odd" });
    });
    assert.equal((await api.app.inject("/api/status")).statusCode, 500);
    assert.equal((await api.app.inject("/api/lobby")).statusCode, 200);
  });

  it("fails for a status or a media type that was not announced", async () => {
    const api = testApi();
    api.app.addHook("preHandler", async (request, reply) => {
      if (request.url === "/api/status") return reply.code(418).send({ error: "x" });
      if (request.url === "/api/lobby") return reply.type("text/plain").send("[]");
    });
    for (const url of ["/api/status", "/api/lobby"])
      assert.equal((await api.app.inject(url)).statusCode, 500, url);
  });

  it("fails for a route that the contract does not know", async () => {
    const api = testApi();
    api.app.get("/api/secret", async () => ({}));
    assert.equal((await api.app.inject("/api/secret")).statusCode, 500);
  });

  it("does not fail inside it", async () => {
    const api = testApi();
    await addBot(api, "Rex");
    const headers = bearer(tokenOf("Rex"));
    assert.equal((await api.app.inject({ url: "/api/me", headers })).statusCode, 200);
    assert.equal((await api.app.inject("/api/me")).statusCode, 401);
  });
});
