import assert from "node:assert/strict";
import { it } from "node:test";

import { rankAccounts } from "./event-standings.ts";

const award = (accountId: string, achievementId: string, earnedAt: string, revokedAt = "") => ({
  accountId,
  achievementId,
  earnedAt,
  revokedAt: revokedAt === "" ? null : revokedAt,
});

it("ranks by active awards, then by the time of the last one; ties share a rank", () => {
  const rankedAccounts = rankAccounts(
    ["a", "b"],
    ["idle", "ada"],
    [
      award("ada", "a", "2026-01-05T12:05"),
      award("bob", "b", "2026-01-05T12:01"),
      award("cid", "a", "2026-01-05T12:02"),
      award("cid", "b", "2026-01-05T12:03"),
      award("dee", "a", "2026-01-05T12:00", "2026-01-05T13:00"),
    ],
  );
  assert.deepEqual(
    rankedAccounts.map(({ rank, accountId, earned }) => [rank, accountId, earned]),
    [
      [1, "cid", 2],
      [2, "bob", 1],
      [3, "ada", 1],
      [4, "dee", 0],
      [4, "idle", 0],
    ],
  );
});

it("lists all achievements in order, with the times they were earned and revoked", () => {
  const [one] = rankAccounts(["a", "b"], [], [award("ada", "b", "t1", "t2")]);
  assert.deepEqual(one?.achievements, [
    { id: "a", earnedAt: null, revokedAt: null },
    { id: "b", earnedAt: "t1", revokedAt: "t2" },
  ]);
  assert.equal(one?.lastEarnedAt, null);
});
