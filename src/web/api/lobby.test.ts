import assert from "node:assert/strict";
import { it } from "node:test";

import type { BotRecord } from "#data/store/bot.ts";
import type { VersionRecord } from "#data/store/version.ts";
import type { OnlineBot } from "#live/arena/arena-view.ts";
import { addTestBot, addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

function goOnline({ arena }: TestApi, bot: BotRecord, version: VersionRecord | null = null): void {
  const { id: botId, name, house } = bot;
  const waitingState = { ladderId: "public", state: "waiting" } as const;
  const idle = { ladderId: null, state: "idle" } as const;
  const playedVersion = { version: version?.label ?? null, versionId: version?.id ?? null };
  const online: OnlineBot = {
    botId,
    name,
    house,
    online: true,
    ...playedVersion,
    ...(version ? waitingState : idle),
    matchId: null,
  };
  arena.bots.push(online);
}

async function entriesOf({ app }: TestApi): Promise<Record<string, unknown>[]> {
  return (await app.inject("/api/lobby")).json();
}

it("lists connected bots by score, then unscored bots by name", async () => {
  const api = testApi();
  const rex = await addTestBot(api, "Rex");
  const kiter = await addTestBot(api, "house-kiter", { owner: "house", house: true });
  const [rexVersion, kiterVersion] = [
    await addTestVersion(api, rex, "v1"),
    await addTestVersion(api, kiter, "v1"),
  ];
  setRating(api, kiterVersion, 1500, [1, 1, 0]);
  setRating(api, rexVersion, 1400, [1, 1, 0]);
  goOnline(api, await addTestBot(api, "zed"));
  goOnline(api, await addTestBot(api, "Abe"));
  const fresh = await addTestBot(api, "Fresh");
  goOnline(api, fresh, await addTestVersion(api, fresh, "v1"));
  goOnline(api, rex, rexVersion);
  goOnline(api, kiter, kiterVersion);
  await addTestBot(api, "Offline");
  const shownEntries = (await entriesOf(api)).map((entry) => [
    entry.name,
    entry.version,
    entry.leaderboard_score,
    entry.difficulty,
    entry.state,
  ]);
  assert.deepEqual(shownEntries, [
    ["house-kiter", "v1", 1420, "Easy", "waiting"],
    ["Rex", "v1", 1320, null, "waiting"],
    ["Fresh", "v1", 805, null, "waiting"],
    ["Abe", null, null, null, "idle"],
    ["zed", null, null, null, "idle"],
  ]);
});

it("lists a bot with several sessions once, as waiting if any session is waiting", async () => {
  const api = testApi();
  const kiter = await addTestBot(api, "house-kiter", { owner: "house", house: true });
  const version = await addTestVersion(api, kiter, "v1");
  for (let session = 0; session < 3; session += 1) goOnline(api, kiter, version);
  for (const index of [0, 2]) {
    api.arena.bots[index]!.state = "playing";
    api.arena.bots[index]!.matchId = `m${index}`;
  }
  assert.deepEqual(
    (await entriesOf(api)).map(({ name, state }) => [name, state]),
    [["house-kiter", "waiting"]],
  );
});

it("omits inactive bots and bots on other ladders", async () => {
  const api = testApi();
  goOnline(api, await addTestBot(api, "Held", { status: "suspended" }));
  const offlineBots = await addTestBot(api, "Away");
  goOnline(api, offlineBots, await addTestVersion(api, offlineBots, "v1"));
  api.arena.bots[1]!.ladderId = "spring-cup";
  assert.deepEqual(await entriesOf(api), []);
  assert.equal((await api.app.inject("/api/lobby?ladder=nowhere")).statusCode, 404);
});
