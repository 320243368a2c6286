// Agent keys, programs, ladders.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountApi, addAgentKey, addPerson, ask } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";

describe("agent keys", () => {
  const KEYS = ["POST", "/api/account/keys"] as const;

  it("are shown once, listed without their text, and revoked at once", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    const made = await ask(api, KEYS, { token, payload: { label: "ci @ work" } });
    assert.equal(made.told, "201");
    const { id, key, label } = made.body;
    assert.match(String(key), /^bout_key_/);
    assert.equal(label, "ci @ work");
    const list = async () => {
      const { body } = await ask(api, ["GET", "/api/account"], { token });
      return body.keys as { last_used: string | null }[];
    };
    assert.deepEqual(await list(), [
      { id, label, created: "2026-01-05T12:00:00.000Z", last_used: null },
    ]);
    await ask(api, ["POST", "/api/bots"], { token: String(key), payload: { name: "Neo" } });
    assert.equal((await list())[0]?.last_used, "2026-01-05T12:00:00.000Z");
    assert.equal(
      (await ask(api, ["DELETE", `/api/account/keys/${id}`], { token })).body.revoked,
      true,
    );
    const { told } = await ask(api, ["POST", "/api/bots"], {
      token: String(key),
      payload: { name: "Two" },
    });
    assert.equal(told, "401 authentication_required");
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

  it("note their use once a minute", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    const key = await addAgentKey(api, token);
    let writes = 0;
    const { use } = api.store.keys;
    Object.assign(api.store.keys, {
      use: (...args: Parameters<typeof use>) => {
        writes += 1;
        return use(...args);
      },
    });
    const erase = () => ask(api, ["DELETE", "/api/bots/nobody"], { token: key });
    await erase();
    await erase();
    assert.equal(writes, 1);
    api.tick();
    await erase();
    assert.equal(writes, 2);
  });

  it("are ten at most, with labels that people can read", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    const add = async (label: unknown) =>
      (await ask(api, KEYS, { token, payload: { label } })).told;
    for (const label of ["", " x", "a\nb", "x".repeat(61), 5])
      assert.equal(await add(label), "400", String(label));
    for (let number = 0; number < 10; number += 1) assert.equal(await add(`k${number}`), "201");
    assert.equal(await add("one more"), "409 key_limit");
  });

  it("belong to one account", async () => {
    const api = accountApi();
    const ada = await addPerson(api, "ada");
    const eve = await addPerson(api, "eve");
    await addAgentKey(api, ada.token);
    const [key] = await api.store.keys.list(ada.account.id);
    for (const id of [key!.id, "nothing", "01900000-0000-7000-8000-000000000000"])
      assert.equal(
        (await ask(api, ["DELETE", `/api/account/keys/${id}`], { token: eve.token })).told,
        "404",
      );
    assert.equal((await api.store.keys.list(ada.account.id)).length, 1);
  });
});

