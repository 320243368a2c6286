import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import {
  accountApi,
  addAgentKey,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { runAdminInProcess } from "#testing/fixtures/run-admin-in-process.ts";

describe("bout admin announcements", () => {
  let api: AccountApi;
  let run: (...args: string[]) => ReturnType<typeof runAdminInProcess>;
  before(async () => {
    api = accountApi();
    const grace = await signUpAccount(api, "grace");
    await makeAdmin(api, grace.account);
    const key = await addAgentKey(api, grace.token);
    const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
    run = (...args) => runAdminInProcess(["announcements", ...args, "--url", url], key);
  });
  after(() => api.app.close());

  it("drafts, shows, changes, publishes, archives and deletes an announcement", async () => {
    assert.equal((await run()).out, "No announcements yet.\n");
    const draftOutput = await run("draft", "New maps\u202e", "Two of them.\n\u0085<b>Play!</b>");
    assert.match(draftOutput.out, /\nstate {7}draft\n/);
    assert.match(
      draftOutput.out,
      /\nchannels {4}in_game\naudience {4}1 accounts: 1 subscribed, 0 not/,
    );
    assert.match(draftOutput.out, /\n\nTwo of them\.\n\\u0085<b>Play!<\/b>\n$/);
    const [draft] = await api.store.announcements.list(1);
    const { id } = draft!;
    assert.match((await run("list")).out, new RegExp(`\n${id} {2}draft {2}2026.* - .*New maps`));
    const publishPrompt = await run("publish", id);
    assert.match(
      publishPrompt.err,
      /Publishes the announcement to all recipients: .*To confirm, add --yes/,
    );
    assert.match((await run("publish", id, "--yes")).out, /\nstate {7}published\n/);
    assert.match((await run("edit", id, "Maps", "Three.")).out, /\n\nMaps\n\nThree\.\n$/);
    assert.match((await run("show", id)).out, /\nMaps\n\nThree\.\n$/);
    assert.match((await run("archive", id)).out, /\nstate {7}archived\n/);
    const refusal = await run("edit", id, "Maps", "Four.");
    assert.match(refusal.err, /\(409 announcement_archived\)\n$/);
    assert.equal((await run("delete", id, "--yes")).out, `The announcement ${id} is deleted.\n`);
    assert.match((await run("show", id)).err, /\(404\)\n$/);
  });

  it("accepts the ladder's channel names", async () => {
    const invalidRun = await run("draft", "Title", "Text", "--channels", "radio");
    assert.match(invalidRun.err, /in_game, email or both/);
    const mail = await run("draft", "Title", "Text", "--channels", "in_game,email");
    assert.match(mail.out, /in_game, email/);
    const id = /id +(\S+)/.exec(mail.out)?.[1] ?? "";
    assert.match((await run("retry", id)).out, /^Failed emails to send again: 0\.\n/);
  });
});
