import { useMemo } from "preact/hooks";

import { SECOND_MS } from "#base/util/time.ts";
import type { HealthView } from "#core/api/server-health.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";
import { formatTime } from "#site/ui/time-format.ts";

import { plotRows, historyRange } from "./health-history.ts";
import type { HealthHistory } from "./health-history.ts";
import { TIMING_TITLES } from "./health-timings.tsx";
import { timingBudgetMs, formatPercent } from "./health-verdict.ts";
import { formatMilliseconds, formatWhole } from "./metric-format.ts";
import { PlotFigure } from "./plot-view.tsx";
import type { PlotData, PlotLine } from "./plot.ts";

/** Most informative first. */
const PLOTTED_TIMINGS: readonly HealthTiming[] = [
  "event_loop",
  "reply",
  "timeout_lateness",
  "simulation",
  "observation",
];

type HistoryProps = { history: HealthHistory };

export function HealthPlots({ history }: HistoryProps) {
  return (
    <div class="plots">
      {PLOTTED_TIMINGS.map((timing) => (
        <TimingPlot key={timing} {...{ history, timing }} />
      ))}
      <MatchesPlot {...{ history }} />
      <TurnsPlot {...{ history }} />
    </div>
  );
}

function TimingPlot({ history, timing }: HistoryProps & { timing: HealthTiming }) {
  const data = useMemo(
    () =>
      healthPlotData(
        history,
        false,
        (valuesOf) => [
          boundLine(
            "budget",
            valuesOf((view) => timingBudgetMs(view, timing)),
          ),
          plotLine(
            "99th percentile",
            "b",
            valuesOf(({ timings }) => timings[timing].p99_ms),
          ),
          plotLine(
            "median",
            "gold",
            valuesOf(({ timings }) => timings[timing].p50_ms),
          ),
        ],
        formatMilliseconds,
      ),
    [history],
  );
  const latest = history.at(-1);
  return (
    <PlotFigure title={`${TIMING_TITLES[timing]}, ms`} data={data}>
      {latest !== undefined && (
        <>
          Median {formatMilliseconds(latest.timings[timing].p50_ms)}, 99th percentile{" "}
          {formatMilliseconds(latest.timings[timing].p99_ms)}; budget{" "}
          {formatMilliseconds(timingBudgetMs(latest, timing))}.
        </>
      )}
    </PlotFigure>
  );
}

function MatchesPlot({ history }: HistoryProps) {
  const data = useMemo(
    () =>
      healthPlotData(
        history,
        true,
        (valuesOf) => [
          boundLine(
            "limit",
            valuesOf(({ capacity }) => capacity.max),
          ),
          plotLine(
            "running",
            "b",
            valuesOf(({ capacity }) => capacity.running),
          ),
        ],
        formatWhole,
      ),
    [history],
  );
  const latest = history.at(-1);
  return (
    <PlotFigure title="Concurrent matches" data={data}>
      {latest !== undefined && `${latest.capacity.running} of ${latest.capacity.max} running.`}
    </PlotFigure>
  );
}

/** Returns the percentage of turns that failed, or null without turns. */
const failedTurnPercent = ({ turns }: HealthView): number | null => {
  const failedTurns = turns.invalid + turns.timeouts + turns.disconnected;
  const allTurns = failedTurns + turns.valid;
  return allTurns === 0 ? null : (100 * failedTurns) / allTurns;
};

function TurnsPlot({ history }: HistoryProps) {
  const data = useMemo(
    () =>
      healthPlotData(
        history,
        false,
        (valuesOf) => [plotLine("failed", "a", valuesOf(failedTurnPercent))],
        (failedPercent) => formatPercent(failedPercent, 100),
      ),
    [history],
  );
  const latest = history.at(-1);
  const share = latest === undefined ? null : failedTurnPercent(latest);
  return (
    <PlotFigure title="Failed turns, %" data={data}>
      {share === null ? "No turns yet." : `${formatPercent(share, 100)} of all turns.`}
    </PlotFigure>
  );
}

const plotLine = (title: string, tone: PlotLine["tone"], values: PlotLine["values"]): PlotLine => ({
  title,
  tone,
  values,
  kind: "line",
});

const boundLine = (title: string, values: PlotLine["values"]): PlotLine => ({
  title,
  tone: "bad",
  values,
  kind: "bound",
});

type ValuesOf = (valueFrom: (view: HealthView) => number | null) => (number | null)[];

const TIME_STEPS_S = [15, 30, 60, 120, 300];

function healthPlotData(
  history: HealthHistory,
  hasWholeValues: boolean,
  linesOf: (valuesOf: ValuesOf) => PlotLine[],
  formatValue: (value: number) => string,
): PlotData {
  const rows = plotRows(history);
  const lines = linesOf((valueFrom) =>
    rows.map(({ view }) => (view === null ? null : valueFrom(view))),
  );
  const describeValue = ({ title, values }: PlotLine, index: number): string[] => {
    const value = values[index] ?? null;
    return value === null ? [] : [`${title} ${formatValue(value)}`];
  };
  return {
    seconds: rows.map(({ seconds }) => seconds),
    lines,
    range: historyRange(history),
    steps: TIME_STEPS_S,
    formatX: formatClock,
    readingAt: (index) =>
      [
        formatClock(rows[index]?.seconds ?? 0),
        ...lines.flatMap((line) => describeValue(line, index)),
      ].join(", "),
    hasWholeValues,
  };
}

const formatClock = (second: number): string =>
  formatTime(new Date(second * SECOND_MS).toISOString(), "second");
