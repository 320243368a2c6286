import type { Match } from "#core/resources/match.ts";
import type { RunningFight } from "#core/resources/standings.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { Empty } from "#site/look/empty.tsx";
import { livePath, matchPath } from "#site/look/links.ts";
import { When } from "#site/look/when.tsx";
import { RatingChange } from "#site/viewer/rating-change.tsx";
import { agoWords, endingShort } from "#site/viewer/words.ts";

/** Stored matches, newest first. */
export function Bouts({ matches, now }: { matches: readonly Match[]; now: number }) {
  if (matches.length === 0) return <Empty of="matches" />;
  const before = (at: number): string | null => {
    const match = matches[at - 1];
    return match === undefined ? null : agoOf(match, now);
  };
  return (
    <ol class="bouts">
      {matches.map((match, at) => (
        <Bout key={at} match={match} now={now} isTimed={agoOf(match, now) !== before(at)} />
      ))}
    </ol>
  );
}

const agoOf = ({ ended }: Match, now: number): string => agoWords(Date.parse(ended), now);

type BoutProps = {
  match: Match;
  now: number;
  /** Whether it says when it ended, which may be what the bout above it says. */
  isTimed: boolean;
};

function Bout({ match, now, isTimed }: BoutProps) {
  return (
    <li>
      <a class="bout" href={matchPath(match.id)}>
        <span class="bout-names">
          {match.bots.map((bot) => (
            <span key={bot.fighter} class={bot.id === match.winner ? "won" : "lost"}>
              <Avatar {...bot} size={18} />
              <span class="bout-name">
                <bdi>{bot.display_name}</bdi>
              </span>
              <span class="change">
                <RatingChange seat={bot} isShort />
              </span>
            </span>
          ))}
        </span>
        <span class="bout-end sub">
          <span>{endingShort(match)}</span>
          <span>{match.map}</span>
          {isTimed && <When instant={match.ended} now={now} />}
        </span>
      </a>
    </li>
  );
}

type RunningProps = { fights: readonly RunningFight[]; total: number };

/** Matches that are being fought. */
export function RunningBouts({ fights, total }: RunningProps) {
  const hidden = total - fights.length;
  return (
    <div class="ring-list">
      {fights.length === 0 && <Empty of="running" />}
      <ul>
        {fights.map((fight, at) => (
          <li key={at}>
            <a class="bout" href={livePath(fight.id)}>
              <span class="bout-names">
                {fight.bots.map((bot, seat) => (
                  <span key={seat} class={seat === 0 ? "corner-a" : "corner-b"}>
                    <Avatar {...bot} size={18} />
                    <span class="bout-name">
                      <bdi>{bot.display_name}</bdi>
                    </span>
                  </span>
                ))}
              </span>
              <span class="bout-end sub">
                <span>{fight.map}</span>
                <span>tick {fight.tick}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p class="more">and {hidden} more</p>}
    </div>
  );
}
