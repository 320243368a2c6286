import { ATTACKS } from "#core/engine/types.ts";
import type { AttackName, Direction } from "#core/engine/types.ts";
import { DIRECTION_TEXTS } from "#site/viewer/match-texts.ts";

import type { ControlState } from "./control-state.ts";
import { attackHindrance, stepHindrance } from "./turn-choice.ts";
import type { PlayDispatch } from "./use-human-match.ts";

/** Direction pad in screen layout. Null is the center, which cancels the step. */
const PAD_DIRECTIONS = ["nw", "n", "ne", "w", null, "e", "sw", "s", "se"] as const;

type PlayControlsProps = { controlState: ControlState; dispatch: PlayDispatch };

export function PlayControls({ controlState, dispatch }: PlayControlsProps) {
  return (
    <div class="duel-controls">
      <div class="duel-steps" role="group" aria-label="Step">
        {PAD_DIRECTIONS.map((direction) =>
          direction === null ? (
            <StayButton key="stay" dispatch={dispatch} />
          ) : (
            <StepButton
              key={direction}
              direction={direction}
              controlState={controlState}
              dispatch={dispatch}
            />
          ),
        )}
      </div>
      <div class="duel-deeds" role="group" aria-label="Attack">
        {ATTACKS.map((name, index) => (
          <AttackButton
            key={name}
            name={name}
            digit={index + 1}
            controlState={controlState}
            dispatch={dispatch}
          />
        ))}
        <DashButton controlState={controlState} dispatch={dispatch} />
        <AimButton controlState={controlState} dispatch={dispatch} />
      </div>
    </div>
  );
}

function StayButton({ dispatch }: { dispatch: PlayDispatch }) {
  return (
    <button type="button" class="duel-key" onClick={() => dispatch({ type: "stay" })}>
      <span aria-hidden="true">•</span>
      <span class="visually-hidden">stay</span>
    </button>
  );
}

type StepButtonProps = PlayControlsProps & { direction: Direction };

/**
 * Holding the button causes a step in every tick. A click from the keyboard causes a single step.
 */
function StepButton({ direction, controlState, dispatch }: StepButtonProps) {
  const { matchState, choice, dash } = controlState;
  const isAllowed =
    matchState.observation !== null &&
    stepHindrance(dash === null ? "move" : "dash", direction, matchState.observation) === null;
  const pressStep = (event: PointerEvent): void => {
    event.preventDefault();
    dispatch({ type: "press", direction });
  };
  const releaseStep = () => dispatch({ type: "release", direction });
  const handleClick = ({ detail }: MouseEvent): void => {
    // A click without a pointer comes from the keyboard or a screen reader.
    if (detail !== 0) return;
    dispatch({ type: "press", direction });
    releaseStep();
  };
  return (
    <button
      type="button"
      class={`duel-key ${isAllowed ? "is-open" : ""}`}
      aria-pressed={choice.step?.direction === direction}
      onPointerDown={pressStep}
      onPointerUp={releaseStep}
      onPointerLeave={releaseStep}
      onPointerCancel={releaseStep}
      onClick={handleClick}
      onContextMenu={(event) => event.preventDefault()}
    >
      <DirectionArrow direction={direction} />
      <span class="visually-hidden">{DIRECTION_TEXTS[direction]}</span>
    </button>
  );
}

function DirectionArrow({ direction }: { direction: Direction }) {
  return (
    <svg class={`duel-arrow to-${direction}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 3 L16 12 H4 Z M8 12 H12 V17 H8 Z" />
    </svg>
  );
}

type AttackButtonProps = PlayControlsProps & { name: AttackName; digit: number };

function AttackButton({ name, digit, controlState, dispatch }: AttackButtonProps) {
  const { matchState, choice } = controlState;
  const { observation, grid } = matchState;
  const hindranceText =
    observation === null || grid === null ? "" : attackHindrance(name, choice, observation, grid);
  return (
    <button
      type="button"
      class={`duel-deed ${hindranceText === null ? "is-open" : ""}`}
      aria-pressed={choice.attack === name}
      onClick={() => dispatch({ type: "attack", name })}
    >
      <kbd aria-hidden="true">{digit}</kbd> {name}
      <span class="duel-why">{hindranceText ?? "ready"}</span>
    </button>
  );
}

function DashButton({ controlState, dispatch }: PlayControlsProps) {
  const cooldown = controlState.matchState.observation?.self.cooldowns.dash ?? 0;
  const isActive = controlState.dash !== null;
  return (
    <button
      type="button"
      class={`duel-deed ${cooldown === 0 ? "is-open" : ""}`}
      aria-pressed={isActive}
      onClick={() => dispatch({ type: "dash", dash: isActive ? null : "once" })}
    >
      <kbd aria-hidden="true">⇧</kbd> dash
      <span class="duel-why">{cooldown === 0 ? "ready" : `in ${cooldown}`}</span>
    </button>
  );
}

function AimButton({ controlState, dispatch }: PlayControlsProps) {
  const { aim } = controlState.choice;
  return (
    <button
      type="button"
      class="duel-deed"
      aria-pressed={aim === null}
      onClick={() => dispatch({ type: "aim", tile: null })}
    >
      <kbd aria-hidden="true">H</kbd> aim
      <span class="duel-why">{aim === null ? "at opponent" : `at ${aim[0]},${aim[1]}`}</span>
    </button>
  );
}
