import { useState } from "preact/hooks";

import type { Match } from "#core/api/match.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import { CurrentEvents } from "#site/events/current-events.tsx";
import { fetchJson } from "#site/shell/poll.ts";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { Section } from "#site/ui/section.tsx";

import { RECENT_MATCHES, HOME_STANDINGS_ROWS } from "./data.ts";
import type { HomeData } from "./data.ts";
import { endedMatchCount } from "./ended-match-count.ts";
import { FeaturedMatchCard } from "./featured-match-card.tsx";
import { nextFeaturedMatch } from "./featured-match.ts";
import { FreshnessNotice, usePolledData } from "./freshness.tsx";
import { GetStarted } from "./get-started.tsx";
import { OwnBots, useOwnBots } from "./own-bots.tsx";
import { RecentMatches, RunningMatchList } from "./recent-matches.tsx";
import { StandingsTable } from "./standings-table.tsx";
import { UnrankedBots } from "./unranked-bots.tsx";

/**
 * Shows the introduction, the featured match, the top ranks and next steps. Until all top ranks are
 * taken, shows unranked bots and fewer matches.
 */
export function HomePage({ data: initialData }: { data: HomeData }) {
  const isNewLadder = initialData.standings.rows.length < HOME_STANDINGS_ROWS;
  const [data, freshness] = usePolledData(initialData, loadHomeData);
  const { standings, matches, now: nowMs } = data;
  const [previousFeatured, setPreviousFeatured] = useState(() =>
    nextFeaturedMatch(null, { now: standings.now, matches, nowMs }),
  );
  const featured = nextFeaturedMatch(previousFeatured, { now: standings.now, matches, nowMs });
  if (
    featured?.id !== previousFeatured?.id ||
    featured?.endedMs !== previousFeatured?.endedMs ||
    featured?.tick !== previousFeatured?.tick
  )
    setPreviousFeatured(featured);
  const { now } = standings;
  const ownBots = useOwnBots();
  const runningMatches = now?.running ?? [];
  return (
    <>
      <div class="hero">
        {ownBots === null || ownBots.length === 0 ? (
          <IntroPanel data={data} />
        ) : (
          <OwnBots rows={ownBots} {...data} />
        )}
        {featured === null ? (
          <NoMatchYet />
        ) : (
          <FeaturedMatchCard featuredMatch={featured} now={nowMs} />
        )}
      </div>
      <CurrentEvents initialEvents={initialData.currentEvents} now={nowMs} />
      <FreshnessNotice freshness={freshness} now={nowMs} draining={now?.draining === true} />
      <div class="home-columns">
        <div>
          <TopStandings data={data} />
          {isNewLadder && now !== null && (
            <UnrankedBots activity={now} requiredGames={data.qualifying_games} />
          )}
        </div>
        <div>
          <Section id="ring" title="Live matches" note={formatOnlineCount(now?.online ?? 0)}>
            <RunningMatchList runningMatches={runningMatches} total={now?.running_total ?? 0} />
          </Section>
          <Section id="bouts" title="Latest matches">
            <RecentMatches
              matches={matches.slice(0, endedMatchCount(runningMatches.length, isNewLadder))}
              now={nowMs}
            />
          </Section>
        </div>
      </div>
      <GetStarted {...data} />
    </>
  );
}

async function loadHomeData(lastData: HomeData): Promise<HomeData> {
  const [standings, matches] = await Promise.all([
    fetchJson<StandingsPage>(`/api/standings?limit=${HOME_STANDINGS_ROWS}`),
    fetchJson<Match[]>(`/api/matches?limit=${RECENT_MATCHES}`),
  ]);
  return { ...lastData, standings: standings.value, matches: matches.value, now: standings.now };
}

const formatOnlineCount = (online: number): string =>
  online === 1 ? "1 bot online" : `${online} bots online`;

function IntroPanel({ data: { registration } }: { data: HomeData }) {
  return (
    <div class="pitch">
      <h1>
        Write a bot.
        <br />
        Send it into the ring.
      </h1>
      <p class="lead">
        Two programs on a small walled grid. Every tick, both choose a turn at the same time. It
        takes no reflexes and no luck: predict your opponent before it predicts you.
      </p>
      <p class="actions">
        {registration === "closed" ? (
          <a class="button" href="/ladder">
            View leaderboard
          </a>
        ) : (
          <a class="button" href="/create-bot">
            Create a bot
          </a>
        )}
        <a class="button quiet" href="/play">
          Play a match yourself
        </a>
      </p>
    </div>
  );
}

/** Shown until the first match starts. */
function NoMatchYet() {
  return (
    <section class="panel featured" aria-labelledby="featured-title">
      <h2 class="featured-kicker" id="featured-title">
        No match running
      </h2>
      <div class="featured-empty">
        <MapThumbnail map="courtyard" size={200} />
      </div>
      <div class="featured-state">
        <p>
          No matches yet. The first two bots in the queue are paired immediately; house bots don't
          play each other.
        </p>
      </div>
      <p class="featured-watch">
        <a class="button quiet" href="/guide/rules">
          How a match works
        </a>
      </p>
    </section>
  );
}

function TopStandings({ data: { standings, qualifying_games, registration } }: { data: HomeData }) {
  const { rows, total } = standings;
  const note = total > rows.length ? <a href="/ladder">All {total} bots</a> : undefined;
  return (
    <Section id="standings" title={`Top ${HOME_STANDINGS_ROWS}`} note={note}>
      {rows.length === 0 ? (
        <EmptyState subject="ladder">Games required: {qualifying_games}.</EmptyState>
      ) : (
        <StandingsTable standings={standings} caption="Top of the leaderboard" />
      )}
      {rows.length > 0 && rows.length < HOME_STANDINGS_ROWS && (
        <p class="free-places">
          <strong>{describeFreeRanks(rows.length)}</strong> Ranking takes {qualifying_games} rated
          games. {registration !== "closed" && <a href="/create-bot">Create a bot</a>}
        </p>
      )}
      <p class="after-table">
        <a href="/ladder">Full leaderboard</a>, with rating intervals and changes.{" "}
        <a href="/guide/ratings">Why bots are ranked by score</a>
      </p>
    </Section>
  );
}

function describeFreeRanks(takenRanks: number): string {
  const nextRank = takenRanks + 1;
  return nextRank === HOME_STANDINGS_ROWS
    ? `Rank ${nextRank} is free.`
    : `Ranks ${nextRank} to ${HOME_STANDINGS_ROWS} are free.`;
}
