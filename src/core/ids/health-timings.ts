// Timings of a running ladder and their budgets.

/**
 * observation: building and writing a tick's observations. simulation: parsing the deciding frame
 * and playing the tick. reply: from the write of an observation to the deciding frame. event_loop:
 * event loop lag. timeout_lateness: delay in noticing a deadline.
 */
export const HEALTH_TIMINGS = [
  "observation",
  "simulation",
  "reply",
  "event_loop",
  "timeout_lateness",
] as const;
export type HealthTiming = (typeof HEALTH_TIMINGS)[number];

/** Timings above this are over budget; the budget of a reply is its match's tick. */
export const HEALTH_BUDGET_MS: Readonly<Record<Exclude<HealthTiming, "reply">, number>> = {
  observation: 5,
  simulation: 5,
  event_loop: 50,
  timeout_lateness: 50,
};
