import assert from "node:assert/strict";
import { it } from "node:test";

import { fastify } from "fastify";

import type { MatchData } from "#site/public/data.ts";
import { wholePage } from "#testing/fixtures/project.ts";
import { BOUT_IDS, answerOf, newWorld, sourcesOf } from "#testing/fixtures/sample-world.ts";
import { matchData } from "#web/pages/match-data.ts";

const SOURCE = "https://git.example/bout";

/** The page of a bout on a ladder that names this place for a copy of the project. */
async function pageWith(sourceUrl: string | null): Promise<string> {
  const world = newWorld(new Uint8Array());
  const app = fastify();
  app.get("/api/*", async ({ url }) => answerOf(world, url));
  const sources = sourcesOf(app);
  const settings = { ...sources.settings, sourceUrl };
  const data = (await matchData({ ...sources, settings }, BOUT_IDS.bout)) as MatchData;
  const head = { title: "A bout", description: "" };
  return wholePage(
    { view: "public/match", head, data },
    { path: null, base: data.base_url, hasAccounts: false },
  );
}

it("shows the command that verifies a replay, with the place where its program is had", async () => {
  const html = await pageWith(SOURCE);
  assert.match(html, /npx --no bout replay http:\/\/localhost:7777\/replays\//);
  assert.match(html, new RegExp(`In <a href="${SOURCE}">a copy of this project</a>`));
});

it("promises no copy of the project where none is named, but the simulators", async () => {
  const html = await pageWith(null);
  assert.doesNotMatch(html, /npx|copy of this project/);
  assert.match(html, /Verify it yourself/);
  for (const guide of ["simulator#replays", "python-simulator#verify-replays"])
    assert.ok(html.includes(`href="/guide/${guide}"`), guide);
});
