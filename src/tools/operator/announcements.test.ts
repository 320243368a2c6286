// Announcements at a terminal, against the ladder's own routes.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { accountApi, addAgentKey, addPerson, promote } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { runAdminHere } from "#testing/fixtures/admin-run.ts";

describe("bout admin announcements", () => {
  let api: AccountApi;
  let run: (...args: string[]) => ReturnType<typeof runAdminHere>;
  before(async () => {
    api = accountApi();
    const grace = await addPerson(api, "grace");
    await promote(api, grace.account);
    const key = await addAgentKey(api, grace.token);
    const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
    run = (...args) => runAdminHere(["announcements", ...args, "--url", url], key);
  });
  after(() => api.app.close());

  it("drafts, shows, changes, publishes, archives and deletes one", async () => {
    assert.equal((await run()).out, "There is no announcement.\n");
    const drafted = await run("draft", "New maps\u202e", "Two of them.\n\u0085<b>Play!</b>");
    assert.match(drafted.out, /\nstate {7}draft\n/);
    assert.match(drafted.out, /\nchannels {4}in_game\naudience {4}1 accounts: 1 subscribed, 0 not/);
    assert.match(drafted.out, /\n\nTwo of them\.\n\\u0085<b>Play!<\/b>\n$/);
    const [draft] = await api.store.announcements.list(1);
    const { id } = draft!;
    assert.match((await run("list")).out, new RegExp(`\n${id} {2}draft {2}2026.* - .*New maps`));
    const asked = await run("publish", id);
    assert.match(asked.err, /Tells everybody, for good: .*Say --yes/);
    assert.match((await run("publish", id, "--yes")).out, /\nstate {7}published\n/);
    assert.match((await run("edit", id, "Maps", "Three.")).out, /\n\nMaps\n\nThree\.\n$/);
    assert.match((await run("show", id)).out, /\nMaps\n\nThree\.\n$/);
    assert.match((await run("archive", id)).out, /\nstate {7}archived\n/);
    const refused = await run("edit", id, "Maps", "Four.");
    assert.match(refused.err, /\(409 announcement_archived\)\n$/);
    assert.equal((await run("delete", id, "--yes")).out, `The announcement ${id} is deleted.\n`);
    assert.match((await run("show", id)).err, /\(404\)\n$/);
  });

  it("names the channels as the ladder does", async () => {
    const wrong = await run("draft", "Title", "Text", "--channels", "radio");
    assert.match(wrong.err, /in_game, email or both/);
    const mail = await run("draft", "Title", "Text", "--channels", "in_game,email");
    assert.match(mail.out, /in_game, email/);
    const id = /id +(\S+)/.exec(mail.out)?.[1] ?? "";
    assert.match((await run("retry", id)).out, /^0 failed mails go out again\.\n/);
  });
});
