import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { SIMULATOR_FILES } from "#core/api/download.ts";
import { PROJECT_ROOT } from "#server/composition/project-paths.ts";
import { readDocPages } from "#testing/fixtures/doc-page.ts";
import { AUTHOR_COMMANDS } from "#tools/cli/author-commands.ts";

const pages = readDocPages();

const readme = { name: "README", text: readFileSync(join(PROJECT_ROOT, "README.md"), "utf8") };

describe("guides", () => {
  it("pass --url to commands that register a bot, because the port may differ from 7777", () => {
    const commands = [...pages, readme].flatMap(
      ({ text }) => text.match(/npx \S+ onboard .*/g) ?? [],
    );
    assert.ok(commands.length > 2);
    for (const command of commands) assert.match(command, / --url http/);
  });

  it("tell authors to download the CLI from the ladder, because npm would install a different package", () => {
    const commands = Object.keys(AUTHOR_COMMANDS).join("|");
    const ambiguousCommands = new RegExp(`npx (?:--\\S+ )?bout (?:${commands})\\b`);
    for (const { name, text } of [...pages, readme])
      assert.doesNotMatch(
        text,
        ambiguousCommands,
        `${name}.md: npx <ladder>/download/bout.tgz instead`,
      );
  });

  it("name the Python packages that a ladder serves", () => {
    const serverCommands = SIMULATOR_FILES.map(({ name }) => name);
    const namedCommands = pages.flatMap(
      ({ text }) => text.match(/bout_sim-[\w.-]+\.(?:whl|tar\.gz)/g) ?? [],
    );
    assert.ok(namedCommands.length > 1);
    assert.deepEqual(
      namedCommands.filter((name) => !serverCommands.includes(name)),
      [],
    );
  });

  it("use npx bout for operator commands only if their readers have a checkout", () => {
    const callLines = pages.filter(({ text }) => text.includes("npx bout "));
    const names = callLines.map(({ name }) => name);
    for (const name of names)
      assert.match(name, /^(?:cli|ladders$|operating|organisers|runbook|events?-|email)/, name);
    assert.ok(names.length >= 5);
    for (const { name, text } of callLines)
      assert.match(text, /in (?:its|the) (?:project )?folder\b/i, name);
  });

  it("install and upgrade to the git tag of this release or the next", () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
    const text = pages.map((page) => page.text).join("\n");
    const tags = [...text.matchAll(/git (?:checkout|clone --branch) v(\S+)/g)].map(
      ([, tag]) => tag!,
    );
    assert.equal(tags.length, 2);
    for (const tag of tags)
      assert.ok(minorOf(tag) >= minorOf(version), `v${tag} is an older release`);
  });
});

const minorOf = (version: string) => Number(version.split(".")[1]);
