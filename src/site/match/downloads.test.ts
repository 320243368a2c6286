import assert from "node:assert/strict";
import { it } from "node:test";

import { fastify } from "fastify";

import type { MatchData } from "#site/shell/data.ts";
import { renderWholePage } from "#testing/fixtures/project.ts";
import {
  SAMPLE_MATCH_IDS,
  apiAnswerFor,
  createSampleWorld,
  pageSourcesOf,
} from "#testing/fixtures/sample-world.ts";
import { matchData } from "#web/pages/match-data.ts";

async function pageOf(id: string): Promise<string> {
  const world = createSampleWorld(new Uint8Array());
  const app = fastify();
  for (const path of ["/api", "/api/*"])
    app.get(path, async ({ url }, reply) => apiAnswerFor(world, url) ?? reply.code(404).send({}));
  const data = (await matchData(pageSourcesOf(app), id)) as MatchData;
  const head = { title: "A match", description: "" };
  return renderWholePage(
    { view: "match/match", head, data },
    { path: null, base: data.base_url, provider: null },
  );
}

it("shows a command that verifies a replay without the project's source", async () => {
  const html = await pageOf(SAMPLE_MATCH_IDS.bout);
  const command = /npx (\S+)\/download\/bout-\d+\.\d+\.\d+\.tgz replay (\S+)\/match\/[\w-]+/.exec(
    html,
  );
  assert.ok(command);
  assert.equal(command[1], command[2]);
  for (const guide of ["cli#install", "simulator#replays", "python-simulator#verify-replays"])
    assert.ok(html.includes(`href="/guide/${guide}"`), guide);
});

it("says how long the replay is kept", async () => {
  const html = await pageOf(SAMPLE_MATCH_IDS.bout);
  assert.match(html, /one of the latest 200 of either bot[^<]*starred/);
});

it("doesn't link to the files of a running match", async () => {
  const html = await pageOf(SAMPLE_MATCH_IDS.live);
  assert.match(html, new RegExp(`href="/view/${SAMPLE_MATCH_IDS.live}"`));
  assert.doesNotMatch(html, /href="\/(?:replays|api\/matches)\//);
});
