import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openHealth } from "#live/health/health.ts";
import { parseMetrics } from "#testing/fixtures/metrics-text.ts";
import { SAMPLE_MACHINE, SAMPLE_METRICS } from "#testing/fixtures/sample-metrics.ts";

import { renderMetrics } from "./metrics-page.ts";
import type { MetricsInput } from "./metrics-page.ts";

function metricsInput(now: () => number, changes: Partial<MetricsInput> = {}) {
  const health = openHealth({ now });
  const scrape = () => {
    const input = { ...SAMPLE_METRICS, health: health.report(), ...changes };
    const metricFamilies = parseMetrics(renderMetrics(input));
    const value = (name: string, sample = "{}") => metricFamilies.get(name)?.samples.get(sample);
    return { families: metricFamilies, value };
  };
  return { health, read: scrape };
}

describe("metrics", () => {
  it("count since the process started", () => {
    let now = 0;
    const { health, read: scrape } = metricsInput(() => now);
    for (let minute = 0; minute < 10; minute += 1) {
      now = minute * 60_000_000;
      health.recordBeat(1000);
      health.recordDuration("simulation", 6000);
      health.recordReply(2_000_000, 1000);
      health.countTurn("valid");
      health.countHouseFault("restarts");
      health.recordSend(10, 900);
      health.countStoredMatch("ranked", "rated");
      health.countRefusal("already_queued");
    }
    health.countLostResult();
    const { value } = scrape();
    const expected: [number, string, string?][] = [
      [540, "bout_uptime_seconds"],
      [10, "bout_ticks_total"],
      [10, "bout_turns_total", '{kind="valid"}'],
      [0, "bout_turns_total", '{kind="disconnected"}'],
      [10, "bout_matches_total", '{mode="ranked",outcome="rated"}'],
      [0, "bout_matches_total", '{mode="human",outcome="void"}'],
      [10, "bout_bot_errors_total", '{code="already_queued"}'],
      [10, "bout_house_bot_faults_total", '{kind="restarts"}'],
      [10, "bout_messages_sent_total"],
      [10, "bout_messages_delayed_total"],
      [1, "bout_results_lost_total"],
      [0, "bout_simulation_duration_seconds", '_bucket{le="0.005"}'],
      [10, "bout_simulation_duration_seconds", '_bucket{le="0.01"}'],
      [0.06, "bout_simulation_duration_seconds", "_sum{}"],
      [10, "bout_reply_duration_seconds", '_bucket{le="2.5"}'],
      [10, "bout_event_loop_lag_seconds", '_bucket{le="0.001"}'],
    ];
    for (const [number, name, sample] of expected) assert.equal(value(name, sample), number, name);
  });

  it("report the current state", () => {
    const { value } = metricsInput(() => 0).read();
    const expected: [number, string, string?][] = [
      [1, "bout_build_info", '{version="0.54.0",commit="",schema="36"}'],
      [1, "bout_store_up"],
      [1, "bout_draining"],
      [3, "bout_matches_running"],
      [320, "bout_matches_max"],
      [9, "bout_bots_online"],
      [2, "bout_results_waiting"],
      [4 * 1024 ** 3, "bout_disk_free_bytes"],
      [1024 ** 3 / 2, "process_resident_memory_bytes"],
      [3.5, "process_cpu_seconds_total"],
      [40, "process_open_fds"],
      [4, "bout_floods_total"],
      [1, "bout_bots_suspended"],
      [5, "bout_queue_bots", '{ladder="public",kind="player"}'],
      [40.5, "bout_queue_longest_wait_seconds", '{ladder="public"}'],
      [
        1,
        "bout_queue_blocked",
        '{ladder="public",blocked_by="one_owner",reason="a \\"quoted\\" reason"}',
      ],
      [6, "bout_emails_waiting", '{priority="optional",state="pending"}'],
      [2, "bout_emails_waiting", '{priority="transactional",state="new"}'],
      [3, "bout_emails_waiting", '{priority="transactional",state="retrying"}'],
      [40, "bout_emails_total", '{priority="transactional",state="sent"}'],
      [2, "bout_emails_total", '{priority="transactional",state="given_up"}'],
      [7, "bout_emails_total", '{priority="optional",state="accepted"}'],
      [0, "bout_emails_total", '{priority="optional",state="skipped"}'],
      [2, "bout_email_accounts_suppressed"],
      [1, "bout_email_incidents_open", '{scope="*"}'],
      [0, "bout_email_incidents_open", '{scope="announcements"}'],
      [7, "bout_http_requests_total", '{route="api",status="2xx"}'],
      [3, "bout_http_refusals_total", '{code="rate_limited"}'],
    ];
    for (const [number, name, sample] of expected) assert.equal(value(name, sample), number, name);
  });

  it("omit metrics without samples", () => {
    const machine = { ...SAMPLE_MACHINE, disk: null, openFiles: null };
    const [queue] = SAMPLE_METRICS.pairing;
    const pairing = [{ ...queue!, since_start_s: null }];
    const emails = { ...SAMPLE_METRICS.emails!, storedMetrics: null };
    const { families: metricFamilies, value } = metricsInput(() => 0, {
      machine,
      pairing,
      emails,
    }).read();
    for (const name of [
      "bout_disk_free_bytes",
      "process_open_fds",
      "bout_email_incidents_open",
      "bout_queue_since_match_start_seconds",
    ])
      assert.ok(!metricFamilies.has(name), name);
    assert.equal(value("bout_emails_waiting", '{priority="optional",state="pending"}'), undefined);
  });
});
