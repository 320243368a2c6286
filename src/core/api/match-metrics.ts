import { cumulativeCounts } from "#base/util/duration-histogram.ts";
import { MATCH_MODES } from "#core/ids/match-modes.ts";

import { MATCH_OUTCOMES, TURN_KINDS } from "./process-totals.ts";
import {
  counterMetric,
  fillZeroCounts,
  gaugeMetric,
  histogramMetric,
  countSamples,
} from "./prometheus-metric.ts";
import type { Metric } from "./prometheus-metric.ts";
import type { HealthReport } from "./server-health.ts";

export function matchMetrics({ totals, ...health }: HealthReport): Metric[] {
  const { timings } = totals;
  const outcomes = MATCH_MODES.flatMap((mode) =>
    MATCH_OUTCOMES.map((outcome) => `${mode} ${outcome}` as const),
  );
  const matches = fillZeroCounts(totals.matches, outcomes);
  const seriesOf = (timing: keyof typeof timings) => [[{}, timings[timing]]] as const;
  return [
    counterMetric(
      "bout_matches_total",
      "Stored matches.",
      ...countSamples(matches, "mode", "outcome"),
    ),
    counterMetric(
      "bout_results_lost_total",
      "Results that were sent to bots but could not be stored.",
      [health.lost_results],
    ),
    counterMetric("bout_ticks_total", "Simulated ticks in matches of any mode.", [
      cumulativeCounts(timings.simulation).at(-1) ?? 0,
    ]),
    counterMetric(
      "bout_turns_total",
      "Bot turns in ranked matches.",
      ...countSamples(fillZeroCounts(totals.turns, TURN_KINDS), "kind"),
    ),
    counterMetric(
      "bout_bot_errors_total",
      "Errors sent to bots, by code.",
      ...countSamples(totals.refusals, "code"),
    ),
    counterMetric(
      "bout_house_bot_faults_total",
      "House bot restarts and failed turns.",
      ...countSamples(fillZeroCounts(totals.house, ["restarts", "failed_turns"]), "kind"),
    ),
    counterMetric("bout_messages_sent_total", "Messages sent to bots.", [totals.sends]),
    counterMetric(
      "bout_messages_delayed_total",
      "Messages sent to bots that had not read earlier messages.",
      [totals.backpressuredSends],
    ),
    gaugeMetric(
      "bout_send_buffer_max_bytes",
      "Maximum bytes buffered for one bot in the last 5 minutes.",
      [health.sends.max_buffered_bytes],
    ),
    histogramMetric(
      "bout_simulation_duration_seconds",
      "Simulation of one tick.",
      seriesOf("simulation"),
    ),
    histogramMetric(
      "bout_observation_duration_seconds",
      "Writing the observations of one tick.",
      seriesOf("observation"),
    ),
    histogramMetric(
      "bout_reply_duration_seconds",
      "A bot's reply to one observation.",
      seriesOf("reply"),
    ),
    histogramMetric(
      "bout_event_loop_lag_seconds",
      "Lag of the event loop.",
      seriesOf("event_loop"),
    ),
    histogramMetric(
      "bout_deadline_lag_seconds",
      "Delay in noticing that a bot's time was up.",
      seriesOf("timeout_lateness"),
    ),
  ];
}
