import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { MailDestination } from "#site/account/data.ts";
import { renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";

import { createAccountApi } from "./account-api.ts";
import type * as MailElsewhereFile from "./email-destination-notice.tsx";
import {
  describeCallbackError,
  formErrorForProvider,
  socialProviderName,
} from "./provider-errors.ts";
import type { ProviderError } from "./provider-errors.ts";

const { EmailDestinationNotice } = await importSiteModule<typeof MailElsewhereFile>(
  "sign-in/email-destination-notice.tsx",
);

const PROVIDER_ERROR: ProviderError = {
  message: "As it said.",
  isUnavailable: false,
  retryAfterS: null,
};

const ROWS: [fault: Partial<ProviderError>, field: string | null, words: RegExp][] = [
  [{ code: "invalid_credentials" }, "password", /Wrong email or password/],
  [{ code: "email_not_confirmed" }, "email", /isn't confirmed/],
  [{ code: "weak_password", message: "At least 8." }, "password", /^At least 8\.$/],
  [{ code: "otp_expired" }, "code", /code is wrong or has expired/],
  [{ code: "signup_disabled" }, null, /Sign-up is closed/],
  [{ status: 429, retryAfterS: 40 }, null, /Too many attempts\. Try again in 40 s\./],
  [
    { status: 429, code: "over_email_send_rate_limit" },
    null,
    /We just sent an email.* in a minute/,
  ],
  [{ status: 503, isUnavailable: true }, null, /isn't responding/],
  [{ code: "of a newer provider" }, null, /^As it said\.$/],
  [{ code: "constructor" }, null, /^As it said\.$/],
];

describe("provider error", () => {
  for (const [providerError, field, words] of ROWS)
    it(`is shown: ${words.source}`, () => {
      const refusal = formErrorForProvider({ ...PROVIDER_ERROR, ...providerError });
      assert.equal(refusal.field, field);
      assert.match(refusal.text, words);
    });

  it("has a message for a failed link, whatever the error code", () => {
    assert.match(describeCallbackError("otp_expired"), /^This link has expired/);
    assert.match(describeCallbackError("<b>of a stranger</b>"), /^Sign-in failed/);
  });
});

it("gives social providers their usual names", () => {
  assert.deepEqual(["github", "google", "my_company"].map(socialProviderName), [
    "GitHub",
    "Google",
    "My company",
  ]);
});

it("says where emails are if the server doesn't send them", () => {
  const words = (mail: MailDestination) =>
    renderHtml(EmailDestinationNotice, { destination: mail });
  assert.equal(words("sent"), "");
  assert.match(words("terminal"), /in the server's terminal.*outbox\.jsonl/);
  assert.match(words("operator"), /Ask its operator/);
});

describe("account API requests", () => {
  it("aren't sent without a session or while the provider is unavailable", async () => {
    const asking = (formRefusal: "out" | "away") =>
      createAccountApi({ token: async () => formRefusal, renewSession: async () => false })(
        "GET",
        "/api/account",
      );
    const codes = await Promise.all([asking("out"), asking("away")]);
    assert.deepEqual(
      codes.map((response) => ("refusal" in response ? response.refusal.code : "asked")),
      ["out", "auth_unavailable"],
    );
  });
});
