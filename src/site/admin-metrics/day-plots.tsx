import { useMemo } from "preact/hooks";

import { SECOND_MS } from "#base/util/time.ts";
import type { AnalyticsReport } from "#core/api/analytics.ts";
import { formatTime } from "#site/ui/time-format.ts";

import { DAY_STEPS, middayOf, dayRangeSeconds } from "./day-range.ts";
import { formatWhole } from "./metric-format.ts";
import { PlotFigure } from "./plot-view.tsx";
import type { PlotData, PlotLine } from "./plot.ts";

type DailyStats = AnalyticsReport["daily"][number];
type DailyMetric = Exclude<keyof DailyStats, "day">;

type DailyPlot = {
  title: string;
  /** Later series are drawn on top, so list a total before its parts. */
  series: readonly { metric: DailyMetric; title: string; tone: PlotLine["tone"] }[];
};

const DAILY_PLOTS: readonly DailyPlot[] = [
  {
    title: "Matches",
    series: [
      { metric: "games", title: "matches", tone: "gold" },
      { metric: "ranked", title: "ranked", tone: "b" },
    ],
  },
  {
    title: "Bots that played",
    series: [{ metric: "active_bots", title: "bots, including house bots", tone: "b" }],
  },
  { title: "New accounts", series: [{ metric: "users", title: "accounts", tone: "b" }] },
  {
    title: "New bots and versions",
    series: [
      { metric: "versions", title: "versions", tone: "gold" },
      { metric: "bots", title: "bots", tone: "b" },
    ],
  },
  { title: "Void matches", series: [{ metric: "voided", title: "void", tone: "a" }] },
];

const OVERVIEW_PLOT_TITLES: readonly string[] = ["Matches", "New accounts"];

/** Draws one chart per metric. With `isOverview`, draws only matches and sign-ups. */
export function DailyPlots({
  analytics,
  isOverview,
}: {
  analytics: AnalyticsReport;
  isOverview?: boolean;
}) {
  const plots =
    isOverview === true
      ? DAILY_PLOTS.filter(({ title }) => OVERVIEW_PLOT_TITLES.includes(title))
      : DAILY_PLOTS;
  return (
    <div class="plots">
      {plots.map((plot) => (
        <DailyPlotFigure key={plot.title} {...{ plot, analytics }} />
      ))}
    </div>
  );
}

function DailyPlotFigure({ plot, analytics }: { plot: DailyPlot; analytics: AnalyticsReport }) {
  const data = useMemo(() => dailyPlotData(plot, analytics), [analytics]);
  const busiestDayStats = busiestDay(plot, analytics.daily);
  return (
    <PlotFigure title={plot.title} data={data}>
      {busiestDayStats === null
        ? "None on these days."
        : `Peak on ${busiestDayStats.day}: ${describeDay(plot, busiestDayStats)}.`}
    </PlotFigure>
  );
}

function busiestDay({ series }: DailyPlot, daily: readonly DailyStats[]): DailyStats | null {
  const maxOfDay = (day: DailyStats) => Math.max(...series.map(({ metric }) => day[metric]));
  let busiestDayStats: DailyStats | null = null;
  for (const day of daily)
    if (maxOfDay(day) > (busiestDayStats === null ? 0 : maxOfDay(busiestDayStats)))
      busiestDayStats = day;
  return busiestDayStats;
}

const describeDay = ({ series }: DailyPlot, day: DailyStats): string =>
  series.map(({ metric, title }) => `${formatWhole(day[metric])} ${title}`).join(", ");

function dailyPlotData(plot: DailyPlot, { daily, from, to }: AnalyticsReport): PlotData {
  return {
    seconds: daily.map(({ day }) => middayOf(day)),
    lines: plot.series.map(({ metric, title, tone }) => ({
      title,
      tone,
      values: daily.map((day) => day[metric]),
      kind: "bars",
    })),
    range: dayRangeSeconds({ from, to }),
    steps: DAY_STEPS,
    formatX: formatDay,
    readingAt: (index) => {
      const day = daily[index];
      return day === undefined ? "" : `${day.day}: ${describeDay(plot, day)}`;
    },
    hasWholeValues: true,
  };
}

/** The heading already shows the year. */
const formatDay = (second: number): string =>
  formatTime(new Date(second * SECOND_MS).toISOString(), "day", "UTC").replace(/ \d{4}$/, "");
