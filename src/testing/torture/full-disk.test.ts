// Fills the disk while operators read data, sign in and use agent keys. The disk is a small tmpfs,
// which requires root.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { createAccountClient } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

const NEEDS_ROOT = { skip: process.getuid?.() === 0 ? false : "mounting a tmpfs requires root" };
const ADMIN = "admin@example.org";
const FLAGS = ["--accounts", "embedded", "--autoconfirm", "--admin-email", ADMIN];
/** Some writes still succeed, because the database has allocated space in advance. */
const MAX_WRITES = 2_000;
const CONCURRENCY = 8;
const REPEATS = 10;

type Hooks = { after(call: () => Promise<void>): void };
type Disk = { path: string; fillDisk(): void; clear(): void };

async function mountSmallDisk(hooks: Hooks): Promise<Disk> {
  const folder = await createTemporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", folder.path]);
  hooks.after(async () => {
    execFileSync("umount", ["--lazy", folder.path]);
    await folder.remove();
  });
  const file = join(folder.path, "fill");
  const fillDisk = () => {
    const handle = openSync(file, "a");
    for (const size of [1 << 20, 1 << 12, 1])
      try {
        for (;;) writeSync(handle, Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, "ENOSPC");
      }
    closeSync(handle);
  };
  return { path: folder.path, fillDisk, clear: () => rmSync(file) };
}

async function startServer(hooks: Hooks, data: string): Promise<LadderProcess> {
  const ladder = await spawnLadder(data, FLAGS);
  hooks.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  });
  return ladder;
}

const signIn = (client: AccountClient, password: string) =>
  client.requestProvider("POST", "/token?grant_type=password", { email: ADMIN, password });

const PASSWORD = "correct horse battery";

async function fillStore(client: AccountClient): Promise<void> {
  for (let count = 0; count < MAX_WRITES; count += CONCURRENCY) {
    const replies = await Promise.all(
      Array.from({ length: CONCURRENCY }, () => signIn(client, PASSWORD)),
    );
    if (replies.every(({ status }) => status !== 200)) return;
  }
  assert.fail("the disk never became full");
}

/**
 * The export is limited to one a minute. `/healthz` returns 503 because the store accepts no
 * writes.
 */
const EXCLUDED_PATHS = ["/api/account/export", "/healthz"];

async function readablePaths(baseUrl: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  const isRead = (path: string) => "get" in paths[path]! && !path.includes("{");
  return Object.keys(paths).filter((path) => isRead(path) && !EXCLUDED_PATHS.includes(path));
}

async function get(baseUrl: string, path: string, token: string): Promise<[string, number]> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(baseUrl + path, { headers, redirect: "manual" });
  await response.arrayBuffer();
  return [path, response.status];
}

test(
  "T101 operators can still read when the disk is full, and writes return 503",
  NEEDS_ROOT,
  async (context) => {
    const disk = await mountSmallDisk(context);
    const { baseUrl, log } = await startServer(context, join(disk.path, "data"));
    const client = await createAccountClient(baseUrl);
    const token = await client.signUp(ADMIN);
    const handle = { token, body: { handle: "olga" } };
    assert.equal((await client.requestLadder("PUT", "/api/account/handle", handle)).status, 200);
    const newKey = () =>
      client.requestLadder("POST", "/api/account/keys", { token, body: { label: "ops" } });
    // The use of a key is stored only if the last stored use is more than a minute old.
    const unusedKey = String((await newKey()).body["key"]);
    const paths = await readablePaths(baseUrl);
    const read = (credential: string) =>
      Promise.all(paths.map((path) => get(baseUrl, path, credential)));
    const readBefore = await read(token);
    disk.fillDisk();
    await fillStore(client);

    assert.deepEqual(await read(token), readBefore);
    const keyResponses = await read(unusedKey);
    assert.deepEqual(
      keyResponses.filter(([, status]) => status >= 500),
      [],
    );
    const admin = keyResponses.filter(([path]) =>
      /^\/api\/admin\/(?:health|metrics|overview)$/.test(path),
    );
    assert.deepEqual(
      admin.map(([, status]) => status),
      [200, 200, 200],
    );

    for (let time = 0; time < REPEATS; time += 1) {
      const signInResponse = await signIn(client, PASSWORD);
      assert.deepEqual(
        [signInResponse.status, signInResponse.body["code"]],
        [503, "store_unavailable"],
      );
      const write = await newKey();
      assert.deepEqual([write.status, write.body["code"]], [503, "store_unavailable"]);
    }
    const texts = log.map((line) => (JSON.parse(line) as { msg: string }).msg);
    for (const text of ["identity provider failed", "request failed"])
      assert.equal(texts.filter((item) => item === text).length, 1, text);

    disk.clear();
    assert.equal((await signIn(client, PASSWORD)).status, 200);
    assert.equal((await newKey()).status, 201);
  },
);
