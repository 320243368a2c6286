import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { ServerStatus } from "#core/api/ladder.ts";
import { seasonName } from "#core/ladder/season.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { fetchJson, startPolling } from "#site/shell/poll.ts";
import { describeActivity } from "#site/ui/bot-activity.ts";
import { BOT_STATUS_TEXTS, describeUnranked } from "#site/ui/bot-status-texts.ts";
import { IntervalPlot } from "#site/ui/interval-plot.tsx";
import { liveMatchPath } from "#site/ui/links.ts";
import { OwnerLabel } from "#site/ui/owner-label.tsx";
import { estimateOf, scaleOf } from "#site/ui/rating-interval.ts";
import { TimeLabel } from "#site/ui/time-label.tsx";

import { botPartPath } from "./bot-links.ts";
import type { BotData, BotStanding } from "./data.ts";

const AVATAR_PX = 88;

export function BotHeader({ data }: { data: BotData }) {
  const { bot, standing, scope } = data;
  return (
    <header class="bot-header">
      <div class="bot-who">
        <Avatar {...bot} size={AVATAR_PX} />
        <div class="bot-names">
          <h1>
            <bdi>{bot.display_name}</bdi>
          </h1>
          <p class="bot-owner">
            <OwnerLabel bot={bot} />
            {bot.status !== "active" && (
              <span class="badge bad">{BOT_STATUS_TEXTS[bot.status].badge}</span>
            )}
            {bot.display_name !== bot.name && <code class="sub">{bot.name}</code>}
            <span class="sub">
              since <TimeLabel instant={bot.created} precision="day" />
            </span>
          </p>
          <LiveStatus data={data} />
        </div>
      </div>
      <StandingSummary
        standing={standing}
        requiredGames={bot.qualifying_games}
        isLiveSeason={scope.season === scope.liveSeason}
      />
      {bot.status !== "active" && (
        <p class="notice bad bot-status">{BOT_STATUS_TEXTS[bot.status].sentence}</p>
      )}
      <ScopeLinks data={data} />
    </header>
  );
}

/** Renders a line in every state, so the layout doesn't shift. */
function LiveStatus({ data: { bot, status: initialStatus } }: { data: BotData }) {
  const [status, setStatus] = useState<ServerStatus>(initialStatus);
  useEffect(
    () =>
      startPolling({
        load: () => fetchJson<ServerStatus>(`/api/status?bot=${encodeURIComponent(bot.name)}`),
        onData: ({ value }) => setStatus(value),
        onError: () => {},
      }),
    [],
  );
  const session = status.online.find(({ id }) => id === bot.id);
  const match = status.matches[0];
  return (
    <p class="bot-live">
      <span class={session?.online === true ? "dot" : "dot off"} />
      {describeActivity(session)}
      {match !== undefined && <a href={liveMatchPath(match.id)}>Watch on {match.map}</a>}
    </p>
  );
}

type StandingSummaryProps = {
  standing: BotStanding | null;
  requiredGames: number;
  isLiveSeason: boolean;
};

function StandingSummary({ standing, requiredGames, isLiveSeason }: StandingSummaryProps) {
  if (standing === null)
    return (
      <p class="bot-place sub">
        {isLiveSeason ? "No games on this ladder yet." : "Not ranked in this season."}
      </p>
    );
  const games = standing.wins + standing.losses + standing.draws;
  return (
    <dl class="bot-place">
      <Metric term="Rank">
        {standing.rank === null ? (
          <>
            –<span class="sub">{describeUnranked(games, requiredGames)}</span>
          </>
        ) : (
          standing.rank
        )}
      </Metric>
      <Metric term="Score">
        {standing.score}
        {standing.estimate !== null && <RatingInterval {...standing.estimate} />}
      </Metric>
      <Metric term="Won–lost–drawn">
        {standing.wins}–{standing.losses}–{standing.draws}
      </Metric>
      <Metric term="Version">
        <bdi class="bot-version">{standing.version}</bdi>
        {standing.qualifying !== null && (
          <span class="sub bot-qualifying">
            <bdi>{standing.qualifying.version}</bdi> qualifying, {standing.qualifying.games} of{" "}
            {requiredGames}
          </span>
        )}
      </Metric>
    </dl>
  );
}

function Metric({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div class="figure">
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RatingInterval({ rating, deviation }: { rating: number; deviation: number }) {
  const estimate = estimateOf(rating, deviation);
  return (
    <span class="bot-estimate">
      <IntervalPlot {...estimate} scale={scaleOf([estimate, contextRange(rating)])} />
      <span class="sub">
        rating {rating} ± {deviation}
      </span>
    </span>
  );
}

/** The scale has a fixed width, so narrow intervals look narrow. */
const contextRange = (rating: number) => ({ low: rating - 300, high: rating + 300 });

function ScopeLinks({ data: { bot, scope, part } }: { data: BotData }) {
  const { seasons, ladders, season, liveSeason, ladder } = scope;
  const otherLadders = ladders.filter(({ id }) => id !== ladder);
  return (
    <>
      {otherLadders.length > 0 && (
        <ScopeNav label="Also plays on">
          {otherLadders.map(({ id, name }) => {
            const otherScope = { ...scope, ladder: id, season: null, liveSeason: null };
            return (
              <ScopeLink key={id} href={botPartPath(bot.name, otherScope, part)} text={name} />
            );
          })}
        </ScopeNav>
      )}
      {seasons.length > 1 && (
        <ScopeNav label="Season">
          {seasons.map((id) => (
            <ScopeLink
              key={id}
              href={botPartPath(bot.name, { ...scope, season: id }, part)}
              isCurrent={id === season}
              text={id === liveSeason ? `${seasonName(id)}, live` : seasonName(id)}
            />
          ))}
        </ScopeNav>
      )}
    </>
  );
}

function ScopeNav({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <nav class="bot-switch" aria-label={label}>
      <span class="sub">{label}</span>
      {children}
    </nav>
  );
}

function ScopeLink({ href, isCurrent, text }: { href: string; isCurrent?: boolean; text: string }) {
  return (
    <a href={href} aria-current={isCurrent ? "true" : undefined}>
      <bdi>{text}</bdi>
    </a>
  );
}
