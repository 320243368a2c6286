import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { commitMessageErrors } from "./check-commits.ts";

describe("commit messages", () => {
  const validMessages = [
    "fix(pairing): never pair bots of one owner",
    "feat!: drop Node 18",
    "docs: explain the upgrade\n\nThe body may say more.",
    'Revert "fix: something"',
  ];
  for (const message of validMessages)
    it(`accepts ${JSON.stringify(message)}`, () =>
      assert.deepEqual(commitMessageErrors(message), []));

  const invalidMessages: [string, RegExp][] = [
    ["Fix pairing", /not "type\(scope\)/],
    ["fix(Pairing): never pair", /not "type\(scope\)/],
    ["fix: Never pair", /lower-case/],
    ["fix:never pair", /not "type\(scope\)/],
    ["fix: never pair.", /ends with a period/],
    [`fix: ${"long ".repeat(14)}subject`, /at most 72/],
    ["fix: never pair\nbecause", /blank line/],
  ];
  for (const [message, expectedError] of invalidMessages)
    it(`rejects ${JSON.stringify(message.slice(0, 40))}`, () =>
      assert.match(commitMessageErrors(message).join(" "), expectedError));
});
