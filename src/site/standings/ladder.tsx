import { useEffect } from "preact/hooks";

import { PRESEASON } from "#core/ladder/season.ts";
import type { Season } from "#core/resources/season.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import { Banner } from "#site/events/banner.tsx";
import { Empty } from "#site/look/empty.tsx";
import type { Scope } from "#site/look/links.ts";
import { When } from "#site/look/when.tsx";
import { getJson } from "#site/public/poll.ts";

import { answerPath, placePath, resultsPath, scopeOf, standingsPath } from "./addresses.ts";
import { OnTheirWay } from "./coming.tsx";
import type { LadderData } from "./data.ts";
import { Filters, Pager, Scopes } from "./filters.tsx";
import { Fresh, useNews } from "./freshness.tsx";
import { useMyBots } from "./my-bots.ts";
import type { MyBots } from "./my-bots.ts";
import { usePhase } from "./phase.ts";
import { Places } from "./places.tsx";

/** The whole standings, a page at a time; another page once the ladder opens or closes. */
export function LadderPage({ data: first }: { data: LadderData }) {
  const data = usePhase(first);
  return <Standings key={data.ladder.phase} data={data} />;
}

/** What is shown updates itself while it can change. */
function Standings({ data: first }: { data: LadderData }) {
  const isMoving = isStirring(first);
  const [data, freshness] = useNews(first, news, isMoving);
  const mine = useMyBots();
  const { standings, filter, qualifying_games, now } = data;
  const scope = scopeOf(first);
  useEffect(showRow, []);
  return (
    <>
      <header class="ladder-head">
        <h1>
          <bdi>{titleOf(first)}</bdi>
        </h1>
        <p class="lead">
          <Lead data={data} />
        </p>
        <Scopes data={first} />
      </header>
      {(first.season === null || first.events.length > 0) && (
        <Banner ladder={first.ladder} gate={first} events={first.events} now={now} />
      )}
      {isMoving && (
        <Fresh
          {...{ freshness, now }}
          draining={standings.now?.draining === true}
          isOver={first.ladder.phase === "closed"}
        />
      )}
      <NewSeason data={data} />
      {(first.ladder.phase !== "upcoming" || standings.total > 0) && (
        <>
          <Filters scope={scope} filter={filter} />
          <Mine {...{ mine, scope, standings }} sought={first.sought} />
        </>
      )}
      {standings.rows.length === 0 ? (
        <Nobody data={data} />
      ) : (
        <>
          <p class="sub">
            Bots are ranked by score (rating − 2 × deviation), so a bot with few games can rank
            below one with a lower rating.
          </p>
          <Places {...{ standings, scope, mine }} caption={`Standings of ${titleOf(first)}`} />
        </>
      )}
      <Pager {...{ scope, filter }} offset={standings.offset} found={standings.found} />
      <Explanation needed={qualifying_games} />
      {isMoving && standings.now !== null && (
        <OnTheirWay now={standings.now} needed={qualifying_games} scope={scope} />
      )}
    </>
  );
}

/** Whether anything can change: nothing of the past does, nor of a ladder that is over. */
const isStirring = ({ ladder, standings: { now } }: LadderData): boolean =>
  now !== null && (ladder.phase !== "closed" || now.running_total > 0);

async function news(last: LadderData): Promise<LadderData> {
  const { filter, standings } = last;
  const path = answerPath(scopeOf(last), filter, standings.offset);
  const { value, now } = await getJson<StandingsPage>(path);
  return { ...last, standings: value, now };
}

/** The browser looks for the row of an address before there are fonts and pictures. */
function showRow(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id.startsWith("bot-")) document.getElementById(id)?.scrollIntoView({ block: "center" });
}

const titleOf = ({ ladder, season }: LadderData): string =>
  season === null ? ladder.name : season.name;

