import type { StandingsPage, StandingsRow } from "#core/resources/standings.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { rangeOf, scaleOf } from "#site/look/interval-words.ts";
import type { Scale } from "#site/look/interval-words.ts";
import { Interval } from "#site/look/interval.tsx";
import { botPath, livePath } from "#site/look/links.ts";
import type { Scope } from "#site/look/links.ts";
import { Owner } from "#site/look/owner.tsx";

import { movedWords } from "./moved-words.ts";
import type { MyBots } from "./my-bots.ts";
import { Star } from "./star.tsx";

type PlacesProps = {
  standings: Pick<StandingsPage, "rows" | "lowest" | "highest">;
  /** What the table is, for those who hear it. */
  caption: string;
  scope?: Scope;
  /** Absent where no row can be marked. */
  mine?: MyBots;
};

/**
 * Rows of the standings, on one scale. Rows are known by their place and not by their bot: when two
 * bots change places, texts change and nothing on the page moves.
 */
export function Places({
  standings: { rows, lowest, highest },
  caption,
  scope,
  mine,
}: PlacesProps) {
  const scale = scaleOf(
    lowest === null || highest === null ? [] : [{ low: lowest, high: highest }],
  );
  // A ladder without places of last midnight has nothing to compare with.
  const isCompared = rows.some(({ moved }) => moved !== null);
  return (
    <table class={`places ${mine === undefined ? "short" : "whole"}`}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" class="place">
            Rank
          </th>
          <th scope="col">Bot</th>
          <th scope="col" class="range">
            Rating, 2 deviations to either side
          </th>
          <th scope="col" class="number points">
            Rating <span class="sub">± deviation</span>
          </th>
          <th scope="col" class="number record">
            <abbr title="Wins, losses, draws">W–L–D</abbr>
          </th>
          <th scope="col" class="number score">
            Score
          </th>
          {mine !== undefined && (
            <th scope="col" class="mine">
              <span class="visually-hidden">Mine</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <Place key={at} {...{ row, scale, scope, mine, isCompared }} />
        ))}
      </tbody>
    </table>
  );
}

type PlaceProps = {
  row: StandingsRow;
  scale: Scale;
  scope: Scope | undefined;
  mine: MyBots | undefined;
  isCompared: boolean;
};

function Place({ row, scale, scope, mine, isCompared }: PlaceProps) {
  const { rank, rating, rating_deviation: deviation } = row;
  const isMine = mine?.names.includes(row.name) === true;
  const record = `${row.wins}–${row.losses}–${row.draws}`;
  return (
    <tr
      id={mine === undefined ? undefined : `bot-${row.name}`}
      class={`${rank <= 3 ? "podium" : ""} ${isMine ? "own" : ""}`}
    >
      <td class="place">
        <span class="rank">{rank}</span>
        {isCompared && <Moved by={row.moved} />}
      </td>
      <th scope="row">
        <Contender row={row} scope={scope} record={record} />
      </th>
      <td class="range">
        <Interval {...rangeOf(rating, deviation)} scale={scale} tone={isMine ? "gold" : ""} />
      </td>
      <td class="number points">
        {rating} <span class="sub">{`± ${deviation}`}</span>
      </td>
      <td class="number record">{record}</td>
      <td class="number score">{row.leaderboard_score}</td>
      {mine !== undefined && (
        <td class="mine">
          <Star name={row.name} display={row.display_name} mine={mine} />
        </td>
      )}
    </tr>
  );
}

export function Moved({ by }: { by: number | null }) {
  const { sign, words, tone } = movedWords(by);
  return (
    <span class={`moved ${tone}`} title={words}>
      <span aria-hidden="true">{sign}</span>
      <span class="visually-hidden">{words}</span>
    </span>
  );
}

type ContenderProps = { row: StandingsRow; scope: Scope | undefined; record: string };

function Contender({ row, scope, record }: ContenderProps) {
  return (
    <span class="contender">
      <Avatar name={row.name} avatar={row.avatar} house={row.house} size={32} />
      <span class="contender-text">
        <span class="contender-name">
          <a class="bot-name" href={botPath(row.name, scope)}>
            <bdi>{row.display_name}</bdi>
          </a>
          <Doing row={row} />
        </span>
        <span class="sub contender-more">
          <bdi>{row.version}</bdi> <Owner bot={row} />
          <span class="contender-record"> · {record}</span>
        </span>
      </span>
    </span>
  );
}

/** What the bot does now; nothing for one that is away. */
function Doing({ row: { state, match_id, online } }: { row: StandingsRow }) {
  if (state === "playing" && match_id !== null)
    return (
      <a class="doing playing" href={livePath(match_id)}>
        fighting
      </a>
    );
  if (state === "waiting") return <span class="doing waiting">waiting</span>;
  return online ? <span class="doing online">online</span> : null;
}
