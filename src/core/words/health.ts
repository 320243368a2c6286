// What is timed while the ladder runs, and how long it may take.

/**
 * observation: making and writing a tick's observations. simulation: hearing the deciding frame and
 * playing the tick. reply: from the write of an observation to the deciding frame. event_loop:
 * lateness of the heartbeat. timeout_lateness: how late a deadline was noticed.
 */
export const HEALTH_TIMINGS = [
  "observation",
  "simulation",
  "reply",
  "event_loop",
  "timeout_lateness",
] as const;
export type HealthTiming = (typeof HEALTH_TIMINGS)[number];

/** A longer timing counts as over budget; the budget of a reply is its match's tick. */
export const HEALTH_BUDGET_MS: Readonly<Record<Exclude<HealthTiming, "reply">, number>> = {
  observation: 5,
  simulation: 5,
  event_loop: 50,
  timeout_lateness: 50,
};
