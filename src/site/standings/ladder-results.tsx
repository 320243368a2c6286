import type { LadderResults } from "#core/resources/ladder-results.ts";
import { Dates } from "#site/events/ladder-card.tsx";
import { achievementsPath, counted } from "#site/events/words.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { Bar, Section } from "#site/look/parts.tsx";

type PartProps = { results: LadderResults };

/** What was played on a ladder, in figures. */
export function LadderTotals({ results: { ladder, totals } }: PartProps) {
  const { games, rated, voided, draws, player_bots, player_wins, house_wins } = totals;
  const figures: [term: string, value: number][] = [
    ["bouts", games],
    ["of them rated", rated],
    ["drawn", draws],
    ["void, not counted", voided],
    ["bots of players", player_bots],
    ["won by players", player_wins],
    ["won by house bots", house_wins],
  ];
  return (
    <>
      <p class="sub">
        <Dates ladder={ladder} />
      </p>
      <dl class="totals">
        {figures.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** On which maps its rated bouts were fought. */
export function LadderMaps({ results: { maps } }: PartProps) {
  const most = Math.max(1, ...maps.map(({ games }) => games));
  if (maps.length === 0) return <p class="empty">No rated bout was fought.</p>;
  return (
    <ul class="fought-maps">
      {maps.map(({ map, games }) => (
        <li key={map}>
          <MapPicture map={map} size={36} />
          <span>{map}</span>
          <Bar value={games} max={most} label={counted(games, "bout")} />
          <span class="number">{games}</span>
        </li>
      ))}
    </ul>
  );
}

/** How many earned each achievement of its events. */
export function EarnedThere({ results: { events } }: PartProps) {
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
            {achievements.map((one) => (
              <li key={one.id}>
                <bdi>{one.name}</bdi>
                <span class="number">{one.earned}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="sub">The number is how many accounts have earned it.</p>
    </Section>
  );
}

const MEGABYTE = 1_000_000;

/** The file that keeps all of it. */
export function ArchiveLink({ results: { ladder, archive } }: PartProps) {
  if (ladder.phase !== "closed") return null;
  return (
    <Section id="archive" title="To keep">
      {archive === null ? (
        <p class="empty">
          Its archive is made soon after the final standings, if the ladder had an end from the
          start.
        </p>
      ) : (
        <>
          <p class="archive-about">
            One file with all of it: what the ladder and its events were, the final standings, every
            match, and the replays that were kept. <code>bout verify FILE</code> plays them again
            and checks that all of it agrees, on any machine and without a server.
          </p>
          <p class="actions">
            <a class="button" href={archive.url} download={`${ladder.id}-archive.gz`}>
              Download the archive ({megabytes(archive.bytes)})
            </a>
          </p>
        </>
      )}
    </Section>
  );
}

const megabytes = (bytes: number): string =>
  bytes < MEGABYTE / 10 ? "under 0.1 MB" : `${(bytes / MEGABYTE).toFixed(1)} MB`;
