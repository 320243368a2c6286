// What the figures of health mean.

import type { HealthView, PairingView } from "#core/operator/health.ts";
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

/** A share of timings over budget above which something is wrong. */
const MOST_OVER = 0.01;

/** By exact counts: percentiles are those of a histogram, up to a fifth too high. */
function isOver({ timings }: HealthView, timing: HealthTiming): boolean {
  const { over_budget, count } = timings[timing];
  return over_budget > count * MOST_OVER;
}

export function verdictOn(view: HealthView): HealthVerdict {
  const troubles = SERVER_TIMINGS.filter((timing) => isOver(view, timing)).map(
    (timing) => MEANS[timing],
  );
  const state = troubles.length > 0 ? "ill" : view.timings.event_loop.count > 0 ? "well" : "quiet";
  return { state, troubles, notes: notesOn(view) };
}

function notesOn(view: HealthView): string[] {
  const { turns, sends, observed_seconds, window_seconds } = view;
  const failed = turns.invalid + turns.timeouts + turns.disconnected;
  const all = failed + turns.valid;
  return [
    ...(observed_seconds < window_seconds
      ? [`The server has been up for less than ${window_seconds} s: these are few figures.`]
      : []),
    ...urgentNotes(view),
    ...(isOver(view, "reply")
      ? ["One reply in a hundred comes after its tick: some bots are slow, or far away."]
      : []),
    ...(failed > all * MANY_FAILED ? [`${percent(failed, all)} of the turns failed.`] : []),
    ...(sends.backpressured > sends.total * MANY_HELD_UP
      ? [`${percent(sends.backpressured, sends.total)} of the messages waited for earlier ones.`]
      : []),
  ];
}

/** Notes that an operator may have to act on: no match starts, or bots flood the server. */
export const urgentNotes = (view: HealthView): string[] => [
  ...capacityNotes(view),
  ...view.pairing.flatMap(pairingNotes),
  ...floodNotes(view),
];

function capacityNotes({ capacity: { running, max } }: HealthView): string[] {
  if (max === 0) return ["No match starts: the setting max_concurrent is 0."];
  return running >= max
    ? ["As many matches run as max_concurrent allows: bots wait for room."]
    : [];
}

/** A wait in seconds after which an operator wants to know why. */
const LONG_WAIT_S = 30;

function pairingNotes(pairing: PairingView): string[] {
  const { ladder_id, waiting, longest_wait_s, since_start_s, reason } = pairing;
  const isStuck = (longest_wait_s ?? 0) > LONG_WAIT_S && (since_start_s ?? Infinity) > LONG_WAIT_S;
  if (!isStuck || reason === null) return [];
  const bots = waiting === 1 ? "1 bot is" : `${waiting} bots are`;
  return [`Ladder ${ladder_id}: ${bots} waiting and no match starts. ${reason}`];
}

function floodNotes({ floods: { bots, last_hour, suspended } }: HealthView): string[] {
  if (bots + suspended === 0) return [];
  return [
    `Flooding bots in the last hour: ${bots}, disconnected ${last_hour} times; ` +
      `${suspended} suspended now.`,
  ];
}

/** Of all turns, and of all messages. */
const MANY_FAILED = 0.05;
const MANY_HELD_UP = 0.05;

/** A share in words. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
