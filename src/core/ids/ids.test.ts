import assert from "node:assert/strict";
import { test } from "node:test";

import type { BotId, LadderId, MatchId, VersionId } from "./ids.ts";

type Accepts<Expected, Actual> = Actual extends Expected ? true : false;

test("the compiler accepts strings as ids and ids as strings, but not an id of another kind", () => {
  const acceptedChecks: [
    Accepts<BotId, string>,
    Accepts<string, BotId>,
    Accepts<Map<BotId, 1>, Map<string, 1>>,
  ] = [true, true, true];
  const rejectedChecks: [
    Accepts<BotId, VersionId>,
    Accepts<VersionId, MatchId>,
    Accepts<LadderId, BotId>,
  ] = [false, false, false];
  assert.ok(acceptedChecks.every(Boolean));
  assert.ok(!rejectedChecks.some(Boolean));
});
