import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";

import { runningCommit } from "./commit.ts";

suite("the running commit", () => {
  const folder = mkdtempSync(join(tmpdir(), "bout-commit-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const checkout = join(folder, "checkout");
  const plainFolder = join(folder, "bare");
  mkdirSync(join(checkout, "inside"), { recursive: true });
  mkdirSync(plainFolder);
  const file = join(checkout, "file");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", checkout, "-c", "user.name=x", "-c", "user.email=x@x", ...args], {
      encoding: "utf8",
    }).trim();
  writeFileSync(file, "one");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
  const head = git("rev-parse", "HEAD");

  test("is taken from the configuration", async () => {
    assert.equal(await runningCommit(checkout, { BOUT_COMMIT: "abc" }), "abc");
  });

  test("is read from the checkout, ignoring untracked files", async () => {
    writeFileSync(join(checkout, "untracked"), "");
    assert.equal(await runningCommit(checkout, {}), head);
    assert.equal(await runningCommit(checkout, { BOUT_COMMIT: "" }), head);
  });

  test("is marked dirty if a tracked file has changed", async () => {
    writeFileSync(file, "two");
    assert.equal(await runningCommit(checkout, {}), `${head}-dirty`);
  });

  test("is unknown outside a checkout, in a subfolder of one, and without git", async () => {
    assert.equal(await runningCommit(plainFolder, {}), null);
    assert.equal(await runningCommit(join(checkout, "inside"), {}), null);
    assert.equal(await runningCommit(join(folder, "absent"), {}), null);
  });
});
