import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  accountApi,
  addAgentKey,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";

describe("agent keys", () => {
  const KEYS = ["POST", "/api/account/keys"] as const;

  it("are shown once, listed without the secret, and revoked immediately", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    const createResponse = await sendRequest(api, KEYS, { token, payload: { label: "ci @ work" } });
    assert.equal(createResponse.told, "201");
    const { id, key, label } = createResponse.body;
    assert.match(String(key), /^bout_key_/);
    assert.equal(label, "ci @ work");
    const list = async () => {
      const { body } = await sendRequest(api, ["GET", "/api/account"], { token });
      return body.keys as { last_used: string | null }[];
    };
    assert.deepEqual(await list(), [
      { id, label, created: "2026-01-05T12:00:00.000Z", last_used: null },
    ]);
    await sendRequest(api, ["POST", "/api/bots"], { token: String(key), payload: { name: "Neo" } });
    assert.equal((await list())[0]?.last_used, "2026-01-05T12:00:00.000Z");
    assert.equal(
      (await sendRequest(api, ["DELETE", `/api/account/keys/${id}`], { token })).body.revoked,
      true,
    );
    const { told: outcome } = await sendRequest(api, ["POST", "/api/bots"], {
      token: String(key),
      payload: { name: "Two" },
    });
    assert.equal(outcome, "401 authentication_required");
    const kind = ["key.created", "key.revoked"] as const;
    const entries = await api.store.audit.list({ accountId: account.id, kind, limit: 9 });
    assert.deepEqual(
      entries.map(({ kind, detail }) => [kind, (detail as { key?: string }).key]),
      [
        ["key.revoked", id],
        ["key.created", id],
      ],
    );
    const log = api.log.join("");
    assert.ok(!log.includes(String(key)) && !JSON.stringify(entries).includes(String(key)));
  });

  it("record when they were last used, at most once a minute", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    const key = await addAgentKey(api, token);
    let writes = 0;
    const { recordUse } = api.store.keys;
    Object.assign(api.store.keys, {
      recordUse: (...args: Parameters<typeof recordUse>) => {
        writes += 1;
        return recordUse(...args);
      },
    });
    const deleteBot = () => sendRequest(api, ["DELETE", "/api/bots/nobody"], { token: key });
    await deleteBot();
    await deleteBot();
    assert.equal(writes, 1);
    api.nextMinute();
    await deleteBot();
    assert.equal(writes, 2);
  });

  it("are limited to ten, with printable labels", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    const add = async (label: unknown) =>
      (await sendRequest(api, KEYS, { token, payload: { label } })).told;
    for (const label of ["", " x", "a\nb", "x".repeat(61), 5])
      assert.equal(await add(label), "400", String(label));
    for (let number = 0; number < 10; number += 1) assert.equal(await add(`k${number}`), "201");
    assert.equal(await add("one more"), "409 key_limit");
  });

  it("can't be revoked by another account", async () => {
    const api = accountApi();
    const ada = await signUpAccount(api, "ada");
    const eve = await signUpAccount(api, "eve");
    await addAgentKey(api, ada.token);
    const [key] = await api.store.keys.list(ada.account.id);
    for (const id of [key!.id, "nothing", "01900000-0000-7000-8000-000000000000"])
      assert.equal(
        (await sendRequest(api, ["DELETE", `/api/account/keys/${id}`], { token: eve.token })).told,
        "404",
      );
    assert.equal((await api.store.keys.list(ada.account.id)).length, 1);
  });
});

function requestConsent(api: AccountApi, id: string): void {
  api.identity.authorizations.set(id, {
    authorizationId: id,
    redirectUri: "https://client.example/cb",
    client: {
      id: "client-1",
      name: "<b>Helper</b>",
      uri: "https://client.example/",
      logoUri: null,
    },
    scopes: ["openid", "email"],
  });
}

