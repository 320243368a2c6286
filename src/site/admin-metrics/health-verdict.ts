import type { HealthView, PairingView } from "#core/api/server-health.ts";
import { HEALTH_BUDGET_MS } from "#core/ids/health-timings.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";

export type HealthVerdict = {
  /** `quiet` means that there are no samples yet. */
  state: "well" | "ill" | "quiet";
  problems: string[];
  /** Problems outside the server. */
  notes: string[];
};

/** Ordered by how likely each is to be the root cause. */
const SERVER_TIMINGS = ["event_loop", "timeout_lateness", "simulation", "observation"] as const;

const TIMING_PROBLEMS: Readonly<Record<(typeof SERVER_TIMINGS)[number], string>> = {
  event_loop: "The event loop is stalling: the server lacks CPU time, which delays every match.",
  timeout_lateness: "Deadlines fire late: some bots get more time than they should.",
  simulation: "Simulating a tick is slow.",
  observation: "Writing observations is slow.",
};

/** Returns the budget in ms. For bot responses, the budget is the tick length. */
export const timingBudgetMs = (
  { tick_ms }: Pick<HealthView, "tick_ms">,
  timing: HealthTiming,
): number => (timing === "reply" ? tick_ms : HEALTH_BUDGET_MS[timing]);

/** A larger share of samples over budget counts as a problem. */
const MAX_OVER_BUDGET = 0.01;

/** Uses exact counts, because histogram percentiles can be up to 20% too high. */
function isOverBudget({ timings }: HealthView, timing: HealthTiming): boolean {
  const { over_budget, count } = timings[timing];
  return over_budget > count * MAX_OVER_BUDGET;
}

export function assessHealth(view: HealthView): HealthVerdict {
  const problems = SERVER_TIMINGS.filter((timing) => isOverBudget(view, timing)).map(
    (timing) => TIMING_PROBLEMS[timing],
  );
  const state = problems.length > 0 ? "ill" : view.timings.event_loop.count > 0 ? "well" : "quiet";
  return { state, problems, notes: healthNotes(view) };
}

function healthNotes(view: HealthView): string[] {
  const { turns, sends, observed_seconds, window_seconds } = view;
  const failedTurns = turns.invalid + turns.timeouts + turns.disconnected;
  const allTurns = failedTurns + turns.valid;
  return [
    ...(observed_seconds < window_seconds
      ? [`The server has been up for less than ${window_seconds} s, so samples are few.`]
      : []),
    ...urgentNotes(view),
    ...(isOverBudget(view, "reply")
      ? ["More than 1% of responses miss their tick: some bots are slow or far away."]
      : []),
    ...(failedTurns > allTurns * HIGH_FAILED_FRACTION
      ? [`${formatPercent(failedTurns, allTurns)} of turns failed.`]
      : []),
    ...(sends.backpressured > sends.total * HIGH_DELAYED_FRACTION
      ? [
          `${formatPercent(sends.backpressured, sends.total)} of messages were queued behind others.`,
        ]
      : []),
  ];
}

/**
 * Returns the notes an operator may need to act on, such as when no matches start or bots flood the
 * server.
 */
export const urgentNotes = (view: HealthView): string[] => [
  ...capacityNotes(view),
  ...view.pairing.flatMap(pairingNotes),
  ...floodNotes(view),
];

function capacityNotes({ capacity: { running, max } }: HealthView): string[] {
  if (max === 0) return ["No match starts because max_concurrent is 0."];
  return running >= max ? ["The server has reached max_concurrent, so bots are waiting."] : [];
}

/** Seconds. Longer waits are reported. */
const LONG_WAIT_S = 30;

function pairingNotes(pairing: PairingView): string[] {
  const { ladder_id, waiting: busyLabel, longest_wait_s, since_start_s, reason } = pairing;
  const isStuck = (longest_wait_s ?? 0) > LONG_WAIT_S && (since_start_s ?? Infinity) > LONG_WAIT_S;
  if (!isStuck || reason === null) return [];
  const bots = busyLabel === 1 ? "1 bot is" : `${busyLabel} bots are`;
  return [`Ladder ${ladder_id}: ${bots} waiting and no match starts. ${reason}`];
}

function floodNotes({ floods: { bots, last_hour, suspended } }: HealthView): string[] {
  if (bots + suspended === 0) return [];
  return [
    `Flooding bots in the last hour: ${bots}, disconnected ${last_hour} times; ` +
      `${suspended} suspended now.`,
  ];
}

const HIGH_FAILED_FRACTION = 0.05;
const HIGH_DELAYED_FRACTION = 0.05;

export const formatPercent = (count: number, total: number): string =>
  total === 0 ? "–" : `${((100 * count) / total).toFixed(1)} %`;
