import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/util/time.ts";
import type { TurnStats } from "#core/ladder/version-health.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { canWarn, warningEmail } from "./admin-warning.ts";
import { healthEmail } from "./bot-health.ts";
import type { BotHealthCheck } from "./bot-health.ts";
import { createDelivery } from "./due-email.ts";
import type { EmailNotification } from "./email-notification.ts";
import { awardEmail, reminderMark, dueReminders, reminderEmail } from "./event-emails.ts";
import { onboardingEmails } from "./onboarding.ts";
import { isTooLate } from "./skip-reason.ts";
import { nextAlarmState, NO_ALARM } from "./store-alarm.ts";
import type { StoreStatus } from "./store-alarm.ts";
import { digestEmail, digestWeek } from "./weekly-digest.ts";

const ADA = "01900000-0000-7000-8000-000000000001";
const NOW = "2026-11-25T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const at = (ms: number) => new Date(NOW_MS + ms).toISOString();

describe("a new account", () => {
  it("gets a welcome email immediately and instructions three days later", () => {
    const emails = onboardingEmails({ accountId: ADA, handle: "ada" }, NOW);
    assert.deepEqual(
      emails.map(({ subject, notice, due }) => [subject, notice.kind, due]),
      [
        ["welcome", "welcome", NOW],
        ["first match", "first_match", "2026-11-28T12:00:00.000Z"],
      ],
    );
    const row = createDelivery(emails[0]!, NOW, () => "id");
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
    dueReminders([{ ...EVENT, ...changes }], NOW_MS + ms).map(({ kind }) => kind);

  it("gets a reminder one day before it opens and one day before it closes", () => {
    assert.deepEqual(kinds({}, -1), []);
    assert.deepEqual(kinds({}), ["event_opens"]);
    assert.deepEqual(kinds({}, DAY_MS - 1), ["event_opens"]);
    assert.deepEqual(kinds({}, DAY_MS), []);
    assert.deepEqual(kinds({}, 3 * DAY_MS), ["event_closes"]);
    assert.deepEqual(kinds({}, 4 * DAY_MS), []);
    assert.deepEqual(kinds({ enabled: false }), []);
  });

  it("gets no closing reminder if it's shorter than the lead time", () => {
    const closesAt = at(DAY_MS + 3 * HOUR_MS);
    for (let ms = 0; ms < 2 * DAY_MS; ms += HOUR_MS)
      assert.ok(!kinds({ closesAt }, ms).includes("event_closes"));
  });

  it("keeps its subject but changes its mark when rescheduled", () => {
    const [first] = dueReminders([EVENT], NOW_MS);
    const [moved] = dueReminders([{ ...EVENT, opensAt: at(HOUR_MS) }], NOW_MS);
    assert.equal(reminderEmail(first!, ADA, NOW).subject, reminderEmail(moved!, ADA, NOW).subject);
    assert.notEqual(reminderMark(first!), reminderMark(moved!));
  });

  it("names the bot that earned an achievement, and sends nothing for a removed achievement", () => {
    const condition = { kind: "games", count: 1 } as const;
    const achievements = [{ id: "one", name: "First", description: "", condition }];
    const event = { ...EVENT, achievements };
    const fact = { accountId: ADA, botId: "b", earnedAt: NOW, evidence: [] };
    const email = awardEmail(event, { ...fact, achievementId: "one" }, { bot: "Rex", at: NOW });
    assert.deepEqual(email?.notice.data, {
      eventId: "cup",
      event: "Cup",
      achievement: "First",
      bot: "Rex",
      earnedAt: NOW,
    });
    assert.equal(
      awardEmail(event, { ...fact, achievementId: "gone" }, { bot: "Rex", at: NOW }),
      null,
    );
  });
});

const TURN_STATS: TurnStats = {
  matches: 20,
  turns: 1000,
  idles: {},
  refusedTurns: 0,
  refused: {},
  disconnects: 0,
  disqualifications: 0,
  replies: null,
};
const UNHEALTHY_EMAIL = {
  kind: "bot_unwell",
  created: at(-2 * DAY_MS),
  state: "accepted",
} as const;
const RECOVERY_EMAIL = { ...UNHEALTHY_EMAIL, kind: "bot_well" } as const;

describe("a bot", () => {
  const emailFor = (figures: Partial<TurnStats> | null, last: BotHealthCheck["lastEmail"] = null) =>
    healthEmail(
      {
        accountId: ADA,
        bot: { id: "bot", name: "Rex" },
        version: "v1",
        turnStats: figures && { ...TURN_STATS, ...figures },
        lastEmail: last,
      },
      NOW,
    )?.notice.kind ?? null;
  const cases: [string, ReturnType<typeof emailFor>, EmailNotification["kind"] | null][] = [
    ["that is healthy", emailFor({}), null],
    ["whose newest version has not played", emailFor(null, UNHEALTHY_EMAIL), null],
    ["with two disqualifications", emailFor({ disqualifications: 2 }), null],
    ["with three", emailFor({ disqualifications: 3 }), "bot_unwell"],
    ["with less than a fifth of its turns idle", emailFor({ idles: { late: 199 } }), null],
    ["with a fifth", emailFor({ idles: { late: 150, crash: 50 } }), "bot_unwell"],
    ["with a fifth of its turns refused", emailFor({ refusedTurns: 200 }), "bot_unwell"],
    ["after two bad matches", emailFor({ matches: 2, refusedTurns: 900 }), null],
    ["that is still unhealthy", emailFor({ disqualifications: 9 }, UNHEALTHY_EMAIL), null],
    ["that is unhealthy again", emailFor({ disqualifications: 9 }, RECOVERY_EMAIL), "bot_unwell"],
    ["that has recovered", emailFor({}, UNHEALTHY_EMAIL), "bot_well"],
    ["that stays healthy", emailFor({}, RECOVERY_EMAIL), null],
    ["with too few matches", emailFor({ matches: 2 }, UNHEALTHY_EMAIL), null],
    ["whose email was not delivered", emailFor({}, { ...UNHEALTHY_EMAIL, state: "failed" }), null],
    [
      "that changed on the same day",
      emailFor({}, { ...UNHEALTHY_EMAIL, created: at(-HOUR_MS) }),
      null,
    ],
  ];
  for (const [name, kind, expected] of cases)
    it(`${name}: ${expected ?? "nothing"}`, () => assert.equal(kind, expected));

  it("gets at most one email a day", () => {
    const days = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean()), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(days, (checks) => {
        let last: BotHealthCheck["lastEmail"] = null;
        let now = NOW_MS;
        const subjects: string[] = [];
        for (const [hours, isBad] of checks) {
          now += hours * HOUR_MS;
          const instant = new Date(now).toISOString();
          const figures = { ...TURN_STATS, disqualifications: isBad ? 3 : 0 };
          const check = {
            accountId: ADA,
            bot: { id: "bot", name: "Rex" },
            version: "v1",
            lastEmail: last,
          };
          const email = healthEmail({ ...check, turnStats: figures }, instant);
          if (email === null) continue;
          assert.notEqual(email.notice.kind, last?.kind ?? "bot_well");
          last = { kind: email.notice.kind, created: instant, state: "accepted" };
          subjects.push(email.subject);
        }
        assert.equal(new Set(subjects).size, subjects.length);
      }),
    );
  });
});

