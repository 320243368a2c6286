import assert from "node:assert/strict";
import { test } from "node:test";

import { surviveRestarts } from "#testing/harness/crash-restarts.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";

const KILLS = 6;
const BOTS = 30;
const HANG_TIMEOUT_MS = 240_000;

test(
  `T28 T29 T34 a server that is killed ${KILLS} times with ${BOTS} bots neither loses nor duplicates a result it has sent`,
  { timeout: HANG_TIMEOUT_MS },
  async (context) => {
    const folder = await createTemporaryFolder();
    context.after(folder.remove);
    const report = await surviveRestarts(folder.path, KILLS, BOTS);
    context.diagnostic(JSON.stringify(report));
    assert.ok(report.matchEnds > 0 && report.whileOpening > 0);
  },
);
