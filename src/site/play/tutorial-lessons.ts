// Beginners see one tip at a time, when it's relevant.
import { RULES } from "#core/engine/rules.ts";

import type { PlayObservation } from "./messages.ts";

type TutorialLesson = {
  text: string;
  touchText?: string;
  /** First tick in which the tip is relevant. */
  firstTick: number;
  /** Returns whether the player has learned the move or the tip is no longer relevant. */
  isDone(observation: PlayObservation, previous: PlayObservation): boolean;
};

const { zone, pickups } = RULES;

export const TUTORIAL_LESSONS: readonly TutorialLesson[] = [
  {
    text: "Walk with W A S D, the arrow keys or the pad. Dots show where a step leads.",
    touchText: "Walk with the arrow buttons. Dots show where a step leads.",
    firstTick: 0,
    isDone: ({ self }, previous) => self.x !== previous.self.x || self.y !== previous.self.y,
  },
  {
    text: "Attack: 2 shoots a bolt at your opponent, 1 strikes an adjacent one. If you haven't seen your opponent, click or tap a tile to aim. After an attack, all attacks cool down for a few ticks.",
    touchText:
      "Attack: Bolt shoots at your opponent, Strike hits an adjacent one. If you haven't seen your opponent, tap a tile to aim. After an attack, all attacks cool down for a few ticks.",
    firstTick: 0,
    isDone: ({ self, events }) =>
      events.some((event) => event.type === "attack" && event.by === self.id),
  },
  {
    text: "Hold Shift or press Dash to move three tiles at once and escape red numbers, which count down to damage.",
    touchText:
      "Press Dash, then an arrow button, to move three tiles at once and escape red numbers, which count down to damage.",
    firstTick: 0,
    isDone: ({ self, tick }) => self.cooldowns.dash > 0 || tick > pickups.first + pickups.lead,
  },
  {
    text: "Shrinking rings mark upcoming pickups: a cross heals, a star gives power. Be there when they land.",
    firstTick: pickups.first,
    isDone: ({ tick, events }) =>
      events.some(({ type }) => type === "pickup") || tick > pickups.first + 3 * pickups.lead,
  },
  {
    text: `The zone closes soon. Stay inside the frame: outside, you lose ${zone.damage} HP per tick.`,
    firstTick: zone.start - zone.every,
    isDone: ({ tick }) => tick > zone.start + 2 * zone.every,
  },
];

/** Returns the index of the next tip after a tick. Completed tips aren't repeated. */
export function nextLessonIndex(
  lessonIndex: number,
  observation: PlayObservation,
  previous: PlayObservation,
): number {
  return TUTORIAL_LESSONS[lessonIndex]?.isDone(observation, previous) === true
    ? lessonIndex + 1
    : lessonIndex;
}
