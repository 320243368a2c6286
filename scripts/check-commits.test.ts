import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { faultsOf } from "./check-commits.ts";

describe("commit messages", () => {
  const good = [
    "fix(pairing): never pair bots of one owner",
    "feat!: drop Node 18",
    "docs: explain the upgrade\n\nThe body may say more.",
    'Revert "fix: something"',
  ];
  for (const message of good)
    it(`accepts ${JSON.stringify(message)}`, () => assert.deepEqual(faultsOf(message), []));

  const bad: [string, RegExp][] = [
    ["Fix pairing", /not "type\(scope\)/],
    ["fix(Pairing): never pair", /not "type\(scope\)/],
    ["fix: Never pair", /lower-case/],
    ["fix:never pair", /not "type\(scope\)/],
    ["fix: never pair.", /ends with a period/],
    [`fix: ${"long ".repeat(14)}subject`, /at most 72/],
    ["fix: never pair\nbecause", /blank line/],
  ];
  for (const [message, fault] of bad)
    it(`rejects ${JSON.stringify(message.slice(0, 40))}`, () =>
      assert.match(faultsOf(message).join(" "), fault));
});
