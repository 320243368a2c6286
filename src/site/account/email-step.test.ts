import assert from "node:assert/strict";
import { it } from "node:test";

import { parseEmailStep } from "./email-step.ts";

const ROOT = "/auth/v1";

it("redirects to the provider with known parameters only", () => {
  const redirectUrl = "https://ladder.example/account?a=b&c=d";
  const fullFragment = new URLSearchParams({
    token: "pkce_x&y",
    type: "signup",
    redirect_to: redirectUrl,
  });
  const step = parseEmailStep(`#${fullFragment}&token=second&host=evil.example`, ROOT);
  assert.equal(step?.purpose, "signup");
  assert.equal(step.path, `/auth/v1/verify?${fullFragment}`);
});

it("rejects incomplete links and unknown purposes", () => {
  for (const fragment of ["", "#", "#token=", "#token=x", "#type=signup", "#token=x&type=invite"])
    assert.equal(parseEmailStep(fragment, ROOT), null, fragment);
  for (const type of ["recovery", "email_change"])
    assert.equal(
      parseEmailStep(`#token=x&type=${type}`, ROOT)?.path,
      `${ROOT}/verify?token=x&type=${type}`,
    );
});
