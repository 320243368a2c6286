import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import { RULES } from "#core/engine/rules.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import { achievementsPath } from "#site/events/event-texts.ts";
import type { EndedMatch, MatchData, RunningMatchStatus } from "#site/shell/data.ts";
import { BotName } from "#site/ui/bot-name.tsx";
import { ladderScope } from "#site/ui/links.ts";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";
import { fighterIdForSeat, botDisplayName } from "#site/viewer/match-texts.ts";

import {
  AdjacentMatchKeys,
  AdjacentMatchLinks,
  useAdjacentMatchKeys,
} from "./adjacent-matches.tsx";
import { DownloadsSection } from "./downloads.tsx";
import { LiveStage } from "./live-stage.tsx";
import { LossReport } from "./loss-report.tsx";
import { MissedLiveNotice } from "./missed-live-notice.tsx";
import { MatchReplay } from "./replay.tsx";
import { ResultCard, ResultPreference } from "./result-card.tsx";
import { useResultVisibility } from "./result-visibility.ts";
import type { ResultVisibility } from "./result-visibility.ts";
import { useRunningMatch } from "./use-running-match.ts";

export function MatchPage({ data: initialData }: { data: MatchData }) {
  const [data, setData] = useState(initialData);
  const results = useResultVisibility(data.match.id, data.phase === "running");
  // A result that can't be watched is always shown.
  const isWatchable = data.phase === "running" || (data.has_replay && data.match.final_tick > 0);
  return (
    <div class={isWatchable ? "match-page watchable" : "match-page"}>
      {data.phase === "running" ? (
        <RunningMatchView {...data} {...{ results }} onData={setData} />
      ) : (
        <EndedMatchView endedMatch={data} results={results} />
      )}
      <DownloadsSection data={data} />
    </div>
  );
}

type EndedMatchViewProps = {
  endedMatch: Extract<MatchData, EndedMatch>;
  results: ResultVisibility;
};

function EndedMatchView({ endedMatch, results }: EndedMatchViewProps) {
  const { match, stats, adjacentMatches, has_replay } = endedMatch;
  const [a, b] = firstTwo(match.bots);
  const [replayCount, setReplayCount] = useState(0);
  useAdjacentMatchKeys(adjacentMatches);
  const watchReplay = (): void => {
    setReplayCount(replayCount + 1);
    document.querySelector(".viewer-main")?.scrollIntoView();
  };
  return (
    <>
      <div class="match-layout">
        <MatchHeader
          names={[botDisplayName(a), botDisplayName(b)]}
          corners={[
            <BotCorner bot={a} seat={0} match={match} />,
            <BotCorner bot={b} seat={1} match={match} />,
          ]}
        >
          <MapLabel map={match.map} />
          <LadderLink id={match.ladder_id} name={endedMatch.ladder_name} />
          <TimeLabel instant={match.ended} />
        </MatchHeader>
        <MatchReplay
          match={match}
          isRetained={has_replay}
          results={results}
          replayCount={replayCount}
          keys={<AdjacentMatchKeys adjacentMatches={adjacentMatches} />}
          summary={
            <>
              <MissedLiveNotice onWatch={watchReplay} />
              <ResultCard match={match} results={results} />
              <RequestedMatchNote match={match} event={endedMatch.event} />
            </>
          }
        />
      </div>
      <AdjacentMatchLinks adjacentMatches={adjacentMatches} match={match} />
      <div class="after-result">
        {stats === null ? (
          <StatsUnavailable match={match} />
        ) : (
          <LossReport match={match} stats={stats} />
        )}
      </div>
    </>
  );
}

function MapLabel({ map }: { map: string }) {
  return (
    <span class="match-map">
      <MapThumbnail map={map} size={20} /> {map}
    </span>
  );
}

/** `name` is null for the public ladder, which has no link. */
function LadderLink({ id, name }: { id: string; name: string | null }) {
  if (name === null) return null;
  return (
    <a href={`/ladder?ladder=${id}`}>
      <bdi>{name}</bdi>
    </a>
  );
}

type RequestedMatchNoteProps = { match: Match; event: EndedMatch["event"] };

