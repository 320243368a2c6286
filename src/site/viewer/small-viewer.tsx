import { PlayButton, Scrubber } from "./controls.tsx";
import type { FighterFrame, Film } from "./film.ts";
import { settledFrame } from "./picture.ts";
import { useStage } from "./use-stage.ts";
import { positionOf } from "./viewer-state.ts";
import type { Names } from "./words.ts";

/** The arena alone, in whatever space there is. It waits for its reader to start it. */
export function SmallViewer({ film, names }: { film: Film; names: Names }) {
  const { state, change, scores, box, canvas } = useStage(film, { starts: false, roomIn });
  const settled = Math.min(settledFrame(scores, positionOf(state)), film.frames.length - 1);
  const frame = film.frames[settled]!;
  return (
    <div class="small-viewer">
      <ul class="small-hud">
        {frame.fighters.map((fighter) => (
          <Fighter key={fighter.id} fighter={fighter} name={names[fighter.id] ?? fighter.id} />
        ))}
      </ul>
      <div class="small-stage" ref={box}>
        <canvas ref={canvas} role="img" aria-label="The arena" />
      </div>
      <div class="small-controls">
        <PlayButton state={state} change={change} />
        <Scrubber state={state} change={change} />
      </div>
    </div>
  );
}

const roomIn = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height });

function Fighter({ fighter: { id, hp }, name }: { fighter: FighterFrame; name: string }) {
  return (
    <li class={`corner-${id.toLowerCase()}`}>
      <bdi class="small-name">{name}</bdi> <span class="small-hp">{hp} hp</span>
    </li>
  );
}
