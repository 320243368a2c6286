import assert from "node:assert/strict";
import { it } from "node:test";

import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { OnlineBot } from "#live/arena/view.ts";
import { addBot, addVersion, rate, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

function goOnline({ arena }: TestApi, bot: BotRecord, version: VersionRecord | null = null): void {
  const { id: botId, name, house } = bot;
  const waiting = { ladderId: "public", state: "waiting" } as const;
  const idle = { ladderId: null, state: "idle" } as const;
  const played = { version: version?.label ?? null, versionId: version?.id ?? null };
  const online: OnlineBot = {
    botId,
    name,
    house,
    online: true,
    ...played,
    ...(version ? waiting : idle),
    matchId: null,
  };
  arena.bots.push(online);
}

async function entriesOf({ app }: TestApi): Promise<Record<string, unknown>[]> {
  return (await app.inject("/api/lobby")).json();
}

it("shows connected bots, best score first and those that never queued last by name", async () => {
  const api = testApi();
  const rex = await addBot(api, "Rex");
  const kiter = await addBot(api, "house-kiter", { owner: "house", house: true });
  const [rexVersion, kiterVersion] = [
    await addVersion(api, rex, "v1"),
    await addVersion(api, kiter, "v1"),
  ];
  rate(api, kiterVersion, 1500, [1, 1, 0]);
  rate(api, rexVersion, 1400, [1, 1, 0]);
  goOnline(api, await addBot(api, "zed"));
  goOnline(api, await addBot(api, "Abe"));
  const fresh = await addBot(api, "Fresh");
  goOnline(api, fresh, await addVersion(api, fresh, "v1"));
  goOnline(api, rex, rexVersion);
  goOnline(api, kiter, kiterVersion);
  await addBot(api, "Offline");
  const shown = (await entriesOf(api)).map((entry) => [
    entry.name,
    entry.version,
    entry.leaderboard_score,
    entry.difficulty,
    entry.state,
  ]);
  assert.deepEqual(shown, [
    ["house-kiter", "v1", 1420, "Easy", "waiting"],
    ["Rex", "v1", 1320, null, "waiting"],
    ["Fresh", "v1", 805, null, "waiting"],
    ["Abe", null, null, null, "idle"],
    ["zed", null, null, null, "idle"],
  ]);
});

it("shows a bot with several sessions once, as one that waits when one does", async () => {
  const api = testApi();
  const kiter = await addBot(api, "house-kiter", { owner: "house", house: true });
  const version = await addVersion(api, kiter, "v1");
  for (let session = 0; session < 3; session += 1) goOnline(api, kiter, version);
  for (const place of [0, 2]) {
    api.arena.bots[place]!.state = "playing";
    api.arena.bots[place]!.matchId = `m${place}`;
  }
  assert.deepEqual(
    (await entriesOf(api)).map(({ name, state }) => [name, state]),
    [["house-kiter", "waiting"]],
  );
});

it("leaves out bots that are not active or play on another ladder", async () => {
  const api = testApi();
  goOnline(api, await addBot(api, "Held", { status: "suspended" }));
  const away = await addBot(api, "Away");
  goOnline(api, away, await addVersion(api, away, "v1"));
  api.arena.bots[1]!.ladderId = "spring-cup";
  assert.deepEqual(await entriesOf(api), []);
  assert.equal((await api.app.inject("/api/lobby?ladder=nowhere")).statusCode, 404);
});
