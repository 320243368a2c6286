// Matches, turns and bots as metrics.

import { cumulativeCounts } from "#base/units/duration-histogram.ts";
import { MODES } from "#core/words/rated.ts";

import type { HealthReport } from "./health.ts";
import { counter, withZeros, gauge, histograms, countSamples } from "./metric.ts";
import type { Metric } from "./metric.ts";
import { MATCH_OUTCOMES, TURN_KINDS } from "./totals.ts";

export function playMetrics({ totals, ...health }: HealthReport): Metric[] {
  const { timings } = totals;
  const outcomes = MODES.flatMap((mode) =>
    MATCH_OUTCOMES.map((outcome) => `${mode} ${outcome}` as const),
  );
  const matches = withZeros(totals.matches, outcomes);
  const of = (timing: keyof typeof timings) => [[{}, timings[timing]]] as const;
  return [
    counter("bout_matches_total", "Stored matches.", ...countSamples(matches, "mode", "outcome")),
    counter("bout_results_lost_total", "Results that bots got but that could not be stored.", [
      health.lost_results,
    ]),
    counter("bout_ticks_total", "Simulated ticks of matches of any mode.", [
      cumulativeCounts(timings.simulation).at(-1) ?? 0,
    ]),
    counter(
      "bout_turns_total",
      "Turns of bots in ranked matches.",
      ...countSamples(withZeros(totals.turns, TURN_KINDS), "kind"),
    ),
    counter(
      "bout_bot_errors_total",
      "Errors sent to bots, by code.",
      ...countSamples(totals.refusals, "code"),
    ),
    counter(
      "bout_house_bot_faults_total",
      "Restarts and failed turns of house bots.",
      ...countSamples(withZeros(totals.house, ["restarts", "failed_turns"]), "kind"),
    ),
    counter("bout_messages_sent_total", "Messages sent to bots.", [totals.sends]),
    counter(
      "bout_messages_delayed_total",
      "Messages sent to bots that had not read earlier ones.",
      [totals.backpressuredSends],
    ),
    gauge("bout_send_buffer_max_bytes", "Most bytes waiting for one bot in the last 5 minutes.", [
      health.sends.max_buffered_bytes,
    ]),
    histograms("bout_simulation_duration_seconds", "Simulation of one tick.", of("simulation")),
    histograms(
      "bout_observation_duration_seconds",
      "Writing the observations of one tick.",
      of("observation"),
    ),
    histograms("bout_reply_duration_seconds", "Reply of a bot to one observation.", of("reply")),
    histograms("bout_event_loop_lag_seconds", "Lag of the event loop.", of("event_loop")),
    histograms(
      "bout_deadline_lag_seconds",
      "How late the server noticed that a bot's time was over.",
      of("timeout_lateness"),
    ),
  ];
}
