import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { canvasSpaceInWindow } from "./canvas.ts";
import { captionAt, commentaryLines } from "./commentary.ts";
import { ViewerControls } from "./controls.tsx";
import { ViewerEventLog, TickPanel } from "./event-log.tsx";
import { useFullScreen } from "./full-screen.tsx";
import { HpChart } from "./hp-chart.tsx";
import { FighterStates, ViewerHud } from "./hud.tsx";
import { KeyboardShortcuts } from "./keyboard-shortcuts.tsx";
import type { NamesByFighter } from "./match-texts.ts";
import type { FighterBots } from "./portraits.ts";
import { displayedFrame } from "./replay-frame.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import { TimelineLaneMarks, TimelineLegend } from "./timeline-lane.tsx";
import { useReplayCanvas } from "./use-replay-canvas.ts";
import { positionOf, seek } from "./viewer-state.ts";

export type ReplayViewerProps = {
  simulation: SimulatedReplay;
  names: NamesByFighter;
  bots: FighterBots;
  /** Hides ticks that haven't been shown yet. */
  hidesFuture: boolean;
  onEndReached: () => void;
  keys?: ComponentChildren;
  /** Shown first in the column beside the board. */
  summary: ComponentChildren;
};

/** The replay viewer. Runs only in the browser. Its parts are areas of the page's grid. */
export function ReplayViewer({
  simulation,
  names,
  bots,
  hidesFuture,
  onEndReached,
  keys,
  summary,
}: ReplayViewerProps) {
  const lines = useMemo(() => commentaryLines(simulation, names), [simulation, names]);
  const { state, updateState, timings, boxRef, canvasRef } = useReplayCanvas(simulation, {
    autoPlays: true,
    spaceInBox: canvasSpaceInWindow,
    names,
    bots,
  });
  const mainRef = useRef<HTMLDivElement>(null);
  const fullScreen = useFullScreen(mainRef);
  const tickPosition = positionOf(state);
  const lastFrame = simulation.frames.length - 1;
  const frameIndex = Math.min(displayedFrame(timings, tickPosition), lastFrame);
  const frame = simulation.frames[frameIndex]!;
  const furthestFrame = useRef(0);
  furthestFrame.current = Math.max(furthestFrame.current, frameIndex);
  useEffect(() => {
    if (frameIndex === lastFrame) onEndReached();
  }, [frameIndex === lastFrame]);
  const revealedUntil = hidesFuture ? furthestFrame.current : lastFrame;
  const revealProps = {
    simulation,
    names,
    lines: lines.filter(({ tick }) => tick < revealedUntil),
    revealedUntil,
    onSeek: (tick: number): void => updateState((current) => seek(current, tick)),
  };
  const laneOf = (seat: number) => <TimelineLaneMarks {...{ simulation, revealedUntil, seat }} />;
  return (
    <>
      <div class="viewer-main" ref={mainRef}>
        <ViewerHud simulation={simulation} frame={frame} names={names} />
        <div class="stage" ref={boxRef}>
          <canvas ref={canvasRef} role="img" aria-label="Arena; its events are in the event log" />
        </div>
        <p class="caption">{captionAt(lines, tickPosition) ?? "\u00a0"}</p>
        <ViewerControls
          {...{ state, updateState, fullScreen }}
          laneAbove={laneOf(0)}
          laneBelow={laneOf(1)}
        />
      </div>
      <div class="viewer-side">
        {summary}
        <FighterStates frame={frame} names={names} />
        <h2>Event log</h2>
        <ViewerEventLog {...revealProps} tick={tickPosition.tick} />
      </div>
      <div class="viewer-below">
        <div class="viewer-chart">
          <TimelineLegend names={names} />
          <h2 class="visually-hidden">HP over time</h2>
          <HpChart {...revealProps} currentFrame={frameIndex} />
          <KeyboardShortcuts>{keys}</KeyboardShortcuts>
        </div>
        <TickPanel simulation={simulation} names={names} tick={tickPosition.tick} />
      </div>
    </>
  );
}
