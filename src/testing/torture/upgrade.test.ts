// Servers of this release on the data of an older one, as processes.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, truncate } from "node:fs/promises";
import { test } from "node:test";

import { MIGRATIONS } from "#data/migrations/migrations.ts";
import { sqliteDialect } from "#data/sqlite/sqlite-driver.ts";
import { sqliteBackend } from "#data/sqlite/sqlite-file.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import { openStore } from "#server/composition/open-store.ts";
import { launchLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";
import {
  fixtureSchemas,
  loadFixture,
  multiplyMatches,
  UPGRADED,
} from "#testing/store-cases/upgrade-fixture.ts";

const OLDEST = fixtureSchemas()[0]!;
const NEWEST = MIGRATIONS[MIGRATIONS.length - 1]!.number;
/** Copies of each match of the fixture, so that an upgrade takes a while. */
const TIMES = 100;
/** Larger than any disk. */
const TOO_LARGE = 2 ** 43;

const BEGINS = "the database is being upgraded";
const COPIED = "a copy of the database is kept";

type Hooks = { after(call: () => Promise<void>): void };

async function olderData(hooks: Hooks): Promise<string> {
  const folder = await temporaryFolder();
  hooks.after(() => folder.remove());
  const backend = sqliteBackend(sqliteDialect(sqlitePath(folder.path), "write"));
  await loadFixture(backend, OLDEST);
  await multiplyMatches(backend, TIMES);
  await backend.database.destroy();
  return folder.path;
}

type Launched = {
  child: LadderProcess["child"];
  log: readonly string[];
  /** Resolves with the exit code once the whole log is read. */
  closed: Promise<number | null>;
};

/** Launches a server. It is killed at the end of the test if it still runs. */
function launch(hooks: Hooks, data: string, flags: readonly string[] = []): Launched {
  const { child, log } = launchLadder(data, flags);
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  hooks.after(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  return { child, log, closed };
}

/** Resolves once a server has logged a line with that message. */
async function logged({ child, log, closed }: Launched, msg: string): Promise<void> {
  const isThere = () => log.some((line) => line.includes(`"msg":"${msg}"`));
  const ended = closed.then(() => assert.ok(isThere(), `it ended without "${msg}"`));
  while (!isThere()) await Promise.race([once(child.stderr ?? child, "data"), ended]);
}

const messagesOf = (log: readonly string[]) =>
  log.map((line) => (JSON.parse(line) as { msg: string }).msg);

async function assertUpgraded(data: string): Promise<void> {
  const store = await openStore({ data }, UPGRADED);
  assert.equal(await store.database.schema(), NEWEST);
  assert.deepEqual(await store.database.faults(), []);
  const { games, voided } = await store.matches.counts("public");
  assert.deepEqual([games, voided], [52 * TIMES, 2 * TIMES]);
  await store.close();
}

test("T33 asked to stop while it upgrades goes on to the end of the upgrade and exits with 0", async (context) => {
  const data = await olderData(context);
  const ladder = launch(context, data);
  await logged(ladder, BEGINS);
  ladder.child.kill("SIGTERM");
  assert.equal(await ladder.closed, 0);
  const steps = MIGRATIONS.filter(({ number }) => number > OLDEST);
  const upgrade = [BEGINS, COPIED, ...steps.map(() => "a step of the upgrade is done")];
  assert.deepEqual(messagesOf(ladder.log).slice(0, upgrade.length), upgrade);
  await assertUpgraded(data);
});

test("T33 asked twice it ends within the upgrade, and the next start goes on", async (context) => {
  let [data, code]: [data: string, code: number | null] = ["", null];
  // On a busy machine the upgrade may be over before the second signal arrives.
  for (let tries = 0; tries < 4 && code !== 1; tries += 1) {
    data = await olderData(context);
    const first = launch(context, data);
    await logged(first, BEGINS);
    first.child.kill("SIGTERM");
    await logged(first, COPIED);
    first.child.kill("SIGTERM");
    code = await first.closed;
  }
  assert.equal(code, 1);
  const second = launch(context, data);
  await once(second.child.stdout ?? second.child, "data");
  second.child.kill("SIGTERM");
  assert.equal(await second.closed, 0);
  await assertUpgraded(data);
});

test("without room for the upgrade it exits with 1, one line and the file as it was", async (context) => {
  const data = await olderData(context);
  await truncate(sqlitePath(data), TOO_LARGE);
  const { closed, log } = launch(context, data);
  assert.equal(await closed, 1);
  assert.equal(log.length, 1);
  assert.match(log[0]!, /^bout serve: the upgrade of .* needs \d+ MiB of free disk, and there are/);
});

test("with --no-upgrade-copy it keeps no copy", async (context) => {
  const data = await olderData(context);
  const ladder = launch(context, data, ["--no-upgrade-copy"]);
  await once(ladder.child.stdout ?? ladder.child, "data");
  ladder.child.kill("SIGTERM");
  assert.equal(await ladder.closed, 0);
  assert.ok(!messagesOf(ladder.log).includes(COPIED));
  assert.deepEqual((await readdir(data)).toSorted(), [
    "archives",
    "assets",
    "bout.db",
    "images",
    "replays",
    "revoked.jsonl",
    "secrets.json",
    "server.lock",
  ]);
  await assertUpgraded(data);
});