/** A program asks for consent. */
function asks(api: AccountApi, id: string): void {
  api.identity.asked.set(id, {
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

  it("say what they ask for, and are let in on both sides", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    asks(api, "a1");
    const question = await ask(api, ["GET", `${ADDRESS}?authorization_id=a1`], { token });
    assert.deepEqual(question.body, {
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
    const answer = await ask(api, ["POST", ADDRESS], { token, payload });
    assert.deepEqual(answer.body, { redirect_url: "https://client.example/cb?approve" });
    const { body } = await ask(api, ["GET", "/api/account"], { token });
    assert.deepEqual(body.mcp_clients, [
      {
        client_id: "client-1",
        name: "<b>Helper</b>",
        created: "2026-01-05T12:00:00.000Z",
        last_used: null,
      },
    ]);
    assert.equal((await ask(api, ["POST", ADDRESS], { token, payload })).told, "404", "again");
    const [entry] = await api.store.audit.list({ kind: "mcp.approved", limit: 1 });
    assert.equal(entry?.subject?.id, account.id);
  });

  it("are denied without a trace but the note", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    asks(api, "a1");
    const payload = { authorization_id: "a1", action: "deny" };
    const { body } = await ask(api, ["POST", ADDRESS], { token, payload });
    assert.equal(body.redirect_url, "https://client.example/cb?deny");
    assert.equal((await api.store.audit.list({ kind: "mcp.denied", limit: 9 })).length, 1);
    assert.deepEqual((await ask(api, ["GET", "/api/account"], { token })).body.mcp_clients, []);
  });

  it("are not let in here if the provider does not let them in", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    asks(api, "a1");
    api.identity.provider.decide = async () => {
      asks(api, "a1");
      return null;
    };
    const payload = { authorization_id: "a1", action: "approve" };
    assert.equal((await ask(api, ["POST", ADDRESS], { token, payload })).told, "404");
    assert.deepEqual(await api.store.programs.list(account.id), []);
  });

  it("go on where they were let in before, and are unknown once they are gone", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    api.identity.asked.set("a2", "https://client.example/cb?code=1");
    const url = `${ADDRESS}?authorization_id=` as const;
    const known = await ask(api, ["GET", `${url}a2`], { token });
    assert.deepEqual(known.body, { redirect_url: "https://client.example/cb?code=1" });
    assert.equal((await ask(api, ["GET", `${url}other`], { token })).told, "404");
    assert.equal((await ask(api, ["GET", ADDRESS], { token })).told, "400");
  });

  it("that the provider lets in and the account does not are asked about anew", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    const url = `${ADDRESS}?authorization_id=a1` as const;
    const payload = { authorization_id: "a1", action: "approve" };
    const known = "https://client.example/cb?code=1";
    api.identity.provider.authorization = async () => {
      if (api.identity.granted.has("client-1")) return { redirectUrl: known };
      asks(api, "a1");
      const asked = api.identity.asked.get("a1");
      return typeof asked === "object" ? asked : null;
    };
    api.identity.granted.add("client-1");
    api.identity.canRevoke = false;
    assert.equal((await ask(api, ["GET", url], { token })).told, "503 auth_unavailable");
    assert.equal(
      (await ask(api, ["POST", ADDRESS], { token, payload })).told,
      "503 auth_unavailable",
    );
    api.identity.canRevoke = true;
    const question = await ask(api, ["GET", url], { token });
    assert.equal(question.body.client.client_id, "client-1");
    await ask(api, ["POST", ADDRESS], { token, payload });
    api.identity.granted.add("client-1");
    const again = await ask(api, ["GET", url], { token });
    assert.deepEqual(again.body, { redirect_url: known }, "let in on both sides");
  });

  it("are revoked here even where the provider cannot be told", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada");
    const revoke = () => ask(api, ["DELETE", "/api/account/mcp/clients/client-1"], { token });
    for (const canRevoke of [true, false]) {
      asks(api, "a1");
      const payload = { authorization_id: "a1", action: "approve" };
      await ask(api, ["POST", ADDRESS], { token, payload });
      api.identity.canRevoke = canRevoke;
      assert.deepEqual((await revoke()).body, { revoked: true, oauth_revoked: canRevoke });
      assert.equal((await revoke()).told, "404");
    }
    const odd = ["DELETE", "/api/account/mcp/clients/a%00b"] as const;
    assert.equal((await ask(api, odd, { token })).told, "404", "nothing that can be stored");
  });
});

describe("the ladders of an account", () => {
  it("are public, to which everybody belongs and stays", async () => {
    const api = accountApi();
    const { token } = await addPerson(api, "ada", null);
    const all = await ask(api, ["GET", "/api/account/ladders"], { token });
    const of = (body: unknown) =>
      (body as { id: string; membership: string }[]).map((one) => `${one.id} ${one.membership}`);
    assert.deepEqual(of(all.body), ["public active"]);
    const url = (id: string) => `/api/account/ladders/${id}/enrollment`;
    const joined = await ask(api, ["POST", url("public")], { token, payload: {} });
    assert.deepEqual(joined.body, all.body);
    assert.deepEqual((await ask(api, ["DELETE", url("public")], { token })).body, all.body);
    assert.equal((await ask(api, ["POST", url("cup")], { token, payload: {} })).told, "404");
    assert.equal((await ask(api, ["DELETE", url("cup")], { token })).told, "404");
    assert.equal(
      (await ask(api, ["GET", "/api/account/ladders?ladder=cup"], { token })).told,
      "404",
    );
  });
});
