import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import type { Card } from "#core/resources/event.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";

import type { Registration } from "./data.ts";
import { invitationIn, keptInvitation } from "./invitation.ts";
import {
  accessWords,
  conditionWords,
  leftWords,
  nextEdge,
  progressWords,
  tallyWords,
} from "./words.ts";

describe("conditions in words", () => {
  const ROWS: [Card["condition"], current: number, target: number, said: string, far: string][] = [
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
      "Play 20 rated games in a row without a refused or idle turn",
      "7 of 20 clean games",
    ],
    [{ kind: "score", least: 1700 }, 1640, 1700, "Reach a score of 1700", "1640 of 1700 points"],
  ];
  for (const [condition, current, target, said, far] of ROWS)
    it(said, () => {
      assert.equal(conditionWords(condition), said);
      assert.equal(progressWords({ condition, progress: { current, target, bot: null } }), far);
    });

  it("a tally of nobody says so", () => {
    assert.deepEqual([tallyWords(0), tallyWords(3)], ["Nobody has earned it yet", "Earned by 3"]);
  });
});

describe("the time that is left", () => {
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
    it(`of ${ms} ms is ${moving}, or ${still}`, () => {
      assert.deepEqual([leftWords(ms, true), leftWords(ms, false)], [moving, still]);
    });

  it("is that until the next edge of the window, where there is one", () => {
    const [opens_at, closes_at] = ["2026-01-05T09:00:00.000Z", "2026-01-05T18:00:00.000Z"];
    const edge = (phase: Ladder["phase"], opens: string | null, closes: string | null) =>
      nextEdge({ phase, opens_at: opens, closes_at: closes });
    assert.deepEqual(edge("upcoming", opens_at, closes_at), { verb: "Opens", at: opens_at });
    assert.deepEqual(edge("open", opens_at, closes_at), { verb: "Closes", at: closes_at });
    assert.equal(edge("open", null, null), null);
    assert.equal(edge("closed", opens_at, closes_at), null);
  });
});

describe("the way into a ladder", () => {
  const ROWS: [Pick<Ladder, "id" | "access">, Registration, RegExp][] = [
    [{ id: "public", access: "open" }, "account", /Every registered bot may play.*an account/],
    [{ id: "cup", access: "open" }, "account", /Every account may enter/],
    [{ id: "cup", access: "open" }, "closed", /Every account may enter/],
    [{ id: "cup", access: "open" }, "open", /Anybody may register one/],
    [{ id: "cup", access: "approval" }, "account", /the operator lets it in/],
    [{ id: "cup", access: "invite" }, "account", /with an invitation/],
    [{ id: "cup", access: "password" }, "account", /the ladder’s password/],
  ];
  for (const [ladder, registration, words] of ROWS)
    it(`of ${ladder.id}, ${ladder.access}, with registration ${registration}`, () => {
      assert.match(accessWords(ladder, registration), words);
    });
});

describe("T77 an invitation", () => {
  const CODE = "bout_invite_0123456789abcdef";
  const BASE = "https://bout.example/ladders";

  it("is taken out of the fragment, which keeps the rest", () => {
    const rows: [address: string, code: string | null, rest: string][] = [
      [`${BASE}#invite=${CODE}`, CODE, "/ladders"],
      [`${BASE}?ladder=cup#invite=${CODE}`, CODE, "/ladders?ladder=cup"],
      [`${BASE}#a=1&invite=${CODE}`, CODE, "/ladders#a=1"],
      [`${BASE}#invite=something-else`, null, "/ladders"],
      [`${BASE}#invite=${CODE}%3Cb%3E`, null, "/ladders"],
      [`${BASE}#ladder-cup`, null, "/ladders#ladder-cup"],
      [`${BASE}?invite=${CODE}`, null, `/ladders?invite=${CODE}`],
    ];
    for (const [address, code, rest] of rows)
      assert.deepEqual(invitationIn(address), { code, rest }, address);
  });

  it("is kept for as long as it may, and only in the form that this page keeps", () => {
    const text = (kept: object) =>
      JSON.stringify({ code: CODE, ladder: "cup", until: 10, ...kept });
    assert.deepEqual(keptInvitation(text({}), 9), { code: CODE, ladder: "cup" });
    assert.deepEqual(keptInvitation(text({ ladder: 7 }), 9), { code: CODE, ladder: null });
    const bad = [
      null,
      "",
      "[",
      "null",
      text({ until: 9 }),
      text({ until: "x" }),
      text({ code: 1 }),
    ];
    for (const one of bad) assert.equal(keptInvitation(one, 9), null, String(one));
  });
});
