// What has been going on, as operators ask for it.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Analytics } from "#core/operator/analytics.ts";
import { accountApi, addOwnBot, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { addMatch, addVersion } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = accountApi();
  const { token } = await addPerson(api, "root", "hopper");
  const get = (query = "") => ask(api, ["GET", `/api/admin/analytics${query}`], { token });
  const read = async (query?: string): Promise<Analytics> => (await get(query)).body as Analytics;
  return { api, get, read };
}

describe("analytics", () => {
  it("have every day of the last thirty, up to now", async () => {
    const { api, read } = await world();
    const ada = await addPerson(api, "ada");
    const [rex, old] = [
      await addOwnBot(api, ada.account, "Rex"),
      await addOwnBot(api, ada.account, "Old"),
    ];
    const pair = [await addVersion(api, rex, "v1"), await addVersion(api, old, "v1")] as const;
    await addMatch(api, [...pair]);
    await addMatch(api, [...pair], { voided: true, rated: false, winnerSeat: null });
    const body = await read();
    assert.deepEqual([body.from, body.to, body.timezone], ["2025-12-07", "2026-01-05", "UTC"]);
    assert.equal(body.generated, api.now().toISOString());
    assert.equal(body.signup_tracking_since, "2026-01-05");
    assert.equal(body.daily.length, 30);
    const { day, ...today } = body.daily.at(-1)!;
    assert.equal(day, "2026-01-05");
    const counts = { users: 2, bots: 2, versions: 2, games: 1, ranked: 1, other: 0, voided: 1 };
    assert.deepEqual(today, { ...counts, active_bots: 2 });
    assert.deepEqual(body.summary, today);
    assert.ok(body.daily.slice(0, -1).every(({ games }) => games === 0));
    assert.deepEqual(body.top_bots, [
      { name: "Old", owner: "ada", games: 1, ranked: 1 },
      { name: "Rex", owner: "ada", games: 1, ranked: 1 },
    ]);
    assert.deepEqual(body.maps, [{ map: "yard", games: 1 }]);
    assert.equal(body.current.active_bots, 2);
  });

  const spans: [query: string, from: string, to: string][] = [
    ["?to=2026-01-01", "2025-12-03", "2026-01-01"],
    ["?from=2026-01-05", "2026-01-05", "2026-01-05"],
    ["?from=2025-01-05&to=2026-01-05", "2025-01-05", "2026-01-05"],
    ["?from=2024-02-29&to=2024-03-01", "2024-02-29", "2024-03-01"],
  ];
  for (const [query, from, to] of spans)
    it(`are about ${from} to ${to} for ${query}`, async () => {
      const body = await (await world()).read(query);
      assert.deepEqual([body.from, body.to], [from, to]);
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
      assert.equal(body.daily.length, days);
      assert.deepEqual([body.daily[0]?.day, body.daily.at(-1)?.day], [from, to]);
    });

  const wrong: [query: string, error: RegExp][] = [
    ["?from=2026-02-30", /^from must be a day/],
    ["?to=yesterday", /^to must be a day/],
    ["?to=2026-01-06", /^to must not lie in the future/],
    ["?from=2026-01-06", /^from must not be after to/],
    ["?from=2026-01-03&to=2026-01-02", /^from must not be after to/],
    ["?from=2025-01-04&to=2026-01-05", /^There must be at most 366 days/],
    ["?from=", /^from must be a day/],
  ];
  for (const [query, error] of wrong)
    it(`are refused for ${query}`, async () => {
      const { told, body } = await (await world()).get(query);
      assert.equal(told, "400");
      assert.match(body.error, error);
    });
});
