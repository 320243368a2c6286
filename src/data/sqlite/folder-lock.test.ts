import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { LockHeld } from "#data/credentials/server-lock.ts";

import { lockFolder } from "./folder-lock.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "bout-lock-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

async function lockInChildProcess(): Promise<{ pid: number; kill(): Promise<void> }> {
  const lock = fileURLToPath(new URL("./folder-lock.ts", import.meta.url));
  const code = `import { lockFolder } from ${JSON.stringify(lock)};
    globalThis.lock = lockFolder(${JSON.stringify(data)});
    await lock.announce("http://localhost:7");
    console.log("held"); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { pid: child.pid ?? 0, kill };
}

describe("T93 data folder lock", () => {
  it("can't be acquired while another process holds it, and the error names that process", async () => {
    const { pid, kill } = await lockInChildProcess();
    const message = `the folder ${data} is already in use by process ${pid} at http://localhost:7; nothing was changed`;
    assert.throws(() => lockFolder(data), { name: "LockHeld", message });
    assert.throws(() => lockFolder(data), LockHeld, "also on a second attempt");
    await kill();
  });

  it("is released when its process is killed, even if files remain in the folder", async () => {
    const { pid, kill } = await lockInChildProcess();
    await kill();
    assert.equal(
      (JSON.parse(readFileSync(join(data, "server.json"), "utf8")) as { pid: number }).pid,
      pid,
    );
    await lockFolder(data)[Symbol.asyncDispose]();
  });

  it("is exclusive within one process until it is released", async () => {
    const first = lockFolder(data);
    for (let attempt = 0; attempt < 2; attempt += 1)
      assert.throws(() => lockFolder(data), LockHeld);
    await first[Symbol.asyncDispose]();
    const second = lockFolder(data);
    assert.throws(() => lockFolder(data), LockHeld);
    await second[Symbol.asyncDispose]();
  });

  it("names no holder if the holder file is unreadable", async () => {
    const lock = lockFolder(data);
    writeFileSync(join(data, "server.json"), "{");
    assert.throws(() => lockFolder(data), /in use by another process/);
    await lock[Symbol.asyncDispose]();
  });

  it("uses two owner-only files and leaves one of them behind", async () => {
    const lock = lockFolder(data);
    assert.deepEqual(readdirSync(data).toSorted(), ["server.json", "server.lock"]);
    for (const name of readdirSync(data))
      assert.equal(statSync(join(data, name)).mode & 0o777, 0o600);
    await lock[Symbol.asyncDispose]();
    assert.deepEqual(readdirSync(data), ["server.lock"]);
  });
});
