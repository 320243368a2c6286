import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { it } from "node:test";

import type { ApiIndex } from "#core/api/api-index.ts";
import type { DownloadIndex } from "#core/api/download.ts";
import { RELEASE } from "#server/composition/release.ts";
import { TEST_BUILD, TEST_DOCUMENTS } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const list = async ({ app }: ReturnType<typeof testApi>) =>
  (await app.inject("/download/bots")).json<DownloadIndex>();

it("lists and serves all files", async () => {
  const api = testApi();
  const { files, guide } = await list(api);
  for (const { path, url, about } of files) {
    const { statusCode, headers, body } = await api.app.inject(url);
    assert.equal(statusCode, 200, url);
    assert.ok(url.endsWith(`/${path}`) && about.length > 20 && body.length > 100, path);
    assert.match(String(headers["content-type"]), /^text\//);
  }
  assert.equal((await api.app.inject(guide)).statusCode, 200);
});

it("redirects from the parent path to the list", async () => {
  const { app } = testApi();
  for (const method of ["GET", "HEAD"] as const) {
    const { statusCode, headers } = await app.inject({ method, url: "/download" });
    assert.deepEqual([statusCode, headers.location], [308, "/download/bots"]);
  }
});

const TYPES: [path: string, type: string][] = [
  ["starter.ts", "text/plain"],
  ["starter.py", "text/x-python"],
  ["bot.py", "text/x-python"],
  ["bot.mjs", "text/javascript"],
  ["loop.sh", "text/x-shellscript"],
];
it("serves one media type per extension and describes each file", async () => {
  const api = testApi();
  for (const [path, type] of TYPES) {
    const { headers } = await api.app.inject(`/download/bots/${path}`);
    assert.equal(headers["content-type"], `${type}; charset=utf-8`, path);
  }
  const abouts = (await list(api)).files.map(({ about }) => about);
  for (const about of abouts) assert.doesNotMatch(about, /^From the guide/);
  assert.equal(new Set(abouts).size, abouts.length);
});

it("serves the starters unchanged", async () => {
  const { app } = testApi();
  for (const path of ["starter.ts", "starter.py"]) {
    const { body } = await app.inject(`/download/bots/${path}`);
    assert.equal(
      body,
      readFileSync(new URL(`../../tools/starters/${path}`, import.meta.url), "utf8"),
    );
  }
});

it("includes commands with this server's URL", async () => {
  const api = testApi({ baseUrl: "https://bout.example" });
  const { typescript, python } = await list(api);
  for (const commands of [typescript, python]) {
    const [fetched] = /https:\S+/.exec(commands) ?? [];
    const { pathname } = new URL(fetched ?? "");
    assert.equal((await api.app.inject(pathname)).statusCode, 200);
    assert.match(commands, /--url https:\/\/bout\.example /);
  }
});

it("reports the Node version that the TypeScript starter needs, instead of ERR_UNKNOWN_FILE_EXTENSION", async () => {
  const { typescript } = await list(testApi());
  const start = typescript.slice(typescript.indexOf("node -e"));
  const folder = dirname(process.execPath);
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, NODE_OPTIONS: "--no-strip-types" };
  const { status, stdout, stderr } = spawnSync("sh", ["-c", start], { env, encoding: "utf8" });
  assert.deepEqual(
    [status, stdout, stderr],
    [1, "", "starter.ts needs Node 22.18 or newer: https://nodejs.org\n"],
  );
});

const SIMULATOR_TYPES = {
  javascript: "text/javascript; charset=utf-8",
  script: "text/javascript; charset=utf-8",
  python: "application/zip",
  docs: "text/markdown; charset=utf-8",
};

it("serves the simulator at the address in GET /api, immutable per release", async () => {
  const { app } = testApi();
  const { simulator } = (await app.inject("/api")).json<ApiIndex>();
  for (const [key, type] of Object.entries(SIMULATOR_TYPES)) {
    const url = simulator[key as keyof typeof simulator];
    assert.ok(url, key);
    const { statusCode, headers, rawPayload } = await app.inject(url);
    const response = [statusCode, headers["content-type"], headers["cache-control"]];
    assert.deepEqual(response, [200, type, "no-cache"], key);
    assert.equal(headers["access-control-allow-origin"], "*");
    const notModifiedResponse = await app.inject({
      url,
      headers: { "if-none-match": String(headers.etag) },
    });
    assert.equal(notModifiedResponse.statusCode, 304);
    if (key === "docs") continue;
    const builtFiles = join(TEST_BUILD.folder, "simulator", basename(url));
    assert.deepEqual(rawPayload, readFileSync(builtFiles));
  }
  const types = await app.inject("/download/simulator/bout-sim.d.ts");
  assert.equal(types.headers["content-type"], "text/plain; charset=utf-8");
  for (const name of ["built", "..%2fsite", "constructor"])
    assert.equal((await app.inject(`/download/simulator/${name}`)).statusCode, 404, name);
});

it("lists no simulator if it was not built", async () => {
  const { app } = testApi({}, { documents: { ...TEST_DOCUMENTS, simulator: new Map() } });
  const { simulator } = (await app.inject("/api")).json<ApiIndex>();
  const missing = { javascript: null, script: null, python: null };
  assert.deepEqual(simulator, { ...missing, docs: "/docs/simulator" });
});

it("serves the author commands at the address in GET /api, immutable per release", async () => {
  const { app } = testApi();
  const { commands } = (await app.inject("/api")).json<ApiIndex>();
  assert.equal(commands, `/download/bout-${RELEASE}.tgz`);
  for (const url of [commands, "/download/bout.tgz"]) {
    const { statusCode, headers, rawPayload } = await app.inject(url);
    assert.deepEqual([statusCode, headers["content-type"]], [200, "application/gzip"], url);
    assert.deepEqual(
      rawPayload,
      readFileSync(join(TEST_BUILD.folder, "package", basename(commands))),
    );
    const notModifiedResponse = { url, headers: { "if-none-match": String(headers.etag) } };
    assert.equal((await app.inject(notModifiedResponse)).statusCode, 304, url);
  }
});

it("points to the current address if another release's commands are requested", async () => {
  const { app } = testApi();
  for (const release of ["0.1.0", `${RELEASE}.tgz`, "..%2f..", "constructor"]) {
    const response = await app.inject(`/download/bout-${release}.tgz`);
    assert.equal(response.statusCode, 404, release);
    assert.match(response.json<{ error: string }>().error, new RegExp(`/bout-${RELEASE}\\.tgz`));
  }
});

it("lists no author commands if they were not built", async () => {
  const { app } = testApi({}, { documents: { ...TEST_DOCUMENTS, commands: null } });
  assert.equal((await app.inject("/api")).json<ApiIndex>().commands, null);
  for (const name of ["bout.tgz", `bout-${RELEASE}.tgz`])
    assert.equal((await app.inject(`/download/${name}`)).statusCode, 404, name);
});

it("T57 serves only listed files", async () => {
  const { app } = testApi();
  const traversalPaths = ["../house.ts", "..%2fhouse.ts", "%2e%2e/house.ts", "house.ts", "a/b"];
  for (const path of [...traversalPaths, "starter.ts%00", "constructor", "STARTER.TS"])
    assert.equal((await app.inject(`/download/bots/${path}`)).statusCode, 404, path);
});
