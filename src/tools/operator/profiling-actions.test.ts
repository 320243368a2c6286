// Profiling at a terminal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Value } from "typebox/value";

import { CpuProfileSchema } from "#core/operator/clean-profile.ts";
import { accountApi, addAgentKey, addPerson, promote } from "#testing/fixtures/account-api.ts";
import { runAdminHere } from "#testing/fixtures/admin-run.ts";
import { testProfiling } from "#testing/fixtures/test-profiling.ts";

test("a capture is started, followed and downloaded, and figures are shown", async () => {
  const profiling = await testProfiling();
  const api = accountApi({}, { profiling });
  const { token, account } = await addPerson(api, "grace");
  await promote(api, account);
  const key = await addAgentKey(api, token);
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  const admin = (...words: string[]) => runAdminHere(["profiling", ...words, "--url", url], key);
  try {
    const started = await admin("start", "slow evening", "--seconds", "60");
    assert.match(started.out, /^label +slow evening\nstate +recording$/m);
    const id = /^id +(\S+)$/m.exec(started.out)?.[1] ?? "";
    const again = await admin("start", "another", "--seconds", "0.2");
    assert.match(again.err, /\(409 capture_running\)\n$/);
    profiling.end();
    while (!/^state +ready$/m.test((await admin("capture", id)).out)) await pause(20);
    assert.match((await admin("capture", id)).out, /^size +\d+ bytes$/m);
    const { out } = await admin("download", id);
    assert.ok(Value.Check(CpuProfileSchema, JSON.parse(out)));
    const shown = await admin();
    assert.match(shown.out, /^processor +[\d.]+ ms, [\d.]+ ms system$/m);
    assert.match(shown.out, /^POST \/api\/admin\/profiling\/captures +2 /m);
    assert.match(shown.out, new RegExp(`^${id} +\\S+ +ready +slow evening$`, "m"));
    for (const seconds of ["61", "0.01", "x"])
      assert.equal((await admin("start", "x", "--seconds", seconds)).code, 2);
  } finally {
    await profiling.stop();
    await api.app.close();
  }
});
