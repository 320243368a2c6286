import { assertDefined } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import { BotName } from "#site/ui/bot-name.tsx";
import { ladderScope, matchResultPath } from "#site/ui/links.ts";
import { TimeLabel } from "#site/ui/time-label.tsx";
import { shortEndingText } from "#site/viewer/match-texts.ts";
import { RatingChangeText } from "#site/viewer/rating-change.tsx";

import type { BotSummary } from "./data.ts";

type MatchListProps = {
  bot: Pick<BotSummary, "id">;
  matches: readonly Match[];
  /** Server time, in Unix ms. */
  now: number;
};

export function MatchList({ bot, matches, now }: MatchListProps) {
  return (
    <table class="bot-matches">
      <thead>
        <tr>
          <th scope="col">Result</th>
          <th scope="col">Opponent</th>
          <th scope="col">Map</th>
          <th scope="col" class="number">
            Rating
          </th>
          <th scope="col">Version</th>
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
  const ownSeat = assertDefined(
    match.bots.find(({ id }) => id === bot.id) ?? match.bots[0],
    "own seat",
  );
  const opponentSeat = assertDefined(
    match.bots.find((seat) => seat !== ownSeat),
    "other seat",
  );
  const result = resultForBot(match, bot.id);
  return (
    <tr>
      <th scope="row">
        <a class={`result ${result}`} href={matchResultPath(match.id)}>
          {result}
        </a>{" "}
        <span class="sub">{shortEndingText(match)}</span>
      </th>
      <td>
        <span class="against">
          <BotName
            {...opponentSeat}
            displayName={opponentSeat.display_name}
            scope={ladderScope(match.ladder_id)}
          />
          <bdi class="sub">{opponentSeat.version}</bdi>
        </span>
      </td>
      <td>
        {match.map} <span class="sub">{match.final_tick} ticks</span>
      </td>
      <td class="number">
        <RatingChangeText seat={ownSeat} unratedLabel={<span class="sub">unrated</span>} />
      </td>
      <td class="own-version">
        <bdi>{ownSeat.version}</bdi>
      </td>
      <td class="number">
        <TimeLabel instant={match.ended} now={now} />
      </td>
    </tr>
  );
}

function resultForBot({ voided, winner }: Match, botId: string): "won" | "lost" | "drawn" | "void" {
  if (voided) return "void";
  if (winner === null) return "drawn";
  return winner === botId ? "won" : "lost";
}
