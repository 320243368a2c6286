import type { Match } from "#core/api/match.ts";
import type { RunningMatchSummary } from "#core/api/standings-page.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { liveMatchPath, matchResultPath } from "#site/ui/links.ts";
import { TimeLabel } from "#site/ui/time-label.tsx";
import { formatAge, shortEndingText } from "#site/viewer/match-texts.ts";
import { RatingChangeText } from "#site/viewer/rating-change.tsx";

export function RecentMatches({ matches, now }: { matches: readonly Match[]; now: number }) {
  if (matches.length === 0) return <EmptyState subject="matches" />;
  const previousAge = (index: number): string | null => {
    const match = matches[index - 1];
    return match === undefined ? null : matchAge(match, now);
  };
  return (
    <ol class="bouts">
      {matches.map((match, index) => (
        <RecentMatchRow
          key={index}
          match={match}
          now={now}
          showsTime={matchAge(match, now) !== previousAge(index)}
        />
      ))}
    </ol>
  );
}

const matchAge = ({ ended }: Match, now: number): string => formatAge(Date.parse(ended), now);

type RecentMatchRowProps = {
  match: Match;
  now: number;
  /** False if the match above has the same end time. */
  showsTime: boolean;
};

function RecentMatchRow({ match, now, showsTime }: RecentMatchRowProps) {
  return (
    <li>
      <a class="bout" href={matchResultPath(match.id)}>
        <span class="bout-names">
          {match.bots.map((bot) => (
            <span key={bot.fighter} class={bot.id === match.winner ? "won" : "lost"}>
              <Avatar {...bot} size={18} />
              <span class="bout-name">
                <bdi>{bot.display_name}</bdi>
              </span>
              <span class="change">
                <RatingChangeText seat={bot} isCompact />
              </span>
            </span>
          ))}
        </span>
        <span class="bout-end sub">
          <span>{shortEndingText(match)}</span>
          <span>{match.map}</span>
          {showsTime && <TimeLabel instant={match.ended} now={now} />}
        </span>
      </a>
    </li>
  );
}

type RunningMatchListProps = { runningMatches: readonly RunningMatchSummary[]; total: number };

export function RunningMatchList({ runningMatches, total }: RunningMatchListProps) {
  const hiddenCount = total - runningMatches.length;
  return (
    <div class="ring-list">
      {runningMatches.length === 0 && <EmptyState subject="running" />}
      <ul>
        {runningMatches.map((runningMatch, index) => (
          <li key={index}>
            <a class="bout" href={liveMatchPath(runningMatch.id)}>
              <span class="bout-names">
                {runningMatch.bots.map((bot, seat) => (
                  <span key={seat} class={seat === 0 ? "corner-a" : "corner-b"}>
                    <Avatar {...bot} size={18} />
                    <span class="bout-name">
                      <bdi>{bot.display_name}</bdi>
                    </span>
                  </span>
                ))}
              </span>
              <span class="bout-end sub">
                <span>{runningMatch.map}</span>
                <span>tick {runningMatch.tick}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && <p class="more">and {hiddenCount} more</p>}
    </div>
  );
}
