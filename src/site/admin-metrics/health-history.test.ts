import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { sampleHealth } from "#testing/fixtures/sample-health.ts";

import { appendHealth, plotRows, historyRange } from "./health-history.ts";
import type { HealthHistory } from "./health-history.ts";

const START = Date.UTC(2026, 0, 5, 12) / 1000;

const healthAt = (second: number, uptime = second) =>
  sampleHealth({
    generated: new Date((START + second) * 1000).toISOString(),
    uptime_seconds: uptime,
  });

const historyOf = (...seconds: number[]): HealthHistory =>
  seconds.reduce<HealthHistory>((history, second) => appendHealth(history, healthAt(second)), []);

const secondsIn = (history: HealthHistory): number[] =>
  plotRows(history).map((row) => row.seconds - START);

describe("health history", () => {
  it("keeps each response once, for up to 10 minutes", () => {
    const history = historyOf(0, 5, 5, 300, 605, 606);
    assert.deepEqual(
      history.map(({ uptime_seconds }) => uptime_seconds),
      [300, 605, 606],
    );
    assert.equal(appendHealth(history, healthAt(606)), history);
  });

  it("starts over when the server clock moves back", () => {
    assert.deepEqual(secondsIn(appendHealth(historyOf(100, 105), healthAt(50))), [50]);
  });

  it("leaves a gap after a pause and after a server restart", () => {
    assert.deepEqual(secondsIn(historyOf(0, 5, 10)), [0, 5, 10]);
    const gapHistory = plotRows(historyOf(0, 5, 65));
    assert.deepEqual(
      gapHistory.map(({ view }) => view === null),
      [false, false, true, false],
    );
    const restartHistory = plotRows(appendHealth(historyOf(100, 105), healthAt(110, 2)));
    assert.equal(restartHistory.filter(({ view }) => view === null).length, 1);
  });

  it("covers at least 2 minutes", () => {
    const shownRange = (...seconds: number[]) =>
      historyRange(historyOf(...seconds)).map((entry) => entry - START);
    assert.deepEqual(shownRange(0, 10), [-110, 10]);
    assert.deepEqual(shownRange(0, 400), [0, 400]);
    assert.deepEqual(historyRange([]), [0, 120]);
  });
});
