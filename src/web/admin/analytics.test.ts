import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AnalyticsReport } from "#core/api/analytics.ts";
import {
  accountApi,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { addMatch, addTestVersion } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = accountApi();
  const { token } = await signUpAccount(api, "root", "hopper");
  const get = (query = "") => sendRequest(api, ["GET", `/api/admin/analytics${query}`], { token });
  const read = async (query?: string): Promise<AnalyticsReport> =>
    (await get(query)).body as AnalyticsReport;
  return { api, get, read };
}

describe("analytics", () => {
  it("cover each of the last 30 days up to now", async () => {
    const { api, read } = await world();
    const ada = await signUpAccount(api, "ada");
    const [rex, old] = [
      await addAccountBot(api, ada.account, "Rex"),
      await addAccountBot(api, ada.account, "Old"),
    ];
    const pair = [
      await addTestVersion(api, rex, "v1"),
      await addTestVersion(api, old, "v1"),
    ] as const;
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
    it(`cover ${from} to ${to} for ${query}`, async () => {
      const body = await (await world()).read(query);
      assert.deepEqual([body.from, body.to], [from, to]);
      const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
      assert.equal(body.daily.length, days);
      assert.deepEqual([body.daily[0]?.day, body.daily.at(-1)?.day], [from, to]);
    });

  const invalidQueries: [query: string, error: RegExp][] = [
    ["?from=2026-02-30", /^from must be a day/],
    ["?to=yesterday", /^to must be a day/],
    ["?to=2026-01-06", /^to must not be in the future/],
    ["?from=2026-01-06", /^from must not be after to/],
    ["?from=2026-01-03&to=2026-01-02", /^from must not be after to/],
    ["?from=2025-01-04&to=2026-01-05", /^The span must not exceed 366 days/],
    ["?from=", /^from must be a day/],
  ];
  for (const [query, error] of invalidQueries)
    it(`reject ${query}`, async () => {
      const { told: outcome, body } = await (await world()).get(query);
      assert.equal(outcome, "400");
      assert.match(body.error, error);
    });
});
