import type { LeaderboardRow } from "#core/resources/ladder.ts";
import type { Face } from "#site/look/avatar-picture.ts";
import { Avatar } from "#site/look/avatar.tsx";
import { botPath } from "#site/look/links.ts";
import type { Scope } from "#site/look/links.ts";
import { Owner } from "#site/look/owner.tsx";

/** Finds the face of a bot by its name. */
export type Faces = (name: string) => Face;

type PodiumProps = { rows: readonly LeaderboardRow[]; faces: Faces; scope: Scope };

/** In the order of the ranks; the style sheet puts the first one in the middle. */
export function Podium({ rows, faces, scope }: PodiumProps) {
  return (
    <ol class="podium-steps">
      {rows.slice(0, PLACES).map((row) => (
        <li key={row.rank} class={`step step-${row.rank}`}>
          <Avatar {...faces(row.name)} size={row.rank === 1 ? 112 : 84} />
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

/** The places after the podium. */
export function RunnersUp({ rows, faces, scope }: PodiumProps) {
  return (
    <ol class="runners-up" start={PLACES + 1}>
      {rows.slice(PLACES).map((row) => (
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
