// Combines the match state with the player's input. Pure state transitions, without side effects.
import type { AttackName, Direction, Tile } from "#core/engine/types.ts";

import { combinedDirection } from "./keys.ts";
import { applyClose, applyMessage, withMessage, initialMatchState } from "./match-state.ts";
import type { HumanMatchState } from "./match-state.ts";
import type { PlayServerMessage } from "./messages.ts";
import { EMPTY_CHOICE, choiceForNextTick, shiftAim, stepHindrance } from "./turn-choice.ts";
import type { TurnChoice } from "./turn-choice.ts";

export type ControlState = {
  matchState: HumanMatchState;
  choice: TurnChoice;
  /** Directions whose keys or buttons are held. The fighter steps in every tick. */
  heldDirections: readonly Direction[];
  /** Whether steps are dashes: "held" while the key is held, "once" for a single step. */
  dash: "held" | "once" | null;
};

export type PlayAction =
  | { type: "heard"; message: PlayServerMessage }
  | { type: "closed" }
  | { type: "press" | "release"; direction: Direction }
  | { type: "stay" }
  | { type: "dash"; dash: ControlState["dash"] }
  | { type: "attack"; name: AttackName }
  | { type: "shift aim"; direction: Direction }
  | { type: "aim"; tile: Tile | null };

/** An attack that becomes ready later than this many ticks can't be queued. */
const QUEUED_ATTACK_TICKS = 2;

export const initialControlState = (opponentName: string): ControlState => ({
  matchState: initialMatchState(opponentName),
  choice: EMPTY_CHOICE,
  heldDirections: [],
  dash: null,
});

export function reduceControls(controlState: ControlState, action: PlayAction): ControlState {
  const { matchState, choice, heldDirections } = controlState;
  switch (action.type) {
    case "heard":
      return applyServerMessage(controlState, action.message);
    case "closed":
      return { ...controlState, matchState: applyClose(matchState) };
    case "press":
      return withHeldStep({
        ...controlState,
        heldDirections: [...withoutDirection(heldDirections, action.direction), action.direction],
      });
    case "release": {
      const released = {
        ...controlState,
        heldDirections: withoutDirection(heldDirections, action.direction),
      };
      // A key released within the tick still causes a step.
      return released.heldDirections.length === 0 ? released : withHeldStep(released);
    }
    case "stay":
      return { ...controlState, heldDirections: [], choice: { ...choice, step: null } };
    case "dash":
      return withUpdatedStep({ ...controlState, dash: action.dash });
    case "attack": {
      const attack = choice.attack === action.name ? null : action.name;
      return attackCooldown(matchState, action.name) > QUEUED_ATTACK_TICKS
        ? controlState
        : { ...controlState, choice: { ...choice, attack } };
    }
    case "shift aim":
      return withShiftedAim(controlState, action.direction);
    case "aim":
      return { ...controlState, choice: { ...choice, aim: action.tile } };
  }
}

function applyServerMessage(controlState: ControlState, message: PlayServerMessage): ControlState {
  const { choice, dash } = controlState;
  const matchState = withBlockedMessage(
    controlState,
    applyMessage(controlState.matchState, message),
  );
  if (message.type !== "observation") return { ...controlState, matchState };
  const hasDashed = dash === "once" && choice.step?.kind === "dash";
  const attack = isQueuedAttack(controlState) ? choice.attack : null;
  const nextControls = {
    ...controlState,
    matchState,
    choice: { ...choiceForNextTick(choice), attack },
    dash: hasDashed ? null : dash,
  };
  return nextControls.heldDirections.length === 0 ? nextControls : withHeldStep(nextControls);
}

/**
 * Adds the message for a blocked step. Blocked steps are never sent, so the server reports no
 * event.
 */
function withBlockedMessage(
  { matchState: previousState, choice: { step } }: ControlState,
  nextState: HumanMatchState,
): HumanMatchState {
  const { observation } = previousState;
  const isSameTick = nextState.observation === observation || observation === null;
  if (
    isSameTick ||
    step === null ||
    stepHindrance(step.kind, step.direction, observation) !== "blocked"
  )
    return nextState;
  return withMessage(nextState, observation.tick, BLOCKED_TEXT);
}

const BLOCKED_TEXT = "Blocked: can't step there.";

/** Returns whether the chosen attack is still on cooldown. */
const isQueuedAttack = ({ matchState, choice }: ControlState): boolean =>
  choice.attack !== null && attackCooldown(matchState, choice.attack) > 0;

const attackCooldown = ({ observation }: HumanMatchState, attack: AttackName): number =>
  observation?.self.cooldowns[attack] ?? 0;

const withoutDirection = (heldDirections: readonly Direction[], direction: Direction) =>
  heldDirections.filter((heldDirection) => heldDirection !== direction);

/** Sets a step in the direction of the held keys. Walks while dash is on cooldown. */
function withHeldStep(controlState: ControlState): ControlState {
  const direction = combinedDirection(controlState.heldDirections);
  return {
    ...controlState,
    choice: { ...controlState.choice, step: stepFor(controlState, direction) },
  };
}

function stepFor(
  { matchState, dash }: ControlState,
  direction: Direction | null,
): TurnChoice["step"] {
  if (direction === null) return null;
  const isReady = matchState.observation?.self.cooldowns.dash === 0;
  return { kind: dash !== null && isReady ? "dash" : "move", direction };
}

function withUpdatedStep(controlState: ControlState): ControlState {
  const { choice } = controlState;
  if (choice.step === null) return controlState;
  return {
    ...controlState,
    choice: { ...choice, step: stepFor(controlState, choice.step.direction) },
  };
}

function withShiftedAim(controlState: ControlState, direction: Direction): ControlState {
  const { observation, grid } = controlState.matchState;
  if (observation === null || grid === null) return controlState;
  return { ...controlState, choice: shiftAim(controlState.choice, direction, observation, grid) };
}
