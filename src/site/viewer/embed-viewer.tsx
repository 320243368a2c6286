import { PlayButton, Scrubber } from "./controls.tsx";
import type { NamesByFighter } from "./match-texts.ts";
import { displayedFrame } from "./replay-frame.ts";
import type { FighterFrame, SimulatedReplay } from "./simulated-replay.ts";
import { useReplayCanvas } from "./use-replay-canvas.ts";
import { positionOf } from "./viewer-state.ts";

/** The embeddable arena, in any size. Doesn't autoplay. */
export function EmbedViewer({
  simulation,
  names,
}: {
  simulation: SimulatedReplay;
  names: NamesByFighter;
}) {
  const { state, updateState, timings, boxRef, canvasRef } = useReplayCanvas(simulation, {
    autoPlays: false,
    spaceInBox,
  });
  const frameIndex = Math.min(
    displayedFrame(timings, positionOf(state)),
    simulation.frames.length - 1,
  );
  const frame = simulation.frames[frameIndex]!;
  return (
    <div class="small-viewer">
      <ul class="small-hud">
        {frame.fighters.map((fighter) => (
          <FighterLabel key={fighter.id} fighter={fighter} name={names[fighter.id] ?? fighter.id} />
        ))}
      </ul>
      <div class="small-stage" ref={boxRef}>
        <canvas ref={canvasRef} role="img" aria-label="Arena" />
      </div>
      <div class="small-controls">
        <PlayButton state={state} updateState={updateState} />
        <Scrubber state={state} updateState={updateState} />
      </div>
    </div>
  );
}

const spaceInBox = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({
  width,
  height,
});

function FighterLabel({ fighter: { id, hp }, name }: { fighter: FighterFrame; name: string }) {
  return (
    <li class={`corner-${id.toLowerCase()}`}>
      <bdi class="small-name">{name}</bdi> <span class="small-hp">{hp} hp</span>
    </li>
  );
}
