import assert from "node:assert/strict";
import { once } from "node:events";
import { access, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { hashToken } from "#data/access/token.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { serveLadder, spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { sampleBot } from "#testing/store-cases/store-samples.ts";

import { openStore } from "./open-store.ts";

test("bots left by an anonymous run do not play without an account, and read as before", async () => {
  await using folder = await leftFolder();
  const { baseUrl, shutDown } = await serveLadder(folder.path, ["--accounts", "none"]);
  const bot = await BotClient.connect(baseUrl, TOKEN);
  assert.deepEqual(await bot.closed, { code: 4008, reason: "account_required" });
  assert.equal(bot.heard[0]?.code, "account_required");
  const headers = { authorization: `Bearer ${TOKEN}` };
  assert.equal((await fetch(`${baseUrl}/api/me`, { headers })).status, 200);
  await shutDown();
});

test("with --log-level debug each HTTP request is logged by its route", async () => {
  for (const [flags, expected] of [
    [[], []],
    [["--log-level", "debug"], [["GET", "/api/matches/:id", 404]]],
  ] as const) {
    const { path, remove } = await temporaryFolder();
    const { baseUrl, child, log, exited } = await spawnLadder(path, flags);
    await fetch(`${baseUrl}/api/matches/none?secret=1`);
    child.kill("SIGTERM");
    await exited;
    await remove();
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const answered = lines.filter(({ msg }) => msg === "answered");
    assert.deepEqual(
      answered.map(({ method, route, status }) => [method, route, status]),
      expected,
    );
    assert.ok(!log.join().includes("secret"));
  }
});

test("the example of a configuration file is a ladder and an event, at every start", async () => {
  const { path, remove } = await temporaryFolder();
  for (const start of ["first", "second"]) {
    const { baseUrl, shutDown } = await serveLadder(path, ["--config", EXAMPLE]);
    const read = async (route: string): Promise<unknown> =>
      (await fetch(`${baseUrl}${route}`)).json();
    const ladders = (await read("/api/ladders")) as { id: string; opens_at: string | null }[];
    assert.deepEqual(
      ladders.map(({ id, opens_at }) => [id, opens_at]),
      [
        ["public", null],
        ["evening", "2027-03-04T17:00:00.000Z"],
      ],
      start,
    );
    const [event] = (await read("/api/events?event=evening-goals")) as Record<string, unknown>[];
    assert.deepEqual(
      [event?.["ladder_id"], event?.["enabled"], event?.["approved_opponents"]],
      ["evening", false, ["kiter", "brawler", "ts-starter", "champion"]],
    );
    await shutDown();
  }
  await remove();
});

test("a file that a flag names and that is not right is told before anything is touched", async () => {
  const { path, remove } = await temporaryFolder();
  const data = join(path, "data");
  const [broken, open] = [join(path, "broken.json"), join(path, "open.json")];
  await writeFile(broken, "{", { mode: 0o600 });
  await writeFile(open, "{}", { mode: 0o644 });
  for (const flag of ["--config", "--flags", "--sign-in"])
    for (const file of [join(path, "none.json"), broken, open]) {
      if (flag === "--config" && file === open) continue;
      const starting = serveLadder(data, [flag, file]);
      await assert.rejects(starting, { name: "UsageError" }, `${flag} ${file}`);
      await assert.rejects(access(data), { code: "ENOENT" }, `${flag} ${file}`);
    }
  await remove();
});

test("a port that is taken is told with the flag that names another, and the data stays free", async () => {
  const { path, remove } = await temporaryFolder();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  for (const flags of [
    ["--port", `${port}`],
    ["--metrics-port", `${port}`],
  ]) {
    const name = flags[0] ?? "";
    const message = `port ${port} of 127.0.0.1 is taken by another program: stop that one, or choose a port with ${name}`;
    await assert.rejects(serveLadder(path, flags), { name: "UsageError", message });
  }
  other.close();
  await (await serveLadder(path)).shutDown();
  await remove();
});

const EXAMPLE = join(import.meta.dirname, "../../../docs/examples/event.json");

const TOKEN = "the-token";

/** The data folder of a ladder that had one bot. */
async function leftFolder() {
  const { path, remove } = await temporaryFolder();
  const store = await openStore({ data: path });
  await store.bots.add(sampleBot(1), hashToken(TOKEN), null);
  await store.close();
  return { path, [Symbol.asyncDispose]: remove };
}
