import { useMemo } from "preact/hooks";

import { SECOND_MS } from "#base/units/time.ts";
import type { HealthView } from "#core/operator/health.ts";
import type { HealthTiming } from "#core/words/health.ts";
import { whenWords } from "#site/look/when-words.ts";

import { msWords, wholeWords } from "./figure-words.ts";
import { TIMING_TITLES } from "./health-timings.tsx";
import { rowsOf, spanOf } from "./history.ts";
import type { HealthHistory } from "./history.ts";
import { Plot } from "./plot-view.tsx";
import type { PlotData, PlotLine } from "./plot.ts";
import { budgetOf, percent } from "./verdict.ts";

/** The most telling first. */
const DRAWN: readonly HealthTiming[] = [
  "event_loop",
  "reply",
  "timeout_lateness",
  "simulation",
  "observation",
];

type HistoryProps = { history: HealthHistory };

/** How health went since somebody began to look. */
export function HealthPlots({ history }: HistoryProps) {
  return (
    <div class="plots">
      {DRAWN.map((timing) => (
        <TimingPlot key={timing} {...{ history, timing }} />
      ))}
      <BoutsPlot {...{ history }} />
      <TurnsPlot {...{ history }} />
    </div>
  );
}

function TimingPlot({ history, timing }: HistoryProps & { timing: HealthTiming }) {
  const data = useMemo(
    () =>
      plotOf(
        history,
        false,
        (valuesOf) => [
          bound(
            "budget",
            valuesOf((view) => budgetOf(view, timing)),
          ),
          line(
            "99th percentile",
            "b",
            valuesOf(({ timings }) => timings[timing].p99_ms),
          ),
          line(
            "median",
            "gold",
            valuesOf(({ timings }) => timings[timing].p50_ms),
          ),
        ],
        msWords,
      ),
    [history],
  );
  const last = history.at(-1);
  return (
    <Plot title={`${TIMING_TITLES[timing]}, ms`} data={data}>
      {last !== undefined && (
        <>
          Median {msWords(last.timings[timing].p50_ms)}, 99th percentile{" "}
          {msWords(last.timings[timing].p99_ms)}; the budget is {msWords(budgetOf(last, timing))}.
        </>
      )}
    </Plot>
  );
}

function BoutsPlot({ history }: HistoryProps) {
  const data = useMemo(
    () =>
      plotOf(
        history,
        true,
        (valuesOf) => [
          bound(
            "at most",
            valuesOf(({ capacity }) => capacity.max),
          ),
          line(
            "running",
            "b",
            valuesOf(({ capacity }) => capacity.running),
          ),
        ],
        wholeWords,
      ),
    [history],
  );
  const last = history.at(-1);
  return (
    <Plot title="Bouts at once" data={data}>
      {last !== undefined && `${last.capacity.running} of ${last.capacity.max} run.`}
    </Plot>
  );
}

/** In percent of all turns. */
const failedShare = ({ turns }: HealthView): number | null => {
  const failed = turns.invalid + turns.timeouts + turns.disconnected;
  const all = failed + turns.valid;
  return all === 0 ? null : (100 * failed) / all;
};

function TurnsPlot({ history }: HistoryProps) {
  const data = useMemo(
    () =>
      plotOf(
        history,
        false,
        (valuesOf) => [line("failed", "a", valuesOf(failedShare))],
        (share) => percent(share, 100),
      ),
    [history],
  );
  const last = history.at(-1);
  const share = last === undefined ? null : failedShare(last);
  return (
    <Plot title="Turns that failed, %" data={data}>
      {share === null ? "No turn was played." : `${percent(share, 100)} of all turns.`}
    </Plot>
  );
}

const line = (title: string, tone: PlotLine["tone"], values: PlotLine["values"]): PlotLine => ({
  title,
  tone,
  values,
  kind: "line",
});

const bound = (title: string, values: PlotLine["values"]): PlotLine => ({
  title,
  tone: "bad",
  values,
  kind: "bound",
});

type ValuesOf = (read: (view: HealthView) => number | null) => (number | null)[];

const STEPS = [15, 30, 60, 120, 300];

function plotOf(
  history: HealthHistory,
  isWhole: boolean,
  linesOf: (valuesOf: ValuesOf) => PlotLine[],
  words: (figure: number) => string,
): PlotData {
  const rows = rowsOf(history);
  const lines = linesOf((read) => rows.map(({ view }) => (view === null ? null : read(view))));
  const said = ({ title, values }: PlotLine, index: number): string[] => {
    const value = values[index] ?? null;
    return value === null ? [] : [`${title} ${words(value)}`];
  };
  return {
    at: rows.map(({ at }) => at),
    lines,
    span: spanOf(history),
    steps: STEPS,
    atWords: clockWords,
    reading: (index) =>
      [clockWords(rows[index]?.at ?? 0), ...lines.flatMap((one) => said(one, index))].join(", "),
    isWhole,
  };
}

const clockWords = (second: number): string =>
  whenWords(new Date(second * SECOND_MS).toISOString(), "second");
