import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { DAY_MS } from "#base/util/time.ts";
import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import {
  DELIVERY_STATES,
  MAIL_CATEGORIES,
  canTransition,
  acceptsEmail,
  optOut,
} from "./delivery.ts";
import { detectIncident } from "./incident.ts";
import { skipReason } from "./skip-reason.ts";
import type { EmailRecipient } from "./skip-reason.ts";
import { parseUnsubscribePayload, unsubscribePayload } from "./unsubscribe.ts";

const ACCOUNT = "01900000-0000-7000-8000-000000000001";
const NOW_MS = Date.parse("2026-11-23T12:00:00.000Z");

describe("a delivery", () => {
  it("is never resent automatically after it has been handed over to the mail server", () => {
    const allowedTransitions = DELIVERY_STATES.flatMap((from) =>
      DELIVERY_STATES.filter((to) => canTransition(from, to)).map((to) => `${from} ${to}`),
    );
    assert.deepEqual(allowedTransitions, [
      "pending sending",
      "pending skipped",
      "sending accepted",
      "sending failed",
      "sending unknown",
      "failed pending",
    ]);
  });

  it("turns off one category and keeps the other categories", () => {
    for (const refusedCategory of MAIL_CATEGORIES) {
      const settings = optOut(DEFAULT_EMAIL_SETTINGS, refusedCategory);
      for (const category of MAIL_CATEGORIES) {
        const expected =
          category !== refusedCategory && acceptsEmail(DEFAULT_EMAIL_SETTINGS, category);
        assert.equal(
          acceptsEmail(settings, category),
          expected,
          `${category} without ${refusedCategory}`,
        );
      }
    }
  });
});

describe("a reader", () => {
  const confirmedAt = "2026-11-01T00:00:00.000Z";
  const recipient: EmailRecipient = {
    email: "ada@example.org",
    emailConfirmedAt: confirmedAt,
    bannedAt: null,
    mail: DEFAULT_EMAIL_SETTINGS,
    refusals: null,
  };
  const count = FIXED_LIMITS.mail_refusals;
  const cases: [string, Partial<EmailRecipient>, ReturnType<typeof skipReason>][] = [
    ["an unchanged account", {}, null],
    ["a banned account", { bannedAt: confirmedAt }, "banned"],
    ["an account without an address", { email: null }, "no_address"],
    ["an account with an unconfirmed address", { emailConfirmedAt: null }, "no_address"],
    [
      "an account that opted out",
      { mail: optOut(DEFAULT_EMAIL_SETTINGS, "achievements") },
      "opted_out",
    ],
    ["an account refused often", { refusals: { confirmedAt, count } }, "refused_before"],
    ["an account refused less often", { refusals: { confirmedAt, count: count - 1 } }, null],
    [
      "an account that has confirmed again",
      { refusals: { confirmedAt: "2026-10-01", count: 99 } },
      null,
    ],
  ];
  for (const [name, changes, skip] of cases)
    it(`has a skip reason for ${name}: ${skip ?? "nothing"}`, () => {
      assert.equal(skipReason({ ...recipient, ...changes }, "achievements"), skip);
    });
});

describe("an incident", () => {
  const failures = Array.from({ length: FIXED_LIMITS.mail_failures }, (_, at) =>
    at % 2 === 0 ? ("failed" as const) : ("unknown" as const),
  );
  it("pauses only the refused scope", () => {
    const login = { scope: "*", cause: "login_refused" };
    assert.deepEqual(detectIncident("achievements", "login", ["failed"], []), login);
    const sender = { scope: "achievements", cause: "sender_refused" };
    assert.deepEqual(detectIncident("achievements", "sender", failures, []), sender);
    assert.equal(detectIncident("achievements", "recipient", ["failed"], [1]), null);
  });

  it("pauses all optional email after too many consecutive failures", () => {
    const run = { scope: "*", cause: "many_failures" };
    assert.deepEqual(detectIncident("achievements", null, failures, []), run);
    assert.equal(detectIncident("achievements", "recipient", failures, [1]), null);
    assert.equal(detectIncident("achievements", null, failures.slice(1), []), null);
    assert.equal(
      detectIncident("achievements", null, [...failures.slice(1), "accepted"], []),
      null,
    );
  });
});

describe("consecutive refused recipients", () => {
  const most = FIXED_LIMITS.mail_refused_row;
  const cases: [string, number[], boolean][] = [
    ["of many accounts", Array.from({ length: most }, () => 1), true],
    ["of two accounts", [most - 1, 1], true],
    ["of one account", [most], false],
    ["that are too few", [most - 2, 1], false],
  ];
  for (const [description, refusals, opensIncident] of cases)
    it(`${description} ${opensIncident ? "open" : "don't open"} an incident`, () => {
      const incident = { scope: "*", cause: "recipients_refused" };
      const opened = detectIncident("achievements", "recipient", [], refusals);
      assert.deepEqual(opened, opensIncident ? incident : null);
    });
});

describe("an unsubscribe link", () => {
  it("can be parsed until it expires", () => {
    for (const category of MAIL_CATEGORIES) {
      const meant = { accountId: ACCOUNT, category };
      const text = unsubscribePayload(meant, NOW_MS);
      const endMs = NOW_MS + FIXED_LIMITS.unsubscribe_days * DAY_MS;
      assert.deepEqual(parseUnsubscribePayload(text, endMs - 1), meant);
      assert.equal(parseUnsubscribePayload(text, endMs), null);
    }
  });

  it("is null for any other text", () => {
    for (const text of ["", ACCOUNT, `${ACCOUNT} spam 99999999999999`, `x achievements 9e99`])
      assert.equal(parseUnsubscribePayload(text, NOW_MS), null, text);
    fc.assert(fc.property(fc.string(), (text) => parseUnsubscribePayload(text, NOW_MS) === null));
  });
});
