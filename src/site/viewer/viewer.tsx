import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import { roomOnPage } from "./canvas.ts";
import { castLines } from "./caster.ts";
import type { CastLine } from "./caster.ts";
import { HpChart } from "./chart.tsx";
import { Controls } from "./controls.tsx";
import type { Film } from "./film.ts";
import { Hud } from "./hud.tsx";
import { Keys } from "./keys.tsx";
import { EventLog, TickPanel } from "./log.tsx";
import { settledFrame } from "./picture.ts";
import { useStage } from "./use-stage.ts";
import { positionOf, seek } from "./viewer-state.ts";
import type { Position } from "./viewer-state.ts";
import type { Names } from "./words.ts";

/** How long a caster's line is shown, in ticks. */
const LINE_TICKS = 5;

export type ViewerProps = {
  film: Film;
  names: Names;
  /** Nothing is told of the ticks that have not been shown yet. */
  isBlind: boolean;
  /** Called when the end is shown. */
  onWatched: () => void;
  /** Further keys of the page. */
  keys?: ComponentChildren;
};

/** The arena with everything around it. Rendered only in the browser. */
export function Viewer({ film, names, isBlind, onWatched, keys }: ViewerProps) {
  const lines = useMemo(() => castLines(film, names), [film, names]);
  const { state, change, scores, box, canvas } = useStage(film, {
    starts: true,
    roomIn: roomOnPage,
  });
  const goTo = (tick: number): void => change((now) => seek(now, tick));
  const position = positionOf(state);
  const last = film.frames.length - 1;
  const settled = Math.min(settledFrame(scores, position), last);
  const seen = useRef(0);
  seen.current = Math.max(seen.current, settled);
  useEffect(() => {
    if (settled === last) onWatched();
  }, [settled === last]);
  useRewind(isBlind, () => {
    seen.current = 0;
    change((now) => (settled === last ? seek(now, 0) : { ...now }));
  });
  const told = isBlind ? seen.current : last;
  const toldLines = lines.filter(({ tick }) => tick < told);
  const cast = { film, names, lines: toldLines, told, onSeek: goTo };
  return (
    <div class="viewer">
      <div class="viewer-main">
        <Hud film={film} frame={film.frames[settled]!} names={names} />
        <div class="stage" ref={box}>
          <canvas ref={canvas} role="img" aria-label="The arena; its events are in the list" />
          <p class="cast-line">{lineAt(lines, position)?.text ?? " "}</p>
        </div>
        <Controls state={state} change={change} />
        <Keys>{keys}</Keys>
        <h2 class="visually-hidden">Hit points over time</h2>
        <HpChart {...cast} at={settled} />
      </div>
      <div class="viewer-side">
        <h2>What happened</h2>
        <EventLog {...cast} tick={position.tick} />
        <TickPanel film={film} names={names} tick={position.tick} />
      </div>
    </div>
  );
}

/** Runs `rewind` when the reader hides a result that the viewer has shown. */
function useRewind(isBlind: boolean, rewind: () => void): void {
  const wasBlind = useRef(isBlind);
  useEffect(() => {
    if (isBlind && !wasBlind.current) rewind();
    wasBlind.current = isBlind;
  }, [isBlind]);
}

function lineAt(lines: readonly CastLine[], { tick, share }: Position): CastLine | undefined {
  return lines.findLast((line) => {
    return line.tick <= tick && line.tick > tick - LINE_TICKS && share > 0;
  });
}
