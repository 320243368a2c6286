import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

import { PYTHON } from "#core/resources/download.ts";
import { reasonAgainst } from "#testing/fixtures/python.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";

import { pythonPackage } from "./python-package.ts";
import { tarGz } from "./tar.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../", import.meta.url));
const GOLDEN = join(ROOT, "src", "testing", "fixtures", "golden");
/** Longer than anything here takes on a slow machine. */
const PYTHON_MS = 120_000;

const missing = await reasonAgainst("python3", [
  "-c",
  "import sys; assert sys.version_info >= (3, 10)",
]);
const folder = temporaryFolder();
const installed = join(folder, "venv", "bin", "python");
/** The machine's pip, used for the test's Python: installing a separate one takes long. */
const PIP = ["-m", "pip", "--python", installed, "install", "--quiet"];
const noBuilder = missing || (await reasonAgainstBuilding(join(folder, "venv")));
const archive = join(folder, PYTHON.name);
const unpacked = join(folder, PYTHON.name.replace(/\.tar\.gz$/, ""));
before(async () => writeFileSync(archive, await pythonPackage()));

/** Makes a Python that can build packages: from what is installed, else with a download. */
async function reasonAgainstBuilding(home: string): Promise<string | false> {
  const check = 'import importlib.metadata as m; assert int(m.version("setuptools")[:2]) > 70';
  const noHome = await reasonAgainst("python3", ["-m", "venv", "--without-pip", home]);
  if (noHome !== false) return noHome;
  const isReady = (await reasonAgainst(installed, ["-c", check])) === false;
  return isReady ? false : reasonAgainst("python3", [...PIP, "--retries", "0", "setuptools>=71"]);
}

const python = async (args: readonly string[], env = {}, program = "python3") => {
  const variables = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env };
  const options = { cwd: folder, timeout: PYTHON_MS, env: variables };
  return (await run(program, args, options)).stdout;
};

describe("an archive", () => {
  const files = [
    { path: "b/two.txt", content: Buffer.from("x".repeat(512)) },
    { path: "a/ö.txt", content: Buffer.from("") },
    { path: "b/one.txt", content: Buffer.from("one\n") },
  ];

  it("is the same bytes for the same files in any order, on any system", () => {
    const bytes = tarGz(files);
    assert.deepEqual(tarGz(files.toReversed()), bytes);
    assert.deepEqual([...bytes.subarray(4, 8), bytes[9]], [0, 0, 0, 0, 255]);
    const blocks = gunzipSync(bytes);
    assert.equal(blocks.length, 512 * (3 + 2 + 2));
    assert.equal(blocks.subarray(257, 265).toString("latin1"), "ustar\u000000");
  });

  it("has no room for long paths", () => {
    const path = `${"folder/".repeat(14)}xx.txt`;
    assert.throws(() => tarGz([{ path, content: Buffer.from("") }]), /too long for an archive/);
  });

  it("is read by others", { skip: missing }, async () => {
    writeFileSync(join(folder, "sample.tar.gz"), tarGz(files));
    const script =
      "import tarfile, json\n" +
      "with tarfile.open('sample.tar.gz', errors='strict') as tar:\n" +
      "  print(json.dumps([[m.name, m.size, m.mode, m.mtime, m.isfile()] for m in tar]))";
    const told = JSON.parse(await python(["-c", script])) as unknown;
    const facts = [0o644, 315_532_800, true];
    assert.deepEqual(told, [
      ["a/ö.txt", 0, ...facts],
      ["b/one.txt", 4, ...facts],
      ["b/two.txt", 512, ...facts],
    ]);
  });
});

describe("the Python package", { skip: missing }, () => {
  before(() => python(["-m", "tarfile", "-e", archive, folder]));

  it("has every module, the maps, the licence and nothing that was built", () => {
    const files = readdirSync(unpacked, { recursive: true }).map(String);
    const own = readdirSync(join(ROOT, "python", "src", "bout_sim"), { recursive: true });
    const modules = own.map(String).filter((file) => file.endsWith(".py"));
    for (const file of modules) assert.ok(files.includes(join("src", "bout_sim", file)), file);
    for (const file of ["LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "setup.py"])
      assert.ok(files.includes(file), file);
    assert.equal(files.filter((file) => file.endsWith(".json")).length, 9);
    assert.deepEqual(
      files.filter((file) => /__pycache__|egg-info|\.pyc$/.test(file)),
      [],
    );
  });

  it("plays without being installed, and verifies every golden replay", async () => {
    const env = { PYTHONPATH: join(unpacked, "src") };
    const call = ["-m", "bout_sim", "play", "random", "greedy", "--games", "9", "--json"];
    assert.equal((JSON.parse(await python(call, env)) as { games: number }).games, 9);
    const golden = readdirSync(GOLDEN).filter((file) => file.endsWith(".jsonl"));
    const paths = golden.map((file) => join(GOLDEN, file));
    const told = await python(["-m", "bout_sim", "verify", "--json", ...paths], env);
    assert.equal(told.trim().split("\n").length, golden.length);
  });

  it("is installed by pip without a network", { skip: noBuilder }, async () => {
    const offline = ["--no-index", "--no-build-isolation", "--no-deps"];
    await python([...PIP, ...offline, archive]);
    assert.equal((await python(["-c", SELF_CHECK], {}, installed)).trim(), "9 last_standing True");
  });
});

/** The installed package, with its own copy of the maps. */
const SELF_CHECK = `
import bout_sim
from bout_sim.sparring import greedy
match = bout_sim.play_match("cage", seed=1, bots=[greedy, greedy])
inside = "site-packages" in bout_sim.__file__
print(len(bout_sim.MAP_NAMES), match.replay.result["reason"], inside)
`;

it("a package of another version than the engine is not built", () => {
  const text = readFileSync(join(ROOT, "python", "pyproject.toml"), "utf8");
  const [, version] = /^version = "(.*)"$/m.exec(text) ?? [];
  assert.equal(PYTHON.name, `bout_sim-${version}.tar.gz`);
});
