// The first lessons, one at a time, where they are needed.
import { RULES } from "#core/engine/rules.ts";

import type { Seen } from "./messages.ts";

type Lesson = {
  text: string;
  /** Instead of the text on a device without a keyboard, where buttons have no digits. */
  touchText?: string;
  /** The first tick in which it makes sense. */
  from: number;
  /** Whether it has been learned, or its time is over. */
  isDone(seen: Seen, previous: Seen): boolean;
};

const { zone, pickups } = RULES;

export const LESSONS: readonly Lesson[] = [
  {
    text: "Walk with W A S D, the arrow keys or the pad. Dots show where a step leads.",
    touchText: "Walk with the arrow buttons. Dots show where a step leads.",
    from: 0,
    isDone: ({ self }, before) => self.x !== before.self.x || self.y !== before.self.y,
  },
  {
    text: "Attack: 2 shoots a bolt at your opponent, 1 strikes it when it stands next to you. Before you have seen it, aim with a click or a tap. Then all attacks rest for a few ticks.",
    touchText:
      "Attack: Bolt shoots at your opponent, Strike hits an opponent next to you. Before you have seen your opponent, tap a tile to aim. Then all attacks rest for a few ticks.",
    from: 0,
    isDone: ({ self, events }) =>
      events.some((event) => event.type === "attack" && event.by === self.id),
  },
  {
    text: "Hold Shift, or press Dash, and go three tiles at once: out of red numbers, which count down to harm.",
    touchText:
      "Press Dash, then an arrow button, and go three tiles at once: out of red numbers, which count down to harm.",
    from: 0,
    isDone: ({ self, tick }) => self.cooldowns.dash > 0 || tick > pickups.first + pickups.lead,
  },
  {
    text: "Rings that shrink are pickups to come: a cross heals, a star gives power. Stand there when they land.",
    from: pickups.first,
    isDone: ({ tick, events }) =>
      events.some(({ type }) => type === "pickup") || tick > pickups.first + 3 * pickups.lead,
  },
  {
    text: `Soon the zone closes. Stay inside the frame: outside it costs ${zone.damage} hp a tick.`,
    from: zone.start - zone.every,
    isDone: ({ tick }) => tick > zone.start + 2 * zone.every,
  },
];

/** The next lesson after a tick. A lesson that is done is not shown again. */
export function lessonAfter(lesson: number, seen: Seen, previous: Seen): number {
  return LESSONS[lesson]?.isDone(seen, previous) === true ? lesson + 1 : lesson;
}
