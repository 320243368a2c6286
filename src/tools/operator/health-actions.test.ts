// What operators ask about how the server does, at a terminal.
import assert from "node:assert/strict";
import { test } from "node:test";

import { accountApi, addAgentKey, addPerson, promote } from "#testing/fixtures/account-api.ts";
import { runAdminHere } from "#testing/fixtures/admin-run.ts";

test("health, metrics and days are shown as the ladder tells them", async () => {
  const api = accountApi();
  const { token, account } = await addPerson(api, "grace");
  await promote(api, account);
  const key = await addAgentKey(api, token);
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  try {
    api.health.time("simulation", 7000);
    api.health.turn("timeouts");
    const { code, out } = await runAdminHere(["health", "--url", url], key);
    assert.equal(code, 0);
    assert.match(out, /^matches {5}0 of 320, ticks of 1000 ms$/m);
    assert.match(out, /^turns {7}0 valid, 0 invalid, 1 timeouts, 0 disconnected$/m);
    assert.match(out, /^simulation +1 +7 +7 +7 +7 +7 +1$/m);
    assert.match(out, /^reply +0 +- +- +- +- +- +0$/m);
    const raw = await runAdminHere(["health", "--json", "--url", url], key);
    assert.equal((JSON.parse(raw.out) as { window_seconds: number }).window_seconds, 300);
    const metrics = await runAdminHere(["metrics", "--url", url], key);
    const { body } = await api.app.inject({
      url: "/api/admin/metrics",
      headers: { authorization: `Bearer ${token}` },
    });
    // The second request counts the first.
    const withoutRequests = (text: string) => text.replaceAll(/^bout_http_request.*\n/gm, "");
    assert.equal(withoutRequests(metrics.out), withoutRequests(body));
    const days = ["analytics", "--from", "2026-01-04", "--url", url];
    const { out: shown } = await runAdminHere(days, key);
    assert.match(shown, /^span {8}2026-01-04 to 2026-01-05, UTC$/m);
    assert.match(shown, /^2026-01-05 +1 +0 +0 +0 +0 +0 +0 +0\nall +1 +0/m);
    const wrong = await runAdminHere(["analytics", "--to", "today", "--url", url], key);
    assert.deepEqual([wrong.code, wrong.out], [2, ""]);
  } finally {
    await api.app.close();
  }
});
