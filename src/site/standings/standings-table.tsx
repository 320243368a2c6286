import type { StandingsPage, StandingsRow } from "#core/api/standings-page.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { IntervalPlot } from "#site/ui/interval-plot.tsx";
import { botPath, liveMatchPath } from "#site/ui/links.ts";
import type { StandingsScope } from "#site/ui/links.ts";
import { OwnerLabel } from "#site/ui/owner-label.tsx";
import { estimateOf, scaleOf } from "#site/ui/rating-interval.ts";
import type { Scale } from "#site/ui/rating-interval.ts";

import { MarkBotButton } from "./mark-bot-button.tsx";
import { describeRankChange } from "./rank-change-text.ts";
import type { MyBots } from "./use-my-bots.ts";

type StandingsTableProps = {
  standings: Pick<StandingsPage, "rows" | "lowest" | "highest">;
  caption: string;
  scope?: StandingsScope;
  /** Omit if rows can't be starred. */
  myBots?: MyBots;
};

/**
 * Shows standings on one scale. Rows are keyed by rank, not by bot, so when two bots swap ranks
 * only the text changes.
 */
export function StandingsTable({
  standings: { rows, lowest, highest },
  caption,
  scope,
  myBots,
}: StandingsTableProps) {
  const scale = scaleOf(
    lowest === null || highest === null ? [] : [{ low: lowest, high: highest }],
  );
  // Rank changes need the ranks at midnight UTC, which a new ladder lacks.
  const showsRankChange = rows.some(({ moved }) => moved !== null);
  return (
    <table class={`places ${myBots === undefined ? "short" : "whole"}`}>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" class="place">
            Rank
          </th>
          <th scope="col">Bot</th>
          <th scope="col" class="range">
            Rating ± 2 deviations
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
          {myBots !== undefined && (
            <th scope="col" class="mine">
              <span class="visually-hidden">Yours</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <StandingsRowView key={index} {...{ row, scale, scope, myBots, showsRankChange }} />
        ))}
      </tbody>
    </table>
  );
}

type StandingsRowViewProps = {
  row: StandingsRow;
  scale: Scale;
  scope: StandingsScope | undefined;
  myBots: MyBots | undefined;
  showsRankChange: boolean;
};

function StandingsRowView({ row, scale, scope, myBots, showsRankChange }: StandingsRowViewProps) {
  const { rank, rating, rating_deviation: deviation } = row;
  const isOwnBot = myBots?.names.includes(row.name) === true;
  const record = `${row.wins}–${row.losses}–${row.draws}`;
  return (
    <tr
      id={myBots === undefined ? undefined : `bot-${row.name}`}
      class={`${rank <= 3 ? "podium" : ""} ${isOwnBot ? "own" : ""}`}
    >
      <td class="place">
        <span class="rank">{rank}</span>
        {showsRankChange && <RankChange rankChange={row.moved} />}
      </td>
      <th scope="row">
        <BotCell row={row} scope={scope} record={record} />
      </th>
      <td class="range">
        <IntervalPlot
          {...estimateOf(rating, deviation)}
          scale={scale}
          tone={isOwnBot ? "gold" : ""}
        />
      </td>
      <td class="number points">
        {rating} <span class="sub">{`± ${deviation}`}</span>
      </td>
      <td class="number record">{record}</td>
      <td class="number score">{row.leaderboard_score}</td>
      {myBots !== undefined && (
        <td class="mine">
          <MarkBotButton name={row.name} displayName={row.display_name} myBots={myBots} />
        </td>
      )}
    </tr>
  );
}

export function RankChange({ rankChange }: { rankChange: number | null }) {
  const { symbol, description: text, tone } = describeRankChange(rankChange);
  return (
    <span class={`moved ${tone}`} title={text}>
      <span aria-hidden="true">{symbol}</span>
      <span class="visually-hidden">{text}</span>
    </span>
  );
}

type BotCellProps = { row: StandingsRow; scope: StandingsScope | undefined; record: string };

function BotCell({ row, scope, record }: BotCellProps) {
  return (
    <span class="contender">
      <Avatar name={row.name} avatar={row.avatar} house={row.house} size={32} />
      <span class="contender-text">
        <span class="contender-name">
          <a class="bot-name" href={botPath(row.name, scope)}>
            <bdi>{row.display_name}</bdi>
          </a>
          <BotActivityLink row={row} />
        </span>
        <span class="sub contender-more">
          <bdi>{row.version}</bdi> <OwnerLabel bot={row} />
          <span class="contender-record"> · {record}</span>
        </span>
      </span>
    </span>
  );
}

/** Shows the bot's current activity. Empty while the bot is disconnected. */
function BotActivityLink({ row: { state, match_id, online } }: { row: StandingsRow }) {
  if (state === "playing" && match_id !== null)
    return (
      <a class="doing playing" href={liveMatchPath(match_id)}>
        playing
      </a>
    );
  if (state === "waiting") return <span class="doing waiting">waiting</span>;
  return online ? <span class="doing online">online</span> : null;
}
