// A fight and the hand that plays it: what was heard, what is chosen, which keys are held.
import type { AttackName, Direction, Tile } from "#core/engine/types.ts";

import { NOTHING, nextTick, shiftAim, stepHindrance } from "./choice.ts";
import type { TurnChoice } from "./choice.ts";
import { closed, heard, told, unopened } from "./fight-state.ts";
import type { FightState } from "./fight-state.ts";
import { joined } from "./keys.ts";
import type { Message } from "./messages.ts";

export type PlayedHand = {
  fight: FightState;
  choice: TurnChoice;
  /** Directions whose keys or buttons are held: they step in every tick. */
  held: readonly Direction[];
  /** Whether steps are dashes: while a key is held, or once. */
  dash: "held" | "once" | null;
};

export type Deed =
  | { type: "heard"; message: Message }
  | { type: "closed" }
  | { type: "press" | "release"; direction: Direction }
  | { type: "stay" }
  | { type: "dash"; dash: PlayedHand["dash"] }
  | { type: "attack"; name: AttackName }
  | { type: "shift aim"; direction: Direction }
  | { type: "aim"; tile: Tile | null };

/** An attack that is ready later than this cannot be chosen yet. */
const EARLY_TICKS = 2;

export const beforeFight = (foe: string): PlayedHand => ({
  fight: unopened(foe),
  choice: NOTHING,
  held: [],
  dash: null,
});

export function done(playing: PlayedHand, deed: Deed): PlayedHand {
  const { fight, choice, held } = playing;
  switch (deed.type) {
    case "heard":
      return hear(playing, deed.message);
    case "closed":
      return { ...playing, fight: closed(fight) };
    case "press":
      return stepping({ ...playing, held: [...without(held, deed.direction), deed.direction] });
    case "release": {
      const left = { ...playing, held: without(held, deed.direction) };
      // A key that was only tapped still steps in this tick.
      return left.held.length === 0 ? left : stepping(left);
    }
    case "stay":
      return { ...playing, held: [], choice: { ...choice, step: null } };
    case "dash":
      return restepped({ ...playing, dash: deed.dash });
    case "attack": {
      const attack = choice.attack === deed.name ? null : deed.name;
      return waitFor(fight, deed.name) > EARLY_TICKS
        ? playing
        : { ...playing, choice: { ...choice, attack } };
    }
    case "shift aim":
      return aimed(playing, deed.direction);
    case "aim":
      return { ...playing, choice: { ...choice, aim: deed.tile } };
  }
}

function hear(playing: PlayedHand, message: Message): PlayedHand {
  const { choice, dash } = playing;
  const fight = withBlocked(playing, heard(playing.fight, message));
  if (message.type !== "observation") return { ...playing, fight };
  const hasDashed = dash === "once" && choice.step?.kind === "dash";
  const attack = isEarly(playing) ? choice.attack : null;
  const next = {
    ...playing,
    fight,
    choice: { ...nextTick(choice), attack },
    dash: hasDashed ? null : dash,
  };
  return next.held.length === 0 ? next : stepping(next);
}

/** A step that cannot be taken is never sent, so no event tells of it. */
function withBlocked({ fight: before, choice: { step } }: PlayedHand, now: FightState): FightState {
  const { seen } = before;
  const isOver = now.seen === seen || seen === null;
  if (isOver || step === null || stepHindrance(step.kind, step.direction, seen) !== "blocked")
    return now;
  return told(now, seen.tick, BLOCKED);
}

const BLOCKED = "The way is blocked: no step.";

/** An attack that was chosen a moment before it is ready waits for its tick. */
const isEarly = ({ fight, choice }: PlayedHand): boolean =>
  choice.attack !== null && waitFor(fight, choice.attack) > 0;

/** Ticks until an attack is ready. */
const waitFor = ({ seen }: FightState, attack: AttackName): number =>
  seen?.self.cooldowns[attack] ?? 0;

const without = (held: readonly Direction[], direction: Direction) =>
  held.filter((other) => other !== direction);

/** Steps where the held keys lead. A dash that is not ready is walked. */
function stepping(playing: PlayedHand): PlayedHand {
  const direction = joined(playing.held);
  return { ...playing, choice: { ...playing.choice, step: stepTo(playing, direction) } };
}

function stepTo({ fight, dash }: PlayedHand, direction: Direction | null): TurnChoice["step"] {
  if (direction === null) return null;
  const isReady = fight.seen?.self.cooldowns.dash === 0;
  return { kind: dash !== null && isReady ? "dash" : "move", direction };
}

function restepped(playing: PlayedHand): PlayedHand {
  const { choice } = playing;
  if (choice.step === null) return playing;
  return { ...playing, choice: { ...choice, step: stepTo(playing, choice.step.direction) } };
}

function aimed(playing: PlayedHand, direction: Direction): PlayedHand {
  const { seen, grid } = playing.fight;
  if (seen === null || grid === null) return playing;
  return { ...playing, choice: shiftAim(playing.choice, direction, seen, grid) };
}
