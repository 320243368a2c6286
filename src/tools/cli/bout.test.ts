import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ENGINE_VERSION, RULES_VERSION } from "#core/engine/rules.ts";
import { PROTOCOL_VERSION } from "#core/protocol/version.ts";
import { RELEASE } from "#server/composition/versions.ts";
import { runBout } from "#testing/harness/bout-process.ts";

describe("bout", () => {
  for (const call of ["help", "--help", "-h"])
    it(`lists its commands for ${call}`, async () => {
      const { code, out, err } = await runBout([call]);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, /^usage: bout COMMAND .*\n\n {2}serve {8}run the ladder\n/);
    });

  it("prints its version with --version", async () => {
    const { code, out } = await runBout(["--version"]);
    const versions = `engine ${ENGINE_VERSION}, protocol ${PROTOCOL_VERSION}, rules ${RULES_VERSION}`;
    assert.deepEqual([code, out], [0, `bout ${RELEASE} (${versions})\n`]);
  });

  for (const command of [
    "serve",
    "demo",
    "sim",
    "replay",
    "verify",
    "play",
    "admin",
    "rotate-keys",
    "doctor",
    "rehearse",
  ])
    it(`has help for ${command}`, async () => {
      const { code, out, err } = await runBout([command, "--help"]);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, new RegExp(`^Usage: bout ${command} `));
    });

  for (const command of ["serve", "demo"])
    it(`refuses a flag that ${command} does not have in one line`, async () => {
      const { code, out, err } = await runBout([command, "--turbo"]);
      const told = `bout ${command}: unknown option '--turbo'. See bout ${command} --help.\n`;
      assert.deepEqual([code, out, err], [2, "", told]);
    });

  for (const call of [[], ["fight"]])
    it(`refuses ${call[0] ?? "no command"} and lists those there are`, async () => {
      const { code, out, err } = await runBout(call);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, /usage: bout COMMAND/);
    });
});
