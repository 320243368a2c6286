// An external project that still grants access to an app the ladder has revoked.

import assert from "node:assert/strict";
import { it } from "node:test";

import { sendRequest } from "#testing/fixtures/account-api.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { gotrueStub } from "#testing/fixtures/gotrue-stub.ts";
import {
  STUB_USER,
  postToStub,
  beginStubAuthorization,
  stubProvider,
  stubAccessToken,
} from "#testing/fixtures/stub-provider.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

const ADDRESS = "/api/account/mcp/authorization";

it("asks for consent again, with the same details as the first time", async () => {
  const clock = fakeClock();
  const stub = await gotrueStub(clock.wall);
  const { provider } = stubProvider(stub, clock);
  const accounts = {
    provider,
    adminEmails: () => new Set<string>(),
    mail: fakeMail(),
    passwords: fakePasswords(),
    sendEmail: () => {},
    recordDeletion: async () => {},
    signUps: null,
  };
  const api = testApi({ anonymous: false }, { accounts, clock: () => clock.wall() });
  let token = await stubAccessToken(stub);
  const readConsent = async (id: string) => {
    const url = `${ADDRESS}?authorization_id=${id}` as const;
    return (await sendRequest(api, ["GET", url], { token })).body;
  };
  const { id, clientId } = await beginStubAuthorization(stub);
  assert.equal((await readConsent(id)).client.client_id, clientId);
  const payload = { authorization_id: id, action: "approve" };
  assert.equal((await sendRequest(api, ["POST", ADDRESS], { token, payload })).told, "200");
  const grantedRequest = await beginStubAuthorization(stub, clientId);
  assert.match(
    (await readConsent(grantedRequest.id)).redirect_url,
    /[?&]code=/,
    "approved on both sides",
  );

  const { body: account } = await sendRequest(api, ["GET", "/api/account"], { token });
  const seconds = Math.floor(clock.wall().getTime() / 1000);
  const auditEntry = {
    id: api.newId(),
    at: clock.wall().toISOString(),
    kind: "account.sign_out",
    actor: { kind: "system", id: null, name: null },
    subject: null,
    reason: null,
    detail: null,
  } as const;
  await api.store.accounts.signOut(account.id, seconds, auditEntry);
  clock.advance(2000);
  token = (await postToStub(stub, "/token?grant_type=password", STUB_USER)).access_token;
  const lapsedRequest = await beginStubAuthorization(stub, clientId);
  assert.equal((await readConsent(lapsedRequest.id)).client.client_id, clientId);
});
