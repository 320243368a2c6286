import assert from "node:assert/strict";
import { test } from "node:test";

import {
  dueSeasons,
  isSeasonId,
  monthOf,
  compareSeasonIds,
  seasonAt,
  seasonName,
  seasonState,
  windowOfMonth,
} from "./season.ts";

const windows: [id: string, opensAt: string, closesAt: string][] = [
  ["2026-01", "2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  ["2027-02", "2027-02-01T00:00:00.000Z", "2027-03-01T00:00:00.000Z"],
  ["2028-02", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ["2026-12", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
  ["2099-09", "2099-09-01T00:00:00.000Z", "2099-10-01T00:00:00.000Z"],
];
for (const [id, opensAt, closesAt] of windows)
  test(`the month ${id} ends when the next one begins`, () => {
    assert.deepEqual(windowOfMonth(id), { id, opensAt, closesAt });
    const lastInstant = new Date(Date.parse(closesAt) - 1).toISOString();
    assert.deepEqual([opensAt, lastInstant, closesAt].map(monthOf), [id, id, monthOf(closesAt)]);
  });

test("February has an extra day in leap years", () => {
  const days = (id: string) => {
    const { opensAt, closesAt } = windowOfMonth(id);
    return (Date.parse(closesAt) - Date.parse(opensAt)) / 86_400_000;
  };
  assert.deepEqual(["2027-02", "2028-02", "2100-02", "2026-11"].map(days), [28, 29, 28, 30]);
});

const START_CASES: [instant: string, newest: string, season: string, what: string][] = [
  ["2026-01-05T12:00:00.000Z", "2026-01", "2026-01", "in the middle of the month"],
  ["2026-01-31T23:59:59.999Z", "2026-01", "2026-01", "a millisecond before midnight"],
  ["2026-02-01T00:00:00.000Z", "2026-01", "2026-02", "at midnight"],
  ["2026-12-31T23:59:59.999Z", "2026-12", "2026-12", "at the end of a year"],
  ["2027-01-01T00:00:00.000Z", "2026-12", "2027-01", "at the turn of a year"],
  ["2028-02-29T23:59:59.999Z", "2028-02", "2028-02", "on a leap day"],
  ["2026-01-31T23:30:00.000Z", "2026-02", "2026-02", "after the clock went back an hour"],
  ["2025-12-01T00:00:00.000Z", "2026-02", "2026-02", "after the clock went back by months"],
];
for (const [instant, newest, season, description] of START_CASES)
  test(`assigns a match that starts ${description} to ${season}`, () => {
    assert.equal(seasonAt(instant, newest), season);
  });

const DUE_CASES: [newest: string, now: string, due: string[]][] = [
  ["2026-01", "2026-01-31T23:59:59.999Z", []],
  ["2026-01", "2026-02-01T00:00:00.000Z", ["2026-02"]],
  ["2026-02", "2026-01-31T23:00:00.000Z", []],
  ["2026-11", "2027-02-03T00:00:00.000Z", ["2026-12", "2027-01", "2027-02"]],
];
for (const [newest, now, due] of DUE_CASES)
  test(`with ${newest} open at ${now}, ${due.length} seasons are due`, () => {
    const openedMonths = dueSeasons(newest, now);
    assert.deepEqual(openedMonths, due.map(windowOfMonth));
    const lastInstantOfMonth = openedMonths.at(-1)?.id ?? newest;
    assert.equal(seasonAt(now, newest), lastInstantOfMonth);
    assert.deepEqual(dueSeasons(lastInstantOfMonth, now), []);
  });

test("the newest season is live, and an older one is finalizing until its standings are written", () => {
  const archivedAt = "2026-02-01T00:01:00.000Z";
  const state = (id: string, at: string | null) => seasonState({ id, archivedAt: at }, "2026-02");
  assert.equal(state("2026-02", null), "live");
  assert.equal(state("2026-01", null), "finalizing");
  assert.equal(state("2026-01", archivedAt), "archived");
  assert.equal(state("preseason", null), "finalizing");
});

test("sorts seasons newest first, with the preseason last", () => {
  const ids = ["preseason", "2026-09", "2026-10", "2025-12"];
  assert.deepEqual(ids.toSorted(compareSeasonIds), ["2026-10", "2026-09", "2025-12", "preseason"]);
  assert.equal(compareSeasonIds("2026-10", "2026-10"), 0);
});

test("names seasons and rejects malformed ids", () => {
  assert.equal(seasonName("2026-01"), "January 2026");
  assert.equal(seasonName("2026-12"), "December 2026");
  assert.equal(seasonName("preseason"), "Preseason");
  const ids = ["2026-01", "preseason", "2026-13", "2026-00", "2026-1", "current", "", "26-01"];
  assert.deepEqual(ids.filter(isSeasonId), ["2026-01", "preseason"]);
});
