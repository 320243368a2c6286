import assert from "node:assert/strict";
import { once } from "node:events";
import { access, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { hashToken } from "#data/credentials/token.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { serveLadder, spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import { sampleBot } from "#testing/store-contract/store-samples.ts";

import { openStore } from "./open-store.ts";

test("bots from an anonymous run can't play once accounts are required, but their data stays visible", async () => {
  await using folder = await folderFromEarlierRun();
  const { baseUrl, shutDown } = await serveLadder(folder.path, ["--accounts", "none"]);
  const bot = await BotClient.connect(baseUrl, TOKEN);
  assert.deepEqual(await bot.closed, { code: 4008, reason: "account_required" });
  assert.equal(bot.messages[0]?.code, "account_required");
  const headers = { authorization: `Bearer ${TOKEN}` };
  assert.equal((await fetch(`${baseUrl}/api/me`, { headers })).status, 200);
  await shutDown();
});

test("--log-level debug logs each HTTP request with its route", async () => {
  for (const [flags, expected] of [
    [[], []],
    [["--log-level", "debug"], [["GET", "/api/matches/:id", 404]]],
  ] as const) {
    const { path, remove } = await createTemporaryFolder();
    const { baseUrl, child, log, exited } = await spawnLadder(path, flags);
    await fetch(`${baseUrl}/api/matches/none?secret=1`);
    child.kill("SIGTERM");
    await exited;
    await remove();
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const requestLines = lines.filter(({ msg }) => msg === "answered");
    assert.deepEqual(
      requestLines.map(({ method, route, status }) => [method, route, status]),
      expected,
    );
    assert.ok(!log.join().includes("secret"));
  }
});

test("the example configuration file is valid at every startup and creates a ladder and an event", async () => {
  const { path, remove } = await createTemporaryFolder();
  for (const start of ["first", "second"]) {
    const { baseUrl, shutDown } = await serveLadder(path, ["--config", EXAMPLE]);
    const getJson = async (route: string): Promise<unknown> =>
      (await fetch(`${baseUrl}${route}`)).json();
    const ladders = (await getJson("/api/ladders")) as { id: string; opens_at: string | null }[];
    assert.deepEqual(
      ladders.map(({ id, opens_at }) => [id, opens_at]),
      [
        ["public", null],
        ["evening", "2027-03-04T17:00:00.000Z"],
      ],
      start,
    );
    const [event] = (await getJson("/api/events?event=evening-goals")) as Record<string, unknown>[];
    assert.deepEqual(
      [event?.["ladder_id"], event?.["enabled"], event?.["approved_opponents"]],
      ["evening", false, ["kiter", "brawler", "ts-starter", "champion"]],
    );
    await shutDown();
  }
  await remove();
});

test("reports an invalid file named by a flag before changing anything", async () => {
  const { path, remove } = await createTemporaryFolder();
  const data = join(path, "data");
  const [brokenFile, exposedFile] = [join(path, "broken.json"), join(path, "open.json")];
  await writeFile(brokenFile, "{", { mode: 0o600 });
  await writeFile(exposedFile, "{}", { mode: 0o644 });
  for (const flag of ["--config", "--flags", "--sign-in"])
    for (const file of [join(path, "none.json"), brokenFile, exposedFile]) {
      if (flag === "--config" && file === exposedFile) continue;
      const pendingStart = serveLadder(data, [flag, file]);
      await assert.rejects(pendingStart, { name: "UsageError" }, `${flag} ${file}`);
      await assert.rejects(access(data), { code: "ENOENT" }, `${flag} ${file}`);
    }
  await remove();
});

test("reports a used port with the flag that changes it, and unlocks the data folder", async () => {
  const { path, remove } = await createTemporaryFolder();
  const otherServer = createServer().listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  const { port } = otherServer.address() as AddressInfo;
  for (const flags of [
    ["--port", `${port}`],
    ["--metrics-port", `${port}`],
  ]) {
    const name = flags[0] ?? "";
    const message = `port ${port} on 127.0.0.1 is already in use: stop the other program, or choose a port with ${name}`;
    await assert.rejects(serveLadder(path, flags), { name: "UsageError", message });
  }
  otherServer.close();
  await (await serveLadder(path)).shutDown();
  await remove();
});

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");

const TOKEN = "the-token";

async function folderFromEarlierRun() {
  const { path, remove } = await createTemporaryFolder();
  const store = await openStore({ data: path });
  await store.bots.add(sampleBot(1), hashToken(TOKEN), null);
  await store.close();
  return { path, [Symbol.asyncDispose]: remove };
}