function Lead({ data: { ladder, season, standings } }: { data: LadderData }) {
  const { total } = standings;
  const count = total === 1 ? "1 ranked bot" : `${total} ranked bots`;
  if (season?.state === "archived")
    return (
      <>
        Final standings: {count}, as they stood when the month was over. Nothing here changes any
        more. <a href={resultsPath({ season: season.id })}>Podium and highlights</a>
      </>
    );
  if (season?.state === "finalizing")
    return <>This month is over; its last bouts are being fought. {count} so far.</>;
  if (ladder.phase === "upcoming" && ladder.opens_at !== null)
    return <>It has not begun: nobody is ranked, and rank 1 is free.</>;
  if (ladder.phase === "closed" && (standings.now?.running_total ?? 0) > 0)
    return <>It is over; its last bouts are being fought. {count} so far.</>;
  if (ladder.phase === "closed")
    return (
      <>
        It is over, and this is how it ended: {count}.{" "}
        <a href={resultsPath({ ladder: ladder.id })}>Podium and highlights</a>
      </>
    );
  return (
    <>
      {count}
      {season !== null && (
        <>
          , everybody against everybody until <When instant={season.closes_at} form="day" />
        </>
      )}
      .
    </>
  );
}

/** The month may end while the page is open. */
function NewSeason({ data: { season, standings } }: { data: LadderData }) {
  if (season === null || standings.season === season.id) return null;
  return (
    <p class="notice" role="status">
      A new month has begun. <a href="/ladder">Its standings</a> start over.
    </p>
  );
}

type MineProps = {
  mine: MyBots;
  scope: Scope;
  standings: StandingsPage;
  sought: string | null;
};

/** The way to one's own bots. One line in every state. */
function Mine({ mine: { names, isReady }, scope, standings: { rows }, sought }: MineProps) {
  const isHere = rows.some(({ name }) => name.toLowerCase() === sought?.toLowerCase());
  return (
    <p class="own-bots">
      {sought !== null && !isHere && (
        <span>
          <bdi>{sought}</bdi> has no rank here.{" "}
        </span>
      )}
      {names.length === 0 ? (
        <span class="sub">
          {isReady && rows.length > 0 ? "Mark your bot with the star to find it again." : ""}
        </span>
      ) : (
        <>
          <span class="sub">Yours:</span>
          {names.map((name) => (
            <a key={name} class="chip" href={placeOf(rows, name) ?? placePath(scope, name)}>
              <bdi>{name}</bdi>
            </a>
          ))}
        </>
      )}
    </p>
  );
}

/** The row of a bot if it is on this page. */
const placeOf = (rows: StandingsPage["rows"], name: string): string | null =>
  rows.some((row) => row.name === name) ? `#bot-${name}` : null;

function Nobody({ data }: { data: LadderData }) {
  const { ladder, season, standings, qualifying_games } = data;
  if (standings.total > 0)
    return (
      <Empty of="found">
        <a href={standingsPath(scopeOf(data))}>Show everybody</a>
      </Empty>
    );
  if (season !== null && season.state !== "live")
    return <p class="empty">Nobody was ranked in {season.name}.</p>;
  if (ladder.phase === "closed") return <Empty of="closed" />;
  if (ladder.phase === "upcoming") return <Empty of="upcoming" />;
  if (data.seasons.some(isPastMonth))
    return <Empty of="season">It takes {qualifying_games} games.</Empty>;
  return <Empty of="ladder">It takes {qualifying_games}.</Empty>;
}

/** The preseason is not a month that everybody has just played in. */
const isPastMonth = ({ id, state }: Season): boolean => state !== "live" && id !== PRESEASON;

function Explanation({ needed }: { needed: number }) {
  return (
    <details class="explanation">
      <summary>What score and interval mean</summary>
      <p>
        The rating says how strong a bot seems from its results, 400 points being odds of ten to
        one. The line is the range in which its true strength lies with some 95 % certainty: the
        rating and two deviations to either side. So compare two bots by their lines: as long as
        these share a part, the two may be equally good.
      </p>
      <p>
        The order is that of the score, rating − 2 × deviation: what a bot has shown for sure. A
        strong newcomer has a long line and stands below bots of the same rating that have played
        more; it climbs as the line gets shorter. A deviation below 25 counts as 25. A version is
        ranked after {needed} rated games. <a href="/guide/ratings">More about ratings</a>
      </p>
    </details>
  );
}
