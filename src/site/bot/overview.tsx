import type { BotMapRecord } from "#core/api/bot-record.ts";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { Section } from "#site/ui/section.tsx";

import { botPartPath, ratingsPath } from "./bot-links.ts";
import { RatingChart } from "./chart.tsx";
import type { BotData, BotScope } from "./data.ts";
import { FightingStyle } from "./fighting-style.tsx";
import { MatchList } from "./match-list.tsx";
import { RecordBar } from "./record-bar.tsx";
import { VersionHealthPanel } from "./version-health.tsx";

type BotOverviewProps = { data: Extract<BotData, { part: "overview" }> };

export function BotOverview({ data }: BotOverviewProps) {
  const { bot, scope, chart, maps, style, version, tick_ms, matches, now } = data;
  // If the bot plays on another ladder, the page header links there.
  const isOnOtherLadder = scope.ladders.some(({ id }) => id !== scope.ladder);
  if (chart.points.length === 0 && matches.length === 0)
    return (
      <div class="section">
        <EmptyState subject={isOnOtherLadder ? "bot's matches here" : "bot's matches"}>
          {!isOnOtherLadder && bot.status === "active" && scope.season === scope.liveSeason && (
            <>
              A bot joins the ladder when its program connects and queues. See{" "}
              <a href="/guide/quick-start">the quick start</a>.
            </>
          )}
        </EmptyState>
      </div>
    );
  return (
    <>
      <Section id="rating" title="Rating" note={formatRatedGames(chart.games)}>
        <RatingChart data={chart} dataUrl={ratingsPath(bot.name, scope)} />
      </Section>
      <div class="bot-columns">
        <Section id="maps" title="By map" note={ALL_VERSIONS_NOTE}>
          <MapRecords maps={maps} bot={bot} scope={scope} />
        </Section>
        <Section
          id="answers"
          title="Response time"
          note={version !== null && <bdi>{version.label}</bdi>}
        >
          <VersionHealthPanel health={version?.health ?? null} tickMs={tick_ms} />
        </Section>
      </div>
      <Section id="style" title="Fighting style" note={ALL_VERSIONS_NOTE}>
        <FightingStyle style={style} />
      </Section>
      <Section
        id="recent"
        title="Latest matches"
        note={<a href={botPartPath(bot.name, scope, "matches")}>All matches</a>}
      >
        <MatchList bot={bot} matches={matches} now={now} />
      </Section>
    </>
  );
}

/** Clarifies the range, because the page header covers only the current version. */
const ALL_VERSIONS_NOTE = "all versions";

const formatRatedGames = (games: number): string =>
  `${games === 1 ? "1 rated game" : `${games} rated games`}, ${ALL_VERSIONS_NOTE}`;

type MapRecordsProps = { maps: readonly BotMapRecord[]; bot: BotData["bot"]; scope: BotScope };

function MapRecords({ maps, bot, scope }: MapRecordsProps) {
  if (maps.length === 0) return <EmptyState subject="bot's matches" />;
  return (
    <ul class="map-records">
      {maps.map(({ map, ...record }) => (
        <li key={map}>
          <MapThumbnail map={map} size={48} />
          <div>
            <a href={botPartPath(bot.name, scope, "matches", { map })}>{map}</a>
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
