// Captures of a real server that is stopped, killed and started again meanwhile.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import type { Capture } from "#core/operator/profiling.ts";
import { personAt } from "#testing/harness/account-client.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

const DATA = temporaryFolder();
const FLAGS = ["--accounts=embedded", "--house=none", "--admin-email=root@x.org"];
const LONGEST_S = 60;

let ladder: LadderProcess | null = null;
after(() => ladder?.child.kill("SIGKILL"));

async function start(...more: string[]): Promise<LadderProcess> {
  return (ladder = await spawnLadder(DATA, [...FLAGS, ...more]));
}

test("a stop and a kill end a capture, a restart lists it, and without the flag nothing is kept", async () => {
  const plain = await start();
  const client = await personAt(plain.baseUrl);
  const token = await client.join("root@x.org", DATA);
  await client.ladder("PUT", "/api/account/handle", { token, body: { handle: "root" } });
  const { body } = await client.ladder("POST", "/api/account/keys", {
    token,
    body: { label: "terminal" },
  });
  const key = String(body["key"]);
  const ask = async (method: "GET" | "POST", path: string, sent?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(`${ladder?.baseUrl}/api/admin/profiling${path}`, {
      method,
      headers,
      ...(sent && { body: JSON.stringify(sent) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const record = async (label: string) => {
    const answer = await ask("POST", "/captures", { label, duration_seconds: LONGEST_S });
    assert.equal(answer.status, 201);
    return String(answer.body["id"]);
  };
  const errors = async () => {
    const { captures } = (await ask("GET", "")).body as { captures: Capture[] };
    return captures.map(({ id, state, error }) => [id, state, error]);
  };
  const off = await ask("GET", "");
  assert.deepEqual([off.status, off.body["code"]], [409, "profiling_disabled"]);
  plain.child.kill("SIGTERM");
  assert.equal(await plain.exited, 0);
  assert.ok(!existsSync(join(DATA, "profiles")));

  const first = await start("--profiling");
  const stopped = await record("stopped");
  first.child.kill("SIGTERM");
  assert.equal(await first.exited, 0);
  const second = await start("--profiling");
  assert.deepEqual(await errors(), [[stopped, "failed", "server_stopped"]]);
  const killed = await record("killed");
  second.child.kill("SIGKILL");
  await second.exited;
  const third = await start("--profiling");
  assert.deepEqual(await errors(), [
    [killed, "failed", "interrupted"],
    [stopped, "failed", "server_stopped"],
  ]);
  third.child.kill("SIGTERM");
  assert.equal(await third.exited, 0);
});
