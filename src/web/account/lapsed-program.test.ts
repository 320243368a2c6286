// A project elsewhere that goes on letting a program in after the ladder has turned it out.

import assert from "node:assert/strict";
import { it } from "node:test";

import { ask } from "#testing/fixtures/account-api.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { gotrueStub } from "#testing/fixtures/gotrue-stub.ts";
import { ADA, post, question, stubProvider, tokenOf } from "#testing/fixtures/stub-provider.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const ADDRESS = "/api/account/mcp/authorization";

it("asks about it anew, on the same terms as at first", async () => {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  const { provider } = stubProvider(stub, clock);
  const accounts = {
    provider,
    adminEmails: () => new Set<string>(),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendLetter: () => {},
    noteLeft: async () => {},
    signUps: null,
  };
  const api = testApi({ anonymous: false }, { accounts, clock: () => clock.wall() });
  let token = await tokenOf(stub);
  const asked = async (id: string) => {
    const url = `${ADDRESS}?authorization_id=${id}` as const;
    return (await ask(api, ["GET", url], { token })).body;
  };
  const { id, clientId } = await question(stub);
  assert.equal((await asked(id)).client.client_id, clientId);
  const payload = { authorization_id: id, action: "approve" };
  assert.equal((await ask(api, ["POST", ADDRESS], { token, payload })).told, "200");
  const known = await question(stub, clientId);
  assert.match((await asked(known.id)).redirect_url, /[?&]code=/, "let in on both sides");

  const { body: account } = await ask(api, ["GET", "/api/account"], { token });
  const second = Math.floor(clock.wall().getTime() / 1000);
  const note = {
    id: api.newId(),
    at: clock.wall().toISOString(),
    kind: "account.sign_out",
    actor: { kind: "system", id: null, name: null },
    subject: null,
    reason: null,
    detail: null,
  } as const;
  await api.store.accounts.signOut(account.id, second, note);
  clock.pass(2000);
  token = (await post(stub, "/token?grant_type=password", ADA)).access_token;
  const lapsed = await question(stub, clientId);
  assert.equal((await asked(lapsed.id)).client.client_id, clientId);
});
