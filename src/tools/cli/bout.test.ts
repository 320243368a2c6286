import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { ENGINE_VERSION, RULES_VERSION } from "#core/engine/rules.ts";
import { PROTOCOL_VERSION } from "#core/protocol/version.ts";
import { RELEASE } from "#server/composition/release.ts";
import { runBout } from "#testing/harness/bout-process.ts";

const GOLDEN = fileURLToPath(new URL("../../testing/fixtures/golden/cage.jsonl", import.meta.url));

describe("bout", () => {
  for (const call of ["help", "--help", "-h"])
    it(`prints its commands for ${call}`, async () => {
      const { code, out, err } = await runBout([call]);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, /^Usage: bout COMMAND .*\n\nFor bot authors:\n {2}onboard {6}/);
      assert.match(out, /\nFor operators:\n {2}serve {8}run a server\n/);
    });

  for (const flag of ["--version", "-v"])
    it(`prints its version with ${flag}`, async () => {
      const { code, out } = await runBout([flag]);
      const versions = `engine ${ENGINE_VERSION}, protocol ${PROTOCOL_VERSION}, rules ${RULES_VERSION}`;
      assert.deepEqual([code, out], [0, `bout ${RELEASE} (${versions})\n`]);
    });

  it("prints a command's help with help COMMAND", async () => {
    const [namedRun, flaggedRun] = await Promise.all([
      runBout(["help", "sim"]),
      runBout(["sim", "--help"]),
    ]);
    assert.deepEqual(namedRun, flaggedRun);
  });

  const mistypedRun: [call: string[], hint: string][] = [
    [["hlep"], "bout: unknown command 'hlep'. Did you mean help?\n"],
    [["help", "smi"], "bout: unknown command 'smi'. Did you mean sim?\n"],
    [["quark"], "bout: unknown command 'quark'. To list commands, run \"bout help\".\n"],
    [
      ["sim", "kiter", "kiter", "--game", "3"],
      "bout sim: unknown option '--game'. Did you mean --games? See bout sim --help.\n",
    ],
  ];
  for (const [call, hint] of mistypedRun)
    it(`suggests a command for '${call.join(" ")}'`, async () => {
      assert.deepEqual(await runBout(call), { code: 2, out: "", err: hint });
    });

  const ESCAPE = "\u001B[";
  const coloredRun: [call: string[], to: "out" | "err", code: number][] = [
    [["help"], "out", 0],
    [["sim", "--help"], "out", 0],
    [["sim", "random", "random", "--games", "1"], "out", 0],
    [["replay", GOLDEN], "out", 0],
    [["sim", "--turbo"], "err", 2],
    [["quark"], "err", 2],
  ];
  for (const [call, to, code] of coloredRun)
    it(`colors the ${to} of ${call[0]} in a pipe only with FORCE_COLOR`, async () => {
      const run = (env: Record<string, string>) => runBout(call, "", process.cwd(), env);
      const forcedColor = await run({ NO_COLOR: "", FORCE_COLOR: "1" });
      assert.equal(forcedColor.code, code);
      assert.ok(forcedColor[to].includes(ESCAPE), forcedColor[to]);
      for (const env of [{ NO_COLOR: "" }, { NO_COLOR: "1" }]) {
        const plainRun = await run(env);
        assert.ok(!plainRun[to].includes(ESCAPE), plainRun[to]);
        assert.equal(plainRun[to], stripVTControlCharacters(forcedColor[to]));
      }
    });

  it("completes commands, subcommands and flags", async () => {
    const completions = async (...words: string[]) =>
      (await runBout(["__complete", ...words])).out.split("\n");
    assert.ok((await completions()).includes("onboard"));
    assert.ok((await completions("sim")).includes("--games"));
    assert.ok((await completions("admin")).includes("ladders"));
  });

  it("prints a valid completion script for bash", async () => {
    const { out } = await runBout(["completion", "bash"]);
    assert.equal(spawnSync("bash", ["-n"], { input: out }).status, 0);
    assert.equal((await runBout(["completion", "csh"])).code, 2);
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
    "load-test",
  ])
    it(`prints help for ${command}`, async () => {
      const { code, out, err } = await runBout([command, "--help"]);
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, new RegExp(`^Usage: bout ${command} `));
    });

  it("runs a renamed command by its old name", async () => {
    const { out } = await runBout(["rehearse", "--help"]);
    assert.match(out, /^Usage: bout load-test /);
  });

  for (const command of ["serve", "demo"])
    it(`rejects, on one line, a flag that ${command} doesn't have`, async () => {
      const { code, out, err } = await runBout([command, "--turbo"]);
      const output = `bout ${command}: unknown option '--turbo'. See bout ${command} --help.\n`;
      assert.deepEqual([code, out, err], [2, "", output]);
    });

  it("prints its commands on stderr if called without arguments", async () => {
    const { code, out, err } = await runBout([]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /Usage: bout COMMAND/);
  });
});
