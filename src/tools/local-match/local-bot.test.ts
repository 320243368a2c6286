import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { findLocalBot, splitWords } from "./local-bot.ts";

const STARTER = fileURLToPath(new URL("../starters/starter.ts", import.meta.url));
const folder = temporaryTestFolder();
const path = (name: string) => join(folder, name);

before(() => {
  writeFileSync(path("my-first-bot.ts"), "export const decide = () => ({});");
  writeFileSync(path("syntax.ts"), "export const decide = ;");
  writeFileSync(path("syntax.mjs"), "let count = 0;\nexport const decide = ;");
  writeFileSync(path("nothing.ts"), "export const bot = 1;");
});

describe("bots found by name", () => {
  const localBot: [string, string, boolean][] = [
    ["kiter", "kiter", true],
    ["ts-starter", "ts-starter", true],
    ["random", "random", true],
    ["starter:rush", "starter-rush", true],
    [path("my-first-bot.ts"), "my-first-bot", true],
    [`${STARTER}:zone`, "starter", true],
    ["cmd:python3 my bot.py", "python3-my-bot-py", false],
  ];
  for (const [spec, name, isInside] of localBot)
    it(`finds ${spec.replace(folder, "").replace(STARTER, "starter.ts")}`, () => {
      const bot = findLocalBot(spec);
      assert.ok(!("error" in bot));
      assert.deepEqual([bot.name, bot.runsInProcess], [name, isInside]);
    });

  for (const spec of ["", "kiiter", "starter:calm", "absent.ts", folder, "cmd:  "])
    it(`doesn't find '${spec.replace(folder, "a folder")}'`, () => {
      assert.ok("error" in findLocalBot(spec));
    });
});

describe("loading a module", () => {
  const brokenModule: [string, RegExp][] = [
    [path("syntax.ts"), /syntax\.ts:1\)$/],
    [path("syntax.mjs"), /^Error: Unexpected token ';' \(.*syntax\.mjs:2\)$/],
    [path("nothing.ts"), /exports neither decide nor createBot/],
    [`${path("my-first-bot.ts")}:rush`, /exports no createBot\(hello, variant\) for 'rush'/],
  ];
  for (const [spec, problem] of brokenModule)
    it(`rejects ${spec.replace(folder, "").replace(STARTER, "starter.ts")}`, async () => {
      const bot = findLocalBot(spec);
      assert.ok(!("error" in bot));
      await assert.rejects(
        bot.open(
          () => {},
          () => {},
        ),
        problem,
      );
    });
});

describe("words of a command", () => {
  it("are split at spaces and grouped by quotes, without a shell", () => {
    const words = splitWords(`python3 'my bot.py' --name "a b" $HOME;`);
    assert.deepEqual(words, ["python3", "my bot.py", "--name", "a b", "$HOME;"]);
  });
});
