import { useEffect } from "preact/hooks";

import type { Season } from "#core/api/season.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import { PRESEASON } from "#core/ladder/season.ts";
import { LadderBanner } from "#site/events/ladder-banner.tsx";
import { fetchJson } from "#site/shell/poll.ts";
import { EmptyState } from "#site/ui/empty-state.tsx";
import type { StandingsScope } from "#site/ui/links.ts";
import { TimeLabel } from "#site/ui/time-label.tsx";

import type { LadderData } from "./data.ts";
import { StandingsFilters, StandingsPager, ScopeNavigation } from "./filters.tsx";
import { FreshnessNotice, usePolledData } from "./freshness.tsx";
import { StandingsTable } from "./standings-table.tsx";
import {
  standingsApiPath,
  botPlacePath,
  resultsPath,
  ladderDataScope,
  standingsPath,
} from "./standings-urls.ts";
import { UnrankedBots } from "./unranked-bots.tsx";
import { useLadderPhase } from "./use-ladder-phase.ts";
import { useMyBots } from "./use-my-bots.ts";
import type { MyBots } from "./use-my-bots.ts";

/** Standings page. Reloads its data when the ladder opens or closes. */
export function LadderPage({ data: initialData }: { data: LadderData }) {
  const data = useLadderPhase(initialData);
  return <Standings key={data.ladder.phase} data={data} />;
}

function Standings({ data: initialData }: { data: LadderData }) {
  const isUpdating = canChange(initialData);
  const [data, freshness] = usePolledData(initialData, loadLadderData, isUpdating);
  const myBots = useMyBots();
  const { standings, filter, qualifying_games, now } = data;
  const scope = ladderDataScope(initialData);
  useEffect(scrollToBotRow, []);
  return (
    <>
      <header class="ladder-head">
        <h1>
          <bdi>{standingsTitle(initialData)}</bdi>
        </h1>
        <p class="lead">
          <LadderSummary data={data} />
        </p>
        <ScopeNavigation data={initialData} />
      </header>
      {(initialData.season === null || initialData.events.length > 0) && (
        <LadderBanner
          ladder={initialData.ladder}
          signInInfo={initialData}
          events={initialData.events}
          now={now}
        />
      )}
      {isUpdating && (
        <FreshnessNotice
          {...{ freshness, now }}
          draining={standings.now?.draining === true}
          hasEnded={initialData.ladder.phase === "closed"}
        />
      )}
      <NewSeason data={data} />
      {(initialData.ladder.phase !== "upcoming" || standings.total > 0) && (
        <>
          <StandingsFilters scope={scope} filter={filter} />
          <MyBotLinks {...{ myBots, scope, standings }} requestedBot={initialData.requestedBot} />
        </>
      )}
      {standings.rows.length === 0 ? (
        <EmptyStandings data={data} />
      ) : (
        <>
          <p class="sub">
            Bots are ranked by score (rating − 2 × deviation), so a bot with few games can rank
            below one with a lower rating.
          </p>
          <StandingsTable
            {...{ standings, scope, myBots }}
            caption={`Standings of ${standingsTitle(initialData)}`}
          />
        </>
      )}
      <StandingsPager
        {...{ scope, filter }}
        offset={standings.offset}
        matchCount={standings.found}
      />
      <Explanation requiredGames={qualifying_games} />
      {isUpdating && standings.now !== null && (
        <UnrankedBots activity={standings.now} requiredGames={qualifying_games} scope={scope} />
      )}
    </>
  );
}

/** Returns whether the data can change. Past seasons and closed ladders are final. */
const canChange = ({ ladder, standings: { now } }: LadderData): boolean =>
  now !== null && (ladder.phase !== "closed" || now.running_total > 0);

async function loadLadderData(lastData: LadderData): Promise<LadderData> {
  const { filter, standings } = lastData;
  const path = standingsApiPath(ladderDataScope(lastData), filter, standings.offset);
  const { value, now } = await fetchJson<StandingsPage>(path);
  return { ...lastData, standings: value, now };
}

/**
 * The browser scrolls to the row in the URL before fonts and images have loaded, so this scrolls
 * again.
 */
function scrollToBotRow(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id.startsWith("bot-")) document.getElementById(id)?.scrollIntoView({ block: "center" });
}

const standingsTitle = ({ ladder, season }: LadderData): string =>
  season === null ? ladder.name : season.name;

