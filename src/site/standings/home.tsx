import { useState } from "preact/hooks";

import type { Match } from "#core/resources/match.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import { Empty } from "#site/look/empty.tsx";
import { Section } from "#site/look/parts.tsx";
import { getJson } from "#site/public/poll.ts";

import { Bouts, RunningBouts } from "./bouts.tsx";
import { RECENT_MATCHES, TOP_PLACES } from "./data.ts";
import type { HomeData } from "./data.ts";
import { FightCard } from "./fight-card.tsx";
import { nextFight } from "./fight.ts";
import { Fresh, useNews } from "./freshness.tsx";
import { Places } from "./places.tsx";
import { Ways } from "./ways.tsx";

/** The front page: what Bout is, a bout, the first places, and the ways in. */
export function HomePage({ data: first }: { data: HomeData }) {
  const [data, freshness] = useNews(first, news);
  const { standings, matches, now: clock } = data;
  const [last, setLast] = useState(() => nextFight(null, { now: standings.now, matches, clock }));
  const fight = nextFight(last, { now: standings.now, matches, clock });
  if (fight?.id !== last?.id || fight?.over !== last?.over || fight?.tick !== last?.tick)
    setLast(fight);
  const { now } = standings;
  return (
    <>
      <div class="hero">
        <Pitch data={data} />
        {fight !== null && <FightCard fight={fight} now={clock} />}
      </div>
      <Fresh freshness={freshness} now={clock} draining={now?.draining === true} />
      <div class="home-columns">
        <Top data={data} />
        <div>
          <Section id="ring" title="In the ring" note={onlineWords(now?.online ?? 0)}>
            <RunningBouts fights={now?.running ?? []} total={now?.running_total ?? 0} />
          </Section>
          <Section id="bouts" title="Last bouts">
            <Bouts matches={matches} now={clock} />
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

function Top({ data: { standings, qualifying_games } }: { data: HomeData }) {
  const { rows, total } = standings;
  const note = total > rows.length ? <a href="/ladder">All {total} bots</a> : undefined;
  return (
    <Section id="standings" title={`The top ${TOP_PLACES}`} note={note}>
      {rows.length === 0 ? (
        <Empty of="ladder">It takes {qualifying_games}.</Empty>
      ) : (
        <Places standings={standings} caption="The first places of the ladder" />
      )}
      <p class="after-table">
        <a href="/ladder">The whole ladder</a>, with everybody’s uncertainty and movement.{" "}
        <a href="/guide/ratings">Why the score decides</a>
      </p>
    </Section>
  );
}
