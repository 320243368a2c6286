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
} from "#testing/fixtures/gotrue-stub.ts";
import { stubProvider } from "#testing/fixtures/stub-provider.ts";

import { walkThrough } from "./gotrue-steps.ts";
import type { StepResult } from "./gotrue-steps.ts";

type Way = { hookAudience?: string | null; canRotate?: boolean; allowsApikey?: boolean };

async function walkThroughStub({
  hookAudience = `${STUB_SITE}/mcp`,
  canRotate = true,
  allowsApikey = true,
}: Way = {}) {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  Object.assign(stub.state, { hookAudience, allowsApikey });
  const root = `${STUB_PROJECT}/auth/v1`;
  const { provider, advice } = stubProvider(stub, clock);
  const results: StepResult[] = [];
  const isWhole = await walkThrough(
    {
      root,
      baseUrl: STUB_SITE,
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
    const { isWhole, results, advice } = await walkThroughStub();
    assert.deepEqual(
      results.filter(({ outcome }) => outcome !== "passed"),
      [],
    );
    assert.equal(results.length, 14);
    assert.equal(isWhole, true);
    assert.deepEqual(advice, []);
  });

  it("shows that the hook is missing, and says so", async () => {
    const { isWhole, results, advice } = await walkThroughStub({ hookAudience: null });
    assert.equal(isWhole, false);
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === "failed").map(({ step }) => step),
      ["the audience hook: a program's token is for the MCP endpoint"],
    );
    assert.match(advice.join("\n"), /access token hook/);
  });

  it("shows that browsers on the ladder's pages may not ask it", async () => {
    const { isWhole, results } = await walkThroughStub({ allowsApikey: false });
    assert.equal(isWhole, false);
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === "failed").map(({ step }) => step),
      ["browsers on the ladder's pages may ask it"],
    );
  });

  it("says what it could not try", async () => {
    const { isWhole, results } = await walkThroughStub({ canRotate: false });
    assert.equal(isWhole, true);
    assert.equal(results.filter(({ outcome }) => outcome === "skipped").length, 1);
  });
});
