import assert from "node:assert/strict";
import { test } from "node:test";

import type { BotId, LadderId, MatchId, VersionId } from "./ids.ts";

type Takes<Asked, Given> = Given extends Asked ? true : false;

test("the compiler takes text for any id, an id for text, and no id for one of another kind", () => {
  const taken: [Takes<BotId, string>, Takes<string, BotId>, Takes<Map<BotId, 1>, Map<string, 1>>] =
    [true, true, true];
  const refused: [Takes<BotId, VersionId>, Takes<VersionId, MatchId>, Takes<LadderId, BotId>] = [
    false,
    false,
    false,
  ];
  assert.ok(taken.every(Boolean));
  assert.ok(!refused.some(Boolean));
});
