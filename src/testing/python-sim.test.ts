// The Python simulator: its own tests, and that it plays as this engine does, text for text.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

import { resimulate } from "#engine/replay.ts";
import { parseReplay } from "#protocol/replay.ts";

import { fightsForPython } from "./python-fights.ts";
import { reasonAgainst } from "./python.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CLI = join(ROOT, "src", "cli", "bout.ts");
/** Longer than anything here takes on a slow machine. */
const PYTHON_MS = 60_000;
const GAMES = 9;

const run = promisify(execFile);
const missing = await reasonAgainst("python3", [
  "-c",
  "import sys; assert sys.version_info >= (3, 10)",
]);

/** What Python prints for these arguments; what it complains about when it fails. */
async function python(args: readonly string[], input = ""): Promise<string> {
  const env = { ...process.env, PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1" };
  const cwd = join(ROOT, "python");
  const running = run("python3", args, { cwd, env, timeout: PYTHON_MS, encoding: "utf8" });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

describe("the Python simulator", { skip: missing }, () => {
  const folder = mkdtempSync(join(tmpdir(), "bout-python-"));
  after(() => rmSync(folder, { recursive: true }));

  test("passes its own tests", async () => {
    await python(["-m", "unittest", "discover", "-s", "tests", "-t", "."]);
  });

  test("observes, plays and counts what this engine does, on every map with 2 to 4 fighters", async () => {
    const told = await python(["-m", "tests.compare"], `${fightsForPython().join("\n")}\n`);
    const counts = JSON.parse(told) as Record<string, number>;
    assert.equal(counts.fights, 36);
    assert.ok(counts.observations > 10_000, told);
  });

  test("plays the same games as bout sim, and writes the same replays", async () => {
    const call = ["random", "random", "--games", String(GAMES), "--seed", "7", "--json"];
    const ours = await run(process.execPath, [CLI, "sim", ...call, "--save", join(folder, "ours")]);
    const theirs = await python([
      "-m",
      "bout_sim",
      "play",
      ...call,
      "--save",
      join(folder, "theirs"),
    ]);
    assert.equal(theirs, ours.stdout);
    const files = readdirSync(join(folder, "ours"));
    assert.equal(files.length, GAMES);
    for (const file of files) {
      const replay = textOf("theirs", file);
      assert.equal(replay, textOf("ours", file));
      const parsed = parseReplay(replay);
      assert.ok(!("error" in parsed) && resimulate(parsed).ok, file);
    }
  });

  const textOf = (side: string, file: string): string =>
    gunzipSync(readFileSync(join(folder, side, file))).toString();
});
