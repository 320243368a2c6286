import assert from "node:assert/strict";
import { it } from "node:test";

import { addTestBot, addMatch, addTestVersion, testApi } from "#testing/fixtures/test-api.ts";

const EMBEDDED = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };

const EMBED_CASES: readonly [title: string, headers: Record<string, string>, isKept: boolean][] = [
  ["in a frame of another site", EMBEDDED, true],
  ["in a frame of this site", { ...EMBEDDED, "sec-fetch-site": "same-origin" }, false],
  ["in a tab", { ...EMBEDDED, "sec-fetch-dest": "document" }, false],
  ["from a program", {}, false],
];

for (const [title, headers, isPinned] of EMBED_CASES)
  it(`${isPinned ? "keeps" : "does not keep"} the replay of a match that is opened ${title}`, async () => {
    const api = testApi();
    const bots = [await addTestBot(api, "One"), await addTestBot(api, "Other")] as const;
    const pair = [
      await addTestVersion(api, bots[0], "v1"),
      await addTestVersion(api, bots[1], "v1"),
    ] as const;
    const { id } = await addMatch(api, [...pair]);
    assert.equal((await api.app.inject({ url: `/view/${id}`, headers })).statusCode, 200);
    await api.store.replays.release(
      bots.map((bot) => bot.id),
      0,
      9,
    );
    assert.equal(await api.store.replays.has(id), isPinned);
    await api.store.replays.renewPins([], 0);
    assert.equal(await api.store.replays.has(id), false);
  });
