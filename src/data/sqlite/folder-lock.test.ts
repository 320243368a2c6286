import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { LockHeld } from "#data/access/server-lock.ts";

import { lockFolder } from "./folder-lock.ts";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "bout-lock-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Holds the folder in a process of its own, until that is killed. */
async function heldByAnother(): Promise<{ pid: number; kill(): Promise<void> }> {
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

describe("T93 the lock of a data folder", () => {
  it("is refused while another process has it, and the refusal names that one", async () => {
    const { pid, kill } = await heldByAnother();
    const message = `the folder ${data} is served by process ${pid} at http://localhost:7 already; nothing was touched`;
    assert.throws(() => lockFolder(data), { name: "LockHeld", message });
    assert.throws(() => lockFolder(data), LockHeld, "also when it is asked for again");
    await kill();
  });

  it("is free once its process is killed, whatever that left in the folder", async () => {
    const { pid, kill } = await heldByAnother();
    await kill();
    assert.equal(
      (JSON.parse(readFileSync(join(data, "server.json"), "utf8")) as { pid: number }).pid,
      pid,
    );
    await lockFolder(data)[Symbol.asyncDispose]();
  });

  it("holds within one process too, until it is released", async () => {
    const first = lockFolder(data);
    for (let time = 0; time < 2; time += 1) assert.throws(() => lockFolder(data), LockHeld);
    await first[Symbol.asyncDispose]();
    const second = lockFolder(data);
    assert.throws(() => lockFolder(data), LockHeld);
    await second[Symbol.asyncDispose]();
  });

  it("is refused without a name if the holder left none", async () => {
    const lock = lockFolder(data);
    writeFileSync(join(data, "server.json"), "{");
    assert.throws(() => lockFolder(data), /served by another process already/);
    await lock[Symbol.asyncDispose]();
  });

  it("takes two files that only the owner can read, and leaves one of them", async () => {
    const lock = lockFolder(data);
    assert.deepEqual(readdirSync(data).toSorted(), ["server.json", "server.lock"]);
    for (const name of readdirSync(data))
      assert.equal(statSync(join(data, name)).mode & 0o777, 0o600);
    await lock[Symbol.asyncDispose]();
    assert.deepEqual(readdirSync(data), ["server.lock"]);
  });
});
