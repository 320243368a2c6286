import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { temporaryFolder } from "#testing/harness/bout-process.ts";

import { findContestant, splitWords } from "./contestant.ts";

const STARTER = fileURLToPath(new URL("../starters/starter.ts", import.meta.url));
const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

before(() => {
  writeFileSync(path("my-first-bot.ts"), "export const decide = () => ({});");
  writeFileSync(path("syntax.ts"), "export const decide = ;");
  writeFileSync(path("syntax.mjs"), "let count = 0;\nexport const decide = ;");
  writeFileSync(path("nothing.ts"), "export const bot = 1;");
});

describe("bots by name", () => {
  const found: [string, string, boolean][] = [
    ["kiter", "kiter", true],
    ["ts-starter", "ts-starter", true],
    ["random", "random", true],
    ["starter:rush", "starter-rush", true],
    [path("my-first-bot.ts"), "my-first-bot", true],
    [`${STARTER}:zone`, "starter", true],
    ["cmd:python3 my bot.py", "python3-my-bot-py", false],
  ];
  for (const [spec, name, isInside] of found)
    it(`finds ${spec.replace(folder, "").replace(STARTER, "starter.ts")}`, () => {
      const contestant = findContestant(spec);
      assert.ok(!("error" in contestant));
      assert.deepEqual([contestant.name, contestant.isInside], [name, isInside]);
    });

  for (const spec of ["", "kiiter", "starter:calm", "absent.ts", folder, "cmd:  "])
    it(`does not find '${spec.replace(folder, "a folder")}'`, () => {
      assert.ok("error" in findContestant(spec));
    });
});

describe("opening a module", () => {
  const broken: [string, RegExp][] = [
    [path("syntax.ts"), /syntax\.ts:1\)$/],
    [path("syntax.mjs"), /^Error: Unexpected token ';' \(.*syntax\.mjs:2\)$/],
    [path("nothing.ts"), /neither decide nor createBot/],
    [`${path("my-first-bot.ts")}:rush`, /no createBot\(hello, variant\) to ask for 'rush'/],
  ];
  for (const [spec, problem] of broken)
    it(`rejects ${spec.replace(folder, "").replace(STARTER, "starter.ts")}`, async () => {
      const contestant = findContestant(spec);
      assert.ok(!("error" in contestant));
      await assert.rejects(
        contestant.open(
          () => {},
          () => {},
        ),
        problem,
      );
    });
});

describe("the words of a command", () => {
  it("are split at spaces and kept together by quotes, without a shell", () => {
    const words = splitWords(`python3 'my bot.py' --name "a b" $HOME;`);
    assert.deepEqual(words, ["python3", "my bot.py", "--name", "a b", "$HOME;"]);
  });
});
