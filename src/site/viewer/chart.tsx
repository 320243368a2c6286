import { RULES } from "#core/engine/rules.ts";

import type { CastLine } from "./caster.ts";
import type { Film } from "./film.ts";
import type { Names } from "./words.ts";

/** Lines of the grid, in hp. */
const LEVELS = [120, 80, 40, 0];
/** Distances between two marks of the axis of ticks, and how many marks it has at most. */
const STEPS = [5, 10, 20, 25, 50, 100];
const MOST_MARKS = 7;

type ChartProps = {
  film: Film;
  names: Names;
  lines: readonly CastLine[];
  /** The frame up to which anything is told. */
  told: number;
  /** The frame shown. */
  at: number;
  onSeek: (tick: number) => void;
};

/** Both fighters' hp over the ticks, with loud moments marked. A click seeks. */
export function HpChart({ film, names, lines, told, at, onSeek }: ChartProps) {
  const ticks = Math.max(1, film.ticks.length);
  return (
    <figure class="chart">
      <svg class="chart-levels" aria-hidden="true">
        {LEVELS.map((hp) => (
          <text key={hp} x="100%" y={`${100 - (100 * hp) / RULES.hp}%`}>
            {hp}
          </text>
        ))}
      </svg>
      <Plot {...{ film, names, lines, told, at, onSeek }} ticks={ticks} />
      <svg class="chart-ticks" aria-hidden="true">
        {marksOf(ticks).map((tick) => (
          <text key={tick} x={`${(100 * tick) / ticks}%`} y="75%">
            {tick}
          </text>
        ))}
      </svg>
      <Legend film={film} names={names} ticks={ticks} />
    </figure>
  );
}

/** In units of one tick by one hp, stretched to the space there is. */
function Plot({ film, names, lines, told, at, onSeek, ticks }: ChartProps & { ticks: number }) {
  const label = film.frames[0]!.fighters.map(({ id }) => names[id] ?? id).join(" and ");
  return (
    <svg
      class="chart-plot"
      viewBox={`0 0 ${ticks} ${RULES.hp}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Hit points of ${label}, from 0 to ${RULES.hp}, over ${ticks} ticks`}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onSeek(Math.round(((event.clientX - box.left) / box.width) * ticks));
      }}
    >
      {RULES.zone.start < ticks && (
        <rect
          class="chart-zone"
          x={RULES.zone.start}
          width={ticks - RULES.zone.start}
          height={RULES.hp}
        />
      )}
      {LEVELS.map((hp) => (
        <line key={hp} class="chart-line" x2={ticks} y1={RULES.hp - hp} y2={RULES.hp - hp} />
      ))}
      {lines.filter(({ loud }) => loud).map(momentMark)}
      {film.frames[0]!.fighters.map(({ id }, seat) => (
        <polyline
          key={id}
          class={`chart-hp seat-${id.toLowerCase()}`}
          points={film.frames
            .slice(0, told + 1)
            .map((frame) => `${frame.tick},${RULES.hp - frame.fighters[seat]!.hp}`)
            .join(" ")}
        />
      ))}
      <line class="chart-now" x1={at} x2={at} y2={RULES.hp} />
    </svg>
  );
}

function momentMark({ tick, text }: CastLine) {
  const x = tick + 1;
  return (
    <g key={`${tick} ${text}`}>
      <title>{`Tick ${tick}: ${text}`}</title>
      <line class="chart-mark" x1={x} x2={x} y2={RULES.hp} />
      <line class="chart-dot" x1={x} x2={x} />
    </g>
  );
}

type LegendProps = Pick<ChartProps, "film" | "names"> & { ticks: number };

function Legend({ film, names, ticks }: LegendProps) {
  return (
    <figcaption class="chart-legend">
      <span>hp by tick:</span>
      {film.frames[0]!.fighters.map(({ id }) => (
        <span key={id} class={`chart-key seat-${id.toLowerCase()}`}>
          <bdi>{names[id] ?? id}</bdi>
        </span>
      ))}
      <span class="chart-key moment">highlight</span>
      {RULES.zone.start < ticks && <span class="chart-key zone">the zone closes in</span>}
    </figcaption>
  );
}

/** Round numbers of ticks, few enough to stand apart. */
function marksOf(ticks: number): number[] {
  const step = STEPS.find((one) => ticks / one < MOST_MARKS) ?? ticks;
  const marks = Array.from({ length: Math.floor(ticks / step) + 1 }, (_, mark) => mark * step);
  // The end is always named, so a mark too near to it gives way.
  return [...marks.filter((mark) => ticks - mark > step / 2), ticks];
}
