import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { MailPlace } from "#site/account/data.ts";
import { htmlOf, siteModule } from "#testing/fixtures/components.ts";

import { arrivalWords, refusalOfProvider, socialName } from "./identity-words.ts";
import type { ProviderFault } from "./identity-words.ts";
import { openLadder } from "./ladder.ts";
import type * as MailElsewhereFile from "./mail-elsewhere.tsx";

const { MailElsewhere } = await siteModule<typeof MailElsewhereFile>("sign-in/mail-elsewhere.tsx");

const FAULT: ProviderFault = { message: "As it said.", isAway: false, retryAfterS: null };

const ROWS: [fault: Partial<ProviderFault>, field: string | null, words: RegExp][] = [
  [{ code: "invalid_credentials" }, "password", /Wrong email or password/],
  [{ code: "email_not_confirmed" }, "email", /not confirmed/],
  [{ code: "weak_password", message: "At least 8." }, "password", /^At least 8\.$/],
  [{ code: "otp_expired" }, "code", /code is wrong or has expired/],
  [{ code: "signup_disabled" }, null, /no new accounts/],
  [{ status: 429, retryAfterS: 40 }, null, /Too many tries\. Try again in 40 s\./],
  [{ status: 429, code: "over_email_send_rate_limit" }, null, /A mail was sent.* in a minute/],
  [{ status: 503, isAway: true }, null, /does not answer/],
  [{ code: "of a newer provider" }, null, /^As it said\.$/],
  [{ code: "constructor" }, null, /^As it said\.$/],
];

describe("what a provider refuses", () => {
  for (const [fault, field, words] of ROWS)
    it(`is said: ${words.source}`, () => {
      const refusal = refusalOfProvider({ ...FAULT, ...fault });
      assert.equal(refusal.field, field);
      assert.match(refusal.text, words);
    });

  it("has words when it comes with a link too, whatever the code", () => {
    assert.match(arrivalWords("otp_expired"), /^This link has expired/);
    assert.match(arrivalWords("<b>of a stranger</b>"), /^This sign-in did not work/);
  });
});

it("social providers have the names that people know", () => {
  assert.deepEqual(["github", "google", "my_company"].map(socialName), [
    "GitHub",
    "Google",
    "My company",
  ]);
});

it("where mails lie is said where they are not sent", () => {
  const words = (mail: MailPlace) => htmlOf(MailElsewhere, { mail });
  assert.equal(words("sent"), "");
  assert.match(words("terminal"), /on the terminal.*outbox\.jsonl/);
  assert.match(words("operator"), /operator passes/);
});

describe("asking the ladder", () => {
  it("without a session, or with a provider that is away, asks nothing", async () => {
    const asking = (found: "out" | "away") =>
      openLadder({ token: async () => found, renew: async () => false })("GET", "/api/account");
    const codes = await Promise.all([asking("out"), asking("away")]);
    assert.deepEqual(
      codes.map((answer) => ("refusal" in answer ? answer.refusal.code : "asked")),
      ["out", "auth_unavailable"],
    );
  });
});
