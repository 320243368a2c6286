import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import type { AchievementView } from "#core/api/event.ts";
import type { Ladder } from "#core/api/ladder-results.ts";

import type { RegistrationMode } from "./data.ts";
import {
  describeAccess,
  describeAchievementCondition,
  formatRemaining,
  nextWindowBoundary,
  describeAchievementProgress,
  describeEarnedCount,
} from "./event-texts.ts";
import { parseInvitation, readStoredInvitation } from "./invitation.ts";

describe("achievement conditions as text", () => {
  const ROWS: [
    AchievementView["condition"],
    current: number,
    target: number,
    said: string,
    far: string,
  ][] = [
    [{ kind: "games", count: 10 }, 3, 10, "Play 10 rated games", "3 of 10 games"],
    [{ kind: "games", count: 1 }, 0, 1, "Play 1 rated game", "0 of 1 game"],
    [
      { kind: "wins", count: 4, maps: 3 },
      2,
      4,
      "Win 4 rated games, on 3 different maps",
      "2 of 4 wins",
    ],
    [{ kind: "defeat", opponent: "ts-starter", wins: 1 }, 0, 1, "Beat Starter once", "0 of 1 win"],
    [
      { kind: "defeat", opponent: "champion", wins: 2, maps: 1 },
      1,
      2,
      "Beat Champion twice",
      "1 of 2 wins",
    ],
    [
      { kind: "defeat", opponent: "kiter", wins: 3, maps: 3 },
      2,
      3,
      "Beat Kiter 3 times, on 3 different maps",
      "2 of 3 wins",
    ],
    [{ kind: "streak", wins: 5 }, 4, 5, "Win 5 rated games in a row", "4 of 5 wins in a row"],
    [
      { kind: "clean", games: 20 },
      7,
      20,
      "Play 20 rated games in a row without a rejected or missed turn",
      "7 of 20 clean games",
    ],
    [{ kind: "score", least: 1700 }, 1640, 1700, "Reach a score of 1700", "1640 of 1700 points"],
  ];
  for (const [condition, current, target, expectedText, far] of ROWS)
    it(expectedText, () => {
      assert.equal(describeAchievementCondition(condition), expectedText);
      assert.equal(
        describeAchievementProgress({ condition, progress: { current, target, bot: null } }),
        far,
      );
    });

  it("has a separate message for a count of zero", () => {
    assert.deepEqual(
      [describeEarnedCount(0), describeEarnedCount(3)],
      ["Not earned yet", "Earned by 3"],
    );
  });
});

describe("remaining time", () => {
  const ROWS: [ms: number, moving: string, still: string][] = [
    [14 * DAY_MS + 5 * HOUR_MS, "14 days", "14 days"],
    [3 * DAY_MS + 5 * HOUR_MS, "3 days 5 h", "3 days 5 h"],
    [2 * DAY_MS, "2 days", "2 days"],
    [2 * DAY_MS - 1, "47 h 59 min", "47 h 59 min"],
    [DAY_MS, "24 h", "24 h"],
    [HOUR_MS + MINUTE_MS, "1 h 1 min", "1 h 1 min"],
    [HOUR_MS, "1 h", "1 h"],
    [HOUR_MS - 1, "59 min 59 s", "59 min"],
    [90 * SECOND_MS, "1 min 30 s", "1 min"],
    [MINUTE_MS, "1 min 0 s", "1 min"],
    [MINUTE_MS - 1, "59 s", "less than a minute"],
    [1, "0 s", "less than a minute"],
    [0, "any moment", "any moment"],
    [-5, "any moment", "any moment"],
  ];
  for (const [ms, moving, still] of ROWS)
    it(`of ${ms} ms is “${moving}” or “${still}”`, () => {
      assert.deepEqual([formatRemaining(ms, true), formatRemaining(ms, false)], [moving, still]);
    });

  it("counts down to the next opening or closing time, if any", () => {
    const [opens_at, closes_at] = ["2026-01-05T09:00:00.000Z", "2026-01-05T18:00:00.000Z"];
    const edge = (phase: Ladder["phase"], opens: string | null, closes: string | null) =>
      nextWindowBoundary({ phase, opens_at: opens, closes_at: closes });
    assert.deepEqual(edge("upcoming", opens_at, closes_at), { verb: "Opens", instant: opens_at });
    assert.deepEqual(edge("open", opens_at, closes_at), { verb: "Closes", instant: closes_at });
    assert.equal(edge("open", null, null), null);
    assert.equal(edge("closed", opens_at, closes_at), null);
  });
});

describe("access to a ladder", () => {
  const ROWS: [Pick<Ladder, "id" | "access">, RegistrationMode, RegExp][] = [
    [{ id: "public", access: "open" }, "account", /Every registered bot can play.*an account/],
    [{ id: "cup", access: "open" }, "account", /Every account can join/],
    [{ id: "cup", access: "open" }, "closed", /Every account can join/],
    [{ id: "cup", access: "open" }, "open", /Anyone can register one/],
    [{ id: "cup", access: "approval" }, "account", /the operator approves it/],
    [{ id: "cup", access: "invite" }, "account", /with an invitation/],
    [{ id: "cup", access: "password" }, "account", /the ladder’s password/],
  ];
  for (const [ladder, registration, expectedWords] of ROWS)
    it(`of ${ladder.id}, ${ladder.access}, with registration ${registration}`, () => {
      assert.match(describeAccess(ladder, registration), expectedWords);
    });
});

describe("T77 an invitation", () => {
  const CODE = "bout_invite_0123456789abcdef";
  const BASE = "https://bout.example/ladders";

  it("is removed from the fragment without changing the rest", () => {
    const rows: [address: string, code: string | null, rest: string][] = [
      [`${BASE}#invite=${CODE}`, CODE, "/ladders"],
      [`${BASE}?ladder=cup#invite=${CODE}`, CODE, "/ladders?ladder=cup"],
      [`${BASE}#a=1&invite=${CODE}`, CODE, "/ladders#a=1"],
      [`${BASE}#invite=something-else`, null, "/ladders"],
      [`${BASE}#invite=${CODE}%3Cb%3E`, null, "/ladders"],
      [`${BASE}#ladder-cup`, null, "/ladders#ladder-cup"],
      [`${BASE}?invite=${CODE}`, null, `/ladders?invite=${CODE}`],
    ];
    for (const [address, code, remainingAddress] of rows)
      assert.deepEqual(
        parseInvitation(address),
        { code, remainingAddress: remainingAddress },
        address,
      );
  });

  it("is stored for a limited time and only in the expected format", () => {
    const text = (storedText: object) =>
      JSON.stringify({ code: CODE, ladder: "cup", until: 10, ...storedText });
    assert.deepEqual(readStoredInvitation(text({}), 9), { code: CODE, ladder: "cup" });
    assert.deepEqual(readStoredInvitation(text({ ladder: 7 }), 9), { code: CODE, ladder: null });
    const bad = [
      null,
      "",
      "[",
      "null",
      text({ until: 9 }),
      text({ until: "x" }),
      text({ code: 1 }),
    ];
    for (const storedCase of bad)
      assert.equal(readStoredInvitation(storedCase, 9), null, String(storedCase));
  });
});
