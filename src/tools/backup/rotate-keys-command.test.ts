import assert from "node:assert/strict";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { readKeyInfo, openSecrets } from "#adapters/identity/secrets.ts";
import type { KeyInfo } from "#adapters/identity/secrets.ts";
import { runBout, temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { serveLadder } from "#testing/harness/test-server.ts";
import { checkDisk } from "#tools/doctor/disk-check.ts";

type Rotation = { made: KeyInfo; keys: KeyInfo[] };

describe("bout rotate-keys", () => {
  it("creates several keys in succession while the server is running", async () => {
    const data = temporaryTestFolder();
    const server = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    const firstKeys = await runBout(["rotate-keys", "--data", data, "--json"]);
    assert.deepEqual([firstKeys.code, firstKeys.err], [0, ""]);
    const one = JSON.parse(firstKeys.out) as Rotation;
    assert.equal(one.keys.length, 2);
    assert.equal(one.keys[0]?.replaced, one.made.from);
    const { code, out } = await runBout(["rotate-keys"], "", data, { BOUT_DATA: data });
    assert.equal(code, 0);
    const [, secondKeys = ""] =
      /^(\S+) is published within 60 s and is used for signing from \S+\.\n/.exec(out) ?? [];
    assert.notEqual(secondKeys, one.made.kid);
    assert.equal(out.match(/ stays valid for earlier tokens until /g)?.length, 2);
    assert.equal(statSync(join(data, "secrets.json")).mode & 0o777, 0o600);
    await server.shutDown();
    const restarted = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    const answer = await fetch(`${restarted.baseUrl}/auth/v1/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    const kids = [...one.keys.map(({ kid }) => kid), secondKeys];
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      kids,
    );
    await restarted.shutDown();
  });

  it("never loses a reported key, even if called concurrently", async () => {
    const data = temporaryTestFolder();
    const path = join(data, "secrets.json");
    await openSecrets(path, () => new Date());
    const all = await Promise.all(
      Array.from({ length: 4 }, () => runBout(["rotate-keys", "--data", data])),
    );
    const keyCount = ((await readKeyInfo(path)) ?? []).map(({ kid }) => kid);
    let newKey = 0;
    for (const { code, out, err } of all) {
      assert.doesNotMatch(out, /null/);
      if (code === 0) {
        newKey += 1;
        assert.ok(keyCount.includes(out.split(" ")[0] ?? ""), out);
      } else assert.deepEqual([code, out, err.match(/\n/g)?.length], [1, "", 1], err);
    }
    assert.ok(newKey > 0);
    assert.equal(keyCount.length, newKey + 1);
  });

  it("creates nothing if there are no keys, and leaves a damaged file unchanged", async () => {
    const data = temporaryTestFolder();
    const path = join(data, "secrets.json");
    const missingFile = await runBout(["rotate-keys", "--data", data]);
    assert.equal(missingFile.code, 2);
    assert.match(missingFile.err, /there is no secrets\.json/);
    assert.equal(existsSync(path), false);
    writeFileSync(path, "{", { mode: 0o600 });
    const damagedFile = await runBout(["rotate-keys", "--data", data]);
    assert.equal(damagedFile.code, 1);
    assert.match(damagedFile.err, /holds no secrets/);
    assert.equal(readFileSync(path, "utf8"), "{");
  });
});

const NEEDS_ROOT = {
  skip: process.getuid?.() === 0 ? false : "only root can change the owner of files",
};
const SERVER_UID = 12_345;

function ownersIn(folder: string): number[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return [...new Set(["", ...names].map((name) => statSync(join(folder, name)).uid))];
}

describe("commands run as root on another user's data", NEEDS_ROOT, () => {
  it("rotate-keys, backup and restore leave all files owned by that user", async () => {
    const root = temporaryTestFolder();
    const data = join(root, "data");
    const server = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    await server.shutDown();
    for (const name of ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })])
      chownSync(join(data, name), SERVER_UID, SERVER_UID);
    const run = async (...args: string[]) => {
      const { code, err } = await runBout(args);
      assert.equal(code, 0, err);
    };
    await run("rotate-keys", "--data", data);
    assert.deepEqual(ownersIn(data), [SERVER_UID]);
    await run("backup", join(root, "copy"), "--data", data, "--with-secrets");
    assert.deepEqual(ownersIn(data), [SERVER_UID]);
    assert.deepEqual(ownersIn(join(root, "copy")), [SERVER_UID]);
    const target = join(root, "target");
    mkdirSync(target);
    chownSync(target, SERVER_UID + 1, SERVER_UID + 1);
    await run("restore", join(root, "copy"), "--data", target);
    assert.deepEqual(ownersIn(target), [SERVER_UID + 1]);
    await run("restore", join(root, "copy"), "--data", join(root, "new"));
    assert.deepEqual(ownersIn(join(root, "new")), [SERVER_UID]);
  });

  it("doctor lists files with a different owner, and the command that fixes them", () => {
    const data = temporaryTestFolder();
    writeFileSync(join(data, "secrets.json"), "{}");
    chownSync(join(data, "secrets.json"), SERVER_UID, SERVER_UID);
    const owners = checkDisk(data).find(({ check }) => check === "data owner");
    assert.match(JSON.stringify(owners), /secrets\.json.*chown -R 0:0/);
  });
});
