import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import {
  gotrueStub,
  STUB_KEY,
  STUB_PROJECT,
  STUB_SECRET_KEY,
  STUB_SITE,
} from "#testing/fixtures/gotrue-stub.ts";
import { stubProvider } from "#testing/fixtures/stub-provider.ts";

import { runProviderSteps } from "./gotrue-steps.ts";
import type { StepResult } from "./gotrue-steps.ts";

type StubOptions = { hookAudience?: string | null; canRotate?: boolean; allowsApikey?: boolean };

async function runStepsAgainstStub({
  hookAudience = `${STUB_SITE}/mcp`,
  canRotate = true,
  allowsApikey = true,
}: StubOptions = {}) {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  Object.assign(stub.state, { hookAudience, allowsApikey });
  const root = `${STUB_PROJECT}/auth/v1`;
  const { provider, advice } = stubProvider(stub, clock);
  const results: StepResult[] = [];
  const isComplete = await runProviderSteps(
    {
      root,
      baseUrl: STUB_SITE,
      key: STUB_KEY,
      secretKey: STUB_SECRET_KEY,
      email: "ada@example.org",
      fetch: stub.fetch,
      provider,
      rotate: canRotate ? stub.rotateKeys : null,
      wait: async (ms) => clock.advance(ms),
    },
    (result) => void results.push(result),
  );
  return { isWhole: isComplete, results, advice };
}

describe("external provider sign-in check", () => {
  it("passes with the access token hook", async () => {
    const { isWhole: isComplete, results, advice } = await runStepsAgainstStub();
    assert.deepEqual(
      results.filter(({ outcome }) => outcome !== "passed"),
      [],
    );
    assert.equal(results.length, 14);
    assert.equal(isComplete, true);
    assert.deepEqual(advice, []);
  });

  it("reports a missing hook", async () => {
    const {
      isWhole: isComplete,
      results,
      advice,
    } = await runStepsAgainstStub({ hookAudience: null });
    assert.equal(isComplete, false);
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === "failed").map(({ step }) => step),
      ["the audience hook: an app's token is for the MCP endpoint"],
    );
    assert.match(advice.join("\n"), /access token hook/);
  });

  it("reports that CORS doesn't allow the ladder's origin", async () => {
    const { isWhole: isComplete, results } = await runStepsAgainstStub({ allowsApikey: false });
    assert.equal(isComplete, false);
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === "failed").map(({ step }) => step),
      ["CORS allows the ladder's origin"],
    );
  });

  it("reports skipped steps", async () => {
    const { isWhole: isComplete, results } = await runStepsAgainstStub({ canRotate: false });
    assert.equal(isComplete, true);
    assert.equal(results.filter(({ outcome }) => outcome === "skipped").length, 1);
  });
});
