import { RULES } from "#core/engine/rules.ts";

import type { CastLine } from "./caster.ts";
import type { Film } from "./film.ts";
import type { Names } from "./words.ts";

const WIDTH = 720;
const HEIGHT = 150;
const TOP = 14;
const EDGE = 6;

type ChartProps = {
  film: Film;
  names: Names;
  lines: readonly CastLine[];
  /** The frame shown. */
  at: number;
  onSeek: (tick: number) => void;
};

/** Both fighters' hp over the ticks, with loud moments marked. A click seeks. */
export function HpChart({ film, names, lines, at, onSeek }: ChartProps) {
  const ticks = Math.max(1, film.ticks.length);
  const x = (tick: number): number => EDGE + (tick / ticks) * (WIDTH - 2 * EDGE);
  const label = film.frames[0]!.fighters.map(({ id }) => names[id] ?? id).join(" and ");
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Hit points of ${label} over ${film.ticks.length} ticks`}
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onSeek(Math.round(((event.clientX - box.left) / box.width) * ticks));
      }}
    >
      {[0, 40, 80, 120].map((hp) => (
        <line key={hp} class="chart-line" x1="0" x2={WIDTH} y1={y(hp)} y2={y(hp)} />
      ))}
      {RULES.zone.start < ticks && (
        <rect
          class="chart-zone"
          x={x(RULES.zone.start)}
          width={WIDTH - EDGE - x(RULES.zone.start)}
          y={TOP}
          height={HEIGHT}
        />
      )}
      {lines
        .filter(({ loud }) => loud)
        .map((line) => (
          <g key={`${line.tick} ${line.text}`}>
            <title>{`Tick ${line.tick}: ${line.text}`}</title>
            <line
              class="chart-mark"
              x1={x(line.tick + 1)}
              x2={x(line.tick + 1)}
              y1={TOP}
              y2={HEIGHT}
            />
            <circle class="chart-dot" cx={x(line.tick + 1)} cy={TOP / 2 + 1} r="5" />
          </g>
        ))}
      {film.frames[0]!.fighters.map(({ id }, seat) => (
        <polyline
          key={id}
          class={`chart-hp seat-${id.toLowerCase()}`}
          points={film.frames
            .map((frame) => `${x(frame.tick).toFixed(1)},${y(frame.fighters[seat]!.hp)}`)
            .join(" ")}
        />
      ))}
      <line class="chart-now" x1={x(at)} x2={x(at)} y1="0" y2={HEIGHT} />
    </svg>
  );
}

function y(hp: number): number {
  return HEIGHT - 2 - (hp / RULES.hp) * (HEIGHT - TOP - 2);
}
