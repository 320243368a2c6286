import assert from "node:assert/strict";
import { it } from "node:test";

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { RESOURCE_SCHEMAS } from "#protocol/resources.ts";
import { SOCKET_SCHEMAS } from "#protocol/schemas.ts";
import { testApi } from "#testing/test-api.ts";

it("lists documents and schemas, each of which is served", async () => {
  const { app } = testApi();
  const { docs, schemas } = (await app.inject("/docs")).json();
  assert.deepEqual(docs, ["api"]);
  const names = [...Object.keys(SOCKET_SCHEMAS), ...Object.keys(RESOURCE_SCHEMAS)].toSorted();
  assert.deepEqual(schemas, names, "no name stands for two schemas");
  for (const name of names) {
    const schema = (await app.inject(`/docs/schema/${name}.json`)).json<
      TSchema & { $id: string }
    >();
    assert.equal(schema.$id, `http://localhost:7777/docs/schema/${name}.json`);
    assert.equal(typeof Compile(schema).Check({}), "boolean");
  }
});

it("serves Markdown with and without extension", async () => {
  const { app } = testApi();
  for (const url of ["/docs/api", "/docs/api.md"]) {
    const { body, headers } = await app.inject(url);
    assert.deepEqual([body, headers["content-type"]], ["# HTTP\n", "text/markdown; charset=utf-8"]);
  }
});

it("answers HTML to those who prefer it", async () => {
  const { app } = testApi();
  const rows = [
    ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html"],
    ["text/html", "text/html"],
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["text/html;q=0.5, application/json", "application/json"],
    ["text/html, */*", "application/json"],
    ["text/*;q=0.9, application/*;q=0.1", "text/html"],
    ["text/html;q=x", "application/json"],
    ["", "application/json"],
  ];
  for (const [accept, type] of rows) {
    const { headers } = await app.inject({ url: "/docs", headers: { accept } });
    assert.ok(String(headers["content-type"]).startsWith(type), accept);
    assert.equal(headers.vary, "Accept");
  }
});

it("T57 gives nothing from outside the list of documents", async () => {
  const { app } = testApi();
  const up = ["..", "..%2f..%2fpackage.json", "%2e%2e%2fpackage.json", "..\\package.json"];
  const odd = ["api%00", "api.md%00.txt", "/etc/passwd", "%2fetc%2fpasswd", "constructor", "API"];
  for (const name of [...up, ...odd, "__proto__", "decisions"])
    for (const url of [`/docs/${name}`, `/docs/${name}.md`, `/docs/schema/${name}.json`])
      assert.equal((await app.inject(url)).statusCode, 404, url);
});
