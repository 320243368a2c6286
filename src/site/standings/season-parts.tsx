import type { LadderResults } from "#core/resources/ladder-results.ts";
import type { Season, SeasonResults } from "#core/resources/season.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath } from "#site/look/links.ts";
import type { Scope } from "#site/look/links.ts";
import { MapPicture } from "#site/look/map-picture.tsx";

import { resultsPath } from "./addresses.ts";
import type { Faces } from "./podium.tsx";

type Mention = SeasonResults["styles"][number]["bot"];
type MentionProps = { bot: Mention; faces: Faces; scope: Scope; size?: number };

function Mentioned({ bot, faces, scope, size = 24 }: MentionProps) {
  return (
    <span class="bot">
      <Avatar {...faces(bot.name)} size={size} />
      <a class="bot-name" href={botPath(bot.name, scope)}>
        <bdi>{bot.display_name}</bdi>
      </a>
    </span>
  );
}

type ListProps<T> = { of: readonly T[]; faces: Faces; scope: Scope };

/** Pairs that met often and beat each other, with the share of each. */
export function Rivalries({ of, faces, scope }: ListProps<LadderResults["rivalries"][number]>) {
  if (of.length === 0)
    return <p class="empty">No two bots have become rivals: they have to meet, and both to win.</p>;
  return (
    <ul class="rivalries">
      {of.map(({ bots: [one, other], wins, draws, games }) => (
        <li key={`${one.id} ${other.id}`} class="rivalry">
          <Mentioned bot={one} {...{ faces, scope }} />
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
              <rect class="rivalry-a" width={share(wins[0], games)} height="6" />
              <rect
                class="rivalry-b"
                x={100 - share(wins[1], games)}
                width={share(wins[1], games)}
                height="6"
              />
            </svg>
            <span class="sub">
              {games} bouts, {draws === 1 ? "1 draw" : `${draws} draws`}
            </span>
          </span>
          <Mentioned bot={other} {...{ faces, scope }} />
        </li>
      ))}
    </ul>
  );
}

const share = (part: number, all: number): number => Math.round((part / all) * 1000) / 10;

type SpecialistsProps = { of: SeasonResults["specialists"]; faces: Faces; scope: Scope };

/** Bots that are better than usual on a map, or that do most with an attack. */
export function Specialists({ of: { maps, attacks }, faces, scope }: SpecialistsProps) {
  if (maps.length + attacks.length === 0)
    return <p class="empty">Nobody has played enough to be a specialist.</p>;
  return (
    <div class="specialists">
      {maps.length === 0 && (
        <p class="empty">No bot is better on one map than elsewhere by more than chance.</p>
      )}
      <ul hidden={maps.length === 0}>
        {maps.map(({ map, bot, win_rate, usual_win_rate }) => (
          <li key={map}>
            <MapPicture map={map} size={44} />
            <span>
              <Mentioned bot={bot} {...{ faces, scope }} />
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
              <Mentioned bot={bot} {...{ faces, scope }} />
              <span class="sub">
                {Math.round(damage_per_game)} damage a bout, hits {Math.round(accuracy)} %
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How each of the first bots fights. */
export function Styles({ of, faces, scope }: ListProps<SeasonResults["styles"][number]>) {
  if (of.length === 0)
    return <p class="empty">Styles are those of ranked bots; nobody has one yet.</p>;
  return (
    <ul class="styles">
      {of.map(({ bot, style, manner, favourite, favourite_share, accuracy }) => (
        <li key={bot.id}>
          <Mentioned bot={bot} {...{ faces, scope }} />
          <span>
            {manner === "even" ? "" : `${manner} `}
            <strong>{style}</strong>
          </span>
          <span class="sub">
            {favourite === null
              ? "no damage"
              : `${Math.round(favourite_share)} % of its damage by ${favourite}, `}
            {favourite !== null && `hits ${Math.round(accuracy)} %`}
          </span>
        </li>
      ))}
    </ul>
  );
}

type ChampionsProps = { seasons: readonly Season[]; shown: string | null };

/** Who won each month; the newest month first. */
export function Champions({ seasons, shown }: ChampionsProps) {
  return (
    <ol class="champions">
      {seasons.map(({ id, name, state, champion }) => (
        <li key={id} class={id === shown ? "here" : ""}>
          <a href={resultsPath({ season: id })} aria-current={id === shown ? "page" : undefined}>
            {name}
          </a>
          {champion === null ? (
            <span class="sub">
              {state === "archived" ? "nobody was ranked" : STATE_WORDS[state]}
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

const STATE_WORDS = { live: "being played", finalizing: "its last bouts are being fought" };
