import assert from "node:assert/strict";
import { it } from "node:test";

import { fastify } from "fastify";

import type { MatchData } from "#site/public/data.ts";
import { wholePage } from "#testing/fixtures/project.ts";
import { BOUT_IDS, answerOf, newWorld, sourcesOf } from "#testing/fixtures/sample-world.ts";
import { matchData } from "#web/pages/match-data.ts";

async function pageOf(id: string): Promise<string> {
  const world = newWorld(new Uint8Array());
  const app = fastify();
  for (const path of ["/api", "/api/*"])
    app.get(path, async ({ url }, reply) => answerOf(world, url) ?? reply.code(404).send({}));
  const data = (await matchData(sourcesOf(app), id)) as MatchData;
  const head = { title: "A match", description: "" };
  return wholePage(
    { view: "public/match", head, data },
    { path: null, base: data.base_url, provider: null },
  );
}

it("shows the command that verifies a replay, for readers without a copy of the project", async () => {
  const html = await pageOf(BOUT_IDS.bout);
  const command = /npx (\S+)\/download\/bout-\d+\.\d+\.\d+\.tgz replay (\S+)\/match\/[\w-]+/.exec(
    html,
  );
  assert.ok(command);
  assert.equal(command[1], command[2]);
  for (const guide of ["cli#install", "simulator#replays", "python-simulator#verify-replays"])
    assert.ok(html.includes(`href="/guide/${guide}"`), guide);
});

it("says how long the replay is kept", async () => {
  const html = await pageOf(BOUT_IDS.bout);
  assert.match(html, /one of the newest 200 of either bot[^<]*starred/);
});

it("links no file of a running match, which has none yet", async () => {
  const html = await pageOf(BOUT_IDS.live);
  assert.match(html, new RegExp(`href="/view/${BOUT_IDS.live}"`));
  assert.doesNotMatch(html, /href="\/(?:replays|api\/matches)\//);
});
