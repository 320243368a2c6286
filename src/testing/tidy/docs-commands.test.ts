import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { SIMULATOR_FILES } from "#core/resources/download.ts";
import { PROJECT } from "#server/composition/project.ts";
import { docPages } from "#testing/fixtures/doc-page.ts";
import { AUTHOR_COMMANDS } from "#tools/program/commands.ts";

const pages = docPages();

const readme = { name: "README", text: readFileSync(join(PROJECT, "README.md"), "utf8") };

describe("guides", () => {
  it("names the ladder in commands that register a bot, which may not be on port 7777", () => {
    const commands = [...pages, readme].flatMap(
      ({ text }) => text.match(/npx \S+ onboard .*/g) ?? [],
    );
    assert.ok(commands.length > 2);
    for (const command of commands) assert.match(command, / --url http/);
  });

  it("tells authors to fetch the commands from the ladder, where npm cannot mistake them", () => {
    const commands = Object.keys(AUTHOR_COMMANDS).join("|");
    const mistakable = new RegExp(`npx (?:--\\S+ )?bout (?:${commands})\\b`);
    for (const { name, text } of [...pages, readme])
      assert.doesNotMatch(text, mistakable, `${name}.md: npx <ladder>/download/bout.tgz instead`);
  });

  it("names the Python packages that a ladder serves", () => {
    const served = SIMULATOR_FILES.map(({ name }) => name);
    const named = pages.flatMap(
      ({ text }) => text.match(/bout_sim-[\w.-]+\.(?:whl|tar\.gz)/g) ?? [],
    );
    assert.ok(named.length > 1);
    assert.deepEqual(
      named.filter((name) => !served.includes(name)),
      [],
    );
  });

  it("calls commands of operators npx bout only in guides for people with a copy of the project", () => {
    const calling = pages.filter(({ text }) => text.includes("npx bout "));
    const names = calling.map(({ name }) => name);
    for (const name of names)
      assert.match(name, /^(?:cli|ladders$|operating|organisers|runbook|events?-|email)/, name);
    assert.ok(names.length >= 5);
    for (const { name, text } of calling)
      assert.match(text, /in (?:its|the) (?:project )?folder\b/i, name);
  });

  it("installs and upgrades to a git tag of this release, or of the one in preparation", () => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
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
