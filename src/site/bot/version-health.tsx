import type { BotVersion } from "#core/api/bot.ts";
import type { IdleReason, Refusal } from "#core/engine/types.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";
import { Bar } from "#site/ui/section.tsx";
import { REFUSAL_TEXTS } from "#site/viewer/match-texts.ts";

type HealthStats = NonNullable<BotVersion["health"]>;
type VersionHealthPanelProps = { health: HealthStats | null; tickMs: number };

export function VersionHealthPanel({ health, tickMs }: VersionHealthPanelProps) {
  if (health === null) return <p class="empty">This version has no games with statistics yet.</p>;
  return (
    <div class="health">
      <p class="sub">
        Based on {health.turns} turns in the latest {health.matches} games with statistics.
      </p>
      <ResponseTimes health={health} tickMs={tickMs} />
      <FailureReasons
        title={`${formatBotPercent(health.refused_pct)} of turns had a rejected action`}
        percentByReason={health.refused_pct_by_reason}
        reasonTexts={REFUSAL_TEXTS}
      />
      <FailureReasons
        title={`${formatBotPercent(health.idle_pct)} of turns had no valid response`}
        percentByReason={health.idle_pct_by_reason}
        reasonTexts={IDLE_REASON_TEXT}
      />
      <ConnectionLosses health={health} />
    </div>
  );
}

function ResponseTimes({ health, tickMs }: { health: HealthStats; tickMs: number }) {
  const { reply_ms: responseTimes } = health;
  if (responseTimes === null) return <p>No response times yet.</p>;
  const rows: [name: string, ms: number][] = [
    ["p50", responseTimes.p50],
    ["p95", responseTimes.p95],
    ["slowest", responseTimes.max],
  ];
  return (
    <div>
      <h3>Response time (limit {tickMs} ms)</h3>
      <table class="reply-times">
        <tbody>
          {rows.map(([name, ms]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{formatResponseMs(ms)}</td>
              <td>
                <Bar
                  value={ms}
                  max={tickMs}
                  label={`${formatBotPercent((ms / tickMs) * 100)} of the limit`}
                  tone={ms > NEAR_LIMIT_FRACTION * tickMs ? "gold" : ""}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {health.near_limit_pct > 0 && (
        <p class="sub">
          {formatBotPercent(health.near_limit_pct)} of responses took 80 % of the limit or more.
        </p>
      )}
    </div>
  );
}

/** Fraction of the time limit. Slower responses count as near misses. */
const NEAR_LIMIT_FRACTION = 0.8;

type FailureReasonsProps = {
  title: string;
  percentByReason: Readonly<Record<string, number>>;
  reasonTexts: Readonly<Record<Refusal, string>> | Readonly<Record<IdleReason, string>>;
};

function FailureReasons({ title, percentByReason, reasonTexts }: FailureReasonsProps) {
  const textByReason: Readonly<Record<string, string>> = reasonTexts;
  const reasons = Object.entries(percentByReason).toSorted(
    ([, percentA], [, percentB]) => percentB - percentA,
  );
  return (
    <div>
      <h3>{title}</h3>
      {reasons.length > 0 && (
        <ul class="faults">
          {reasons.map(([reason, percent]) => (
            <li key={reason}>
              <span class="number">{formatBotPercent(percent)}</span>{" "}
              {textByReason[reason] ?? reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ConnectionLosses({ health: { disconnects, disqualifications } }: { health: HealthStats }) {
  if (disconnects === 0 && disqualifications === 0) return null;
  return (
    <p class="sub">
      {disconnects} lost {disconnects === 1 ? "connection" : "connections"} in a game,{" "}
      {disqualifications} {disqualifications === 1 ? "disqualification" : "disqualifications"}.
    </p>
  );
}

/** Formats a percentage with enough decimal places to distinguish it from 0. */
export function formatBotPercent(percent: number): string {
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`.replace(/\.0 /, " ");
}

export const formatResponseMs = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
