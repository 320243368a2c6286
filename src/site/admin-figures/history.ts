// What health was while somebody looked. The server keeps five minutes and no past: this is the
// browser's own.

import { SECOND_MS } from "#base/units/time.ts";
import type { HealthView } from "#core/operator/health.ts";

/** How far back the drawings reach. */
const HISTORY_S = 600;
/** They begin with less, so that the first minutes can be read. */
const LEAST_S = 120;
/** Nobody looked for so long, or the server did not answer: no line leads over it. */
const GAP_S = 20;

/** Oldest first. */
export type HealthHistory = readonly HealthView[];

const secondOf = ({ generated }: HealthView): number => Date.parse(generated) / SECOND_MS;

/** With one more answer, and without what is too old. */
export function noted(history: HealthHistory, next: HealthView): HealthHistory {
  const now = secondOf(next);
  const last = history.at(-1);
  if (last?.generated === next.generated) return history;
  // The server's clock was set back.
  if (last !== undefined && secondOf(last) >= now) return [next];
  return [...history.filter((one) => secondOf(one) >= now - HISTORY_S), next];
}

/** What a drawing shows, from and to. */
export function spanOf(history: HealthHistory): [from: number, to: number] {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return [0, LEAST_S];
  const now = secondOf(last);
  return [Math.min(secondOf(first), now - LEAST_S), now];
}

/** Rows of a drawing; null between two answers that no line connects. */
export function rowsOf(history: HealthHistory): { at: number; view: HealthView | null }[] {
  return history.flatMap((view, index) => {
    const at = secondOf(view);
    const before = history[index - 1];
    if (before === undefined) return [{ at, view }];
    const isGap = at - secondOf(before) > GAP_S || view.uptime_seconds < before.uptime_seconds;
    return isGap
      ? [
          { at: (secondOf(before) + at) / 2, view: null },
          { at, view },
        ]
      : [{ at, view }];
  });
}
