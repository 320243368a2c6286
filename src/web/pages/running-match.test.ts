import assert from "node:assert/strict";
import { test } from "node:test";

import { ladderApi } from "#testing/fixtures/ladder-api.ts";
import { addTestBot } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

const BASE_URL = "http://localhost:7777";

async function startMatch(api: TestApi, ladderId: string): Promise<string> {
  const names = [`Rex-${ladderId}`, `Neo-${ladderId}`];
  const bots = await Promise.all(names.map((name) => addTestBot(api, name)));
  const [id, started] = [api.newId(), api.nextMinute()];
  const at = { house: false, online: true, ladderId, versionId: "x", version: "v1" };
  for (const { id: botId, name } of bots)
    api.arena.bots.push({ ...at, botId, name, matchId: id, state: "playing" });
  const botIds = [bots[0]!.id, bots[1]!.id] as [string, string];
  const match = { id, ladderId, map: "yard", tick: 1, started, botIds };
  api.arena.matches.push({ ...match, names: names as [string, string] });
  return id;
}

/** Returns all URLs of this server on a page, in links, files and example text. */
function addressesIn(html: string): string[] {
  const linked = [...html.matchAll(/ (?:href|src|content)="([^"]*)"/g)].map(([, url]) => url!);
  const absoluteUrls = html.match(/http:\/\/localhost:7777\/[\w/.?=-]+/g) ?? [];
  const ownUrls = [...linked, ...absoluteUrls].filter((url) =>
    /^(?:\/|http:\/\/localhost:7777\/)/.test(url),
  );
  return [...new Set(ownUrls.map((url) => url.replaceAll("&amp;", "&").replace(/#.*/, "")))];
}

for (const ladder of ["public", "cup"])
  test(`the page of a running match on ladder ${ladder} has no broken links`, async () => {
    const { api, createLadder } = await ladderApi();
    if (ladder !== "public") await createLadder({ id: ladder });
    const id = await startMatch(api, ladder);
    for (const page of [`/match/${id}`, `/view/${id}`]) {
      const { statusCode, body } = await api.app.inject(page);
      assert.equal(statusCode, 200, page);
      const addresses = addressesIn(body);
      assert.ok(addresses.length > 1, `${addresses.length} addresses on ${page}`);
      for (const address of addresses) {
        const url = address.replace(BASE_URL, "");
        const response = await api.app.inject(url);
        assert.ok(response.statusCode < 400, `${response.statusCode} ${url} on ${page}`);
      }
    }
  });
