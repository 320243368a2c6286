// Which letters are made of what was found, and when they are late.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/units/time.ts";
import type { TurnFigures } from "#core/ladder/version-health.ts";
import { FIXED } from "#core/words/limits.ts";

import { mayWarn, warningLetter } from "./admin-warning.ts";
import { alarmAfter, CALM } from "./alarm.ts";
import type { StoreNews } from "./alarm.ts";
import { healthLetter } from "./bot-health.ts";
import type { BotLook } from "./bot-health.ts";
import { deliveryOf } from "./due-letter.ts";
import { awardLetter, edgeMark, nearEdges, reminderLetter } from "./event-letters.ts";
import { isLate } from "./gate.ts";
import type { MailNotice } from "./notice.ts";
import { onboardingLetters } from "./onboarding.ts";
import { digestLetter, digestWeek } from "./weekly-digest.ts";

const ADA = "01900000-0000-7000-8000-000000000001";
const NOW = "2026-11-25T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const at = (ms: number) => new Date(NOW_MS + ms).toISOString();

describe("somebody new", () => {
  it("is welcomed at once, and told how to play three days later", () => {
    const letters = onboardingLetters({ accountId: ADA, handle: "ada" }, NOW);
    assert.deepEqual(
      letters.map(({ subject, notice, due }) => [subject, notice.kind, due]),
      [
        ["welcome", "welcome", NOW],
        ["first match", "first_match", "2026-11-28T12:00:00.000Z"],
      ],
    );
    const row = deliveryOf(letters[0]!, NOW, () => "id");
    assert.deepEqual([row.id, row.category, row.created], ["id", "onboarding", NOW]);
  });
});

const EVENT = {
  id: "cup",
  name: "Cup",
  ladderId: "public",
  enabled: true,
  opensAt: at(DAY_MS),
  closesAt: at(4 * DAY_MS),
};

describe("an event", () => {
  const kinds = (changes: Partial<typeof EVENT>, ms = 0) =>
    nearEdges([{ ...EVENT, ...changes }], NOW_MS + ms).map(({ kind }) => kind);

  it("is told of a day before it opens and closes, and not once that is over", () => {
    assert.deepEqual(kinds({}, -1), []);
    assert.deepEqual(kinds({}), ["event_opens"]);
    assert.deepEqual(kinds({}, DAY_MS - 1), ["event_opens"]);
    assert.deepEqual(kinds({}, DAY_MS), []);
    assert.deepEqual(kinds({}, 3 * DAY_MS), ["event_closes"]);
    assert.deepEqual(kinds({}, 4 * DAY_MS), []);
    assert.deepEqual(kinds({ enabled: false }), []);
  });

  it("that is short has no reminder of its end", () => {
    const closesAt = at(DAY_MS + 3 * HOUR_MS);
    for (let ms = 0; ms < 2 * DAY_MS; ms += HOUR_MS)
      assert.ok(!kinds({ closesAt }, ms).includes("event_closes"));
  });

  it("that is moved has the same subject, and another mark", () => {
    const [first] = nearEdges([EVENT], NOW_MS);
    const [moved] = nearEdges([{ ...EVENT, opensAt: at(HOUR_MS) }], NOW_MS);
    assert.equal(
      reminderLetter(first!, ADA, NOW).subject,
      reminderLetter(moved!, ADA, NOW).subject,
    );
    assert.notEqual(edgeMark(first!), edgeMark(moved!));
  });

  it("tells who has earned something by its name, if it is still there", () => {
    const condition = { kind: "games", count: 1 } as const;
    const achievements = [{ id: "one", name: "First", description: "", condition }];
    const event = { ...EVENT, achievements };
    const fact = { accountId: ADA, botId: "b", earnedAt: NOW, evidence: [] };
    const letter = awardLetter(event, { ...fact, achievementId: "one" }, { bot: "Rex", at: NOW });
    assert.deepEqual(letter?.notice.data, {
      eventId: "cup",
      event: "Cup",
      achievement: "First",
      bot: "Rex",
      earnedAt: NOW,
    });
    assert.equal(
      awardLetter(event, { ...fact, achievementId: "gone" }, { bot: "Rex", at: NOW }),
      null,
    );
  });
});

const FIGURES: TurnFigures = {
  matches: 20,
  turns: 1000,
  idles: {},
  refusedTurns: 0,
  refused: {},
  disconnects: 0,
  disqualifications: 0,
  replies: null,
};
const UNWELL = { kind: "bot_unwell", created: at(-2 * DAY_MS), state: "accepted" } as const;
const WELL = { ...UNWELL, kind: "bot_well" } as const;

