import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { DAY_MS, HOUR_MS } from "#base/units/time.ts";
import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import { FIXED } from "#core/words/limits.ts";

import { failedPercent, healthNews, isUnwell } from "./bot-health.ts";
import type { HealthSums } from "./bot-health.ts";
import { DELIVERY_STATES, MAIL_CATEGORIES, mayBecome, wantsMail, withoutMail } from "./delivery.ts";
import { edgesAhead, isDigestFresh, lastDigestMs } from "./due.ts";
import { skipOf } from "./gate.ts";
import type { MailReader } from "./gate.ts";
import { incidentAfter } from "./incident.ts";
import { readUnsubscribePayload, unsubscribePayload } from "./unsubscribe.ts";

const ACCOUNT = "01900000-0000-7000-8000-000000000001";
const NOW_MS = Date.parse("2026-11-23T12:00:00.000Z");

describe("a delivery", () => {
  it("is never sent again by itself once it was handed over", () => {
    const allowed = DELIVERY_STATES.flatMap((from) =>
      DELIVERY_STATES.filter((to) => mayBecome(from, to)).map((to) => `${from} ${to}`),
    );
    assert.deepEqual(allowed, [
      "pending sending",
      "pending skipped",
      "sending accepted",
      "sending failed",
      "sending unknown",
      "failed pending",
    ]);
  });

  it("of a category that was refused is not wanted, and all others are as before", () => {
    for (const refused of MAIL_CATEGORIES) {
      const choice = withoutMail(DEFAULT_MAIL, refused);
      for (const category of MAIL_CATEGORIES) {
        const wanted = category !== refused && wantsMail(DEFAULT_MAIL, category);
        assert.equal(wantsMail(choice, category), wanted, `${category} without ${refused}`);
      }
    }
  });
});

describe("a reader", () => {
  const confirmedAt = "2026-11-01T00:00:00.000Z";
  const reader: MailReader = {
    email: "ada@example.org",
    emailConfirmedAt: confirmedAt,
    bannedAt: null,
    mail: DEFAULT_MAIL,
    refusals: null,
  };
  const count = FIXED.mail_refusals;
  const cases: [string, Partial<MailReader>, ReturnType<typeof skipOf>][] = [
    ["as they should be", {}, null],
    ["who is banned", { bannedAt: confirmedAt }, "banned"],
    ["without an address", { email: null }, "no_address"],
    ["whose address is not confirmed", { emailConfirmedAt: null }, "no_address"],
    ["who opted out", { mail: withoutMail(DEFAULT_MAIL, "achievements") }, "opted_out"],
    ["refused often", { refusals: { confirmedAt, count } }, "refused_before"],
    ["refused less often", { refusals: { confirmedAt, count: count - 1 } }, null],
    ["who confirmed since", { refusals: { confirmedAt: "2026-10-01", count: 99 } }, null],
  ];
  for (const [name, changes, skip] of cases)
    it(`${name} is skipped for ${skip ?? "nothing"}`, () => {
      assert.equal(skipOf({ ...reader, ...changes }, "achievements"), skip);
    });
});

describe("an incident", () => {
  const failures = Array.from({ length: FIXED.mail_failures }, (_, at) =>
    at % 2 === 0 ? ("failed" as const) : ("unknown" as const),
  );
  it("stops what was refused, and no more", () => {
    const login = { scope: "*", cause: "login_refused" };
    assert.deepEqual(incidentAfter("achievements", "login", ["failed"]), login);
    const sender = { scope: "achievements", cause: "sender_refused" };
    assert.deepEqual(incidentAfter("achievements", "sender", failures), sender);
    assert.equal(incidentAfter("achievements", "recipient", ["failed"]), null);
  });

  it("stops everything after so many in a row, none of which arrived", () => {
    const run = { scope: "*", cause: "many_failures" };
    assert.deepEqual(incidentAfter("achievements", null, failures), run);
    assert.equal(incidentAfter("achievements", null, failures.slice(1)), null);
    assert.equal(incidentAfter("achievements", null, [...failures.slice(1), "accepted"]), null);
  });
});

