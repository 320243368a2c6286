import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  accountApi,
  signUpAccount,
  sendRequest,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { identityWorld, TEST_PASSWORD } from "#testing/fixtures/identity-world.ts";

const EVE = "eve.adams@example.org";
const WAITING = ["GET", "/api/admin/accounts/waiting"] as const;

/** Opens an API with an operator and with Eve, who signed up but hasn't confirmed her address. */
async function waitingWorld() {
  const people = await identityWorld({ reserved: () => ["root@example.org"] });
  for (const email of [EVE, "root@example.org"]) {
    await people.sendRequest("POST", "/signup", { body: { email, password: TEST_PASSWORD } });
    await people.waitForEmail(email);
    people.clock.advance(1000);
  }
  const api = accountApi();
  api.accounts.signUps = people.embedded.signUps;
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  const { id } = (await people.deps.store.identity.userByEmail(EVE))!;
  const confirm = (accountQuery: string) =>
    sendRequest(api, ["POST", `/api/admin/accounts/${encodeURIComponent(accountQuery)}/confirm`], {
      token,
      payload: { reason: "Eve stands in front of me." },
    });
  return { people, api, token, id, confirm };
}

describe("unconfirmed sign-ups", () => {
  it("are listed with shortened email addresses", async () => {
    const { api, token, id } = await waitingWorld();
    const { told: outcome, body } = await sendRequest(api, WAITING, { token });
    assert.equal(outcome, "200");
    assert.equal(body.total, 2);
    const [, eve] = body.sign_ups;
    assert.deepEqual([eve.id, eve.email], [id, "e…@example.org"]);
    assert.equal(eve.signed_up, eve.email_requested);
    assert.doesNotMatch(JSON.stringify(body), /adams/);
  });

  it("can be confirmed with a link, created by id or address and audited without the link", async () => {
    const { api, id, confirm } = await waitingWorld();
    for (const accountQuery of [id, EVE]) {
      const { told: outcome, body } = await confirm(accountQuery);
      assert.deepEqual([outcome, body.id], ["200", id]);
      assert.match(body.link, /^http:\/\/localhost:7777\/account\/confirm#token=/);
      assert.doesNotMatch(body.link, /pkce_/);
    }
    const entries = await api.store.audit.list({ kind: "account.confirm", limit: 9 });
    assert.equal(entries.length, 2);
    const [{ detail, reason, actor } = assert.fail()] = entries;
    assert.deepEqual(detail, { user: id });
    assert.deepEqual([reason, actor.name], ["Eve stands in front of me.", "grace"]);
    assert.doesNotMatch(JSON.stringify(entries), /token|adams/);
  });

  it("get no link if they are unknown or belong to a configured admin", async () => {
    const { confirm } = await waitingWorld();
    assert.equal((await confirm("root@example.org")).told, "409 configured_admin");
    assert.equal((await confirm("nobody@example.org")).told, "404");
    assert.equal((await confirm("grace")).told, "404");
  });

  it("are unavailable with an external identity provider", async () => {
    const { api, token, id, confirm } = await waitingWorld();
    api.accounts.signUps = null;
    assert.equal((await sendRequest(api, WAITING, { token })).told, "409 sign_ups_elsewhere");
    assert.equal((await confirm(id)).told, "409 sign_ups_elsewhere");
  });
});
