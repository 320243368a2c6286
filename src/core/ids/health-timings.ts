/**
 * observation: building and writing the observations of a tick. simulation: parsing the frame that
 * completes a tick, and playing the tick. reply: from writing an observation to receiving the frame
 * that completes the tick. event_loop: event loop lag. timeout_lateness: delay in noticing a
 * deadline.
 */
export const HEALTH_TIMINGS = [
  "observation",
  "simulation",
  "reply",
  "event_loop",
  "timeout_lateness",
] as const;
export type HealthTiming = (typeof HEALTH_TIMINGS)[number];

/** Timings above these are over budget. The budget of a reply is the tick of its match. */
export const HEALTH_BUDGET_MS: Readonly<Record<Exclude<HealthTiming, "reply">, number>> = {
  observation: 5,
  simulation: 5,
  event_loop: 50,
  timeout_lateness: 50,
};