/** Says who requested the match, if it wasn't paired automatically. */
function RequestedMatchNote({
  match: { asked_for: request, bots },
  event,
}: RequestedMatchNoteProps) {
  const requesterBot = bots.find(({ id }) => id === request?.bot_id);
  const requestedBot = bots.find(({ id }) => id !== request?.bot_id);
  if (request === undefined || requesterBot === undefined || requestedBot === undefined)
    return null;
  return (
    <p class="sub asked-for">
      The owner of <bdi>{botDisplayName(requesterBot)}</bdi> requested a match against{" "}
      {botDisplayName(requestedBot)}
      {event !== null && (
        <>
          {" "}
          in the event{" "}
          <a href={achievementsPath(event.id)}>
            <bdi>{event.name}</bdi>
          </a>
        </>
      )}
      . It's rated as usual.
    </p>
  );
}

function StatsUnavailable({ match }: { match: Match }) {
  if (match.voided) return null;
  return <p class="notice">No statistics for this match.</p>;
}

type MatchHeaderProps = {
  names: [string, string];
  corners: [ComponentChildren, ComponentChildren];
  children: ComponentChildren;
};

/** The names above the HP bars. The layout is the same before and after the end. */
function MatchHeader({ names, corners, children }: MatchHeaderProps) {
  return (
    <header class="match-head">
      <h1 class="visually-hidden">
        {names[0]} against {names[1]}
      </h1>
      <div class="fight-corner a">{corners[0]}</div>
      <p class="match-facts sub">{children}</p>
      <div class="fight-corner b">{corners[1]}</div>
    </header>
  );
}

type BotCornerProps = { bot: Match["bots"][number]; seat: number; match: Match };

function BotCorner({ bot, seat, match }: BotCornerProps) {
  const side = fighterIdForSeat(bot, seat).toLowerCase();
  return (
    <>
      <p class={`fight-name corner-${side}`}>
        {bot.id === HUMAN_SEAT.name ? (
          botDisplayName(bot)
        ) : (
          <BotName
            {...bot}
            displayName={bot.display_name}
            scope={ladderScope(match.ladder_id)}
            size={28}
          />
        )}
      </p>
      <p class="sub">{bot.id === HUMAN_SEAT.name ? "at the keyboard" : bot.version}</p>
    </>
  );
}

type RunningMatchViewProps = {
  match: RunningMatchStatus;
  results: ResultVisibility;
  onData: (data: MatchData) => void;
} & Pick<MatchData, "base_url" | "ladder_name">;

function RunningMatchView({
  match,
  results,
  onData,
  base_url: baseUrl,
  ladder_name,
}: RunningMatchViewProps) {
  const { tick, isUnreachable, endLiveView } = useRunningMatch(match, onData);
  const [a, b] = firstTwo(match.display_names);
  return (
    <div class="match-layout">
      <MatchHeader
        names={[a, b]}
        corners={[<RunningBotCorner name={a} side="a" />, <RunningBotCorner name={b} side="b" />]}
      >
        <MapLabel map={match.map} />
        <LadderLink id={match.ladder_id} name={ladder_name} />
        <TimeLabel instant={match.started} />
      </MatchHeader>
      <LiveStage
        match={match}
        summary={<RunningCard tick={tick} results={results} />}
        onEnd={(hasWatched) => {
          if (hasWatched) results.reveal();
          endLiveView();
        }}
      >
        <span role="status">
          {isUnreachable
            ? "The server isn't responding; retrying."
            : `This match is running on ${match.map}. The replay starts here when it ends.`}
        </span>
        <noscript>
          <span class="plain-words">
            Without JavaScript this page doesn't update: reload it to see the current tick, and the
            result after the match. In a terminal, <code>curl {baseUrl}/api/status</code> shows the
            same. See <a href="/guide/api-server#get-apistatus">the guide</a>.
          </span>
        </noscript>
      </LiveStage>
    </div>
  );
}

function RunningCard({ tick, results }: { tick: number; results: ResultVisibility }) {
  return (
    <section class="result-card" aria-labelledby="match-live">
      <h2 id="match-live">Live</h2>
      <p class="ending">
        Tick <strong>{tick}</strong> of max {RULES.max_ticks}
      </p>
      <ResultPreference results={results} />
    </section>
  );
}

/** Has the same number of lines as after the match, so the layout doesn't shift. */
function RunningBotCorner({ name, side }: { name: string; side: "a" | "b" }) {
  return (
    <>
      <p class={`fight-name corner-${side}`}>
        <span class="bot">
          <span class="avatar-room" />
          <bdi class="bot-name">{name}</bdi>
        </span>
      </p>
      <p class="sub">{"\u00a0"}</p>
    </>
  );
}
