import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

import { unavailableReason } from "#testing/fixtures/find-python.ts";

const STARTER = fileURLToPath(new URL("starter.py", import.meta.url));
const missing = await unavailableReason("python3", ["--version"]);

const SCRIPT = `
import runpy, sys
sys.version_info, sys.version = (3, 10, 4, "final", 0), "3.10.4 (main)"
sys.argv = [sys.argv[1], "--url", "http://localhost:1"]
runpy.run_path(sys.argv[0], run_name="__main__")
`;

it("the Python starter states the required Python version", { skip: missing }, () => {
  const { status, stderr } = spawnSync("python3", ["-c", SCRIPT, STARTER], { encoding: "utf8" });
  assert.equal(stderr, "starter.py needs Python 3.11 or newer; this is 3.10.4\n");
  assert.equal(status, 1);
});
