import { useMemo } from "preact/hooks";

import { SECOND_MS } from "#base/units/time.ts";
import type { Analytics } from "#core/operator/analytics.ts";
import { whenWords } from "#site/look/when-words.ts";

import { wholeWords } from "./figure-words.ts";
import { Plot } from "./plot-view.tsx";
import type { PlotData, PlotLine } from "./plot.ts";
import { DAY_STEPS, noonOf, secondsOf } from "./span.ts";

type Day = Analytics["daily"][number];
type Figure = Exclude<keyof Day, "day">;

type DayPlot = {
  title: string;
  /** A later one is drawn over those before it, so a part comes after its whole. */
  figures: readonly { figure: Figure; title: string; tone: PlotLine["tone"] }[];
};

const DAY_PLOTS: readonly DayPlot[] = [
  {
    title: "Matches",
    figures: [
      { figure: "games", title: "matches", tone: "gold" },
      { figure: "ranked", title: "ranked", tone: "b" },
    ],
  },
  {
    title: "Bots that played",
    figures: [{ figure: "active_bots", title: "bots, including house bots", tone: "b" }],
  },
  { title: "New accounts", figures: [{ figure: "users", title: "accounts", tone: "b" }] },
  {
    title: "New bots and versions",
    figures: [
      { figure: "versions", title: "versions", tone: "gold" },
      { figure: "bots", title: "bots", tone: "b" },
    ],
  },
  { title: "Void matches", figures: [{ figure: "voided", title: "void", tone: "a" }] },
];

/** The charts that the overview shows too. */
const OVERVIEW_TITLES: readonly string[] = ["Matches", "New accounts"];

/** One chart per figure. `isShort` leaves all but matches and sign-ups out. */
export function DayPlots({ analytics, isShort }: { analytics: Analytics; isShort?: boolean }) {
  const plots =
    isShort === true ? DAY_PLOTS.filter(({ title }) => OVERVIEW_TITLES.includes(title)) : DAY_PLOTS;
  return (
    <div class="plots">
      {plots.map((plot) => (
        <OfDays key={plot.title} {...{ plot, analytics }} />
      ))}
    </div>
  );
}

function OfDays({ plot, analytics }: { plot: DayPlot; analytics: Analytics }) {
  const data = useMemo(() => dataOf(plot, analytics), [analytics]);
  const busiest = busiestOf(plot, analytics.daily);
  return (
    <Plot title={plot.title} data={data}>
      {busiest === null
        ? "None on these days."
        : `Most on ${busiest.day}: ${wordsOf(plot, busiest)}.`}
    </Plot>
  );
}

function busiestOf({ figures }: DayPlot, daily: readonly Day[]): Day | null {
  const most = (day: Day) => Math.max(...figures.map(({ figure }) => day[figure]));
  let busiest: Day | null = null;
  for (const day of daily) if (most(day) > (busiest === null ? 0 : most(busiest))) busiest = day;
  return busiest;
}

const wordsOf = ({ figures }: DayPlot, day: Day): string =>
  figures.map(({ figure, title }) => `${wholeWords(day[figure])} ${title}`).join(", ");

function dataOf(plot: DayPlot, { daily, from, to }: Analytics): PlotData {
  return {
    at: daily.map(({ day }) => noonOf(day)),
    lines: plot.figures.map(({ figure, title, tone }) => ({
      title,
      tone,
      values: daily.map((day) => day[figure]),
      kind: "bars",
    })),
    span: secondsOf({ from, to }),
    steps: DAY_STEPS,
    atWords: dayWords,
    reading: (index) => {
      const day = daily[index];
      return day === undefined ? "" : `${day.day}: ${wordsOf(plot, day)}`;
    },
    isWhole: true,
  };
}

/** Without the year: the heading has it. */
const dayWords = (second: number): string =>
  whenWords(new Date(second * SECOND_MS).toISOString(), "day", "UTC").replace(/ \d{4}$/, "");
