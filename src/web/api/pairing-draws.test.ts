import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { Match } from "#core/api/match.ts";
import type { Season } from "#core/api/season.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { DEFAULT_SIMULATION_OPTIONS } from "#testing/simulation/options.ts";
import { runWorld } from "#testing/simulation/run.ts";
import type { App } from "#web/http/deps.ts";

// Recomputes maps and seats as docs/ratings.md describes, using public responses only.

async function get<T>(app: App, url: string): Promise<T> {
  const response = await app.inject({ url });
  assert.equal(response.statusCode, 200, url);
  return response.json<T>();
}

async function matchesOf(app: App, season: string): Promise<Match[]> {
  const matches: Match[] = [];
  for (;;) {
    const last = matches.length === 0 ? "" : `&before=${matches.at(-1)!.id}`;
    const page = await get<Match[]>(app, `/api/matches?season=${season}&limit=500${last}`);
    matches.push(...page);
    if (page.length < 500) break;
  }
  return matches.sort((a, b) => (a.started! < b.started! ? -1 : 1));
}

const isRated = ({ bots }: Match): boolean => bots[0]!.rating_before !== undefined;

const versionsOf = ({ bots }: Match): string =>
  bots
    .map(({ id, version }) => `${id} ${version}`)
    .toSorted()
    .join();

type MatchIndex = { byPair: Map<string, Match[]>; byBot: Map<string, Match[]> };

function indexMatches(matches: readonly Match[]): MatchIndex {
  const rated = matches.filter(isRated);
  const seats = rated.flatMap((match) => match.bots.map(({ id }) => ({ id, match })));
  const byBot = Map.groupBy(seats, ({ id }) => id);
  return {
    byPair: Map.groupBy(rated, versionsOf),
    byBot: new Map([...byBot].map(([id, list]) => [id, list.map(({ match }) => match)])),
  };
}

const matchesBefore = (matches: readonly Match[] | undefined, { started }: Match): Match[] =>
  (matches ?? []).filter(({ ended }) => ended < started!);

function tiedMaps(match: Match, { byPair }: MatchIndex, maps: readonly string[]): string[] {
  const pairMatches = matchesBefore(byPair.get(versionsOf(match)), match);
  const counts = maps.map((map) => pairMatches.filter((a) => a.map === map).length);
  return maps.filter((_, index) => counts[index] === Math.min(...counts));
}

/** Returns the bot's earlier games on seat A minus those on seat B. */
function seatSurplus(bot: string, match: Match, { byBot }: MatchIndex): number {
  const games = matchesBefore(byBot.get(bot), match);
  return games.reduce((sum, { bots }) => sum + (bots[0]!.id === bot ? 1 : -1), 0);
}

test("the maps and seats of a thousand matches follow from public data, across crashes and a month's end", async () => {
  const world = await runWorld(
    {
      ...DEFAULT_SIMULATION_OPTIONS,
      seed: 26,
      days: 0.65,
      bots: 50,
      fought: Infinity,
      faults: ["kill", "cut", "store_slow", "store_unavailable"],
      limits: "usual",
      start: "2026-01-31T11:00:00.000Z",
    },
    { createWatches: () => [] },
  );
  const { app } = testApi({}, { store: world.store });
  const { maps } = (await get<Ladder[]>(app, "/api/ladders"))[0]!;
  const drawCounts = { maps: 0, seats: 0 };
  let checked = 0;
  for (const { id } of await get<Season[]>(app, "/api/seasons")) {
    const matches = await matchesOf(app, id);
    const matchIndex = indexMatches(matches);
    for (const match of matches) {
      const tiedMapNames = tiedMaps(match, matchIndex, maps);
      assert.equal(match.map, tiedMapNames[match.seed % tiedMapNames.length], match.id);
      const bots = match.bots.map((bot) => bot.id);
      const [lesser, greater] = firstTwo(bots.toSorted());
      const surplus =
        seatSurplus(lesser, match, matchIndex) - seatSurplus(greater, match, matchIndex);
      const isLesserFirst = surplus === 0 ? match.seed < 2 ** 31 : surplus < 0;
      assert.equal(bots[0], isLesserFirst ? lesser : greater, match.id);
      if (tiedMapNames.length > 1) drawCounts.maps += 1;
      if (surplus === 0) drawCounts.seats += 1;
      checked += 1;
    }
  }
  assert.ok(checked >= 1000, `${checked} matches`);
  assert.ok(
    drawCounts.maps > 100 && drawCounts.seats > 100,
    `${drawCounts.maps} maps and ${drawCounts.seats} seats drawn`,
  );
});
