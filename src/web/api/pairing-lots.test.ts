import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { Match } from "#core/resources/match.ts";
import type { Season } from "#core/resources/season.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { DEFAULTS } from "#testing/simulation/options.ts";
import { runWorld } from "#testing/simulation/run.ts";
import type { App } from "#web/http/deps.ts";

// Recomputes what docs/ratings.md says about map and seat, from public answers only.

async function get<T>(app: App, url: string): Promise<T> {
  const answer = await app.inject({ url });
  assert.equal(answer.statusCode, 200, url);
  return answer.json<T>();
}

/** A season's matches in order of their start. */
async function matchesOf(app: App, season: string): Promise<Match[]> {
  const matches: Match[] = [];
  for (;;) {
    const last = matches.length === 0 ? "" : `&before=${matches.at(-1)!.id}`;
    const page = await get<Match[]>(app, `/api/matches?season=${season}&limit=500${last}`);
    matches.push(...page);
    if (page.length < 500) break;
  }
  return matches.sort((one, other) => (one.started! < other.started! ? -1 : 1));
}

const isRated = ({ bots }: Match): boolean => bots[0]!.rating_before !== undefined;

const versionsOf = ({ bots }: Match): string =>
  bots
    .map(({ id, version }) => `${id} ${version}`)
    .toSorted()
    .join();

/** A season's rated games, by pair of versions and by bot. */
type Played = { ofPair: Map<string, Match[]>; ofBot: Map<string, Match[]> };

function playedOf(matches: readonly Match[]): Played {
  const rated = matches.filter(isRated);
  const seats = rated.flatMap((match) => match.bots.map(({ id }) => ({ id, match })));
  const ofBot = Map.groupBy(seats, ({ id }) => id);
  return {
    ofPair: Map.groupBy(rated, versionsOf),
    ofBot: new Map([...ofBot].map(([id, list]) => [id, list.map(({ match }) => match)])),
  };
}

const before = (matches: readonly Match[] | undefined, { started }: Match): Match[] =>
  (matches ?? []).filter(({ ended }) => ended < started!);

function tiedMaps(match: Match, { ofPair }: Played, maps: readonly string[]): string[] {
  const met = before(ofPair.get(versionsOf(match)), match);
  const counts = maps.map((map) => met.filter((one) => one.map === map).length);
  return maps.filter((_, place) => counts[place] === Math.min(...counts));
}

/** Games of a bot on seat A minus those on seat B. */
function surplusOf(bot: string, match: Match, { ofBot }: Played): number {
  const games = before(ofBot.get(bot), match);
  return games.reduce((sum, { bots }) => sum + (bots[0]!.id === bot ? 1 : -1), 0);
}

test("map and seat of a thousand matches follow from public facts, through kills and a month's end", async () => {
  const world = await runWorld(
    {
      ...DEFAULTS,
      seed: 26,
      days: 0.65,
      bots: 50,
      fought: Infinity,
      faults: ["kill", "cut", "store_slow", "store_unavailable"],
      limits: "usual",
      start: "2026-01-31T11:00:00.000Z",
    },
    { watchesOf: () => [] },
  );
  const { app } = testApi({}, { store: world.store });
  const { maps } = (await get<Ladder[]>(app, "/api/ladders"))[0]!;
  const lots = { maps: 0, seats: 0 };
  let checked = 0;
  for (const { id } of await get<Season[]>(app, "/api/seasons")) {
    const matches = await matchesOf(app, id);
    const played = playedOf(matches);
    for (const match of matches) {
      const tied = tiedMaps(match, played, maps);
      assert.equal(match.map, tied[match.seed % tied.length], match.id);
      const bots = match.bots.map((bot) => bot.id);
      const [lesser, greater] = bothOf(bots.toSorted());
      const surplus = surplusOf(lesser, match, played) - surplusOf(greater, match, played);
      const isLesserFirst = surplus === 0 ? match.seed < 2 ** 31 : surplus < 0;
      assert.equal(bots[0], isLesserFirst ? lesser : greater, match.id);
      if (tied.length > 1) lots.maps += 1;
      if (surplus === 0) lots.seats += 1;
      checked += 1;
    }
  }
  assert.ok(checked >= 1000, `${checked} matches`);
  assert.ok(
    lots.maps > 100 && lots.seats > 100,
    `${lots.maps} maps and ${lots.seats} seats by lot`,
  );
});