describe("a digest", () => {
  it("covers the previous week and is due for two days from Monday 09:00 UTC", () => {
    const monday = Date.parse("2026-11-23T00:00:00.000Z");
    const week = { from: "2026-11-16", to: "2026-11-22", end: "2026-11-23T00:00:00.000Z" };
    assert.equal(digestWeek(monday + 9 * HOUR_MS - 1), null);
    assert.deepEqual(digestWeek(monday + 9 * HOUR_MS), week);
    assert.deepEqual(digestWeek(monday + (9 + FIXED_LIMITS.digest_h) * HOUR_MS), week);
    assert.equal(digestWeek(monday + (9 + FIXED_LIMITS.digest_h) * HOUR_MS + 1), null);
  });

  it("includes bots with rated matches, and is null if there are none", () => {
    const week = { from: "2026-11-16", to: "2026-11-22", end: NOW };
    const idleBot = { bot: "Two", games: 0, wins: 0, draws: 0, losses: 0 };
    const activeBot = { bot: "Rex", games: 2, wins: 1, draws: 0, losses: 1 };
    assert.equal(digestEmail(week, ADA, [idleBot], NOW), null);
    const email = digestEmail(week, ADA, [idleBot, activeBot], NOW);
    assert.deepEqual(email?.notice.data, { from: week.from, to: week.to, bots: [activeBot] });
  });
});

describe("admins", () => {
  it("get one warning of each kind per hour", () => {
    assert.equal(canWarn(null, NOW_MS), true);
    assert.equal(canWarn(NOW, NOW_MS + HOUR_MS - 1), false);
    assert.equal(canWarn(NOW, NOW_MS + HOUR_MS), true);
    const data = { warning: "engine_fault", at: NOW, about: "match x" } as const;
    assert.equal(
      warningEmail(data, ADA, NOW).subject,
      warningEmail(data, ADA, at(59 * MINUTE_MS)).subject,
    );
  });

  it("are alerted to a full disk immediately, and to an unreachable store after a minute", () => {
    const steps: [number, StoreStatus, ReturnType<typeof nextAlarmState>["alarm"]][] = [
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
    let state = NO_ALARM;
    for (const [ms, news, alarm] of steps) {
      const next = nextAlarmState(state, news, NOW_MS + ms);
      assert.equal(next.alarm, alarm, `${news} after ${ms}`);
      state = next.state;
    }
  });
});

describe("a delayed email", () => {
  const boundary = { eventId: "cup", event: "Cup", ladder: "public", at: at(HOUR_MS) };
  const late = FIXED_LIMITS.mail_late_h * HOUR_MS;
  it("expires when its event starts, and otherwise after three days", () => {
    const opens: EmailNotification = { kind: "event_opens", data: boundary };
    assert.equal(isTooLate(opens, NOW, at(HOUR_MS - 1)), false);
    assert.equal(isTooLate(opens, NOW, at(HOUR_MS)), true);
    const welcome: EmailNotification = { kind: "welcome", data: { handle: "ada" } };
    assert.equal(isTooLate(welcome, NOW, at(late)), false);
    assert.equal(isTooLate(welcome, NOW, at(late + 1)), true);
    const news: EmailNotification = { kind: "announcement", data: { title: "x", body: "y" } };
    assert.equal(isTooLate(news, NOW, at(99 * late)), false);
  });
});
