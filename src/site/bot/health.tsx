import type { IdleReason, Refusal } from "#core/engine/types.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";
import type { BotVersion } from "#core/resources/bot.ts";
import { Bar } from "#site/look/parts.tsx";
import { REFUSAL_WORDS } from "#site/viewer/words.ts";

type Figures = NonNullable<BotVersion["health"]>;
type HealthProps = { health: Figures | null; tickMs: number };

/** How quickly a version answers, and what became of its turns. */
export function Health({ health, tickMs }: HealthProps) {
  if (health === null)
    return <p class="empty">No game of this version has statistics, so nothing is known yet.</p>;
  return (
    <div class="health">
      <p class="sub">
        Over {health.turns} turns in its newest {health.matches} games with statistics.
      </p>
      <Replies health={health} tickMs={tickMs} />
      <Faults
        title={`${percent(health.refused_pct)} of turns had a refused part`}
        faults={health.refused_pct_by_reason}
        words={REFUSAL_WORDS}
      />
      <Faults
        title={`${percent(health.idle_pct)} of turns had no valid answer`}
        faults={health.idle_pct_by_reason}
        words={IDLE_WORDS}
      />
      <Losses health={health} />
    </div>
  );
}

function Replies({ health, tickMs }: { health: Figures; tickMs: number }) {
  const { reply_ms: times } = health;
  if (times === null) return <p>No answer was timed.</p>;
  const rows: [name: string, ms: number][] = [
    ["half of them at most", times.p50],
    ["19 of 20 at most", times.p95],
    ["the slowest", times.max],
  ];
  return (
    <div>
      <h3>Answer times, of {tickMs} ms allowed</h3>
      <table class="reply-times">
        <tbody>
          {rows.map(([name, ms]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{msWords(ms)}</td>
              <td>
                <Bar
                  value={ms}
                  max={tickMs}
                  label={`${percent((ms / tickMs) * 100)} of the limit`}
                  tone={ms > NEAR * tickMs ? "gold" : ""}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {health.near_limit_pct > 0 && (
        <p class="sub">{percent(health.near_limit_pct)} took 80 % of the limit or more.</p>
      )}
    </div>
  );
}

/** The share of the limit from which an answer is a near miss. */
const NEAR = 0.8;

type FaultsProps = {
  title: string;
  faults: Readonly<Record<string, number>>;
  words: Readonly<Record<Refusal, string>> | Readonly<Record<IdleReason, string>>;
};

function Faults({ title, faults, words }: FaultsProps) {
  const known: Readonly<Record<string, string>> = words;
  const reasons = Object.entries(faults).toSorted(([, one], [, other]) => other - one);
  return (
    <div>
      <h3>{title}</h3>
      {reasons.length > 0 && (
        <ul class="faults">
          {reasons.map(([reason, share]) => (
            <li key={reason}>
              <span class="number">{percent(share)}</span> {known[reason] ?? reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Losses({ health: { disconnects, disqualifications } }: { health: Figures }) {
  if (disconnects === 0 && disqualifications === 0) return null;
  return (
    <p class="sub">
      {disconnects} lost {disconnects === 1 ? "connection" : "connections"} in a game,{" "}
      {disqualifications} {disqualifications === 1 ? "disqualification" : "disqualifications"}.
    </p>
  );
}

/** A share with as many decimals as it takes to tell it from nothing. */
export function percent(share: number): string {
  if (share > 0 && share < 0.1) return "< 0.1 %";
  return `${share < 10 ? share.toFixed(1) : Math.round(share)} %`.replace(/\.0 /, " ");
}

export const msWords = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
