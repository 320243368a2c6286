import { RULES } from "#core/engine/rules.ts";

import type { CommentaryLine } from "./commentary.ts";
import type { NamesByFighter } from "./match-texts.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";

const HP_GRID_LEVELS = [120, 80, 40, 0];
const TICK_STEPS = [5, 10, 20, 25, 50, 100];
const MAX_TICK_MARKS = 7;

type HpChartProps = {
  simulation: SimulatedReplay;
  names: NamesByFighter;
  lines: readonly CommentaryLine[];
  revealedUntil: number;
  currentFrame: number;
  onSeek: (tick: number) => void;
};

/** Charts both fighters' HP over time and marks highlights. Clicking the chart seeks. */
export function HpChart({
  simulation,
  names,
  lines,
  revealedUntil,
  currentFrame,
  onSeek,
}: HpChartProps) {
  const ticks = Math.max(1, simulation.ticks.length);
  return (
    <figure class="chart">
      <svg class="chart-levels" aria-hidden="true">
        {HP_GRID_LEVELS.map((hp) => (
          <text key={hp} x="100%" y={`${100 - (100 * hp) / RULES.hp}%`}>
            {hp}
          </text>
        ))}
      </svg>
      <HpPlot
        {...{ simulation, names, lines, revealedUntil, currentFrame, onSeek }}
        ticks={ticks}
      />
      <svg class="chart-ticks" aria-hidden="true">
        {tickMarks(ticks).map((tick) => (
          <text key={tick} x={`${(100 * tick) / ticks}%`} y="75%">
            {tick}
          </text>
        ))}
      </svg>
      <HpLegend simulation={simulation} names={names} ticks={ticks} />
    </figure>
  );
}

/** One unit is one tick by one HP. The drawing is stretched to fit. */
function HpPlot({
  simulation,
  names,
  lines,
  revealedUntil,
  currentFrame,
  onSeek,
  ticks,
}: HpChartProps & { ticks: number }) {
  const label = simulation.frames[0]!.fighters.map(({ id }) => names[id] ?? id).join(" and ");
  return (
    <svg
      class="chart-plot"
      viewBox={`0 0 ${ticks} ${RULES.hp}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`HP of ${label}, from 0 to ${RULES.hp}, over ${ticks} ticks`}
      onClick={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        onSeek(Math.round(((event.clientX - bounds.left) / bounds.width) * ticks));
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
      {HP_GRID_LEVELS.map((hp) => (
        <line key={hp} class="chart-line" x2={ticks} y1={RULES.hp - hp} y2={RULES.hp - hp} />
      ))}
      {lines.filter(({ isHighlight }) => isHighlight).map(highlightMark)}
      {simulation.frames[0]!.fighters.map(({ id }, seat) => (
        <polyline
          key={id}
          class={`chart-hp seat-${id.toLowerCase()}`}
          points={simulation.frames
            .slice(0, revealedUntil + 1)
            .map((frame) => `${frame.tick},${RULES.hp - frame.fighters[seat]!.hp}`)
            .join(" ")}
        />
      ))}
      <line class="chart-now" x1={currentFrame} x2={currentFrame} y2={RULES.hp} />
    </svg>
  );
}

function highlightMark({ tick, text }: CommentaryLine) {
  const x = tick + 1;
  return (
    <g key={`${tick} ${text}`}>
      <title>{`Tick ${tick}: ${text}`}</title>
      <line class="chart-mark" x1={x} x2={x} y2={RULES.hp} />
      <line class="chart-dot" x1={x} x2={x} />
    </g>
  );
}

type HpLegendProps = Pick<HpChartProps, "simulation" | "names"> & { ticks: number };

function HpLegend({ simulation, names, ticks }: HpLegendProps) {
  return (
    <figcaption class="chart-legend">
      <span>HP by tick:</span>
      {simulation.frames[0]!.fighters.map(({ id }) => (
        <span key={id} class={`chart-key seat-${id.toLowerCase()}`}>
          <bdi>{names[id] ?? id}</bdi>
        </span>
      ))}
      <span class="chart-key moment">highlight</span>
      {RULES.zone.start < ticks && <span class="chart-key zone">the zone closes in</span>}
    </figcaption>
  );
}

function tickMarks(ticks: number): number[] {
  const markStep = TICK_STEPS.find((stepSize) => ticks / stepSize < MAX_TICK_MARKS) ?? ticks;
  const marks = Array.from(
    { length: Math.floor(ticks / markStep) + 1 },
    (_, mark) => mark * markStep,
  );
  // The end always has a label, so a label too close to the end is dropped.
  return [...marks.filter((mark) => ticks - mark > markStep / 2), ticks];
}