describe("what an unsubscribe link says", () => {
  it("reads as it was written, until it runs out", () => {
    for (const category of MAIL_CATEGORIES) {
      const meant = { accountId: ACCOUNT, category };
      const text = unsubscribePayload(meant, NOW_MS);
      const endMs = NOW_MS + FIXED.unsubscribe_days * DAY_MS;
      assert.deepEqual(readUnsubscribePayload(text, endMs - 1), meant);
      assert.equal(readUnsubscribePayload(text, endMs), null);
    }
  });

  it("is nothing else", () => {
    for (const text of ["", ACCOUNT, `${ACCOUNT} spam 99999999999999`, `x achievements 9e99`])
      assert.equal(readUnsubscribePayload(text, NOW_MS), null, text);
    fc.assert(fc.property(fc.string(), (text) => readUnsubscribePayload(text, NOW_MS) === null));
  });
});

describe("the health of a bot", () => {
  const sums = (changes: Partial<HealthSums>): HealthSums => ({
    matches: 20,
    turns: 100,
    failed: 0,
    disqualifications: 0,
    ...changes,
  });
  it("is bad with three disqualifications or a fifth of its turns failed", () => {
    assert.deepEqual(
      [2, 3].map((disqualifications) => isUnwell(sums({ disqualifications }))),
      [false, true],
    );
    assert.deepEqual(
      [19, 20].map((failed) => isUnwell(sums({ failed }))),
      [false, true],
    );
    assert.equal(isUnwell(sums({ turns: 0 })), false);
    assert.equal(failedPercent(sums({ turns: 3, failed: 1 })), 33);
  });

  it("is told when it changes, and at most once a day", () => {
    const [well, ill] = [sums({}), sums({ failed: 50 })];
    const told = (isUnwellThen: boolean, hoursAgo: number) => ({
      isUnwell: isUnwellThen,
      atMs: NOW_MS - hoursAgo * HOUR_MS,
    });
    assert.equal(healthNews(well, null, NOW_MS), null);
    assert.equal(healthNews(ill, null, NOW_MS), "bot_unwell");
    assert.equal(healthNews(ill, told(true, 99), NOW_MS), null);
    assert.equal(healthNews(well, told(true, 23), NOW_MS), null);
    assert.equal(healthNews(well, told(true, 24), NOW_MS), "bot_well");
    assert.equal(healthNews(ill, told(false, 24), NOW_MS), "bot_unwell");
  });
});

describe("the instants of letters", () => {
  it("a digest is of the last Monday, nine o'clock", () => {
    const cases = [
      ["2026-11-23T08:59:59.999Z", "2026-11-16T09:00:00.000Z"],
      ["2026-11-23T09:00:00.000Z", "2026-11-23T09:00:00.000Z"],
      ["2026-11-29T23:59:59.999Z", "2026-11-23T09:00:00.000Z"],
      ["2028-02-29T12:00:00.000Z", "2028-02-28T09:00:00.000Z"],
    ];
    for (const [now, digest] of cases)
      assert.equal(new Date(lastDigestMs(Date.parse(now!))).toISOString(), digest);
  });

  it("a digest that is two days late is left out", () => {
    const digest = lastDigestMs(NOW_MS);
    const lateMs = FIXED.digest_late_h * HOUR_MS;
    assert.ok(isDigestFresh(digest, digest + lateMs - 1));
    assert.ok(!isDigestFresh(digest, digest + lateMs));
  });

  it("an edge of an event is ahead for a day before it", () => {
    const window = { opensMs: NOW_MS, closesMs: NOW_MS + 12 * HOUR_MS };
    const at = (hours: number) => edgesAhead(window, NOW_MS + hours * HOUR_MS);
    assert.deepEqual(at(-25), []);
    assert.deepEqual(at(-24), ["opens"]);
    assert.deepEqual(at(-1), ["opens", "closes"]);
    assert.deepEqual(at(0), ["closes"]);
    assert.deepEqual(at(12), []);
  });
});
