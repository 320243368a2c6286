import type { BotVersion } from "#core/api/bot.ts";
import { RETIRED_VERSION_TEXT } from "#site/ui/bot-status-texts.ts";
import { IntervalPlot } from "#site/ui/interval-plot.tsx";
import { estimateOf, scaleOf } from "#site/ui/rating-interval.ts";
import type { Scale } from "#site/ui/rating-interval.ts";
import { Section } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

import { botPartPath } from "./bot-links.ts";
import { CompareVersions } from "./compare.tsx";
import { CursorPager } from "./cursor-pager.tsx";
import type { VersionsData } from "./data.ts";
import { VersionHealthPanel, formatResponseMs, formatBotPercent } from "./version-health.tsx";

type VersionsPanelProps = { data: VersionsData };

export function VersionsPanel({ data }: VersionsPanelProps) {
  const { bot, scope, versions, olderCursor, isFirstPage, tick_ms } = data;
  if (bot.versions_total === 0)
    return (
      <div class="section">
        <p class="empty">
          No versions yet. A version is created when the bot queues with a new label.
        </p>
      </div>
    );
  const ratedVersions = versions.filter((version) => totalGames(version) > 0);
  const scale = scaleOf(ratedVersions.map(ratingEstimate));
  return (
    <>
      {(bot.versions_total > 1 || data.comparison !== null) && <CompareVersions data={data} />}
      <Section
        id="versions"
        title="Versions"
        note={`${bot.versions_total} total, newest first. Values are from the current leaderboard.`}
      >
        {versions.length === 0 && <p class="empty">No older versions.</p>}
        <ol class="versions">
          {versions.map((version) => (
            <VersionRow key={version.label} {...{ version, scale, data }} tickMs={tick_ms} />
          ))}
        </ol>
        <CursorPager
          newestPath={isFirstPage ? null : botPartPath(bot.name, scope, "versions")}
          olderPath={
            olderCursor && botPartPath(bot.name, scope, "versions", { before: olderCursor })
          }
          itemsName="versions"
        />
      </Section>
    </>
  );
}

const totalGames = ({ wins, losses, draws }: BotVersion): number => wins + losses + draws;

const ratingEstimate = ({ rating, rating_deviation: deviation }: BotVersion) =>
  estimateOf(rating, deviation);

type VersionRowProps = VersionsPanelProps & { version: BotVersion; scale: Scale; tickMs: number };

function VersionRow({ version, scale, tickMs, data: { bot, scope } }: VersionRowProps) {
  const { label, notes, created, retired, rank, health } = version;
  const games = totalGames(version);
  return (
    <li class="version">
      <div class="version-head">
        <h3>
          <bdi>{label}</bdi>
        </h3>
        {rank !== null && <span class="badge">rank {rank}</span>}
        {label === bot.current_version && <span class="badge">current</span>}
        {retired && (
          <span class="badge bad" title={RETIRED_VERSION_TEXT}>
            retired
          </span>
        )}
        <span class="sub">
          created <TimeLabel instant={created} precision="day" />
        </span>
      </div>
      {games === 0 ? (
        <p class="sub">No rated games here.</p>
      ) : (
        <div class="version-figures">
          <span class="version-interval">
            <IntervalPlot {...ratingEstimate(version)} scale={scale} />
          </span>
          <span>
            <strong>{version.leaderboard_score}</strong>{" "}
            <span class="sub">
              {version.rating} ± {version.rating_deviation}
            </span>
          </span>
          <span class="sub">
            {version.wins}–{version.losses}–{version.draws},{" "}
            {formatBotPercent(version.win_rate ?? 0)}
          </span>
        </div>
      )}
      {notes !== "" && (
        <p class="version-notes" dir="auto">
          {notes}
        </p>
      )}
      {health !== null && (
        <details class="version-health">
          <summary>{describeVersionHealth(health)}</summary>
          <VersionHealthPanel health={health} tickMs={tickMs} />
        </details>
      )}
      <p class="version-links sub">
        <a href={botPartPath(bot.name, scope, "matches", { version: label })}>Matches</a>{" "}
        {scope.season !== null && (
          <>
            <a href={botPartPath(bot.name, scope, "opponents", { version: label })}>
              Opponents
            </a>{" "}
          </>
        )}
        <a href={botPartPath(bot.name, scope, "losses", { version: label })}>Why it loses</a>
      </p>
    </li>
  );
}

function describeVersionHealth({
  reply_ms,
  refused_pct,
  idle_pct,
}: NonNullable<BotVersion["health"]>) {
  const responseText =
    reply_ms === null ? "" : `p95 response time ${formatResponseMs(reply_ms.p95)}, `;
  return `${responseText}${formatBotPercent(refused_pct)} rejected, ${formatBotPercent(idle_pct)} without a response`;
}
