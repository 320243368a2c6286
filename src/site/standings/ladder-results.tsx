import type { LadderResults } from "#core/api/ladder-results.ts";
import { achievementsPath, formatCount } from "#site/events/event-texts.ts";
import { LadderDates } from "#site/events/ladder-card.tsx";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { Bar, Section } from "#site/ui/section.tsx";

type LadderResultsProps = { results: LadderResults };

export function LadderTotals({ results: { ladder, totals } }: LadderResultsProps) {
  const { games, rated, voided, draws, player_bots, player_wins, house_wins } = totals;
  const totalRows: [term: string, value: number][] = [
    ["bouts", games],
    ["rated", rated],
    ["drawn", draws],
    ["void, not counted", voided],
    ["players' bots", player_bots],
    ["won by players", player_wins],
    ["won by house bots", house_wins],
  ];
  return (
    <>
      <p class="sub">
        <LadderDates ladder={ladder} />
      </p>
      <dl class="totals">
        {totalRows.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function LadderMaps({ results: { maps } }: LadderResultsProps) {
  const maxGames = Math.max(1, ...maps.map(({ games }) => games));
  if (maps.length === 0) return <p class="empty">No rated matches.</p>;
  return (
    <ul class="fought-maps">
      {maps.map(({ map, games }) => (
        <li key={map}>
          <MapThumbnail map={map} size={36} />
          <span>{map}</span>
          <Bar value={games} max={maxGames} label={formatCount(games, "bout")} />
          <span class="number">{games}</span>
        </li>
      ))}
    </ul>
  );
}

/** Shows how many accounts earned each achievement in the ladder's events. */
export function LadderAchievements({ results: { events } }: LadderResultsProps) {
  if (events.length === 0) return null;
  return (
    <Section id="achievements" title="Achievements">
      {events.map(({ id, name, achievements }) => (
        <div key={id} class="earned-there">
          <h3>
            <a href={achievementsPath(id)}>
              <bdi>{name}</bdi>
            </a>
          </h3>
          <ul>
            {achievements.map((achievement) => (
              <li key={achievement.id}>
                <bdi>{achievement.name}</bdi>
                <span class="number">{achievement.earned}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="sub">The number shows how many accounts earned it.</p>
    </Section>
  );
}

const MEGABYTE = 1_000_000;

export function ArchiveLink({ results: { ladder, archive } }: LadderResultsProps) {
  if (ladder.phase !== "closed") return null;
  return (
    <Section id="archive" title="Archive">
      {archive === null ? (
        <p class="empty">
          The archive is created soon after the final standings, if the ladder had a closing time
          from the start.
        </p>
      ) : (
        <>
          <p class="archive-about">
            One file with everything: ladder and event settings, final standings, all matches, and
            the stored replays. Run <code>bout verify FILE</code> to replay all matches and check
            the archive, on any machine and without a server.
          </p>
          <p class="actions">
            <a class="button" href={archive.url} download={`${ladder.id}-archive.gz`}>
              Download archive ({formatMegabytes(archive.bytes)})
            </a>
          </p>
        </>
      )}
    </Section>
  );
}

const formatMegabytes = (bytes: number): string =>
  bytes < MEGABYTE / 10 ? "under 0.1 MB" : `${(bytes / MEGABYTE).toFixed(1)} MB`;
