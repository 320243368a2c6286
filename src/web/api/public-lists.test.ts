import assert from "node:assert/strict";
import { it } from "node:test";

import { testApi } from "#testing/fixtures/test-api.ts";

it("lists no events and no announcements", async () => {
  const { app } = testApi();
  for (const url of ["/api/events", "/api/announcements"]) {
    const { statusCode, json } = await app.inject(url);
    assert.deepEqual([statusCode, json()], [200, []], url);
  }
});

it("returns 404 for an unknown event and an unknown ladder", async () => {
  const { app } = testApi();
  for (const [kind, name] of ["event", "ladder"].map((userPage) => [`${userPage}s`, userPage])) {
    const { statusCode, json } = await app.inject(`/api/${kind}?${name}=some`);
    assert.deepEqual([statusCode, json().error], [404, `There is no such ${name}.`]);
  }
});

it("returns 404 for an unknown user", async () => {
  const { app } = testApi();
  for (const handle of ["ada", "house", "a", "%2f", "x".repeat(40)])
    assert.equal((await app.inject(`/api/users/${handle}`)).statusCode, 404, handle);
});

it("T56 returns 400 for repeated parameters", async () => {
  const { app } = testApi();
  for (const url of ["/api/events?event=a&event=b", "/api/users/ada?ladder=a&ladder=b"])
    assert.equal((await app.inject(url)).statusCode, 400, url);
});

it("serves the changelog if it exists", async () => {
  const api = testApi();
  const { versions, markdown } = (await api.app.inject("/api/changelog")).json();
  assert.match(markdown, /^# Changelog\n/);
  assert.deepEqual(versions, (await api.app.inject("/api")).json().versions);
});
