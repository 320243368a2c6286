// Lists of things that this server does not have yet, in their final shape.
import assert from "node:assert/strict";
import { it } from "node:test";

import { testApi } from "#testing/fixtures/test-api.ts";

it("lists no event and no announcement", async () => {
  const { app } = testApi();
  for (const url of ["/api/events", "/api/announcements"]) {
    const { statusCode, json } = await app.inject(url);
    assert.deepEqual([statusCode, json()], [200, []], url);
  }
});

it("knows no event by name, as it knows no such ladder", async () => {
  const { app } = testApi();
  for (const [kind, name] of ["event", "ladder"].map((one) => [`${one}s`, one])) {
    const { statusCode, json } = await app.inject(`/api/${kind}?${name}=some`);
    assert.deepEqual([statusCode, json().error], [404, `There is no such ${name}.`]);
  }
});

it("knows no user", async () => {
  const { app } = testApi();
  for (const handle of ["ada", "house", "a", "%2f", "x".repeat(40)])
    assert.equal((await app.inject(`/api/users/${handle}`)).statusCode, 404, handle);
});

it("T56 is 400 for parameters given twice", async () => {
  const { app } = testApi();
  for (const url of ["/api/events?event=a&event=b", "/api/users/ada?ladder=a&ladder=b"])
    assert.equal((await app.inject(url)).statusCode, 400, url);
});

it("shows what changed, if that is written down", async () => {
  const api = testApi();
  const { versions, markdown } = (await api.app.inject("/api/changelog")).json();
  assert.match(markdown, /^# Changelog\n/);
  assert.deepEqual(versions, (await api.app.inject("/api")).json().versions);
});
