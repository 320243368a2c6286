import assert from "node:assert/strict";
import { it } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { TEST_DOCUMENTS as documents } from "#testing/fixtures/project.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { TOOLS } from "#web/mcp/handle-message.ts";

import { llmsText, robotsText, sitemapXml } from "./discovery.ts";

const BASE_URL = "https://bout.example";

it("lists public pages by absolute URL, all of which are served", async () => {
  const xml = sitemapXml(documents, BASE_URL);
  const urls = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!);
  const nonGuideUrls = urls.filter((address) => !address.startsWith(`${BASE_URL}/guide/`));
  const standings = ["/", "/ladder", "/ladders", "/achievements", "/results"];
  const pages = [...standings, "/create-bot", "/play", "/guide", "/changelog", "/changelog/all"];
  assert.deepEqual(
    nonGuideUrls,
    pages.map((path) => BASE_URL + path),
  );
  assert.equal(urls.length, nonGuideUrls.length + documents.guides.length);
  const { app } = testApi();
  for (const address of urls) {
    assert.ok(address.startsWith(`${BASE_URL}/`), address);
    const path = address.slice(BASE_URL.length);
    assert.equal((await app.inject(path)).statusCode, 200, path);
  }
});

it("lists visible ladders and follows changes to them", async () => {
  const { app, ladders } = testApi();
  const pathsIn = async () => {
    const { body } = await app.inject("/sitemap.xml");
    return [...body.matchAll(/<loc>[^<]*?(\/[a-z]+\?[^<]*)<\/loc>/g)].map(([, path]) => path);
  };
  assert.deepEqual(await pathsIn(), []);
  ladders.upsert({ ...PUBLIC_LADDER, id: "cup" });
  ladders.upsert({ ...PUBLIC_LADDER, id: "hidden", visible: false });
  assert.deepEqual(await pathsIn(), ["/ladder?ladder=cup", "/results?ladder=cup"]);
});

it("T87 writes a well-formed sitemap for any base URL", () => {
  const xml = sitemapXml(documents, "https://a.example:8443/?a=1&b=<2>");
  assert.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"<&]+">\n/);
  const textContent = xml.replaceAll(
    /<\/?(?:urlset|url|loc)(?: xmlns="[^"]*")?>|^<\?xml.*\?>/g,
    "",
  );
  assert.doesNotMatch(textContent, /[<>]|&(?!amp;|lt;|gt;|quot;)/);
});

it("excludes data from crawling and links to the sitemap", () => {
  const text = robotsText(BASE_URL);
  assert.match(text, /^User-agent: \*\nDisallow: \/api\/\n/);
  assert.match(text, /^Sitemap: https:\/\/bout\.example\/sitemap\.xml$/m);
  assert.doesNotMatch(text, /Disallow: \/(guide|docs)?$/m);
});

it("gives language models absolute URLs that are served", async () => {
  const mcpEndpoint = `${BASE_URL}/mcp`;
  const text = llmsText(documents, { baseUrl: BASE_URL, mcpEndpoint });
  assert.ok(text.includes(mcpEndpoint));
  assert.ok(!llmsText(documents, { baseUrl: BASE_URL, mcpEndpoint: null }).includes(mcpEndpoint));
  assert.match(text, /^# Bout\n\n> /);
  const links = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, address]) => address!);
  assert.ok(links.length > documents.guides.length);
  const { app } = testApi();
  for (const address of links) {
    assert.ok(address!.startsWith(BASE_URL), address!);
    assert.equal((await app.inject(address!.slice(BASE_URL.length))).statusCode, 200, address!);
  }
});

it("lists this release's author commands if they were built", () => {
  const settings = { baseUrl: BASE_URL, mcpEndpoint: null };
  const address = `${BASE_URL}${documents.commands?.address}`;
  assert.match(address, /bout-\d+\.\d+\.\d+\.tgz$/);
  assert.ok(llmsText(documents, settings).includes(`: npx ${address} help\n`));
  assert.doesNotMatch(llmsText({ ...documents, commands: null }, settings), /npx|undefined|null/);
});

it("names only existing MCP tools, and no tools without an endpoint", () => {
  const toolsIn = (mcpEndpoint: string | null) => {
    const text = llmsText(documents, { baseUrl: BASE_URL, mcpEndpoint });
    return [...text.matchAll(/MCP tool: ([a-z_]+)/g)].map(([, name]) => name!);
  };
  const names = TOOLS.map(({ listing }) => listing.name);
  const linksInText = toolsIn(`${BASE_URL}/mcp`);
  assert.deepEqual(
    linksInText.filter((name) => !names.includes(name)),
    [],
  );
  for (const name of ["get_losses", "get_style", "compare_versions", "request_practice"])
    assert.ok(linksInText.includes(name), name);
  assert.deepEqual(toolsIn(null), []);
});
