import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { DAY_MS } from "#base/units/time.ts";
import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import { FIXED } from "#core/words/limits.ts";

import { DELIVERY_STATES, MAIL_CATEGORIES, mayBecome, wantsMail, withoutMail } from "./delivery.ts";
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
    assert.deepEqual(incidentAfter("achievements", "login", ["failed"], []), login);
    const sender = { scope: "achievements", cause: "sender_refused" };
    assert.deepEqual(incidentAfter("achievements", "sender", failures, []), sender);
    assert.equal(incidentAfter("achievements", "recipient", ["failed"], [1]), null);
  });

  it("stops everything after so many in a row, none of which arrived", () => {
    const run = { scope: "*", cause: "many_failures" };
    assert.deepEqual(incidentAfter("achievements", null, failures, []), run);
    assert.equal(incidentAfter("achievements", "recipient", failures, [1]), null);
    assert.equal(incidentAfter("achievements", null, failures.slice(1), []), null);
    assert.equal(incidentAfter("achievements", null, [...failures.slice(1), "accepted"], []), null);
  });
});

describe("refused recipients in a row", () => {
  const most = FIXED.mail_refused_row;
  const cases: [string, number[], boolean][] = [
    ["of many accounts", Array.from({ length: most }, () => 1), true],
    ["of two accounts", [most - 1, 1], true],
    ["of one account", [most], false],
    ["that are few", [most - 2, 1], false],
  ];
  for (const [what, refusals, isFault] of cases)
    it(`${what} ${isFault ? "open" : "don't open"} an incident`, () => {
      const incident = { scope: "*", cause: "recipients_refused" };
      const opened = incidentAfter("achievements", "recipient", [], refusals);
      assert.deepEqual(opened, isFault ? incident : null);
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
