import type { UpdateViewer } from "./use-replay-canvas.ts";
import { SPEEDS, seek, setSpeed, stepBy, toggle } from "./viewer-state.ts";
import type { Speed, ViewerState } from "./viewer-state.ts";

type ViewerControlsProps = { state: ViewerState; updateState: UpdateViewer };

export function ViewerControls({ state, updateState }: ViewerControlsProps) {
  return (
    <div class="controls">
      <Scrubber state={state} updateState={updateState} />
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
        <SpeedOptions
          speed={state.speed}
          onPick={(speed) => updateState((current) => setSpeed(current, speed))}
        />
      </div>
    </div>
  );
}

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

function SpeedOptions({ speed, onPick }: { speed: Speed; onPick: (speed: Speed) => void }) {
  return (
    <fieldset class="speeds">
      <legend class="visually-hidden">Speed</legend>
      {SPEEDS.map((speedOption) => (
        <label key={speedOption}>
          <input
            type="radio"
            name="speed"
            class="visually-hidden"
            checked={speedOption === speed}
            onChange={() => onPick(speedOption)}
          />
          <span>{speedOption === 0.5 ? "½" : speedOption}×</span>
        </label>
      ))}
    </fieldset>
  );
}
