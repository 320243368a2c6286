// What the figures of health mean.

import type { HealthView } from "#core/operator/health.ts";
import { HEALTH_BUDGET_MS } from "#core/words/health.ts";
import type { HealthTiming } from "#core/words/health.ts";

export type HealthVerdict = {
  /** `quiet` while nothing has been timed yet. */
  state: "well" | "ill" | "quiet";
  /** What is wrong with the server, and what follows from it. */
  troubles: string[];
  /** What is worth knowing, and no fault of the server. */
  notes: string[];
};

/** In the order in which they are looked at: the first explains the others. */
const SERVER_TIMINGS = ["event_loop", "timeout_lateness", "simulation", "observation"] as const;

const MEANS: Readonly<Record<(typeof SERVER_TIMINGS)[number], string>> = {
  event_loop:
    "The event loop is late: the machine has too little of something, and everybody waits.",
  timeout_lateness: "Deadlines are noticed late: some bots get more time than they should.",
  simulation: "Playing a tick takes long by itself.",
  observation: "Making and writing observations takes long by itself.",
};

/** How long one may take; a reply has its match's tick. */
export const budgetOf = ({ tick_ms }: Pick<HealthView, "tick_ms">, timing: HealthTiming): number =>
  timing === "reply" ? tick_ms : HEALTH_BUDGET_MS[timing];

/** Whether one in a hundred is over its budget. */
const isOver = (view: HealthView, timing: HealthTiming): boolean =>
  (view.timings[timing].p99_ms ?? 0) > budgetOf(view, timing);

export function verdictOn(view: HealthView): HealthVerdict {
  const troubles = SERVER_TIMINGS.filter((timing) => isOver(view, timing)).map(
    (timing) => MEANS[timing],
  );
  const state = troubles.length > 0 ? "ill" : view.timings.event_loop.count > 0 ? "well" : "quiet";
  return { state, troubles, notes: notesOn(view) };
}

function notesOn(view: HealthView): string[] {
  const { capacity, turns, sends, observed_seconds, window_seconds } = view;
  const failed = turns.invalid + turns.timeouts + turns.disconnected;
  const all = failed + turns.valid;
  return [
    ...(observed_seconds < window_seconds
      ? [`The server has been up for less than ${window_seconds} s: these are few figures.`]
      : []),
    ...(capacity.max === 0 ? ["No bout begins: the setting max_concurrent is 0."] : []),
    ...(capacity.max > 0 && capacity.running >= capacity.max
      ? ["As many bouts run as may: bots wait for room."]
      : []),
    ...(isOver(view, "reply")
      ? ["One reply in a hundred comes after its tick: some bots are slow, or far away."]
      : []),
    ...(failed > all * MANY_FAILED ? [`${percent(failed, all)} of the turns failed.`] : []),
    ...(sends.backpressured > sends.total * MANY_HELD_UP
      ? [`${percent(sends.backpressured, sends.total)} of the messages waited for earlier ones.`]
      : []),
  ];
}

/** Of all turns, and of all messages. */
const MANY_FAILED = 0.05;
const MANY_HELD_UP = 0.05;

/** A share in words. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
