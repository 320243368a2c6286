import assert from "node:assert/strict";
import { it } from "node:test";

import { readMailStep } from "./mail-step.ts";

const ROOT = "/auth/v1";

it("leads to the provider with what a mail's link says, and nothing else", () => {
  const back = "https://ladder.example/account?a=b&c=d";
  const whole = new URLSearchParams({ token: "pkce_x&y", type: "signup", redirect_to: back });
  const step = readMailStep(`#${whole}&token=second&host=evil.example`, ROOT);
  assert.equal(step?.purpose, "signup");
  assert.equal(step.path, `/auth/v1/verify?${whole}`);
});

it("leads nowhere with a link that is not whole, or for a purpose that no mail has", () => {
  for (const fragment of ["", "#", "#token=", "#token=x", "#type=signup", "#token=x&type=invite"])
    assert.equal(readMailStep(fragment, ROOT), null, fragment);
  for (const type of ["recovery", "email_change"])
    assert.equal(
      readMailStep(`#token=x&type=${type}`, ROOT)?.path,
      `${ROOT}/verify?token=x&type=${type}`,
    );
});
