import { useState } from "preact/hooks";

import type { Match } from "#core/resources/match.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import { Occasions } from "#site/events/occasions.tsx";
import { Empty } from "#site/look/empty.tsx";
import { MapPicture } from "#site/look/map-picture.tsx";
import { Section } from "#site/look/parts.tsx";
import { getJson } from "#site/public/poll.ts";

import { boutsBeside } from "./bouts-beside.ts";
import { Bouts, RunningBouts } from "./bouts.tsx";
import { OnTheirWay } from "./coming.tsx";
import { RECENT_MATCHES, TOP_PLACES } from "./data.ts";
import type { HomeData } from "./data.ts";
import { FightCard } from "./fight-card.tsx";
import { nextFight } from "./fight.ts";
import { Fresh, useNews } from "./freshness.tsx";
import { OwnBots, useOwnBots } from "./own-bots.tsx";
import { Places } from "./places.tsx";
import { Ways } from "./ways.tsx";

/**
 * The front page: what Bout is, a bout, the first places, and the ways in. While places are free,
 * it shows who is on the way to them, and fewer bouts.
 */
export function HomePage({ data: first }: { data: HomeData }) {
  const isYoung = first.standings.rows.length < TOP_PLACES;
  const [data, freshness] = useNews(first, news);
  const { standings, matches, now: clock } = data;
  const [last, setLast] = useState(() => nextFight(null, { now: standings.now, matches, clock }));
  const fight = nextFight(last, { now: standings.now, matches, clock });
  if (fight?.id !== last?.id || fight?.over !== last?.over || fight?.tick !== last?.tick)
    setLast(fight);
  const { now } = standings;
  const own = useOwnBots();
  const running = now?.running ?? [];
  return (
    <>
      <div class="hero">
        {own === null || own.length === 0 ? (
          <Pitch data={data} />
        ) : (
          <OwnBots rows={own} {...data} />
        )}
        {fight === null ? <EmptyRing /> : <FightCard fight={fight} now={clock} />}
      </div>
      <Occasions first={first.occasions} now={clock} />
      <Fresh freshness={freshness} now={clock} draining={now?.draining === true} />
      <div class="home-columns">
        <div>
          <Top data={data} />
          {isYoung && now !== null && <OnTheirWay now={now} needed={data.qualifying_games} />}
        </div>
        <div>
          <Section id="ring" title="In the ring" note={onlineWords(now?.online ?? 0)}>
            <RunningBouts fights={running} total={now?.running_total ?? 0} />
          </Section>
          <Section id="bouts" title="Last bouts">
            <Bouts matches={matches.slice(0, boutsBeside(running.length, isYoung))} now={clock} />
          </Section>
        </div>
      </div>
      <Ways {...data} />
    </>
  );
}

async function news(last: HomeData): Promise<HomeData> {
  const [standings, matches] = await Promise.all([
    getJson<StandingsPage>(`/api/standings?limit=${TOP_PLACES}`),
    getJson<Match[]>(`/api/matches?limit=${RECENT_MATCHES}`),
  ]);
  return { ...last, standings: standings.value, matches: matches.value, now: standings.now };
}

const onlineWords = (online: number): string =>
  online === 1 ? "1 bot online" : `${online} bots online`;

function Pitch({ data: { registration } }: { data: HomeData }) {
  return (
    <div class="pitch">
      <h1>
        Write a fighter.
        <br />
        Send it into the ring.
      </h1>
      <p class="lead">
        Two programs on a small walled grid. Each tick both choose one turn, at the same time: no
        reflexes, no luck to lean on. Read the other one, or be read.
      </p>
      <p class="actions">
        {registration === "closed" ? (
          <a class="button" href="/ladder">
            See the ladder
          </a>
        ) : (
          <a class="button" href="/create-bot">
            Create a bot
          </a>
        )}
        <a class="button quiet" href="/play">
          Play one yourself
        </a>
      </p>
    </div>
  );
}

/** Where the first bout will be. */
function EmptyRing() {
  return (
    <section class="panel featured" aria-labelledby="featured-title">
      <h2 class="featured-kicker" id="featured-title">
        The ring is free
      </h2>
      <div class="featured-empty">
        <MapPicture map="courtyard" size={200} />
      </div>
      <div class="featured-state">
        <p>
          No bout has been fought here yet. The first two bots that queue fight at once; house bots
          do not fight each other.
        </p>
      </div>
      <p class="featured-watch">
        <a class="button quiet" href="/guide/rules">
          How a bout goes
        </a>
      </p>
    </section>
  );
}

function Top({ data: { standings, qualifying_games, registration } }: { data: HomeData }) {
  const { rows, total } = standings;
  const note = total > rows.length ? <a href="/ladder">All {total} bots</a> : undefined;
  return (
    <Section id="standings" title={`The top ${TOP_PLACES}`} note={note}>
      {rows.length === 0 ? (
        <Empty of="ladder">It takes {qualifying_games}.</Empty>
      ) : (
        <Places standings={standings} caption="The first places of the ladder" />
      )}
      {rows.length > 0 && rows.length < TOP_PLACES && (
        <p class="free-places">
          <strong>{freeWords(rows.length)}</strong> It takes {qualifying_games} rated games.{" "}
          {registration !== "closed" && <a href="/create-bot">Create a bot</a>}
        </p>
      )}
      <p class="after-table">
        <a href="/ladder">The whole ladder</a>, with everybody’s uncertainty and movement.{" "}
        <a href="/guide/ratings">Why the score decides</a>
      </p>
    </Section>
  );
}

function freeWords(taken: number): string {
  const next = taken + 1;
  return next === TOP_PLACES ? `Rank ${next} is free.` : `Ranks ${next} to ${TOP_PLACES} are free.`;
}
