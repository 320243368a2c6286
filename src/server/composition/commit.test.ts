import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";

import { runningCommit } from "./commit.ts";

suite("the commit that is running", () => {
  const folder = mkdtempSync(join(tmpdir(), "bout-commit-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const checkout = join(folder, "checkout");
  const bare = join(folder, "bare");
  mkdirSync(join(checkout, "inside"), { recursive: true });
  mkdirSync(bare);
  const file = join(checkout, "file");
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", checkout, "-c", "user.name=x", "-c", "user.email=x@x", ...words], {
      encoding: "utf8",
    }).trim();
  writeFileSync(file, "one");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "one");
  const head = git("rev-parse", "HEAD");

  test("is what the operator says", async () => {
    assert.equal(await runningCommit(checkout, { BOUT_COMMIT: "abc" }), "abc");
  });

  test("is that of the checkout, whatever untracked files it has", async () => {
    writeFileSync(join(checkout, "untracked"), "");
    assert.equal(await runningCommit(checkout, {}), head);
    assert.equal(await runningCommit(checkout, { BOUT_COMMIT: "" }), head);
  });

  test("says when a file of it is changed", async () => {
    writeFileSync(file, "two");
    assert.equal(await runningCommit(checkout, {}), `${head}-dirty`);
  });

  test("is unknown outside of a checkout, in a folder of one, and without git", async () => {
    assert.equal(await runningCommit(bare, {}), null);
    assert.equal(await runningCommit(join(checkout, "inside"), {}), null);
    assert.equal(await runningCommit(join(folder, "absent"), {}), null);
  });
});
