import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Value } from "typebox/value";

import { CpuProfileSchema } from "#core/api/clean-profile.ts";
import {
  accountApi,
  addAgentKey,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";
import { testProfiling } from "#testing/fixtures/test-profiling.ts";

test("starts, shows and downloads a capture, and shows figures", async () => {
  const profiling = await testProfiling();
  const api = accountApi({}, { profiling });
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  const key = await addAgentKey(api, token);
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  const admin = (...outputWords: string[]) =>
    runAdminInProcess(["profiling", ...outputWords, "--url", url], key);
  try {
    const started = await admin("start", "slow evening", "--seconds", "60");
    assert.match(started.out, /^label +slow evening\nstate +recording$/m);
    const id = /^id +(\S+)$/m.exec(started.out)?.[1] ?? "";
    const secondRun = await admin("start", "another", "--seconds", "0.2");
    assert.match(secondRun.err, /\(409 capture_running\)\n$/);
    profiling.endCapture();
    while (!/^state +ready$/m.test((await admin("capture", id)).out)) await pause(20);
    assert.match((await admin("capture", id)).out, /^size +\d+ bytes$/m);
    const { out } = await admin("download", id);
    assert.ok(Value.Check(CpuProfileSchema, JSON.parse(out)));
    const shownText = await admin();
    assert.match(shownText.out, /^processor +[\d.]+ ms, [\d.]+ ms system$/m);
    assert.match(shownText.out, /^POST \/api\/admin\/profiling\/captures +2 /m);
    assert.match(shownText.out, new RegExp(`^${id} +\\S+ +ready +slow evening$`, "m"));
    for (const seconds of ["61", "0.01", "x"])
      assert.equal((await admin("start", "x", "--seconds", seconds)).code, 2);
  } finally {
    await profiling.stop();
    await api.app.close();
  }
});
