import { useEffect, useState } from "preact/hooks";

import { RULES } from "#core/engine/rules.ts";
import type { LeaderboardRow, LobbyEntry } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";
import { BotName } from "#site/look/bot-name.tsx";
import { matchPath } from "#site/look/links.ts";
import { Bar, Section } from "#site/look/parts.tsx";
import { agoWords, clockWords, endingShort, signed } from "#site/viewer/words.ts";

import { RECENT_MATCHES } from "./data.ts";
import type { LadderData, RunningBout } from "./data.ts";
import { Enter } from "./enter.tsx";
import { getJson, startPolling } from "./poll.ts";

type Freshness = "static" | "live" | "trouble";

/** The front page: standings, running and past bouts, and how to enter. Updates itself. */
export function LadderPage({ data: first }: { data: LadderData }) {
  const [data, setData] = useState(first);
  const [freshness, setFreshness] = useState<Freshness>("static");
  useEffect(() => {
    setFreshness("live");
    return startPolling({
      load: loadLadder,
      onData: (news) => {
        setData((last) => ({ ...last, ...news }));
        setFreshness("live");
      },
      onTrouble: () => setFreshness("trouble"),
    });
  }, []);
  return (
    <>
      <Hero data={data} />
      <Fresh freshness={freshness} now={data.now} draining={data.status.draining} />
      <div class="columns">
        <div>
          <Standings rows={data.leaderboard} needed={data.qualifying_games} />
          <OnTheirWay lobby={data.lobby} ranked={data.leaderboard} needed={data.qualifying_games} />
        </div>
        <Ring matches={data.status.matches} capacity={data.status.capacity} />
      </div>
      <div class="columns">
        <Recent matches={data.matches} now={data.now} />
        <Enter info={data.enter} />
      </div>
    </>
  );
}

async function loadLadder(): Promise<Omit<LadderData, "enter" | "qualifying_games">> {
  const [leaderboard, status, lobby, matches] = await Promise.all([
    getJson<LadderData["leaderboard"]>("/api/leaderboard"),
    getJson<LadderData["status"]>("/api/status?ladder=public"),
    getJson<LadderData["lobby"]>("/api/lobby"),
    getJson<LadderData["matches"]>(`/api/matches?limit=${RECENT_MATCHES}`),
  ]);
  return {
    leaderboard: leaderboard.value,
    status: status.value,
    lobby: lobby.value,
    matches: matches.value,
    now: status.now,
  };
}

function Hero({ data }: { data: LadderData }) {
  const newest = data.matches.find((match) => !match.voided);
  return (
    <div class="hero">
      <div>
        <h1>
          Write a fighter.
          <br />
          Send it into the ring.
        </h1>
        <p class="lead">
          Two programs on a small walled grid. Each tick both choose one turn, at the same time. No
          reflexes, no luck to lean on: read the other one, or be read.
        </p>
        <p class="actions">
          <a class="button" href="#enter">
            Enter a bot
          </a>
          {newest !== undefined && (
            <a class="button quiet" href={matchPath(newest.id)}>
              Watch the last bout
            </a>
          )}
        </p>
      </div>
      <HeroArt />
    </div>
  );
}

/** A bolt that bounces off two walls, past a pillar. */
function HeroArt() {
  return (
    <svg class="hero-art" viewBox="0 0 260 180" aria-hidden="true">
      <rect class="art-floor" x="10" y="10" width="240" height="160" rx="10" />
      <path class="art-grid" d={GRID_LINES} />
      <rect class="art-rope" x="10" y="10" width="240" height="160" rx="10" />
      <rect class="art-wall" x="110" y="70" width="40" height="40" rx="4" />
      <path class="art-bolt" d="M50 130 L130 30 L190 30 L210 50" />
      <circle class="art-spark" cx="130" cy="30" r="5" />
      <circle class="art-spark" cx="190" cy="30" r="5" />
      <circle class="art-a" cx="50" cy="130" r="13" />
      <circle class="art-b" cx="210" cy="50" r="13" />
    </svg>
  );
}

const GRID_LINES = [
  ...Array.from({ length: 11 }, (_, column) => `M${30 + column * 20} 10 V170`),
  ...Array.from({ length: 7 }, (_, row) => `M10 ${30 + row * 20} H250`),
].join(" ");

function Fresh(props: { freshness: Freshness; now: number; draining: boolean }) {
  const at = clockWords(props.now);
  const isTrouble = props.freshness === "trouble";
  return (
    <div class="fresh-line">
      {/* Announced by screen readers when trouble starts, but not every two seconds. */}
      <p class="fresh trouble" role="status" hidden={!isTrouble}>
        {isTrouble && `The server does not answer. This is what stood at ${at}; trying again.`}
      </p>
      <p class={`fresh ${props.freshness}`} hidden={isTrouble}>
        {props.freshness === "live" ? `Live, as of ${at}` : `As of ${at}. Reload for news.`}
      </p>
      {props.draining && <p class="notice">The server is about to restart: no new bouts start.</p>}
    </div>
  );
}

