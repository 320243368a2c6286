import type { BotVersion } from "#core/resources/bot.ts";
import { scaleOf } from "#site/look/interval-words.ts";
import type { Scale } from "#site/look/interval-words.ts";
import { Interval } from "#site/look/interval.tsx";
import { Section } from "#site/look/parts.tsx";
import { RETIRED_VERSION } from "#site/look/status-words.ts";
import { When } from "#site/look/when.tsx";

import { partPath } from "./bot-links.ts";
import { Compare } from "./compare.tsx";
import type { VersionsData } from "./data.ts";
import { Health, msWords, percent } from "./health.tsx";
import { Pages } from "./pages.tsx";

type VersionsPartProps = { data: VersionsData };

/** Every version with its figures, on one scale, and any two of them compared. */
export function VersionsPart({ data }: VersionsPartProps) {
  const { bot, scope, versions, older, isFirst, tick_ms } = data;
  if (bot.versions_total === 0)
    return (
      <div class="section">
        <p class="empty">No version yet: one is made when the bot queues with a new label.</p>
      </div>
    );
  const rated = versions.filter((version) => gamesOf(version) > 0);
  const scale = scaleOf(rated.map(estimateOf));
  return (
    <>
      {(bot.versions_total > 1 || data.compared !== null) && <Compare data={data} />}
      <Section
        id="versions"
        title="Versions"
        note={`${bot.versions_total} in all, the newest first. Figures of the live standings.`}
      >
        {versions.length === 0 && <p class="empty">No version was made before that one.</p>}
        <ol class="versions">
          {versions.map((version) => (
            <Version key={version.label} {...{ version, scale, data }} tickMs={tick_ms} />
          ))}
        </ol>
        <Pages
          newest={isFirst ? null : partPath(bot.name, scope, "versions")}
          older={older && partPath(bot.name, scope, "versions", { before: older })}
          what="versions"
        />
      </Section>
    </>
  );
}

const gamesOf = ({ wins, losses, draws }: BotVersion): number => wins + losses + draws;

function estimateOf({ rating, rating_deviation: deviation }: BotVersion) {
  return { low: rating - 2 * deviation, at: rating, high: rating + 2 * deviation };
}

type VersionProps = VersionsPartProps & { version: BotVersion; scale: Scale; tickMs: number };

function Version({ version, scale, tickMs, data: { bot, scope } }: VersionProps) {
  const { label, notes, created, retired, rank, health } = version;
  const games = gamesOf(version);
  return (
    <li class="version">
      <div class="version-head">
        <h3>
          <bdi>{label}</bdi>
        </h3>
        {rank !== null && <span class="badge">rank {rank}</span>}
        {label === bot.current_version && <span class="badge">current</span>}
        {retired && (
          <span class="badge bad" title={RETIRED_VERSION}>
            retired
          </span>
        )}
        <span class="sub">
          made <When instant={created} form="day" />
        </span>
      </div>
      {games === 0 ? (
        <p class="sub">No rated game in these standings.</p>
      ) : (
        <div class="version-figures">
          <span class="version-interval">
            <Interval {...estimateOf(version)} scale={scale} />
          </span>
          <span>
            <strong>{version.leaderboard_score}</strong>{" "}
            <span class="sub">
              {version.rating} ± {version.rating_deviation}
            </span>
          </span>
          <span class="sub">
            {version.wins}–{version.losses}–{version.draws}, {percent(version.win_rate ?? 0)}
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
          <summary>{healthWords(health)}</summary>
          <Health health={health} tickMs={tickMs} />
        </details>
      )}
      <p class="version-links sub">
        <a href={partPath(bot.name, scope, "matches", { version: label })}>Matches</a>{" "}
        {scope.season !== null && (
          <>
            <a href={partPath(bot.name, scope, "opponents", { version: label })}>Opponents</a>{" "}
          </>
        )}
        <a href={partPath(bot.name, scope, "losses", { version: label })}>Why it loses</a>
      </p>
    </li>
  );
}

function healthWords({ reply_ms, refused_pct, idle_pct }: NonNullable<BotVersion["health"]>) {
  const times = reply_ms === null ? "" : `Answers within ${msWords(reply_ms.p95)}, `;
  return `${times}${percent(refused_pct)} refused, ${percent(idle_pct)} without an answer`;
}
