import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";

import type { Capture } from "#core/api/profiling.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import { spawnLadder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

const DATA = temporaryTestFolder();
const FLAGS = ["--accounts=embedded", "--house=none", "--admin-email=root@x.org"];
const MAX_CAPTURE_S = 60;

let ladder: LadderProcess | null = null;
after(() => ladder?.child.kill("SIGKILL"));

async function start(...extraFlags: string[]): Promise<LadderProcess> {
  return (ladder = await spawnLadder(DATA, [...FLAGS, ...extraFlags]));
}

test("stopping or killing the server ends a capture, a restart lists it, and nothing is captured without the flag", async () => {
  const playerClient = await start();
  const client = await createAccountClient(playerClient.baseUrl);
  const token = await client.signUpAndConfirm("root@x.org", DATA);
  await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: "root" } });
  const { body } = await client.requestLadder("POST", "/api/account/keys", {
    token,
    body: { label: "terminal" },
  });
  const key = String(body["key"]);
  const ask = async (method: "GET" | "POST", path: string, payload?: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${ladder?.baseUrl}/api/admin/profiling${path}`, {
      method,
      headers,
      ...(payload && { body: JSON.stringify(payload) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const record = async (label: string) => {
    const response = await ask("POST", "/captures", { label, duration_seconds: MAX_CAPTURE_S });
    assert.equal(response.status, 201);
    return String(response.body["id"]);
  };
  const errors = async () => {
    const { captures } = (await ask("GET", "")).body as { captures: Capture[] };
    return captures.map(({ id, state, error }) => [id, state, error]);
  };
  const disabledLadder = await ask("GET", "");
  assert.deepEqual(
    [disabledLadder.status, disabledLadder.body["code"]],
    [409, "profiling_disabled"],
  );
  playerClient.child.kill("SIGTERM");
  assert.equal(await playerClient.exited, 0);
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
