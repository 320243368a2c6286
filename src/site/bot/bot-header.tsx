import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

import { seasonName } from "#core/ladder/season.ts";
import type { Status } from "#core/resources/ladder.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { rangeOf, scaleOf } from "#site/look/interval-words.ts";
import { Interval } from "#site/look/interval.tsx";
import { livePath } from "#site/look/links.ts";
import { liveWords } from "#site/look/live-words.ts";
import { Owner } from "#site/look/owner.tsx";
import { STATUS_WORDS, unrankedWords } from "#site/look/status-words.ts";
import { When } from "#site/look/when.tsx";
import { getJson, startPolling } from "#site/public/poll.ts";

import { partPath } from "./bot-links.ts";
import type { BotData, BotPlace } from "./data.ts";

const FACE_PX = 88;

/** Who the bot is, what it does now, and where it stands. */
export function BotHeader({ data }: { data: BotData }) {
  const { bot, place, scope } = data;
  return (
    <header class="bot-header">
      <div class="bot-who">
        <Avatar {...bot} size={FACE_PX} />
        <div class="bot-names">
          <h1>
            <bdi>{bot.display_name}</bdi>
          </h1>
          <p class="bot-owner">
            <Owner bot={bot} />
            {bot.status !== "active" && (
              <span class="badge bad">{STATUS_WORDS[bot.status].badge}</span>
            )}
            {bot.display_name !== bot.name && <code class="sub">{bot.name}</code>}
            <span class="sub">
              since <When instant={bot.created} form="day" />
            </span>
          </p>
          <Live data={data} />
        </div>
      </div>
      <Place place={place} needed={bot.qualifying_games} isLive={scope.season === scope.live} />
      {bot.status !== "active" && (
        <p class="notice bad bot-status">{STATUS_WORDS[bot.status].sentence}</p>
      )}
      <Switches data={data} />
    </header>
  );
}

/** What it does at this moment. Its line is always there, so that nothing moves. */
function Live({ data: { bot, status: first } }: { data: BotData }) {
  const [status, setStatus] = useState<Status>(first);
  useEffect(
    () =>
      startPolling({
        load: () => getJson<Status>(`/api/status?bot=${encodeURIComponent(bot.name)}`),
        onData: ({ value }) => setStatus(value),
        onTrouble: () => {},
      }),
    [],
  );
  const session = status.online.find(({ id }) => id === bot.id);
  const match = status.matches[0];
  return (
    <p class="bot-live">
      <span class={session?.online === true ? "dot" : "dot off"} />
      {liveWords(session)}
      {match !== undefined && <a href={livePath(match.id)}>Watch on {match.map}</a>}
    </p>
  );
}

type PlaceProps = { place: BotPlace | null; needed: number; isLive: boolean };

function Place({ place, needed, isLive }: PlaceProps) {
  if (place === null)
    return (
      <p class="bot-place sub">
        {isLive
          ? "It has not played here with any version yet."
          : "It was not ranked in this season."}
      </p>
    );
  const games = place.wins + place.losses + place.draws;
  return (
    <dl class="bot-place">
      <Figure term="Rank">
        {place.rank === null ? (
          <>
            –<span class="sub">{unrankedWords(games, needed)}</span>
          </>
        ) : (
          place.rank
        )}
      </Figure>
      <Figure term="Score">
        {place.score}
        {place.estimate !== null && <Estimate {...place.estimate} />}
      </Figure>
      <Figure term="Won, lost, drawn">
        {place.wins}–{place.losses}–{place.draws}
      </Figure>
      <Figure term="Version">
        <bdi class="bot-version">{place.version}</bdi>
        {place.qualifying !== null && (
          <span class="sub bot-qualifying">
            <bdi>{place.qualifying.version}</bdi> qualifying, {place.qualifying.games} of {needed}
          </span>
        )}
      </Figure>
    </dl>
  );
}

function Figure({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div class="figure">
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Estimate({ rating, deviation }: { rating: number; deviation: number }) {
  const estimate = rangeOf(rating, deviation);
  return (
    <span class="bot-estimate">
      <Interval {...estimate} scale={scaleOf([estimate, aroundOf(rating)])} />
      <span class="sub">
        rating {rating} ± {deviation}
      </span>
    </span>
  );
}

/** Wide enough that an estimate that has become narrow looks narrow. */
const aroundOf = (rating: number) => ({ low: rating - 300, high: rating + 300 });

function Switches({ data: { bot, scope, part } }: { data: BotData }) {
  const { seasons, ladders, season, live, ladder } = scope;
  const others = ladders.filter(({ id }) => id !== ladder);
  return (
    <>
      {others.length > 0 && (
        <Switch label="Also plays on">
          {others.map(({ id, name }) => {
            const other = { ...scope, ladder: id, season: null, live: null };
            return <Choice key={id} href={partPath(bot.name, other, part)} text={name} />;
          })}
        </Switch>
      )}
      {seasons.length > 1 && (
        <Switch label="Season">
          {seasons.map((id) => (
            <Choice
              key={id}
              href={partPath(bot.name, { ...scope, season: id }, part)}
              isShown={id === season}
              text={id === live ? `${seasonName(id)}, live` : seasonName(id)}
            />
          ))}
        </Switch>
      )}
    </>
  );
}

function Switch({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <nav class="bot-switch" aria-label={label}>
      <span class="sub">{label}</span>
      {children}
    </nav>
  );
}

function Choice({ href, isShown, text }: { href: string; isShown?: boolean; text: string }) {
  return (
    <a href={href} aria-current={isShown ? "true" : undefined}>
      <bdi>{text}</bdi>
    </a>
  );
}