describe("a bot", () => {
  const told = (figures: Partial<TurnFigures> | null, last: BotLook["last"] = null) =>
    healthLetter(
      {
        accountId: ADA,
        bot: { id: "bot", name: "Rex" },
        version: "v1",
        figures: figures && { ...FIGURES, ...figures },
        last,
      },
      NOW,
    )?.notice.kind ?? null;
  const cases: [string, ReturnType<typeof told>, MailNotice["kind"] | null][] = [
    ["that is well", told({}), null],
    ["whose newest version has not played", told(null, UNWELL), null],
    ["with two disqualifications", told({ disqualifications: 2 }), null],
    ["with three", told({ disqualifications: 3 }), "bot_unwell"],
    ["with less than a fifth of its turns idle", told({ idles: { late: 199 } }), null],
    ["with a fifth", told({ idles: { late: 150, crash: 50 } }), "bot_unwell"],
    ["with a fifth of its turns refused", told({ refusedTurns: 200 }), "bot_unwell"],
    ["after two bad matches", told({ matches: 2, refusedTurns: 900 }), null],
    ["that still is not well", told({ disqualifications: 9 }, UNWELL), null],
    ["that is not well again", told({ disqualifications: 9 }, WELL), "bot_unwell"],
    ["that is well again", told({}, UNWELL), "bot_well"],
    ["that goes on being well", told({}, WELL), null],
    ["of which too little is known", told({ matches: 2 }, UNWELL), null],
    ["of which a letter was not taken", told({}, { ...UNWELL, state: "failed" }), null],
    ["that changed on the same day", told({}, { ...UNWELL, created: at(-HOUR_MS) }), null],
  ];
  for (const [name, kind, expected] of cases)
    it(`${name}: ${expected ?? "nothing"}`, () => assert.equal(kind, expected));

  it("has one letter a day at most, whatever it does", () => {
    const days = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean()), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(days, (looks) => {
        let last: BotLook["last"] = null;
        let now = NOW_MS;
        const seen: string[] = [];
        for (const [hours, isBad] of looks) {
          now += hours * HOUR_MS;
          const instant = new Date(now).toISOString();
          const figures = { ...FIGURES, disqualifications: isBad ? 3 : 0 };
          const look = { accountId: ADA, bot: { id: "bot", name: "Rex" }, version: "v1", last };
          const letter = healthLetter({ ...look, figures }, instant);
          if (letter === null) continue;
          assert.notEqual(letter.notice.kind, last?.kind ?? "bot_well");
          last = { kind: letter.notice.kind, created: instant, state: "accepted" };
          seen.push(letter.subject);
        }
        assert.equal(new Set(seen).size, seen.length);
      }),
    );
  });
});

describe("a digest", () => {
  it("is of the week before, from Monday 09:00 UTC on, for two days", () => {
    // A Monday.
    const monday = Date.parse("2026-11-23T00:00:00.000Z");
    const week = { from: "2026-11-16", to: "2026-11-22", end: "2026-11-23T00:00:00.000Z" };
    assert.equal(digestWeek(monday + 9 * HOUR_MS - 1), null);
    assert.deepEqual(digestWeek(monday + 9 * HOUR_MS), week);
    assert.deepEqual(digestWeek(monday + (9 + FIXED.digest_h) * HOUR_MS), week);
    assert.equal(digestWeek(monday + (9 + FIXED.digest_h) * HOUR_MS + 1), null);
  });

  it("has the bots that played rated matches, and is none without them", () => {
    const week = { from: "2026-11-16", to: "2026-11-22", end: NOW };
    const none = { bot: "Two", games: 0, wins: 0, draws: 0, losses: 0 };
    const one = { bot: "Rex", games: 2, wins: 1, draws: 0, losses: 1 };
    assert.equal(digestLetter(week, ADA, [none], NOW), null);
    const letter = digestLetter(week, ADA, [none, one], NOW);
    assert.deepEqual(letter?.notice.data, { from: week.from, to: week.to, bots: [one] });
  });
});

describe("admins", () => {
  it("are warned of a kind once an hour", () => {
    assert.equal(mayWarn(null, NOW_MS), true);
    assert.equal(mayWarn(NOW, NOW_MS + HOUR_MS - 1), false);
    assert.equal(mayWarn(NOW, NOW_MS + HOUR_MS), true);
    const data = { warning: "engine_fault", at: NOW, about: "match x" } as const;
    assert.equal(
      warningLetter(data, ADA, NOW).subject,
      warningLetter(data, ADA, at(59 * MINUTE_MS)).subject,
    );
  });

  it("are told at once of a full disk, and of a store that is away for a minute", () => {
    const steps: [number, StoreNews, ReturnType<typeof alarmAfter>["alarm"]][] = [
      [0, "away", null],
      [59_999, "away", null],
      [60_000, "up", null],
      [60_001, "away", null],
      [120_001, "away", "store_away"],
      [120_002, "full", "disk_full"],
      [120_003, "full", null],
      [120_003 + HOUR_MS, "away", "store_away"],
      [120_004 + HOUR_MS, "full", "disk_full"],
    ];
    let state = CALM;
    for (const [ms, news, alarm] of steps) {
      const next = alarmAfter(state, news, NOW_MS + ms);
      assert.equal(next.alarm, alarm, `${news} after ${ms}`);
      state = next.state;
    }
  });
});

describe("a letter that waited", () => {
  const edge = { eventId: "cup", event: "Cup", ladder: "public", at: at(HOUR_MS) };
  const late = FIXED.mail_late_h * HOUR_MS;
  it("of an event is late once the event is there, another one after three days", () => {
    const opens: MailNotice = { kind: "event_opens", data: edge };
    assert.equal(isLate(opens, NOW, at(HOUR_MS - 1)), false);
    assert.equal(isLate(opens, NOW, at(HOUR_MS)), true);
    const welcome: MailNotice = { kind: "welcome", data: { handle: "ada" } };
    assert.equal(isLate(welcome, NOW, at(late)), false);
    assert.equal(isLate(welcome, NOW, at(late + 1)), true);
    const news: MailNotice = { kind: "announcement", data: { title: "x", body: "y" } };
    assert.equal(isLate(news, NOW, at(99 * late)), false);
  });
});
