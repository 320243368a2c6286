import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountApi, addOwnBot, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

/** The data of a page whose view goes on in the browser. */
function dataIn(html: string): Record<string, unknown> {
  const [, json = "null"] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

describe("the page of an account", () => {
  for (const url of ["/account", "/account/authorize?authorization_id=a", "/admin?part=bots"])
    it(`is stored nowhere and found by nobody: ${url}`, async () => {
      const { app } = accountApi();
      const { statusCode, headers } = await app.inject(url);
      assert.equal(statusCode, 200);
      assert.equal(headers["cache-control"], "private, no-store");
      assert.equal(headers["x-robots-tag"], "noindex");
      const { body: robots } = await app.inject("/robots.txt");
      assert.match(robots, /^Disallow: \/account$/m);
      assert.match(robots, /^Disallow: \/admin$/m);
      assert.doesNotMatch((await app.inject("/sitemap.xml")).body, /7777\/(?:account|admin|user)/);
    });

  it("says, without a script too, that a program's question was none, in words of ours", async () => {
    const { app } = accountApi();
    const wordsOf = async (refused: string) =>
      (await app.inject(`/account/authorize?${new URLSearchParams({ refused })}`)).body;
    assert.match(await wordsOf("invalid_client"), /does not know it.*Nothing was allowed/);
    for (const other of ["unsupported_response_type", "constructor", "Call <b>us</b>"]) {
      const [, page = ""] = (await wordsOf(other)).split("<main");
      assert.match(page, /not one that this ladder understands\. Nothing was allowed/);
      assert.doesNotMatch(page.split("</main>")[0] ?? "", /Call/);
    }
  });

  it("says where people sign in: here, below any name of this machine", async () => {
    const { app } = accountApi({ contact: "ask in #bout" });
    const { provider, contact } = dataIn((await app.inject("/account")).body);
    assert.equal(contact, "ask in #bout");
    assert.deepEqual(provider, {
      root: "/auth/v1",
      publishable_key: "sb_test",
      own: { password_length: [8, 72], code_minutes: 10, mail: "sent" },
    });
  });

  it("says where people sign in: at a project elsewhere", async () => {
    const { app } = accountApi({ baseUrl: "https://ladder.example" });
    const { headers, body } = await app.inject("/account");
    const { provider } = dataIn(body);
    assert.deepEqual(provider, {
      root: "http://localhost:7777/auth/v1",
      publishable_key: "sb_test",
      own: null,
    });
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /;connect-src 'self' http:\/\/localhost:7777;/);
  });

  it("is there without accounts too, and says so", async () => {
    const { app } = testApi();
    const { body } = await app.inject("/account");
    assert.match(body, /<h1[^>]*>No accounts here<\/h1>/);
    assert.doesNotMatch(body, /class="own"/);
    assert.equal(dataIn(body)["provider"], null);
  });

  it("is led to by every page where there are accounts", async () => {
    const { app } = accountApi();
    for (const url of ["/", "/guide", "/nowhere"]) {
      const { body } = await app.inject({ url, headers: { accept: "text/html" } });
      assert.match(body, /<a class="own"[^>]*>Account<\/a>/, url);
    }
  });
});

describe("the page of a person", () => {
  it("shows their bots, and leads from any other spelling to their present handle", async () => {
    const api = accountApi();
    const { token, account } = await addPerson(api, "ada");
    await addOwnBot(api, account, "Rex");
    assert.match((await api.app.inject("/user/ada")).body, /href="\/bot\/Rex"/);
    const handle = { token, payload: { handle: "Lovelace" } };
    assert.equal((await ask(api, ["PUT", "/api/account/handle"], handle)).told, "200");
    api.tick();
    for (const former of ["ada", "ADA", "lovelace"]) {
      const { statusCode, headers } = await api.app.inject(`/user/${former}`);
      assert.deepEqual([statusCode, headers.location], [302, "/user/Lovelace"], former);
    }
    assert.match((await api.app.inject("/bot/Rex")).body, /href="\/user\/Lovelace"/);
  });

  for (const handle of ["nobody", "not%20a%20handle"])
    it(`is a 404 of its own for ${handle}`, async () => {
      const { app } = accountApi();
      const { statusCode, body } = await app.inject(`/user/${handle}`);
      assert.equal(statusCode, 404);
      assert.match(body, /Nobody of this name/);
    });
});
