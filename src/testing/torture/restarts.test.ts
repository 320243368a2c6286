import assert from "node:assert/strict";
import { test } from "node:test";

import { surviveRestarts } from "#testing/harness/restarts.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";

const KILLS = 6;
const BOTS = 30;
/** A server that hangs must end the test. */
const HANG_MS = 240_000;

test(
  `T28 T29 T34 a whole server killed ${KILLS} times under ${BOTS} bots loses and doubles nothing it told`,
  { timeout: HANG_MS },
  async (context) => {
    const folder = await temporaryFolder();
    context.after(folder.remove);
    const report = await surviveRestarts(folder.path, KILLS, BOTS);
    context.diagnostic(JSON.stringify(report));
    assert.ok(report.ends > 0 && report.whileOpening > 0);
  },
);
