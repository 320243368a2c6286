import assert from "node:assert/strict";
import { test } from "node:test";

import {
  accountApi,
  addAgentKey,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";

test("prints health, metrics and days as the server reports them", async () => {
  const api = accountApi();
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  const key = await addAgentKey(api, token);
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  try {
    api.health.recordDuration("simulation", 7000);
    api.health.countTurn("timeouts");
    const { code, out } = await runAdminInProcess(["health", "--url", url], key);
    assert.equal(code, 0);
    assert.match(out, /^matches {5}0 of 320, ticks of 1000 ms$/m);
    assert.match(out, /^turns {7}0 valid, 0 invalid, 1 timeouts, 0 disconnected$/m);
    assert.match(out, /^simulation +1 +7 +7 +7 +7 +7 +1$/m);
    assert.match(out, /^reply +0 +- +- +- +- +- +0$/m);
    const metricsText = await runAdminInProcess(["health", "--json", "--url", url], key);
    assert.equal((JSON.parse(metricsText.out) as { window_seconds: number }).window_seconds, 300);
    const metrics = await runAdminInProcess(["metrics", "--url", url], key);
    const { body } = await api.app.inject({
      url: "/api/admin/metrics",
      headers: { authorization: `Bearer ${token}` },
    });
    // The second response also counts the first request.
    const withoutRequests = (text: string) => text.replaceAll(/^bout_http_request.*\n/gm, "");
    assert.equal(withoutRequests(metrics.out), withoutRequests(body));
    const days = ["analytics", "--from", "2026-01-04", "--url", url];
    const { out: shownText } = await runAdminInProcess(days, key);
    assert.match(shownText, /^span {8}2026-01-04 to 2026-01-05, UTC$/m);
    assert.match(shownText, /^2026-01-05 +1 +0 +0 +0 +0 +0 +0 +0\nall +1 +0/m);
    const invalidRun = await runAdminInProcess(["analytics", "--to", "today", "--url", url], key);
    assert.deepEqual([invalidRun.code, invalidRun.out], [2, ""]);
  } finally {
    await api.app.close();
  }
});