describe("programs", () => {
  const ADDRESS = "/api/account/mcp/authorization";

  it("show the requested access and are approved here and at the provider", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    requestConsent(api, "a1");
    const consentResponse = await sendRequest(api, ["GET", `${ADDRESS}?authorization_id=a1`], {
      token,
    });
    assert.deepEqual(consentResponse.body, {
      authorization_id: "a1",
      client: {
        client_id: "client-1",
        name: "<b>Helper</b>",
        uri: "https://client.example/",
        logo_uri: null,
      },
      callback: "https://client.example/cb",
      scopes: ["openid", "email"],
    });
    const payload = { authorization_id: "a1", action: "approve" };
    const response = await sendRequest(api, ["POST", ADDRESS], { token, payload });
    assert.deepEqual(response.body, { redirect_url: "https://client.example/cb?approve" });
    const { body } = await sendRequest(api, ["GET", "/api/account"], { token });
    assert.deepEqual(body.mcp_clients, [
      {
        client_id: "client-1",
        name: "<b>Helper</b>",
        created: "2026-01-05T12:00:00.000Z",
        last_used: null,
      },
    ]);
    assert.equal(
      (await sendRequest(api, ["POST", ADDRESS], { token, payload })).told,
      "404",
      "again",
    );
    const [entry] = await api.store.audit.list({ kind: "mcp.approved", limit: 1 });
    assert.equal(entry?.subject?.id, account.id);
  });

  it("leave only an audit entry when denied", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    requestConsent(api, "a1");
    const payload = { authorization_id: "a1", action: "deny" };
    const { body } = await sendRequest(api, ["POST", ADDRESS], { token, payload });
    assert.equal(body.redirect_url, "https://client.example/cb?deny");
    assert.equal((await api.store.audit.list({ kind: "mcp.denied", limit: 9 })).length, 1);
    assert.deepEqual(
      (await sendRequest(api, ["GET", "/api/account"], { token })).body.mcp_clients,
      [],
    );
  });

  it("are not stored if the provider refuses the approval", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    requestConsent(api, "a1");
    api.identity.provider.decide = async () => {
      requestConsent(api, "a1");
      return null;
    };
    const payload = { authorization_id: "a1", action: "approve" };
    assert.equal((await sendRequest(api, ["POST", ADDRESS], { token, payload })).told, "404");
    assert.deepEqual(await api.store.apps.list(account.id), []);
  });

  it("skip consent if already approved, and return 404 for an unknown request", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    api.identity.authorizations.set("a2", "https://client.example/cb?code=1");
    const url = `${ADDRESS}?authorization_id=` as const;
    const redirectResponse = await sendRequest(api, ["GET", `${url}a2`], { token });
    assert.deepEqual(redirectResponse.body, { redirect_url: "https://client.example/cb?code=1" });
    assert.equal((await sendRequest(api, ["GET", `${url}other`], { token })).told, "404");
    assert.equal((await sendRequest(api, ["GET", ADDRESS], { token })).told, "400");
  });

  it("require consent again if only the provider has the grant", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    const url = `${ADDRESS}?authorization_id=a1` as const;
    const payload = { authorization_id: "a1", action: "approve" };
    const redirectResponse = "https://client.example/cb?code=1";
    api.identity.provider.authorization = async () => {
      if (api.identity.grantedApps.has("client-1")) return { redirectUrl: redirectResponse };
      requestConsent(api, "a1");
      const consentRequest = api.identity.authorizations.get("a1");
      return typeof consentRequest === "object" ? consentRequest : null;
    };
    api.identity.grantedApps.add("client-1");
    api.identity.canRevoke = false;
    assert.equal((await sendRequest(api, ["GET", url], { token })).told, "503 auth_unavailable");
    assert.equal(
      (await sendRequest(api, ["POST", ADDRESS], { token, payload })).told,
      "503 auth_unavailable",
    );
    api.identity.canRevoke = true;
    const consentResponse = await sendRequest(api, ["GET", url], { token });
    assert.equal(consentResponse.body.client.client_id, "client-1");
    await sendRequest(api, ["POST", ADDRESS], { token, payload });
    api.identity.grantedApps.add("client-1");
    const secondResponse = await sendRequest(api, ["GET", url], { token });
    assert.deepEqual(
      secondResponse.body,
      { redirect_url: redirectResponse },
      "approved on both sides",
    );
  });

  it("are revoked here even if the provider is unreachable", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada");
    const revoke = () =>
      sendRequest(api, ["DELETE", "/api/account/mcp/clients/client-1"], { token });
    for (const canRevoke of [true, false]) {
      requestConsent(api, "a1");
      const payload = { authorization_id: "a1", action: "approve" };
      await sendRequest(api, ["POST", ADDRESS], { token, payload });
      api.identity.canRevoke = canRevoke;
      assert.deepEqual((await revoke()).body, { revoked: true, oauth_revoked: canRevoke });
      assert.equal((await revoke()).told, "404");
    }
    const unstorableId = ["DELETE", "/api/account/mcp/clients/a%00b"] as const;
    assert.equal((await sendRequest(api, unstorableId, { token })).told, "404", "unstorable id");
  });
});

describe("an account's ladders", () => {
  it("include public, which every account joins and no account can leave", async () => {
    const api = accountApi();
    const { token } = await signUpAccount(api, "ada", null);
    const ladderList = await sendRequest(api, ["GET", "/api/account/ladders"], { token });
    const memberships = (body: unknown) =>
      (body as { id: string; membership: string }[]).map((item) => `${item.id} ${item.membership}`);
    assert.deepEqual(memberships(ladderList.body), ["public active"]);
    const url = (id: string) => `/api/account/ladders/${id}/enrollment`;
    const enrollResponse = await sendRequest(api, ["POST", url("public")], { token, payload: {} });
    assert.deepEqual(enrollResponse.body, ladderList.body);
    assert.deepEqual(
      (await sendRequest(api, ["DELETE", url("public")], { token })).body,
      ladderList.body,
    );
    assert.equal(
      (await sendRequest(api, ["POST", url("cup")], { token, payload: {} })).told,
      "404",
    );
    assert.equal((await sendRequest(api, ["DELETE", url("cup")], { token })).told, "404");
    assert.equal(
      (await sendRequest(api, ["GET", "/api/account/ladders?ladder=cup"], { token })).told,
      "404",
    );
  });
});
