import type { LeaderboardRow } from "#core/api/ladder.ts";
import type { AvatarSubject } from "#site/avatars/avatar-picture.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath } from "#site/ui/links.ts";
import type { StandingsScope } from "#site/ui/links.ts";
import { OwnerLabel } from "#site/ui/owner-label.tsx";

export type AvatarLookup = (name: string) => AvatarSubject;

type PodiumProps = {
  rows: readonly LeaderboardRow[];
  avatarFor: AvatarLookup;
  scope: StandingsScope;
};

/** Returns players' bots by rank. Returns house bots if no player is ranked. */
function podiumRows(rows: readonly LeaderboardRow[]): readonly LeaderboardRow[] {
  const players = rows.filter(({ house }) => !house);
  return (players.length > 0 ? players : rows).slice(0, PODIUM_PLACES);
}

/** Items are in rank order for screen readers. The style sheet moves the winner to the middle. */
export function Podium({ rows, avatarFor, scope }: PodiumProps) {
  return (
    <ol class="podium-steps">
      {podiumRows(rows).map((row, index) => (
        <li key={row.rank} class={`step step-${index + 1}`}>
          <Avatar {...avatarFor(row.name)} size={index === 0 ? 112 : 84} />
          <a class="bot-name" href={botPath(row.name, scope)}>
            <bdi>{row.display_name}</bdi>
          </a>
          <span class="sub">
            <OwnerLabel bot={row} />
          </span>
          <span class="step-block">
            <strong>{row.rank}</strong>
            <span>{row.leaderboard_score} points</span>
            <span>
              {row.wins}–{row.losses}–{row.draws}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const PODIUM_PLACES = 3;

export function RunnersUp({ rows, avatarFor, scope }: PodiumProps) {
  const podium = podiumRows(rows);
  return (
    <ol class="runners-up">
      {rows
        .filter((row) => !podium.includes(row))
        .map((row) => (
          <li key={row.rank}>
            <span class="rank">{row.rank}</span>
            <Avatar {...avatarFor(row.name)} size={24} />
            <a class="bot-name" href={botPath(row.name, scope)}>
              <bdi>{row.display_name}</bdi>
            </a>
            <span class="sub">{row.leaderboard_score}</span>
          </li>
        ))}
    </ol>
  );
}
