// A disk that is full while operators read, sign in and use agent keys: a small tmpfs, as root.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { personAt } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

const NEEDS_ROOT = { skip: process.getuid?.() === 0 ? false : "mounting a tmpfs needs root" };
const ADMIN = "admin@example.org";
const FLAGS = ["--accounts", "embedded", "--autoconfirm", "--admin-email", ADMIN];
/** The database takes some writes from space that it has. */
const MOST_WRITES = 2_000;
const AT_ONCE = 8;
const REPEATS = 10;

type Hooks = { after(call: () => Promise<void>): void };
type Disk = { path: string; fill(): void; clear(): void };

async function smallDisk(hooks: Hooks): Promise<Disk> {
  const folder = await temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder.path]);
  hooks.after(async () => {
    execFileSync("umount", ["--lazy", folder.path]);
    await folder.remove();
  });
  const file = join(folder.path, "fill");
  const fill = () => {
    const handle = openSync(file, "a");
    for (const size of [1 << 20, 1 << 12, 1])
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
      }
    closeSync(handle);
  };
  return { path: folder.path, fill, clear: () => rmSync(file) };
}

async function serving(hooks: Hooks, data: string): Promise<LadderProcess> {
  const ladder = await spawnLadder(data, FLAGS);
  hooks.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  });
  return ladder;
}

const attempt = (client: AccountClient, password: string) =>
  client.identity("POST", "/token?grant_type=password", { email: ADMIN, password });

const PASSWORD = "correct horse battery";

/** Signs in until the database has no space of its own left. */
async function useUpSpace(client: AccountClient): Promise<void> {
  for (let count = 0; count < MOST_WRITES; count += AT_ONCE) {
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, () => attempt(client, PASSWORD)),
    );
    if (replies.every(({ status }) => status !== 200)) return;
  }
  assert.fail("the disk never became full");
}

/** An export is limited to one a minute; `/healthz` says 503 because the store takes no writes. */
const EXCEPT = ["/api/account/export", "/healthz"];

/** Every address that can be read without naming anything. */
async function readable(baseUrl: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const isRead = (path: string) => "get" in paths[path]! && !path.includes("{");
  return Object.keys(paths).filter((path) => isRead(path) && !EXCEPT.includes(path));
}

async function get(baseUrl: string, path: string, token: string): Promise<[string, number]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(baseUrl + path, { headers, redirect: "manual" });
  await response.arrayBuffer();
  return [path, response.status];
}

test("T101 on a full disk operators read, and writes are 503", NEEDS_ROOT, async (context) => {
  const disk = await smallDisk(context);
  const { baseUrl, log } = await serving(context, join(disk.path, "data"));
  const client = await personAt(baseUrl);
  const token = await client.enter(ADMIN);
  const handle = { token, body: { handle: "olga" } };
  assert.equal((await client.ladder("PUT", "/api/account/handle", handle)).status, 200);
  const newKey = () =>
    client.ladder("POST", "/api/account/keys", { token, body: { label: "ops" } });
  // The use of a key is stored when it has not been used for a minute.
  const unused = String((await newKey()).body["key"]);
  const paths = await readable(baseUrl);
  const read = (credential: string) =>
    Promise.all(paths.map((path) => get(baseUrl, path, credential)));
  const before = await read(token);
  disk.fill();
  await useUpSpace(client);

  assert.deepEqual(await read(token), before);
  const withKey = await read(unused);
  assert.deepEqual(
    withKey.filter(([, status]) => status >= 500),
    [],
  );
  const admin = withKey.filter(([path]) =>
    /^\/api\/admin\/(?:health|metrics|overview)$/.test(path),
  );
  assert.deepEqual(
    admin.map(([, status]) => status),
    [200, 200, 200],
  );

  for (let time = 0; time < REPEATS; time += 1) {
    const refused = await attempt(client, PASSWORD);
    assert.deepEqual([refused.status, refused.body["code"]], [503, "store_unavailable"]);
    const write = await newKey();
    assert.deepEqual([write.status, write.body["code"]], [503, "store_unavailable"]);
  }
  const texts = log.map((line) => (JSON.parse(line) as { msg: string }).msg);
  for (const text of ["the identity provider failed", "request failed"])
    assert.equal(texts.filter((one) => one === text).length, 1, text);

  disk.clear();
  assert.equal((await attempt(client, PASSWORD)).status, 200);
  assert.equal((await newKey()).status, 201);
});
