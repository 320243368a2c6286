import { sure } from "#base/units/sure.ts";
import type { Match } from "#core/resources/match.ts";
import { BotName } from "#site/look/bot-name.tsx";
import { ladderScope, matchPath } from "#site/look/links.ts";
import { When } from "#site/look/when.tsx";
import { RatingChange } from "#site/viewer/rating-change.tsx";
import { endingShort } from "#site/viewer/words.ts";

import type { ShownBot } from "./data.ts";

type MatchListProps = {
  bot: Pick<ShownBot, "id">;
  matches: readonly Match[];
  /** The server's clock in ms since 1970. */
  now: number;
};

/** Matches as one of their bots sees them. */
export function MatchList({ bot, matches, now }: MatchListProps) {
  return (
    <table class="bot-matches">
      <thead>
        <tr>
          <th scope="col">Result</th>
          <th scope="col">Against</th>
          <th scope="col">Map</th>
          <th scope="col" class="number">
            Rating
          </th>
          <th scope="col">With</th>
          <th scope="col" class="number">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {matches.map((match) => (
          <MatchRow key={match.id} {...{ bot, match, now }} />
        ))}
      </tbody>
    </table>
  );
}

type MatchRowProps = Pick<MatchListProps, "bot" | "now"> & { match: Match };

function MatchRow({ bot, match, now }: MatchRowProps) {
  const own = sure(match.bots.find(({ id }) => id === bot.id) ?? match.bots[0], "own seat");
  const other = sure(
    match.bots.find((seat) => seat !== own),
    "other seat",
  );
  const result = resultOf(match, bot.id);
  return (
    <tr>
      <th scope="row">
        <a class={`result ${result}`} href={matchPath(match.id)}>
          {result}
        </a>{" "}
        <span class="sub">{endingShort(match)}</span>
      </th>
      <td>
        <span class="against">
          <BotName {...other} display={other.display_name} scope={ladderScope(match.ladder_id)} />
          <bdi class="sub">{other.version}</bdi>
        </span>
      </td>
      <td>
        {match.map} <span class="sub">{match.final_tick} ticks</span>
      </td>
      <td class="number">
        <RatingChange seat={own} unrated={<span class="sub">unrated</span>} />
      </td>
      <td class="own-version">
        <bdi>{own.version}</bdi>
      </td>
      <td class="number">
        <When instant={match.ended} now={now} />
      </td>
    </tr>
  );
}

function resultOf({ voided, winner }: Match, botId: string): "won" | "lost" | "drawn" | "void" {
  if (voided) return "void";
  if (winner === null) return "drawn";
  return winner === botId ? "won" : "lost";
}
