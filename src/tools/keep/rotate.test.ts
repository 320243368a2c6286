// A new key for sessions, made by a command next to a server that runs.
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

import { keysIn, openSecrets } from "#outside/identity/secrets.ts";
import type { KeyNote } from "#outside/identity/secrets.ts";
import { runBout, temporaryFolder } from "#testing/harness/bout-process.ts";
import { serveLadder } from "#testing/harness/test-server.ts";
import { lookAtDisk } from "#tools/doctor/disk.ts";

type Rotation = { made: KeyNote; keys: KeyNote[] };

describe("bout rotate-keys", () => {
  it("makes a key next to a running server, and then another", async () => {
    const data = temporaryFolder();
    const server = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    const first = await runBout(["rotate-keys", "--data", data, "--json"]);
    assert.deepEqual([first.code, first.err], [0, ""]);
    const one = JSON.parse(first.out) as Rotation;
    assert.equal(one.keys.length, 2);
    assert.equal(one.keys[0]?.replaced, one.made.from);
    const { code, out } = await runBout(["rotate-keys"], "", data, { BOUT_DATA: data });
    assert.equal(code, 0);
    const [, second = ""] =
      /^(\S+) is published within 60 s and signs from \S+ on\.\n/.exec(out) ?? [];
    assert.notEqual(second, one.made.kid);
    assert.equal(out.match(/ stays good for what it has signed until /g)?.length, 2);
    assert.equal(statSync(join(data, "secrets.json")).mode & 0o777, 0o600);
    await server.shutDown();
    const restarted = await serveLadder(data, ["--accounts", "embedded", "--autoconfirm"]);
    const answer = await fetch(`${restarted.baseUrl}/auth/v1/.well-known/jwks.json`);
    const { keys } = (await answer.json()) as { keys: { kid: string }[] };
    const kids = [...one.keys.map(({ kid }) => kid), second];
    assert.deepEqual(
      keys.map(({ kid }) => kid),
      kids,
    );
    await restarted.shutDown();
  });

  it("never loses a key that it has told of, however many call it at once", async () => {
    const data = temporaryFolder();
    const path = join(data, "secrets.json");
    await openSecrets(path, () => new Date());
    const all = await Promise.all(
      Array.from({ length: 4 }, () => runBout(["rotate-keys", "--data", data])),
    );
    const kept = ((await keysIn(path)) ?? []).map(({ kid }) => kid);
    let made = 0;
    for (const { code, out, err } of all) {
      assert.doesNotMatch(out, /null/);
      if (code === 0) {
        made += 1;
        assert.ok(kept.includes(out.split(" ")[0] ?? ""), out);
      } else assert.deepEqual([code, out, err.match(/\n/g)?.length], [1, "", 1], err);
    }
    assert.ok(made > 0);
    assert.equal(kept.length, made + 1);
  });

  it("makes nothing where there are no keys, and leaves a damaged file alone", async () => {
    const data = temporaryFolder();
    const path = join(data, "secrets.json");
    const none = await runBout(["rotate-keys", "--data", data]);
    assert.equal(none.code, 2);
    assert.match(none.err, /there is no secrets\.json/);
    assert.equal(existsSync(path), false);
    writeFileSync(path, "{", { mode: 0o600 });
    const damaged = await runBout(["rotate-keys", "--data", data]);
    assert.equal(damaged.code, 1);
    assert.match(damaged.err, /holds no secrets/);
    assert.equal(readFileSync(path, "utf8"), "{");
  });
});

const NEEDS_ROOT = { skip: process.getuid?.() === 0 ? false : "only root gives files away" };
const SERVER_UID = 12_345;

function ownersIn(folder: string): number[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return [...new Set(["", ...names].map((name) => statSync(join(folder, name)).uid))];
}

describe("commands of root on the data of another user", NEEDS_ROOT, () => {
  it("rotate-keys, backup and restore leave all files to that user", async () => {
    const root = temporaryFolder();
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

  it("doctor names files of another owner, and the command that gives them back", () => {
    const data = temporaryFolder();
    writeFileSync(join(data, "secrets.json"), "{}");
    chownSync(join(data, "secrets.json"), SERVER_UID, SERVER_UID);
    const found = lookAtDisk(data).find(({ check }) => check === "data owner");
    assert.match(JSON.stringify(found), /secrets\.json.*chown -R 0:0/);
  });
});
