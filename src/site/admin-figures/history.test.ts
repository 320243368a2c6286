import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { sampleHealth } from "#testing/fixtures/sample-health.ts";

import { noted, rowsOf, spanOf } from "./history.ts";
import type { HealthHistory } from "./history.ts";

const START = Date.UTC(2026, 0, 5, 12) / 1000;

const at = (second: number, uptime = second) =>
  sampleHealth({
    generated: new Date((START + second) * 1000).toISOString(),
    uptime_seconds: uptime,
  });

const historyOf = (...seconds: number[]): HealthHistory =>
  seconds.reduce<HealthHistory>((history, second) => noted(history, at(second)), []);

const secondsIn = (history: HealthHistory): number[] =>
  rowsOf(history).map((row) => row.at - START);

describe("the history of health", () => {
  it("has each answer once, and none that is older than ten minutes", () => {
    const history = historyOf(0, 5, 5, 300, 605, 606);
    assert.deepEqual(
      history.map(({ uptime_seconds }) => uptime_seconds),
      [300, 605, 606],
    );
    assert.equal(noted(history, at(606)), history);
  });

  it("begins anew when the server's clock is set back", () => {
    assert.deepEqual(secondsIn(noted(historyOf(100, 105), at(50))), [50]);
  });

  it("has a gap where nobody looked, and where the server has started again", () => {
    assert.deepEqual(secondsIn(historyOf(0, 5, 10)), [0, 5, 10]);
    const away = rowsOf(historyOf(0, 5, 65));
    assert.deepEqual(
      away.map(({ view }) => view === null),
      [false, false, true, false],
    );
    const restarted = rowsOf(noted(historyOf(100, 105), at(110, 2)));
    assert.equal(restarted.filter(({ view }) => view === null).length, 1);
  });

  it("is drawn over two minutes at least", () => {
    const shown = (...seconds: number[]) => spanOf(historyOf(...seconds)).map((one) => one - START);
    assert.deepEqual(shown(0, 10), [-110, 10]);
    assert.deepEqual(shown(0, 400), [0, 400]);
    assert.deepEqual(spanOf([]), [0, 120]);
  });
});
