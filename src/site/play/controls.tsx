import { ATTACKS } from "#core/engine/types.ts";
import type { AttackName, Direction } from "#core/engine/types.ts";
import { DIRECTION_WORDS } from "#site/viewer/words.ts";

import { hindrance, stepHindrance } from "./choice.ts";
import type { PlayedHand } from "./playing.ts";
import type { Act } from "./use-fight.ts";

/** The pad as it lies on the screen; the middle stays where it is. */
const PAD = ["nw", "n", "ne", "w", null, "e", "sw", "s", "se"] as const;

type ControlsProps = { playing: PlayedHand; act: Act };

/** Everything that the keys can do, for fingers. */
export function Controls({ playing, act }: ControlsProps) {
  return (
    <div class="duel-controls">
      <div class="duel-steps" role="group" aria-label="Step">
        {PAD.map((direction) =>
          direction === null ? (
            <Stay key="stay" act={act} />
          ) : (
            <Step key={direction} direction={direction} playing={playing} act={act} />
          ),
        )}
      </div>
      <div class="duel-deeds" role="group" aria-label="Attack">
        {ATTACKS.map((name, index) => (
          <Deed key={name} name={name} digit={index + 1} playing={playing} act={act} />
        ))}
        <Dash playing={playing} act={act} />
        <Aim playing={playing} act={act} />
      </div>
    </div>
  );
}

function Stay({ act }: { act: Act }) {
  return (
    <button type="button" class="duel-key" onClick={() => act({ type: "stay" })}>
      <span aria-hidden="true">•</span>
      <span class="visually-hidden">stay</span>
    </button>
  );
}

type StepProps = ControlsProps & { direction: Direction };

/** Held, it steps in every tick; a press by keyboard steps once. */
function Step({ direction, playing, act }: StepProps) {
  const { fight, choice, dash } = playing;
  const isOpen =
    fight.seen !== null &&
    stepHindrance(dash === null ? "move" : "dash", direction, fight.seen) === null;
  const press = (event: PointerEvent): void => {
    event.preventDefault();
    act({ type: "press", direction });
  };
  const release = () => act({ type: "release", direction });
  const tap = ({ detail }: MouseEvent): void => {
    // A click without a pointer comes from the keyboard or a screen reader.
    if (detail !== 0) return;
    act({ type: "press", direction });
    release();
  };
  return (
    <button
      type="button"
      class={`duel-key ${isOpen ? "is-open" : ""}`}
      aria-pressed={choice.step?.direction === direction}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onClick={tap}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Arrow direction={direction} />
      <span class="visually-hidden">{DIRECTION_WORDS[direction]}</span>
    </button>
  );
}

function Arrow({ direction }: { direction: Direction }) {
  return (
    <svg class={`duel-arrow to-${direction}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d="M10 3 L16 12 H4 Z M8 12 H12 V17 H8 Z" />
    </svg>
  );
}

type DeedProps = ControlsProps & { name: AttackName; digit: number };

function Deed({ name, digit, playing, act }: DeedProps) {
  const { fight, choice } = playing;
  const { seen, grid } = fight;
  const why = seen === null || grid === null ? "" : hindrance(name, choice, seen, grid);
  return (
    <button
      type="button"
      class={`duel-deed ${why === null ? "is-open" : ""}`}
      aria-pressed={choice.attack === name}
      onClick={() => act({ type: "attack", name })}
    >
      <kbd aria-hidden="true">{digit}</kbd> {name}
      <span class="duel-why">{why ?? "ready"}</span>
    </button>
  );
}

function Dash({ playing, act }: ControlsProps) {
  const left = playing.fight.seen?.self.cooldowns.dash ?? 0;
  const isOn = playing.dash !== null;
  return (
    <button
      type="button"
      class={`duel-deed ${left === 0 ? "is-open" : ""}`}
      aria-pressed={isOn}
      onClick={() => act({ type: "dash", dash: isOn ? null : "once" })}
    >
      <kbd aria-hidden="true">⇧</kbd> dash
      <span class="duel-why">{left === 0 ? "ready" : `in ${left}`}</span>
    </button>
  );
}

function Aim({ playing, act }: ControlsProps) {
  const { aim } = playing.choice;
  return (
    <button
      type="button"
      class="duel-deed"
      aria-pressed={aim === null}
      onClick={() => act({ type: "aim", tile: null })}
    >
      <kbd aria-hidden="true">H</kbd> aim
      <span class="duel-why">{aim === null ? "at opponent" : `at ${aim[0]},${aim[1]}`}</span>
    </button>
  );
}
