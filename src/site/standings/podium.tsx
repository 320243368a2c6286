import type { LeaderboardRow } from "#core/resources/ladder.ts";
import type { Face } from "#site/avatars/avatar-picture.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath } from "#site/look/links.ts";
import type { Scope } from "#site/look/links.ts";
import { Owner } from "#site/look/owner.tsx";

/** Finds the face of a bot by its name. */
export type Faces = (name: string) => Face;

type PodiumProps = { rows: readonly LeaderboardRow[]; faces: Faces; scope: Scope };

/** Bots of players, in the order of the ranks; of the house where no player is ranked. */
function honoured(rows: readonly LeaderboardRow[]): readonly LeaderboardRow[] {
  const players = rows.filter(({ house }) => !house);
  return (players.length > 0 ? players : rows).slice(0, PLACES);
}

/** Numbered by rank, like all other lists. The style sheet puts the first one in the middle. */
export function Podium({ rows, faces, scope }: PodiumProps) {
  return (
    <ol class="podium-steps">
      {honoured(rows).map((row, at) => (
        <li key={row.rank} class={`step step-${at + 1}`}>
          <Avatar {...faces(row.name)} size={at === 0 ? 112 : 84} />
          <a class="bot-name" href={botPath(row.name, scope)}>
            <bdi>{row.display_name}</bdi>
          </a>
          <span class="sub">
            <Owner bot={row} />
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

const PLACES = 3;

/** The places that are not on the podium. */
export function RunnersUp({ rows, faces, scope }: PodiumProps) {
  const first = honoured(rows);
  return (
    <ol class="runners-up">
      {rows
        .filter((row) => !first.includes(row))
        .map((row) => (
          <li key={row.rank}>
            <span class="rank">{row.rank}</span>
            <Avatar {...faces(row.name)} size={24} />
            <a class="bot-name" href={botPath(row.name, scope)}>
              <bdi>{row.display_name}</bdi>
            </a>
            <span class="sub">{row.leaderboard_score}</span>
          </li>
        ))}
    </ol>
  );
}
