import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";

import { makeFolder } from "./folder.ts";

const root = mkdtempSync(join(tmpdir(), "bout-folder-"));
after(() => rmSync(root, { recursive: true }));

it("is made with its missing parents, for the owner alone", () => {
  const path = join(root, "one", "two");
  makeFolder(path);
  makeFolder(path);
  for (const made of [path, join(root, "one")]) assert.equal(statSync(made).mode & 0o777, 0o700);
});

const isLinux = process.platform === "linux";
it("is refused at once where the system lets nobody make one", { skip: !isLinux }, () => {
  for (const path of ["/proc/nope", "/proc/nope/deeper/still"])
    assert.throws(() => makeFolder(path), { code: "ENOENT" });
});

it("is refused where a file has its name or that of a parent", () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  assert.throws(() => makeFolder(file), { code: "EEXIST" });
  assert.throws(() => makeFolder(join(file, "below")), { code: "ENOTDIR" });
});
