import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  accountApi,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { testApi } from "#testing/fixtures/test-api.ts";

function dataIn(html: string): Record<string, unknown> {
  const [, json = "null"] =
    /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as Record<string, unknown>;
}

describe("the account page", () => {
  for (const url of ["/account", "/account/authorize?authorization_id=a", "/admin?part=bots"])
    it(`is neither cached nor indexed: ${url}`, async () => {
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

  it("explains an invalid authorization request in our own words and without a script", async () => {
    const { app } = accountApi();
    const refusalPage = async (reason: string) =>
      (await app.inject(`/account/authorize?${new URLSearchParams({ refused: reason })}`)).body;
    assert.match(
      await refusalPage("invalid_client"),
      /doesn't recognize the app.*No access was granted/,
    );
    for (const unknownReason of ["unsupported_response_type", "constructor", "Call <b>us</b>"]) {
      const [, page = ""] = (await refusalPage(unknownReason)).split("<main");
      assert.match(page, /The request isn't valid\. No access was granted/);
      assert.doesNotMatch(page.split("</main>")[0] ?? "", /Call/);
    }
  });

  it("links to the embedded sign-in under any host name of the local server", async () => {
    const { app } = accountApi({ contact: "ask in #bout" });
    const { provider, contact } = dataIn((await app.inject("/account")).body);
    assert.equal(contact, "ask in #bout");
    assert.deepEqual(provider, {
      root: "/auth/v1",
      publishable_key: "sb_test",
      embedded: { password_length: [8, 72], code_minutes: 10, mailDestination: "sent" },
    });
  });

  it("links to an external project's sign-in", async () => {
    const { app } = accountApi({ baseUrl: "https://ladder.example" });
    const { headers, body } = await app.inject("/account");
    const { provider } = dataIn(body);
    assert.deepEqual(provider, {
      root: "http://localhost:7777/auth/v1",
      publishable_key: "sb_test",
      embedded: null,
    });
    const policy = String(headers["content-security-policy"]);
    assert.match(policy, /;connect-src 'self' http:\/\/localhost:7777;/);
  });

  it("exists without accounts too, and says that there are no accounts", async () => {
    const { app } = testApi();
    const { body } = await app.inject("/account");
    assert.match(body, /<h1[^>]*>This server has no accounts<\/h1>/);
    assert.doesNotMatch(body, /class="own"/);
    assert.equal(dataIn(body)["provider"], null);
  });

  it("is linked from every page if the server has accounts", async () => {
    const { app } = accountApi();
    for (const url of ["/", "/guide", "/nowhere"]) {
      const { body } = await app.inject({ url, headers: { accept: "text/html" } });
      assert.match(body, /<a class="own"[^>]*>Account<\/a>/, url);
    }
  });
});

describe("a person's page", () => {
  it("lists the user's bots, and redirects other spellings to the current handle", async () => {
    const api = accountApi();
    const { token, account } = await signUpAccount(api, "ada");
    await addAccountBot(api, account, "Rex");
    assert.match((await api.app.inject("/user/ada")).body, /href="\/bot\/Rex"/);
    const handle = { token, payload: { handle: "Lovelace" } };
    assert.equal((await sendRequest(api, ["PUT", "/api/account/handle"], handle)).told, "200");
    api.nextMinute();
    for (const former of ["ada", "ADA", "lovelace"]) {
      const { statusCode, headers } = await api.app.inject(`/user/${former}`);
      assert.deepEqual([statusCode, headers.location], [302, "/user/Lovelace"], former);
    }
    assert.match((await api.app.inject("/bot/Rex")).body, /href="\/user\/Lovelace"/);
  });

  for (const handle of ["nobody", "not%20a%20handle"])
    it(`returns 404 for ${handle}`, async () => {
      const { app } = accountApi();
      const { statusCode, body } = await app.inject(`/user/${handle}`);
      assert.equal(statusCode, 404);
      assert.match(body, /Player not found/);
    });
});
