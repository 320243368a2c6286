import assert from "node:assert/strict";
import { it } from "node:test";

import { addBot, addMatch, addVersion, testApi } from "#testing/fixtures/test-api.ts";

const EMBEDDED = { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" };

const VISITS: readonly [title: string, headers: Record<string, string>, isKept: boolean][] = [
  ["in a frame of another site", EMBEDDED, true],
  ["in a frame of this site", { ...EMBEDDED, "sec-fetch-site": "same-origin" }, false],
  ["in a tab", { ...EMBEDDED, "sec-fetch-dest": "document" }, false],
  ["by a program", {}, false],
];

for (const [title, headers, isKept] of VISITS)
  it(`${isKept ? "keeps" : "does not keep"} the replay of a match that is shown ${title}`, async () => {
    const api = testApi();
    const bots = [await addBot(api, "One"), await addBot(api, "Other")] as const;
    const pair = [
      await addVersion(api, bots[0], "v1"),
      await addVersion(api, bots[1], "v1"),
    ] as const;
    const { id } = await addMatch(api, [...pair]);
    assert.equal((await api.app.inject({ url: `/view/${id}`, headers })).statusCode, 200);
    await api.store.replays.release(
      bots.map((bot) => bot.id),
      0,
      9,
    );
    assert.equal(await api.store.replays.has(id), isKept);
    await api.store.replays.renewPins([], 0);
    assert.equal(await api.store.replays.has(id), false);
  });
