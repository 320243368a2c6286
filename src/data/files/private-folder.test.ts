import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";

import { makePrivateFolder } from "./private-folder.ts";

const root = mkdtempSync(join(tmpdir(), "bout-folder-"));
after(() => rmSync(root, { recursive: true }));

it("creates the folder and its missing parents with owner-only permissions", () => {
  const path = join(root, "one", "two");
  makePrivateFolder(path);
  makePrivateFolder(path);
  for (const folder of [path, join(root, "one")])
    assert.equal(statSync(folder).mode & 0o777, 0o700);
});

const isLinux = process.platform === "linux";
it("fails immediately if the system forbids creating the folder", { skip: !isLinux }, () => {
  for (const path of ["/proc/nope", "/proc/nope/deeper/still"])
    assert.throws(() => makePrivateFolder(path), { code: "ENOENT" });
});

it("fails if the path or a parent is a file", () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  assert.throws(() => makePrivateFolder(file), { code: "EEXIST" });
  assert.throws(() => makePrivateFolder(join(file, "below")), { code: "ENOTDIR" });
});
