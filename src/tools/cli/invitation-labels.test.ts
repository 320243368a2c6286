import assert from "node:assert/strict";
import { after, it } from "node:test";

import {
  accountApi,
  addAgentKey,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";

it("labels one invitation, or one for each label in a list", async () => {
  const api = accountApi();
  after(() => api.app.close());
  const grace = await signUpAccount(api, "grace");
  await makeAdmin(api, grace.account);
  const key = await addAgentKey(api, grace.token);
  const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
  const ladders = (...args: string[]) => runAdminInProcess(["ladders", ...args, "--url", url], key);
  const invite = (...args: string[]) => ladders("invite", "cup", ...args);
  await ladders("add", "cup", "Cup");

  const batch = await invite("--labels", "Team A, Team B");
  assert.match(batch.out, /^http\S+ Team A\nhttp\S+ Team B\n$/);
  assert.match((await invite("grace", "--label", "Team C")).out, /^Invitation .*\nbout_invite_/);
  const { out } = await ladders("show", "cup");
  assert.match(out, /\nINVITATION +LABEL +FOR +UNTIL \(UTC\) +STATE\n/);
  for (const row of ["Team A +anybody", "Team B +anybody", "Team C +grace"])
    assert.match(out, new RegExp(` ${row} .* open\n`), row);

  for (const [args, error] of [
    [["--labels", "a", "--count", "1"], /Leave out --count/],
    [["--label", "a", "--count", "2"], /--label can't be used with --count/],
    [["--label", "a", "--labels", "b"], /--label can't be used with --labels/],
    [["grace", "--labels", "a"], /can't be made with --labels/],
    [["--labels", "a,,b"], /1 to 100 comma-separated labels/],
  ] as const)
    assert.match((await invite(...args)).err, error);
  assert.equal((await api.store.invitations.list("cup")).length, 3, "no others");
});
