import { useEffect, useState } from "preact/hooks";

import { bothOf } from "#base/units/sure.ts";
import { RULES } from "#core/engine/rules.ts";
import type { MatchStats } from "#core/engine/types.ts";
import type { Status } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";
import { Avatar } from "#site/look/avatar.tsx";
import { Bar } from "#site/look/parts.tsx";
import { endingSentence, fighterIdOf, signed } from "#site/viewer/words.ts";

import type { MatchData, RunningBout } from "./data.ts";
import { Blame } from "./loss-report.tsx";
import { getJson, getJsonOrNull, startPolling } from "./poll.ts";
import { Replay } from "./replay.tsx";

/**
 * A bout: the fighters, how it ended, the replay, and why. A running one is followed to its end.
 */
export function MatchPage({ data: first }: { data: MatchData }) {
  const [data, setData] = useState(first);
  if (data.phase === "running") return <Running match={data.match} onData={setData} />;
  return <Ended match={data.match} stats={data.stats} />;
}

function Ended({ match, stats }: { match: Match; stats: MatchStats | null }) {
  const [a, b] = bothOf(match.bots);
  return (
    <>
      <header class="fight-card">
        <h1 class="visually-hidden">
          {a.display_name} against {b.display_name}
        </h1>
        <Corner bot={a} seat={0} match={match} />
        <div class="fight-middle">
          <p class="ending">{endingSentence(match)}</p>
          <p class="sub">
            {match.map} · {match.final_tick} ticks ·{" "}
            <time dateTime={match.ended}>{match.ended.slice(0, 16).replace("T", " ")} UTC</time>
          </p>
        </div>
        <Corner bot={b} seat={1} match={match} />
      </header>
      <Replay match={match} />
      {stats === null ? <NoStats match={match} /> : <Blame match={match} stats={stats} />}
    </>
  );
}

function NoStats({ match }: { match: Match }) {
  if (match.voided) return null;
  return <p class="notice">There are no statistics of this bout.</p>;
}

function Corner({ bot, seat, match }: { bot: Match["bots"][number]; seat: number; match: Match }) {
  const side = fighterIdOf(bot, seat).toLowerCase();
  return (
    <div class={`fight-corner ${side}`}>
      <p class={`fight-name corner-${side}`}>
        <Avatar {...bot} />
        {bot.display_name}
      </p>
      <p class="sub">
        {bot.version}
        {bot.id === match.winner && <span class="won-badge">won</span>}
      </p>
      <Rating bot={bot} />
    </div>
  );
}

function Rating({ bot: { rating_before, rating_after } }: { bot: Match["bots"][number] }) {
  if (rating_before === undefined || rating_after === undefined) return <p class="sub">unrated</p>;
  const change = rating_after - rating_before;
  return (
    <p class="fight-rating">
      {rating_before} → {rating_after}{" "}
      <span class={change < 0 ? "down" : "up"}>{signed(change)}</span>
    </p>
  );
}

type RunningProps = { match: RunningBout; onData: (data: MatchData) => void };

function Running({ match: first, onData }: RunningProps) {
  const [match, setMatch] = useState(first);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    return startPolling({
      load: () => follow(first.id),
      onData: (news) => {
        setLost(false);
        if (news?.phase === "running") setMatch(news.match);
        else if (news !== null) onData(news);
      },
      onTrouble: () => setLost(true),
    });
  }, []);
  const [a, b] = match.display_names;
  return (
    <div class="running-page">
      <h1>
        <span class="corner-a">{a}</span> <span class="vs">vs</span>{" "}
        <span class="corner-b">{b}</span>
      </h1>
      <p class="lead">
        This bout is being fought on {match.map}. The replay starts here as soon as it has ended.
      </p>
      <p class="running-tick">
        Tick <strong>{match.tick}</strong> of at most {RULES.max_ticks}
      </p>
      <Bar value={match.tick} max={RULES.max_ticks} label={`tick ${match.tick}`} tone="gold" />
      <p role="status" class="sub">
        {isLost ? "The server does not answer; trying again." : ""}
      </p>
    </div>
  );
}

/** The current state of the bout; null between its end and its being stored. */
async function follow(id: string): Promise<MatchData | null> {
  const { value: status } = await getJson<Status>("/api/status");
  const running = status.matches.find((match) => match.id === id);
  if (running !== undefined) return { phase: "running", match: running };
  const match = await getJsonOrNull<Match>(`/api/matches/${id}`);
  if (match === null) return null;
  return {
    phase: "ended",
    match,
    stats: await getJsonOrNull<MatchStats>(`/api/matches/${id}/stats`),
  };
}