function Standings({ rows, needed }: { rows: LeaderboardRow[]; needed: number }) {
  const note = `Score = rating − 2 × deviation. Ranked after ${needed} games.`;
  return (
    <Section id="standings" title="Standings" note={note}>
      {rows.length === 0 ? (
        <p class="empty">
          Nobody is ranked yet. A version enters the standings after {needed} rated games.
        </p>
      ) : (
        <table class="standings">
          <thead>
            <tr>
              <th scope="col">
                <abbr title="Rank">#</abbr>
              </th>
              <th scope="col">Bot</th>
              <th scope="col" class="number">
                Score
              </th>
              <th scope="col" class="number">
                Rating
              </th>
              <th scope="col" class="number">
                <abbr title="Wins, losses, draws">W–L–D</abbr>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Standing key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

function Standing({ row }: { row: LeaderboardRow }) {
  return (
    <tr class={row.rank <= 3 ? "podium" : ""}>
      <td class="rank">{row.rank}</td>
      <th scope="row">
        <BotName name={row.name} display={row.display_name} online={row.online} />
        <span class="sub">
          {row.version} <Owner house={row.house} owner={row.owner} />
        </span>
      </th>
      <td class="number score">{row.leaderboard_score}</td>
      <td class="number">
        {`${row.rating} `}
        <span class="sub">{`± ${row.rating_deviation}`}</span>
      </td>
      <td class="number record">
        {row.wins}–{row.losses}–{row.draws}
      </td>
    </tr>
  );
}

function Owner({ house, owner }: { house: boolean; owner: string }) {
  if (house) return <span class="badge">house</span>;
  return <span class="by">by {owner}</span>;
}

function Ring(props: { matches: RunningBout[]; capacity: { running: number; max: number } }) {
  const note = props.matches.length > 0 ? `${props.capacity.running} under way` : undefined;
  return (
    <Section id="ring" title="In the ring" note={note}>
      {props.matches.length === 0 ? (
        <p class="empty">No bout at this moment. Bots are paired every two seconds.</p>
      ) : (
        <ul class="cards">
          {props.matches.slice(0, SHOWN_RUNNING).map((match) => (
            <Running key={match.id} match={match} />
          ))}
        </ul>
      )}
      {props.matches.length > SHOWN_RUNNING && (
        <p class="more">and {props.matches.length - SHOWN_RUNNING} more</p>
      )}
    </Section>
  );
}

const SHOWN_RUNNING = 6;

function Running({ match }: { match: RunningBout }) {
  const [a, b] = match.display_names;
  return (
    <li>
      <a class="card running" href={matchPath(match.id)}>
        <span class="versus">
          <span class="corner-a">{a}</span> <span class="vs">vs</span>{" "}
          <span class="corner-b">{b}</span>
        </span>
        <Bar value={match.tick} max={RULES.max_ticks} label={`tick ${match.tick}`} tone="gold" />
        <span class="sub">
          {match.map} <span class="tick">tick {match.tick}</span>
        </span>
      </a>
    </li>
  );
}

type Lobby = { lobby: LobbyEntry[]; ranked: LeaderboardRow[]; needed: number };

function OnTheirWay({ lobby, ranked, needed }: Lobby) {
  const known = new Set(ranked.map((row) => `${row.name}@${row.version}`));
  const coming = lobby.filter((entry) => !known.has(`${entry.name}@${entry.version}`));
  if (coming.length === 0) return null;
  return (
    <Section id="coming" title="On their way" note="Not ranked yet">
      <ul class="coming">
        {coming.map((entry) => (
          <Coming key={`${entry.name}@${entry.version}`} entry={entry} needed={needed} />
        ))}
      </ul>
    </Section>
  );
}

function Coming({ entry, needed }: { entry: LobbyEntry; needed: number }) {
  return (
    <li>
      <BotName name={entry.name} display={entry.display_name} />
      <span class="sub">
        {entry.version ?? "no version yet"}{" "}
        {entry.difficulty !== null && <span class="badge">house</span>}{" "}
        <span class={`state ${entry.state}`}>{entry.state}</span>
      </span>
      {entry.games !== null && (
        <span class="progress">
          <Bar value={entry.games} max={needed} label={`${entry.games} of ${needed} games`} />
          <span class="sub">
            {entry.games} of {needed} games
          </span>
        </span>
      )}
    </li>
  );
}

function Recent({ matches, now }: { matches: Match[]; now: number }) {
  return (
    <Section id="bouts" title="Last bouts">
      {matches.length === 0 ? (
        <p class="empty">No bout has been fought yet. The first one will stand here.</p>
      ) : (
        <ol class="bouts">
          {matches.map((match) => (
            <Bout key={match.id} match={match} now={now} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function Bout({ match, now }: { match: Match; now: number }) {
  return (
    <li>
      <a class="bout" href={matchPath(match.id)}>
        <span class="bout-names">
          {match.bots.map((bot) => (
            <span key={bot.id} class={bot.id === match.winner ? "won" : "lost"}>
              <span class="bout-name">{bot.display_name}</span> <RatingChange bot={bot} />
            </span>
          ))}
        </span>
        <span class="bout-end">
          {endingShort(match)}
          <span class="sub">
            {match.map}, {match.final_tick} ticks
          </span>
        </span>
        <time class="sub" dateTime={match.ended}>
          {agoWords(Date.parse(match.ended), now)}
        </time>
      </a>
    </li>
  );
}

function RatingChange({ bot }: { bot: Match["bots"][number] }) {
  if (bot.rating_before === undefined || bot.rating_after === undefined) return null;
  const change = bot.rating_after - bot.rating_before;
  return <span class={change < 0 ? "down" : "up"}>{signed(change)}</span>;
}
