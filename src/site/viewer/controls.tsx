import type { ComponentChildren } from "preact";

import type { FullScreen } from "./full-screen.tsx";
import type { UpdateViewer } from "./use-replay-canvas.ts";
import { SPEEDS, seek, setSpeed, stepBy, toggle } from "./viewer-state.ts";
import type { Speed, ViewerState } from "./viewer-state.ts";

type ViewerControlsProps = { state: ViewerState; updateState: UpdateViewer };

/** `laneAbove` and `laneBelow` are the timeline's marks. */
type AllControlsProps = ViewerControlsProps & {
  fullScreen: FullScreen | null;
  laneAbove: ComponentChildren;
  laneBelow: ComponentChildren;
};

export function ViewerControls({
  state,
  updateState,
  fullScreen,
  laneAbove,
  laneBelow,
}: AllControlsProps) {
  return (
    <div class="controls">
      <div class="timeline">
        {laneAbove}
        <Scrubber state={state} updateState={updateState} />
        {laneBelow}
      </div>
      <div class="buttons">
        <IconButton
          label="Previous tick"
          path="M16 5 V19 L7 12 Z M5 5 h2 v14 h-2 Z"
          onClick={() => updateState((current) => stepBy(current, -1))}
        />
        <PlayButton state={state} updateState={updateState} />
        <IconButton
          label="Next tick"
          path="M8 5 V19 L17 12 Z M17 5 h2 v14 h-2 Z"
          onClick={() => updateState((current) => stepBy(current, 1))}
        />
        <SpeedSelect state={state} updateState={updateState} />
        {fullScreen !== null && (
          <IconButton
            label={fullScreen.isOn ? "Exit full screen" : "Full screen"}
            path={fullScreen.isOn ? EXIT_FULL_SCREEN_PATH : FULL_SCREEN_PATH}
            onClick={fullScreen.toggle}
          />
        )}
      </div>
    </div>
  );
}

const FULL_SCREEN_PATH =
  "M4 4 h6 v2 h-4 v4 h-2 Z M14 4 h6 v6 h-2 v-4 h-4 Z M4 14 h2 v4 h4 v2 h-6 Z M18 14 h2 v6 h-6 v-2 h4 Z";
const EXIT_FULL_SCREEN_PATH =
  "M8 4 h2 v6 h-6 v-2 h4 Z M14 4 h2 v4 h4 v2 h-6 Z M4 14 h6 v6 h-2 v-4 h-4 Z M14 14 h6 v2 h-4 v4 h-2 Z";

export function PlayButton({ state, updateState }: ViewerControlsProps) {
  const isPlaying = state.isPlaying && state.stopAt === state.durations.length;
  return (
    <IconButton
      label={isPlaying ? "Pause" : "Play"}
      path={isPlaying ? "M6 5 h4 v14 h-4 Z M14 5 h4 v14 h-4 Z" : "M7 4 L20 12 L7 20 Z"}
      onClick={() => updateState(toggle)}
      strong
    />
  );
}

export function Scrubber({ state, updateState }: ViewerControlsProps) {
  const ticks = state.durations.length;
  return (
    <label class="scrub">
      <span class="visually-hidden">Tick</span>
      <input
        type="range"
        min={0}
        max={ticks}
        step={1}
        value={Math.ceil(state.position)}
        aria-valuetext={`after ${Math.ceil(state.position)} of ${ticks} ticks`}
        onInput={(event) => {
          const tick = Number(event.currentTarget.value);
          updateState((current) => seek(current, tick));
        }}
      />
    </label>
  );
}

type IconButtonProps = { label: string; path: string; onClick: () => void; strong?: boolean };

function IconButton({ label, path, onClick, strong }: IconButtonProps) {
  return (
    <button
      type="button"
      class={strong === true ? "icon strong" : "icon"}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

export function SpeedSelect({ state, updateState }: ViewerControlsProps) {
  return (
    <label class="speed">
      <span class="visually-hidden">Speed</span>
      <select
        value={state.speed}
        onChange={({ currentTarget }) => {
          const speed = Number(currentTarget.value) as Speed;
          updateState((current) => setSpeed(current, speed));
        }}
      >
        {SPEEDS.map((speed) => (
          <option key={speed} value={speed}>
            {speed}×
          </option>
        ))}
      </select>
    </label>
  );
}
