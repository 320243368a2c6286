import type { RecordOnMap } from "#core/resources/bot-record.ts";
import { Empty } from "#site/look/empty.tsx";
import { MapPicture } from "#site/look/map-picture.tsx";
import { Section } from "#site/look/parts.tsx";

import { partPath, ratingsPath } from "./bot-links.ts";
import { Chart } from "./chart.tsx";
import type { BotData, BotScope } from "./data.ts";
import { FightingStyle } from "./fighting-style.tsx";
import { Health } from "./health.tsx";
import { MatchList } from "./match-list.tsx";
import { RecordBar } from "./record-bar.tsx";

type OverviewProps = { data: Extract<BotData, { part: "overview" }> };

/** How the rating came about, where the bot wins, how it answers, and what it fought last. */
export function Overview({ data }: OverviewProps) {
  const { bot, scope, chart, maps, style, version, tick_ms, matches, now } = data;
  // The head of the page leads there.
  const isElsewhere = scope.ladders.some(({ id }) => id !== scope.ladder);
  if (chart.points.length === 0 && matches.length === 0)
    return (
      <div class="section">
        <Empty of={isElsewhere ? "bot's matches here" : "bot's matches"}>
          {!isElsewhere && bot.status === "active" && scope.season === scope.live && (
            <>
              A bot enters the ladder when its program connects and queues: see{" "}
              <a href="/guide/quick-start">the quick start</a>.
            </>
          )}
        </Empty>
      </div>
    );
  return (
    <>
      <Section id="rating" title="Rating" note={gamesWords(chart.games)}>
        <Chart data={chart} source={ratingsPath(bot.name, scope)} />
      </Section>
      <div class="bot-columns">
        <Section id="maps" title="By map" note={ALL_VERSIONS}>
          <Maps maps={maps} bot={bot} scope={scope} />
        </Section>
        <Section
          id="answers"
          title="How it answers"
          note={version !== null && <bdi>{version.label}</bdi>}
        >
          <Health health={version?.health ?? null} tickMs={tick_ms} />
        </Section>
      </div>
      <Section id="style" title="How it fights" note={ALL_VERSIONS}>
        <FightingStyle style={style} />
      </Section>
      <Section
        id="recent"
        title="Last matches"
        note={<a href={partPath(bot.name, scope, "matches")}>All, with filters</a>}
      >
        <MatchList bot={bot} matches={matches} now={now} />
      </Section>
    </>
  );
}

/** The head of the page is about the present version alone. */
const ALL_VERSIONS = "all versions";

const gamesWords = (games: number): string =>
  `${games === 1 ? "1 rated game" : `${games} rated games`}, ${ALL_VERSIONS}`;

type MapsProps = { maps: readonly RecordOnMap[]; bot: BotData["bot"]; scope: BotScope };

function Maps({ maps, bot, scope }: MapsProps) {
  if (maps.length === 0) return <Empty of="bot's matches" />;
  return (
    <ul class="map-records">
      {maps.map(({ map, ...record }) => (
        <li key={map}>
          <MapPicture map={map} size={48} />
          <div>
            <a href={partPath(bot.name, scope, "matches", { map })}>{map}</a>
            <RecordBar {...record} />
            <span class="sub">
              {Math.round(record.win_rate)} % of {record.games}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
