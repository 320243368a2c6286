import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Type } from "typebox";

import { IMAGE_TYPES } from "#core/ids/image-types.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import { accountApi } from "#testing/fixtures/account-api.ts";
import { readContract } from "#testing/fixtures/contract.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { addTestBot, bearerHeader, testApi, botTokenOf } from "#testing/fixtures/test-api.ts";
import { refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };
type DescribedOperation = {
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
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: object; securitySchemes: object };
};

const { app } = accountApi({ anonymous: true });
/** HTML pages aren't in the contract, and HEAD counts as GET. */
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
  it("contains every data and document route, and nothing else", () => {
    const operationNames = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    assert.ok(routes.length >= 25);
    assert.deepEqual(operationNames.toSorted(), routes.toSorted());
  });

  it("gives operations the same names as the endpoints in GET /api", async () => {
    const { endpoints } = (await app.inject("/api")).json<{ endpoints: Record<string, string> }>();
    const endpointPairs = operations.map(
      ({ path, operation }) => [operation.operationId, path] as const,
    );
    assert.deepEqual(Object.fromEntries(endpointPairs), endpoints);
  });

  it("contains the release and the configured base URL", () => {
    assert.equal(contract.info.version, "0.48.1");
    assert.deepEqual(
      contract.servers.map(({ url }) => url),
      ["http://localhost:7777"],
    );
  });

  it("resolves every reference and uses every component", () => {
    const references = text.matchAll(/"#\/components\/schemas\/(\w+)"/g);
    const referredNames = new Set([...references].map(([, name]) => name));
    assert.deepEqual([...referredNames].toSorted(), Object.keys(contract.components.schemas));
    const schemes = operations.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    const schemeNames = Object.keys(contract.components.securitySchemes);
    assert.deepEqual([...new Set(schemes)].toSorted(), schemeNames.toSorted());
  });

  for (const { method, path, operation } of operations)
    it(`documents ${method.toUpperCase()} ${path}`, () => {
      assert.ok(operation.summary.length > 5 && operation.description.length > 20);
      assert.ok(!operation.summary.endsWith("."));
      assert.doesNotMatch(operation.description, /\]\((?!https?:)/, "links are absolute");
      for (const { name, description } of operation.parameters ?? [])
        assert.ok((description ?? "").length > 5, name);
      const statuses = Object.keys(operation.responses);
      for (const status of ["429", "500", "503"]) assert.ok(statuses.includes(status));
      if (method !== "get")
        for (const status of ["400", "413", "415"]) assert.ok(statuses.includes(status), status);
      assert.equal(statuses.includes("414"), path.includes("{"));
    });

  it("has an example that matches the schema for every JSON response and body", () => {
    const extendedContract = readContract(contract);
    for (const { method, path, operation } of operations) {
      const name = `${method} ${path}`;
      const openSchemas = extendedContract.operation(method, path);
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        const media = content["application/json"];
        const schema = openSchemas?.responseFor(Number(status))?.content["application/json"];
        if (media === undefined || schema === undefined || path === "/openapi.json") continue;
        const endpointPairs = Object.values(media.examples ?? {}).map(({ value }) => value);
        if (Number(status) < 400) assert.ok(media.example !== undefined, name);
        for (const value of media.example === undefined ? endpointPairs : [media.example])
          assert.deepEqual(strictCheck(schema)(value), [], `${name} ${status}`);
      }
      const body = operation.requestBody?.content["application/json"];
      if (body === undefined) continue;
      assert.deepEqual(strictCheck(openSchemas!.body!)(body.example), [], name);
    }
  });

  it("lists the media types and headers of file bodies", () => {
    const { requestBody, parameters } = contract.paths["/api/admin/events/{event}/image"]!.put!;
    assert.deepEqual(Object.keys(requestBody?.content ?? {}), [...IMAGE_TYPES]);
    const endpointPairs = parameters?.map(({ name }) => name);
    assert.deepEqual(endpointPairs, ["event", "x-service-image-alt"]);
  });

  it("lists the accepted credentials of each operation", () => {
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

describe("a route that refuses requests", () => {
  const errorCodes = [
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
  const config = { endpoint: "picky", summary: "Refuses as requested", errorCodes };
  const querystring = Type.Object({ at: Type.Integer({ description: "the refusal to return" }) });
  const schema = { querystring, response: okResponses(Type.Object({})) };
  api.app.get("/api/picky", { config, schema }, ({ query }, reply) => {
    const refusal = errorCodes[query.at];
    if (refusal === undefined)
      return reply.send(refuseWithCode(reply, ["account_banned", 409], "Nearer."));
    const isBare = typeof refusal === "number";
    return reply.send(
      isBare ? refuseWithStatus(reply, refusal, "No.") : refuseWithCode(reply, refusal),
    );
  });
  const requestWith = async (index: number) => {
    const { statusCode, body } = await api.app.inject(`/api/picky?at=${index}`);
    const { code, error } = JSON.parse(body) as { code?: string; error: string };
    return { said: code === undefined ? statusCode : `${statusCode} ${code}`, error };
  };

  it("can declare statuses, codes, and codes with a different status", async () => {
    const said = await Promise.all(
      errorCodes.map(async (_, index) => (await requestWith(index)).said),
    );
    const codes = ["404 no_such_bot", "403 account_banned", "409 account_banned"];
    assert.deepEqual(said, [403, 409, 413, 429, 503, ...codes]);
    const nearestRefusal = await requestWith(errorCodes.length);
    assert.deepEqual(nearestRefusal, { said: "409 account_banned", error: "Nearer." });
  });

  it("lists the codes of each status and describes every status", async () => {
    const { paths } = (await api.app.inject("/openapi.json")).json<Contract>();
    const { responses } = paths["/api/picky"]!.get!;
    const declaredStatuses = Object.entries(responses).map(([status, { description, content }]) => {
      assert.match(description, /^[A-Z].+\.$/, status);
      return [status, ...Object.keys(content?.["application/json"]?.examples ?? {})].join(" ");
    });
    assert.deepEqual(declaredStatuses.slice(2), [
      "400",
      "403 account_banned",
      "404 no_such_bot",
      "409 account_banned",
      "413",
      "429 rate_limited",
      "500",
      "503 store_unavailable",
    ]);
    assert.notEqual(responses["409"]?.description, ERROR_CATALOGUE.account_banned.text);
  });
});

describe("a response outside the contract", () => {
  it("fails the test if the code is not declared", async () => {
    const api = testApi();
    api.app.addHook("preHandler", async (request, reply) => {
      if (request.url === "/api/status") return reply.code(404).send({ error: "x", code: "odd" });
    });
    assert.equal((await api.app.inject("/api/status")).statusCode, 500);
    assert.equal((await api.app.inject("/api/lobby")).statusCode, 200);
  });

  it("fails the test if the status or media type is not declared", async () => {
    const api = testApi();
    api.app.addHook("preHandler", async (request, reply) => {
      if (request.url === "/api/status") return reply.code(418).send({ error: "x" });
      if (request.url === "/api/lobby") return reply.type("text/plain").send("[]");
    });
    for (const url of ["/api/status", "/api/lobby"])
      assert.equal((await api.app.inject(url)).statusCode, 500, url);
  });

  it("fails the test if the route is not in the contract", async () => {
    const api = testApi();
    api.app.get("/api/secret", async () => ({}));
    assert.equal((await api.app.inject("/api/secret")).statusCode, 500);
  });

  it("passes if the contract allows the response", async () => {
    const api = testApi();
    await addTestBot(api, "Rex");
    const headers = bearerHeader(botTokenOf("Rex"));
    assert.equal((await api.app.inject({ url: "/api/me", headers })).statusCode, 200);
    assert.equal((await api.app.inject("/api/me")).statusCode, 401);
  });
});
