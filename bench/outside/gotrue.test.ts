// The same steps as against a running provider, against a stub that answers as GoTrue is recorded to
// answer.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import {
  gotrueStub,
  STUB_KEY,
  STUB_PROJECT,
  STUB_SECRET_KEY,
  STUB_SITE,
  stubProvider,
} from "#testing/fixtures/gotrue-stub.ts";

import { walkThrough } from "./gotrue-steps.ts";
import type { StepResult } from "./gotrue-steps.ts";

async function walkThroughStub(hookAudience: string | null, canRotate = true) {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  stub.state.hookAudience = hookAudience;
  const root = `${STUB_PROJECT}/auth/v1`;
  const { provider, advice } = stubProvider(stub, clock);
  const results: StepResult[] = [];
  const isWhole = await walkThrough(
    {
      root,
      key: STUB_KEY,
      secretKey: STUB_SECRET_KEY,
      email: "ada@example.org",
      fetch: stub.fetch,
      provider,
      rotate: canRotate ? stub.rotate : null,
      wait: async (ms) => clock.pass(ms),
    },
    (result) => void results.push(result),
  );
  return { isWhole, results, advice };
}

describe("the way through an outside provider", () => {
  it("is whole with the access token hook", async () => {
    const { isWhole, results, advice } = await walkThroughStub(`${STUB_SITE}/mcp`);
    assert.deepEqual(
      results.filter(({ outcome }) => outcome !== "passed"),
      [],
    );
    assert.equal(results.length, 12);
    assert.equal(isWhole, true);
    assert.deepEqual(advice, []);
  });

  it("shows that the hook is missing, and says so", async () => {
    const { isWhole, results, advice } = await walkThroughStub(null);
    assert.equal(isWhole, false);
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === "failed").map(({ step }) => step),
      ["the audience hook: a program's token is for the MCP endpoint"],
    );
    assert.match(advice.join("\n"), /access token hook/);
  });

  it("says what it could not try", async () => {
    const { isWhole, results } = await walkThroughStub(`${STUB_SITE}/mcp`, false);
    assert.equal(isWhole, true);
    assert.equal(results.filter(({ outcome }) => outcome === "skipped").length, 1);
  });
});
