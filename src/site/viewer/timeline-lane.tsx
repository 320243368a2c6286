import { useMemo } from "preact/hooks";

import type { NamesByFighter } from "./match-texts.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import { TIMELINE_MARKS, timelineLane } from "./timeline.ts";
import type { TimelineMark } from "./timeline.ts";

type TimelineLaneMarksProps = {
  simulation: SimulatedReplay;
  seat: number;
  /** Marks of later ticks stay hidden. */
  revealedUntil: number;
};

/** Height of a lane, in units of its drawing, which is stretched to fit. */
const LANE_HEIGHT = 10;

/** Draws a fighter's marks above or below the slider, in line with its positions. */
export function TimelineLaneMarks({ simulation, seat, revealedUntil }: TimelineLaneMarksProps) {
  const lane = useMemo(() => timelineLane(simulation, seat), [simulation, seat]);
  const ticks = Math.max(1, simulation.ticks.length);
  const side = seat === 0 ? "a" : "b";
  // Returning the same elements while nothing changes keeps playback cheap.
  return useMemo(
    () => (
      <svg
        class={`lane ${side}`}
        viewBox={`0 0 ${ticks} ${LANE_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {TIMELINE_MARKS.map((mark) => (
          <path
            key={mark}
            class={`mark-${mark}`}
            d={marksPath(
              mark,
              lane[mark].filter((position) => position <= revealedUntil),
            )}
          />
        ))}
      </svg>
    ),
    [lane, revealedUntil],
  );
}

/** A line of no length with round ends is a dot at any stretch. */
function marksPath(mark: TimelineMark, positions: readonly number[]): string {
  const lines: Record<TimelineMark, string> = {
    hit: `0V${LANE_HEIGHT}`,
    rejected: `${LANE_HEIGHT / 4}V${(3 * LANE_HEIGHT) / 4}`,
    pickup: `${LANE_HEIGHT / 2}h0`,
    idle: `${LANE_HEIGHT / 2}h0`,
  };
  return positions.map((position) => `M${position} ${lines[mark]}`).join("");
}

const MARK_TEXTS: Record<TimelineMark, string> = {
  hit: "hit",
  pickup: "pickup",
  rejected: "rejected action",
  idle: "failed turn",
};

type TimelineLegendProps = { names: NamesByFighter };

export function TimelineLegend({ names }: TimelineLegendProps) {
  return (
    <p class="timeline-legend">
      <span>
        Timeline: <bdi>{names.A ?? "A"}</bdi> above, <bdi>{names.B ?? "B"}</bdi> below.
      </span>
      {TIMELINE_MARKS.map((mark) => (
        <span key={mark} class="legend-mark">
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path class={`mark-${mark}`} d={LEGEND_PATHS[mark]} />
          </svg>{" "}
          {MARK_TEXTS[mark]}
        </span>
      ))}
    </p>
  );
}

const LEGEND_PATHS: Record<TimelineMark, string> = {
  hit: "M6 1V11",
  rejected: "M6 3.5V8.5",
  pickup: "M6 6h0",
  idle: "M6 6h0",
};
