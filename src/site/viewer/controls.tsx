import type { Change } from "./use-stage.ts";
import { SPEEDS, seek, setSpeed, stepBy, toggle } from "./viewer-state.ts";
import type { Speed, ViewerState } from "./viewer-state.ts";

type ControlsProps = { state: ViewerState; change: Change };

/** Buttons, speeds and the scrub bar. */
export function Controls({ state, change }: ControlsProps) {
  return (
    <div class="controls">
      <Scrubber state={state} change={change} />
      <div class="buttons">
        <IconButton
          label="One tick back"
          path="M16 5 V19 L7 12 Z M5 5 h2 v14 h-2 Z"
          onClick={() => change((now) => stepBy(now, -1))}
        />
        <PlayButton state={state} change={change} />
        <IconButton
          label="One tick on"
          path="M8 5 V19 L17 12 Z M17 5 h2 v14 h-2 Z"
          onClick={() => change((now) => stepBy(now, 1))}
        />
        <Speeds speed={state.speed} onPick={(speed) => change((now) => setSpeed(now, speed))} />
      </div>
    </div>
  );
}

export function PlayButton({ state, change }: ControlsProps) {
  const isRunning = state.playing && state.until === state.durations.length;
  return (
    <IconButton
      label={isRunning ? "Pause" : "Play"}
      path={isRunning ? "M6 5 h4 v14 h-4 Z M14 5 h4 v14 h-4 Z" : "M7 4 L20 12 L7 20 Z"}
      onClick={() => change(toggle)}
      strong
    />
  );
}

export function Scrubber({ state, change }: ControlsProps) {
  const ticks = state.durations.length;
  return (
    <label class="scrub">
      <span class="visually-hidden">Tick</span>
      <input
        type="range"
        min={0}
        max={ticks}
        step={1}
        value={Math.ceil(state.at)}
        aria-valuetext={`after ${Math.ceil(state.at)} of ${ticks} ticks`}
        onInput={(event) => {
          const tick = Number(event.currentTarget.value);
          change((now) => seek(now, tick));
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

function Speeds({ speed, onPick }: { speed: Speed; onPick: (speed: Speed) => void }) {
  return (
    <fieldset class="speeds">
      <legend class="visually-hidden">Speed</legend>
      {SPEEDS.map((choice) => (
        <label key={choice}>
          <input
            type="radio"
            name="speed"
            class="visually-hidden"
            checked={choice === speed}
            onChange={() => onPick(choice)}
          />
          <span>{choice === 0.5 ? "½" : choice}×</span>
        </label>
      ))}
    </fieldset>
  );
}
