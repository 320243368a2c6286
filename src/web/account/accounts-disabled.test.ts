import assert from "node:assert/strict";
import { it } from "node:test";

import { testApi } from "#testing/fixtures/test-api.ts";

const PATHS = ["", "?x=1", "/handle", "/bots/Rex/name", "/events/cup/achievements/first/reveal"];
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

it("returns accounts_disabled for every account route and every request", async () => {
  for (const anonymous of [true, false]) {
    const { app } = testApi({ anonymous });
    for (const path of PATHS)
      for (const method of METHODS) {
        const { statusCode, body, headers } = await app.inject({
          method,
          url: `/api/account${path}`,
        });
        assert.equal(statusCode, 404, `${method} ${path}`);
        assert.equal(headers["cache-control"], "private, no-store");
        assert.equal(headers["vary"], "Authorization");
        assert.equal(headers["access-control-allow-origin"], undefined);
        if (method === "HEAD") continue;
        const { code, error } = JSON.parse(body) as Record<string, string>;
        assert.deepEqual(
          [code, error],
          ["accounts_disabled", "This server runs without accounts."],
        );
      }
  }
});

it("responds before checking the credential, origin or body", async () => {
  const { app } = testApi();
  const headers = {
    authorization: "Bearer nobody",
    origin: "https://evil.example",
    "content-type": "text/plain",
  };
  const { json } = await app.inject({
    method: "PUT",
    url: "/api/account/handle",
    headers,
    body: "{",
  });
  assert.equal(json().code, "accounts_disabled");
});

it("doesn't affect other routes", async () => {
  const { app } = testApi();
  for (const url of ["/api/accounts", "/api/accountx"]) {
    const { statusCode, json } = await app.inject({ url });
    assert.deepEqual([statusCode, json().code], [404, undefined], url);
  }
});
