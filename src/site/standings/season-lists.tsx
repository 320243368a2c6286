import type { LadderResults } from "#core/api/ladder-results.ts";
import type { Season, SeasonResults } from "#core/api/season.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath } from "#site/ui/links.ts";
import type { StandingsScope } from "#site/ui/links.ts";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";

import type { AvatarLookup } from "./podium.tsx";
import { resultsPath } from "./standings-urls.ts";

type MentionedBot = SeasonResults["styles"][number]["bot"];
type BotMentionProps = {
  bot: MentionedBot;
  avatarFor: AvatarLookup;
  scope: StandingsScope;
  size?: number;
};

function BotMention({ bot, avatarFor, scope, size = 24 }: BotMentionProps) {
  return (
    <span class="bot">
      <Avatar {...avatarFor(bot.name)} size={size} />
      <a class="bot-name" href={botPath(bot.name, scope)}>
        <bdi>{bot.display_name}</bdi>
      </a>
    </span>
  );
}

type ResultListProps<T> = { entries: readonly T[]; avatarFor: AvatarLookup; scope: StandingsScope };

/** Lists pairs of bots that met often and beat each other, with each bot's share of wins. */
export function RivalryList({
  entries,
  avatarFor,
  scope,
}: ResultListProps<LadderResults["rivalries"][number]>) {
  if (entries.length === 0)
    return <p class="empty">No rivalries yet. Two bots have to meet often and both win.</p>;
  return (
    <ul class="rivalries">
      {entries.map(({ bots: [firstBot, secondBot], wins, draws, games }) => (
        <li key={`${firstBot.id} ${secondBot.id}`} class="rivalry">
          <BotMention bot={firstBot} {...{ avatarFor, scope }} />
          <span class="rivalry-result">
            <strong>
              {wins[0]} : {wins[1]}
            </strong>
            <svg
              class="rivalry-bar"
              viewBox="0 0 100 6"
              preserveAspectRatio="none"
              aria-hidden="true"
            >
              <rect class="rivalry-draws" width="100" height="6" />
              <rect class="rivalry-a" width={percentOf(wins[0], games)} height="6" />
              <rect
                class="rivalry-b"
                x={100 - percentOf(wins[1], games)}
                width={percentOf(wins[1], games)}
                height="6"
              />
            </svg>
            <span class="sub">
              {games} matches, {draws === 1 ? "1 draw" : `${draws} draws`}
            </span>
          </span>
          <BotMention bot={secondBot} {...{ avatarFor, scope }} />
        </li>
      ))}
    </ul>
  );
}

const percentOf = (count: number, total: number): number => Math.round((count / total) * 1000) / 10;

type SpecialistsProps = {
  specialists: SeasonResults["specialists"];
  avatarFor: AvatarLookup;
  scope: StandingsScope;
};

export function SpecialistLists({
  specialists: { maps, attacks },
  avatarFor,
  scope,
}: SpecialistsProps) {
  if (maps.length + attacks.length === 0)
    return <p class="empty">No bot has played enough to be a specialist.</p>;
  return (
    <div class="specialists">
      {maps.length === 0 && (
        <p class="empty">No bot is significantly better on one map than on others.</p>
      )}
      <ul hidden={maps.length === 0}>
        {maps.map(({ map, bot, win_rate, usual_win_rate }) => (
          <li key={map}>
            <MapThumbnail map={map} size={44} />
            <span>
              <BotMention bot={bot} {...{ avatarFor, scope }} />
              <span class="sub">
                {map}: wins {Math.round(win_rate)} %, elsewhere {Math.round(usual_win_rate)} %
              </span>
            </span>
          </li>
        ))}
      </ul>
      <ul>
        {attacks.map(({ attack, bot, damage_per_game, accuracy }) => (
          <li key={attack}>
            <strong class="attack-name">{attack}</strong>
            <span>
              <BotMention bot={bot} {...{ avatarFor, scope }} />
              <span class="sub">
                {Math.round(damage_per_game)} damage per match, hits {Math.round(accuracy)} %
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function StyleList({
  entries,
  avatarFor,
  scope,
}: ResultListProps<SeasonResults["styles"][number]>) {
  if (entries.length === 0) return <p class="empty">Ranked bots' styles will appear here.</p>;
  return (
    <ul class="styles">
      {entries.map(({ bot, style, manner, favourite, favourite_share, accuracy }) => (
        <li key={bot.id}>
          <BotMention bot={bot} {...{ avatarFor, scope }} />
          <span>
            {manner === "even" ? "" : `${manner} `}
            <strong>{style}</strong>
          </span>
          <span class="sub">
            {favourite === null
              ? "no damage"
              : `${Math.round(favourite_share)} % of damage from ${favourite}, `}
            {favourite !== null && `hits ${Math.round(accuracy)} %`}
          </span>
        </li>
      ))}
    </ul>
  );
}

type ChampionsProps = { seasons: readonly Season[]; shownSeason: string | null };

export function ChampionList({ seasons, shownSeason }: ChampionsProps) {
  return (
    <ol class="champions">
      {seasons.map(({ id, name, state, champion }) => (
        <li key={id} class={id === shownSeason ? "here" : ""}>
          <a
            href={resultsPath({ season: id })}
            aria-current={id === shownSeason ? "page" : undefined}
          >
            {name}
          </a>
          {champion === null ? (
            <span class="sub">
              {state === "archived" ? "no ranked bots" : SEASON_STATE_TEXTS[state]}
            </span>
          ) : (
            <span class="bot">
              <Avatar name={champion.name} avatar={champion.avatar} size={28} />
              <bdi>{champion.display_name}</bdi>
              <span class="sub">{champion.leaderboard_score}</span>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

const SEASON_STATE_TEXTS = { live: "running", finalizing: "last matches running" };