function LadderSummary({ data: { ladder, season, standings } }: { data: LadderData }) {
  const { total } = standings;
  const count = total === 1 ? "1 ranked bot" : `${total} ranked bots`;
  if (season?.state === "archived")
    return (
      <>
        Final standings: {count}at the end of the month.{" "}
        <a href={resultsPath({ season: season.id })}>Podium and highlights</a>
      </>
    );
  if (season?.state === "finalizing")
    return <>This month is over; its last matches are running. {count} so far.</>;
  if (ladder.phase === "upcoming" && ladder.opens_at !== null)
    return <>Not open yet. Rank 1 is free.</>;
  if (ladder.phase === "closed" && (standings.now?.running_total ?? 0) > 0)
    return <>This ladder has closed; its last matches are running. {count} so far.</>;
  if (ladder.phase === "closed")
    return (
      <>
        Closed. These are the final standings: {count}.{" "}
        <a href={resultsPath({ ladder: ladder.id })}>Podium and highlights</a>
      </>
    );
  return (
    <>
      {count}
      {season !== null && (
        <>
          , competing until <TimeLabel instant={season.closes_at} precision="day" />
        </>
      )}
      .
    </>
  );
}

/** The month can end while the page is open. */
function NewSeason({ data: { season, standings } }: { data: LadderData }) {
  if (season === null || standings.season === season.id) return null;
  return (
    <p class="notice" role="status">
      A new month has started. See <a href="/ladder">its standings</a> .
    </p>
  );
}

type MyBotLinksProps = {
  myBots: MyBots;
  scope: StandingsScope;
  standings: StandingsPage;
  requestedBot: string | null;
};

/** Links to the visitor's own bots. Takes one line in every state. */
function MyBotLinks({
  myBots: { names, isReady },
  scope,
  standings: { rows },
  requestedBot,
}: MyBotLinksProps) {
  const isOnPage = rows.some(({ name }) => name.toLowerCase() === requestedBot?.toLowerCase());
  return (
    <p class="own-bots">
      {requestedBot !== null && !isOnPage && (
        <span>
          <bdi>{requestedBot}</bdi> isn't ranked here.{" "}
        </span>
      )}
      {names.length === 0 ? (
        <span class="sub">
          {isReady && rows.length > 0 ? "Star your bot to find it again." : ""}
        </span>
      ) : (
        <>
          <span class="sub">Your bots:</span>
          {names.map((name) => (
            <a key={name} class="chip" href={rowAnchor(rows, name) ?? botPlacePath(scope, name)}>
              <bdi>{name}</bdi>
            </a>
          ))}
        </>
      )}
    </p>
  );
}

/** Returns the anchor of a bot's row, or null if the bot isn't on this page. */
const rowAnchor = (rows: StandingsPage["rows"], name: string): string | null =>
  rows.some((row) => row.name === name) ? `#bot-${name}` : null;

function EmptyStandings({ data }: { data: LadderData }) {
  const { ladder, season, standings, qualifying_games } = data;
  if (standings.total > 0)
    return (
      <EmptyState subject="found">
        <a href={standingsPath(ladderDataScope(data))}>Show all</a>
      </EmptyState>
    );
  if (season !== null && season.state !== "live")
    return <p class="empty">No bot was ranked in {season.name}.</p>;
  if (ladder.phase === "closed") return <EmptyState subject="closed" />;
  if (ladder.phase === "upcoming") return <EmptyState subject="upcoming" />;
  if (data.seasons.some(isPastMonth))
    return <EmptyState subject="season">Ranking takes {qualifying_games} games.</EmptyState>;
  return <EmptyState subject="ladder">Games required: {qualifying_games}.</EmptyState>;
}

/** The preseason doesn't count as a month. */
const isPastMonth = ({ id, state }: Season): boolean => state !== "live" && id !== PRESEASON;

function Explanation({ requiredGames }: { requiredGames: number }) {
  return (
    <details class="explanation">
      <summary>About scores and intervals</summary>
      <p>
        The rating estimates a bot's strength from its results; 400 points mean odds of ten to one.
        The line shows where its true strength lies with about 95 % certainty: the rating ± 2
        deviations. If the lines of two bots overlap, they may be equally strong.
      </p>
      <p>
        Bots are ordered by score (rating − 2 × deviation), the strength they have proven. A strong
        newcomer has a long line and ranks below bots with the same rating and more games. It climbs
        as its line gets shorter. Deviations below 25 count as 25. A version is ranked after{" "}
        {requiredGames} rated games. <a href="/guide/ratings">More about ratings</a>
      </p>
    </details>
  );
}
