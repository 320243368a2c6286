import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";

import { PYTHON_WHEEL, PYTHON_SOURCE } from "#core/api/download.ts";
import { ENGINE_VERSION, RULES_VERSION } from "#core/engine/rules.ts";
import { unavailableReason } from "#testing/fixtures/find-python.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";

import { tarGz } from "../archives/tar.ts";
import { createZip } from "../archives/zip.ts";
import { pythonSourcePackage, pythonWheel } from "./python-package.ts";

const execFileAsync = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const GOLDEN = join(ROOT, "src", "testing", "fixtures", "golden");
const PYTHON_MS = 120_000;

const skipReason = await unavailableReason("python3", [
  "-c",
  "import sys; assert sys.version_info >= (3, 10)",
]);
const folder = temporaryTestFolder();
const installed = join(folder, "venv", "bin", "python");
/** Uses the system's pip for the test's Python, because installing another pip is slow. */
const PIP = ["-m", "pip", "--python", installed, "install", "--quiet"];
const OFFLINE = ["--no-index", "--no-build-isolation", "--no-deps"];
const pipSkipReason =
  skipReason || (await unavailableReason("python3", ["-m", "pip", "--version"]));
const buildSkipReason = skipReason || (await buildSkipReasonFor(join(folder, "venv")));
const archive = join(folder, PYTHON_SOURCE.name);
const unpacked = join(folder, PYTHON_SOURCE.name.replace(/\.tar\.gz$/, ""));
const wheel = join(folder, PYTHON_WHEEL.name);
before(async () => {
  writeFileSync(archive, await pythonSourcePackage());
  writeFileSync(wheel, await pythonWheel());
});

/**
 * Creates a virtual environment that can build packages, from installed packages, or from
 * downloaded ones. Returns why the build tests must be skipped, or false.
 */
async function buildSkipReasonFor(venvFolder: string): Promise<string | false> {
  const check = 'import importlib.metadata as m; assert int(m.version("setuptools")[:2]) > 76';
  const noHome = await unavailableReason("python3", ["-m", "venv", "--without-pip", venvFolder]);
  if (noHome !== false) return noHome;
  const isReady = (await unavailableReason(installed, ["-c", check])) === false;
  return isReady
    ? false
    : unavailableReason("python3", [...PIP, "--retries", "0", "setuptools>=77"]);
}

const python = async (args: readonly string[], env = {}, program = "python3") => {
  const variables = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env };
  const options = { cwd: folder, timeout: PYTHON_MS, env: variables };
  return (await execFileAsync(program, args, options)).stdout;
};

describe("an archive", () => {
  const files = [
    { path: "b/two.txt", content: Buffer.from("x".repeat(512)) },
    { path: "a/ö.txt", content: Buffer.from("") },
    { path: "b/one.txt", content: Buffer.from("one\n") },
  ];

  it("has the same bytes for the same files, in any order and on any system", () => {
    const bytes = tarGz(files);
    assert.deepEqual(tarGz(files.toReversed()), bytes);
    assert.deepEqual([...bytes.subarray(4, 8), bytes[9]], [0, 0, 0, 0, 255]);
    const blocks = gunzipSync(bytes);
    assert.equal(blocks.length, 512 * (3 + 2 + 2));
    assert.equal(blocks.subarray(257, 265).toString("latin1"), "ustar\u000000");
  });

  it("rejects a path that is too long", () => {
    const path = `${"folder/".repeat(14)}xx.txt`;
    assert.throws(() => tarGz([{ path, content: Buffer.from("") }]), /too long for an archive/);
  });

  it("opens in Python as a zip file", { skip: skipReason }, async () => {
    writeFileSync(join(folder, "sample.zip"), createZip(files));
    const script =
      "import zipfile, json\n" +
      "with zipfile.ZipFile('sample.zip') as archive:\n" +
      "  assert archive.testzip() is None\n" +
      "  print(json.dumps([[f.filename, f.file_size, f.external_attr >> 16] for f in archive.infolist()]))";
    assert.deepEqual(JSON.parse(await python(["-c", script])), [
      ["b/two.txt", 512, 0o100644],
      ["a/ö.txt", 0, 0o100644],
      ["b/one.txt", 4, 0o100644],
    ]);
  });

  it("opens in Python", { skip: skipReason }, async () => {
    writeFileSync(join(folder, "sample.tar.gz"), tarGz(files));
    const script =
      "import tarfile, json\n" +
      "with tarfile.open('sample.tar.gz', errors='strict') as tar:\n" +
      "  print(json.dumps([[m.name, m.size, m.mode, m.mtime, m.isfile()] for m in tar]))";
    const statedValues = JSON.parse(await python(["-c", script])) as unknown;
    const wheelFacts = [0o644, 315_532_800, true];
    assert.deepEqual(statedValues, [
      ["a/ö.txt", 0, ...wheelFacts],
      ["b/one.txt", 4, ...wheelFacts],
      ["b/two.txt", 512, ...wheelFacts],
    ]);
  });
});

