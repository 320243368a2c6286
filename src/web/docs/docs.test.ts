import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";

import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";

import { RESOURCE_SCHEMAS } from "#core/api/resource-schemas.ts";
import { SOCKET_SCHEMAS } from "#core/api/socket-schemas.ts";
import { RELEASE } from "#server/composition/release.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const FOLDER = new URL("../../../docs/", import.meta.url);

it("lists and serves all documents and schemas", async () => {
  const { app } = testApi();
  const { docs, schemas } = (await app.inject("/docs")).json<Record<string, string[]>>();
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
  assert.deepEqual(docs, files.map((file) => file.replace(".md", "")).toSorted());
  const names = [...Object.keys(SOCKET_SCHEMAS), ...Object.keys(RESOURCE_SCHEMAS)].toSorted();
  assert.deepEqual(schemas, names, "no name refers to two schemas");
  for (const name of names) {
    const schema = (await app.inject(`/docs/schema/${name}.json`)).json<
      TSchema & { $id: string }
    >();
    assert.equal(schema.$id, `http://localhost:7777/docs/schema/${name}.json`);
    assert.equal(typeof Compile(schema).Check({}), "boolean");
  }
});

it("serves Markdown with and without the extension", async () => {
  const { app } = testApi();
  const text = readFileSync(new URL("rules.md", FOLDER), "utf8");
  for (const url of ["/docs/rules", "/docs/rules.md"]) {
    const { body, headers } = await app.inject(url);
    assert.deepEqual([body, headers["content-type"]], [text, "text/markdown; charset=utf-8"]);
  }
});

it("includes versioned npx commands, because npx caches packages by URL", async () => {
  const baseUrl = "https://bout.example";
  const { app } = testApi({ baseUrl });
  for (const name of ["cli", "cli-sim", "quick-start", "debugging", "faq"]) {
    const { body } = await app.inject(`/docs/${name}`);
    const schemaNames = [...body.matchAll(/npx (\S+\.tgz)/g)].map(([, url]) => url);
    assert.ok(schemaNames.length > 0, name);
    for (const url of schemaNames)
      assert.equal(url, `${baseUrl}/download/bout-${RELEASE}.tgz`, name);
  }
});

it("serves HTML to clients that prefer it", async () => {
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
    assert.ok(String(headers["content-type"]).startsWith(type!), accept!);
    assert.equal(headers.vary, "Accept, Accept-Encoding");
  }
});

const PARENTS = ["/docs", "/guide", "/download"];
it("T57 serves nothing but the listed documents", async () => {
  const { app } = testApi();
  const traversalNames = [
    "..",
    "..%2f..%2fpackage.json",
    "%2e%2e%2fpackage.json",
    "..\\package.json",
  ];
  const oddNames = [
    "api%00",
    "api.md%00.txt",
    "/etc/passwd",
    "%2fetc%2fpasswd",
    "constructor",
    "API",
  ];
  for (const name of [...traversalNames, ...oddNames, "__proto__", "decisions"])
    for (const folder of ["docs", "docs/schema", "guide", "download/bots"])
      for (const end of ["", ".md", ".json"]) {
        const { statusCode, headers } = await app.inject(`/${folder}/${name}${end}`);
        // Paths that resolve to a parent folder redirect to a list or the front page.
        if (statusCode === 308 && PARENTS.includes(String(headers.location))) continue;
        if (name === "API" && headers.location === "/guide/api") continue;
        if (statusCode === 200 && name === ".." && end === "" && !folder.includes("/")) continue;
        assert.equal(statusCode, 404, `${folder} ${name}${end}`);
        assert.equal(headers["x-robots-tag"], "noindex");
      }
});

it("publishes schemas that are valid in their declared draft", async () => {
  const { app } = testApi();
  const { schemas } = (await app.inject("/docs")).json<{ schemas: string[] }>();
  for (const name of schemas) {
    const { body } = await app.inject(`/docs/schema/${name}.json`);
    assert.ok(body.includes("2020-12"));
    assert.ok(!/"items":\[|"additionalItems"/.test(body), `${name} has tuples of an older draft`);
  }
});

it("renders every document as a site page", async () => {
  const { app } = testApi();
  const { docs } = (await app.inject("/docs")).json<{ docs: string[] }>();
  for (const name of docs) {
    const { statusCode, headers, body } = await app.inject(`/guide/${name}`);
    assert.deepEqual([statusCode, headers["content-type"]], [200, "text/html; charset=utf-8"]);
    assert.match(body, /<title>[^<]+ · Bout<\/title>.*<h1 id="/s, name);
    assert.match(body, new RegExp(`href="/guide/${name}" aria-current="page"`));
  }
  assert.match((await app.inject("/guide")).body, /<title>Guides · Bout<.*href="\/guide\/faq"/s);
  assert.match((await app.inject("/changelog")).body, /<title>Changelog · Bout<.*<h2 id="v\d/s);
});

it("includes the server's URL in documents, pages and downloads", async () => {
  const { app } = testApi({
    baseUrl: "https://bout.example",
    botEndpoint: "wss://bout.example/bot",
  });
  const { docs } = (await app.inject("/docs")).json<{ docs: string[] }>();
  const { files } = (await app.inject("/download/bots")).json<{ files: { url: string }[] }>();
  const paths = docs.flatMap((name) => [`/docs/${name}`, `/docs/${name}.md`, `/guide/${name}`]);
  for (const path of [...paths, ...files.map(({ url }) => url), "/llms.txt", "/changelog"])
    assert.doesNotMatch((await app.inject(path)).body, /localhost:7777/, path);
  assert.match((await app.inject("/docs/protocol")).body, /`wss:\/\/bout\.example\/bot`/);
  assert.match(
    (await app.inject("/guide/quick-start")).body,
    /curl -s https:\/\/bout\.example\/api/,
  );
  assert.match(
    (await app.inject("/download/bots/loop.sh")).body,
    /URL=\$\{4:-https:\/\/bout\.example\}/,
  );
});

it("redirects from a schema's former name to its current one", async () => {
  const { app } = testApi();
  const { statusCode, headers } = await app.inject("/docs/schema/event.json");
  assert.deepEqual([statusCode, headers.location], [301, "/docs/schema/fight-event.json"]);
  const redirectResponse = await app.inject("/docs/schema/event");
  assert.equal(redirectResponse.headers.location, "/docs/schema/fight-event.json");
});

it("serves schemas without the extension too", async () => {
  const { app } = testApi();
  const { statusCode, headers } = await app.inject("/docs/schema/queue");
  assert.deepEqual([statusCode, headers.location], [308, "/docs/schema/queue.json"]);
});
