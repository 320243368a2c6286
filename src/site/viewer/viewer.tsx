import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { canvasSpaceOnPage } from "./canvas.ts";
import { commentaryLines } from "./commentary.ts";
import type { CommentaryLine } from "./commentary.ts";
import { ViewerControls } from "./controls.tsx";
import { ViewerEventLog, TickPanel } from "./event-log.tsx";
import { HpChart } from "./hp-chart.tsx";
import { ViewerHud } from "./hud.tsx";
import { KeyboardShortcuts } from "./keyboard-shortcuts.tsx";
import type { NamesByFighter } from "./match-texts.ts";
import { displayedFrame } from "./replay-frame.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import { useReplayCanvas } from "./use-replay-canvas.ts";
import { positionOf, seek } from "./viewer-state.ts";
import type { TickPosition } from "./viewer-state.ts";

/** How long a caster's line is shown, in ticks. */
const COMMENTARY_TICKS = 5;

export type ReplayViewerProps = {
  simulation: SimulatedReplay;
  names: NamesByFighter;
  /** Hides ticks that haven't been shown yet. */
  hidesFuture: boolean;
  onEndReached: () => void;
  keys?: ComponentChildren;
};

/** The replay viewer. Runs only in the browser. */
export function ReplayViewer({
  simulation,
  names,
  hidesFuture,
  onEndReached,
  keys,
}: ReplayViewerProps) {
  const lines = useMemo(() => commentaryLines(simulation, names), [simulation, names]);
  const { state, updateState, timings, boxRef, canvasRef } = useReplayCanvas(simulation, {
    autoPlays: true,
    spaceInBox: canvasSpaceOnPage,
  });
  const seekTo = (tick: number): void => updateState((current) => seek(current, tick));
  const tickPosition = positionOf(state);
  const lastFrame = simulation.frames.length - 1;
  const frameIndex = Math.min(displayedFrame(timings, tickPosition), lastFrame);
  const furthestFrame = useRef(0);
  furthestFrame.current = Math.max(furthestFrame.current, frameIndex);
  useEffect(() => {
    if (frameIndex === lastFrame) onEndReached();
  }, [frameIndex === lastFrame]);
  useRewindWhenHidden(hidesFuture, () => {
    furthestFrame.current = 0;
    updateState((current) => (frameIndex === lastFrame ? seek(current, 0) : { ...current }));
  });
  const revealedUntil = hidesFuture ? furthestFrame.current : lastFrame;
  const revealedLines = lines.filter(({ tick }) => tick < revealedUntil);
  const revealProps = { simulation, names, lines: revealedLines, revealedUntil, onSeek: seekTo };
  return (
    <div class="viewer">
      <div class="viewer-main">
        <ViewerHud simulation={simulation} frame={simulation.frames[frameIndex]!} names={names} />
        <div class="stage" ref={boxRef}>
          <canvas ref={canvasRef} role="img" aria-label="Arena; its events are in the event log" />
          <p class="cast-line">{commentaryAt(lines, tickPosition)?.text ?? " "}</p>
        </div>
        <ViewerControls state={state} updateState={updateState} />
        <KeyboardShortcuts>{keys}</KeyboardShortcuts>
        <h2 class="visually-hidden">HP over time</h2>
        <HpChart {...revealProps} currentFrame={frameIndex} />
      </div>
      <div class="viewer-side">
        <h2>Event log</h2>
        <ViewerEventLog {...revealProps} tick={tickPosition.tick} />
        <TickPanel simulation={simulation} names={names} tick={tickPosition.tick} />
      </div>
    </div>
  );
}

/** Calls `onRewind` when the visitor hides a result that is already shown. */
function useRewindWhenHidden(hidesFuture: boolean, onRewind: () => void): void {
  const hidFuture = useRef(hidesFuture);
  useEffect(() => {
    if (hidesFuture && !hidFuture.current) onRewind();
    hidFuture.current = hidesFuture;
  }, [hidesFuture]);
}

function commentaryAt(
  lines: readonly CommentaryLine[],
  { tick, progress }: TickPosition,
): CommentaryLine | undefined {
  return lines.findLast((line) => {
    return line.tick <= tick && line.tick > tick - COMMENTARY_TICKS && progress > 0;
  });
}
