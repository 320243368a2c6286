import { useMemo } from "preact/hooks";

import type { FighterFrame } from "#core/engine/frame.ts";

import { captionAt, commentaryLines } from "./commentary.ts";
import { PlayButton, Scrubber, SpeedSelect } from "./controls.tsx";
import { HpBar } from "./hud.tsx";
import type { NamesByFighter } from "./match-texts.ts";
import type { FighterBots } from "./portraits.ts";
import { displayedFrame } from "./replay-frame.ts";
import type { SimulatedReplay } from "./simulated-replay.ts";
import { useReplayCanvas } from "./use-replay-canvas.ts";
import { positionOf } from "./viewer-state.ts";

export type EmbedViewerProps = {
  simulation: SimulatedReplay;
  names: NamesByFighter;
  bots: FighterBots;
  /** The match page. */
  matchUrl: string;
};

/** The embeddable viewer, in any size from 320 by 240 pixels. Doesn't autoplay. */
export function EmbedViewer({ simulation, names, bots, matchUrl }: EmbedViewerProps) {
  const { state, updateState, timings, boxRef, canvasRef } = useReplayCanvas(simulation, {
    autoPlays: false,
    spaceInBox,
    names,
    bots,
  });
  const lines = useMemo(() => commentaryLines(simulation, names), [simulation, names]);
  const position = positionOf(state);
  const frameIndex = Math.min(displayedFrame(timings, position), simulation.frames.length - 1);
  const frame = simulation.frames[frameIndex]!;
  return (
    <div class="small-viewer">
      <ul class="small-hud">
        {frame.fighters.map((fighter, seat) => (
          <SmallCorner
            key={fighter.id}
            fighter={fighter}
            side={seat === 0 ? "a" : "b"}
            name={names[fighter.id] ?? fighter.id}
          />
        ))}
      </ul>
      <div class="small-stage" ref={boxRef}>
        <canvas ref={canvasRef} role="img" aria-label="Arena" />
      </div>
      <p class="small-caption">{captionAt(lines, position) ?? "\u00a0"}</p>
      <div class="small-controls">
        <PlayButton state={state} updateState={updateState} />
        <Scrubber state={state} updateState={updateState} />
        <SpeedSelect state={state} updateState={updateState} />
        <a href={matchUrl} target="_blank" rel="noopener">
          Match page
        </a>
      </div>
    </div>
  );
}

const spaceInBox = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({
  width,
  height,
});

type SmallCornerProps = { fighter: FighterFrame; side: "a" | "b"; name: string };

function SmallCorner({ fighter: { hp }, side, name }: SmallCornerProps) {
  return (
    <li class={`small-corner ${side}`}>
      <p class={`small-head corner-${side}`}>
        <bdi class="small-name">{name}</bdi> <span class="small-hp">{hp} hp</span>
      </p>
      <HpBar hp={hp} side={side} />
    </li>
  );
}