describe("the Python package", { skip: skipReason }, () => {
  before(() => python(["-m", "tarfile", "-e", archive, folder]));

  it("contains every module, the maps and the licence, and no build output", () => {
    const files = readdirSync(unpacked, { recursive: true }).map(String);
    const ownModules = readdirSync(join(ROOT, "python", "src", "bout_sim"), { recursive: true });
    const modules = ownModules.map(String).filter((file) => file.endsWith(".py"));
    for (const file of modules) assert.ok(files.includes(join("src", "bout_sim", file)), file);
    for (const file of ["LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "setup.py"])
      assert.ok(files.includes(file), file);
    assert.equal(files.filter((file) => file.endsWith(".json")).length, 9);
    assert.deepEqual(
      files.filter((file) => /__pycache__|egg-info|\.pyc$/.test(file)),
      [],
    );
  });

  it("plays without installation and verifies every golden replay", async () => {
    const env = { PYTHONPATH: join(unpacked, "src") };
    const pythonCall = ["-m", "bout_sim", "play", "random", "greedy", "--games", "9", "--json"];
    assert.equal((JSON.parse(await python(pythonCall, env)) as { games: number }).games, 9);
    const golden = readdirSync(GOLDEN).filter((file) => file.endsWith(".jsonl"));
    const paths = golden.map((file) => join(GOLDEN, file));
    const statedValues = await python(["-m", "bout_sim", "verify", "--json", ...paths], env);
    assert.equal(statedValues.trim().split("\n").length, golden.length);
  });

  it("installs with pip without a network", { skip: buildSkipReason }, async () => {
    await python([...PIP, ...OFFLINE, archive]);
    assert.equal((await python(["-c", SELF_CHECK], {}, installed)).trim(), "9 last_standing True");
  });

  it(
    "builds a wheel with the same files and metadata as the script",
    { skip: buildSkipReason },
    async () => {
      const builtWheel = ["-m", "pip", "--python", installed, "wheel", "--quiet"];
      await python([...builtWheel, ...OFFLINE, "--wheel-dir", join(folder, "built"), archive]);
      const pythonResults = await describeWheel(join(folder, "built", PYTHON_WHEEL.name));
      const engineResults = await describeWheel(wheel);
      assert.deepEqual(engineResults, pythonResults);
      assert.deepEqual(engineResults.fields["License-Expression"], ["MIT"]);
      assert.deepEqual(engineResults.fields["Requires-Dist"]?.length, 2);
    },
  );
});

describe("the Python wheel", { skip: pipSkipReason }, () => {
  it("builds to the same bytes every time", async () => {
    assert.deepEqual(Buffer.from(await pythonWheel()), readFileSync(wheel));
  });

  it("installs with pip without a network or build tools", async () => {
    const venvFolder = join(folder, "wheel");
    await python(["-m", "venv", "--without-pip", venvFolder]);
    const ownModules = join(venvFolder, "bin", "python");
    const install = [
      "-m",
      "pip",
      "--python",
      ownModules,
      "install",
      "--quiet",
      "--no-index",
      "--no-deps",
    ];
    await python([...install, wheel]);
    assert.equal((await python(["-c", SELF_CHECK], {}, ownModules)).trim(), "9 last_standing True");
    const command = join(venvFolder, "bin", "bout-sim");
    const version = await python(["--version"], {}, command);
    assert.equal(version, `bout-sim ${ENGINE_VERSION} (rules ${RULES_VERSION})\n`);
    const check = "import bout_sim; print(bout_sim.__version__)";
    assert.equal((await python(["-c", check], {}, ownModules)).trim(), ENGINE_VERSION);
  });
});

async function describeWheel(path: string) {
  const script = `
import collections, email, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
  assert archive.testzip() is None
  info = next(name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name)
  text = archive.read(f"{info}/METADATA").decode()
  fields = collections.defaultdict(list)
  for name, value in email.message_from_string(text).items():
    fields[name].append(value.replace("'", '"'))
  scripts = archive.read(f"{info}/entry_points.txt").decode().split()
  names = sorted(name for name in archive.namelist() if "top_level.txt" not in name)
for name in ["Metadata-Version", "Dynamic"]:
  fields.pop(name, None)
print(json.dumps({"fields": fields, "scripts": scripts, "names": names}))
`;
  type Wheel = { fields: Record<string, string[]>; scripts: string[]; names: string[] };
  return JSON.parse(await python(["-c", script, path])) as Wheel;
}

const SELF_CHECK = `
import bout_sim
from bout_sim.sparring import greedy
match = bout_sim.play_match("cage", seed=1, bots=[greedy, greedy])
inside = "site-packages" in bout_sim.__file__
print(len(bout_sim.MAP_NAMES), match.replay.result["reason"], inside)
`;

it("rejects a package version that differs from the engine version", () => {
  const text = readFileSync(join(ROOT, "python", "pyproject.toml"), "utf8");
  const [, version] = /^version = "(.*)"$/m.exec(text) ?? [];
  assert.equal(PYTHON_WHEEL.name, `bout_sim-${version}-py3-none-any.whl`);
});
