import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { openMailServer } from "#testing/fixtures/mail-server.ts";
import { personAt } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { freePort } from "#testing/harness/free-port.ts";
import { serveLadder, temporaryFolder } from "#testing/harness/test-server.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
before(async () => {
  folder = await temporaryFolder();
});
after(() => folder.remove());

const ADA = "ada@example.org";
const EMBEDDED = ["--accounts", "embedded"];

describe("a server with embedded accounts", () => {
  it("takes somebody from the sign-up to a bot that waits, and knows its admins", async () => {
    const flags = [...EMBEDDED, "--admin-email", ADA];
    const { baseUrl, shutDown } = await serveLadder(folder.path, flags);
    const { join, ladder } = await personAt(baseUrl);
    const token = await join(ADA, folder.path);
    const account = await ladder("GET", "/api/account", { token });
    assert.deepEqual([account.status, account.body["admin"]], [200, true]);
    const chosen = { token, body: { handle: "ada" } };
    assert.equal((await ladder("PUT", "/api/account/handle", chosen)).status, 200);
    const made = await ladder("POST", "/api/account/bots", { token, body: { name: "neo" } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const bot = await BotClient.connect(baseUrl, String(made.body["token"]));
    bot.queue();
    assert.equal((await bot.next("queued"))["ladder_id"], "public");
    assert.equal((await ladder("GET", "/api/admin/overview", { token })).status, 200);
    assert.equal(await shutDown(), true);
  });

  it("knows the same people at another port and another base URL, also behind https", async () => {
    const ids = new Set();
    for (const place of [[], ["--base-url", "https://bout.example"]]) {
      const port = await freePort();
      const flags = [...EMBEDDED, "--port", String(port), ...place];
      const { shutDown } = await serveLadder(folder.path, flags);
      const { signIn, ladder } = await personAt(`http://127.0.0.1:${port}`);
      const { body } = await ladder("GET", "/api/account", { token: await signIn(ADA) });
      ids.add(`${String(body["id"])} ${String(body["handle"])}`);
      await shutDown();
    }
    assert.equal(ids.size, 1);
    assert.match(String([...ids][0]), / ada$/);
  });

  it("leads links of emails to its own account page only", async () => {
    const elsewhere = "http://127.0.0.1:9999";
    const table = [
      [[], null],
      [["--base-url", "https://bout.example"], "https://bout.example"],
    ] as const;
    for (const [place, leads] of table) {
      const port = await freePort();
      const flags = [...EMBEDDED, "--port", String(port), ...place];
      const { shutDown } = await serveLadder(folder.path, flags);
      const query = new URLSearchParams({ type: "signup", token: "x", redirect_to: elsewhere });
      const link = `http://127.0.0.1:${port}/auth/v1/verify?${query}`;
      const { headers } = await fetch(link, { redirect: "manual" });
      const { origin, pathname } = new URL(headers.get("location") ?? "");
      assert.equal(origin + pathname, `${leads ?? `http://localhost:${port}`}/account`);
      await shutDown();
    }
  });

  it("registers nobody without an account unless it is anonymous", async () => {
    const tries: [flags: string[], status: number][] = [
      [EMBEDDED, 401],
      [[...EMBEDDED, "--anonymous"], 201],
    ];
    for (const [flags, status] of tries) {
      const { baseUrl, shutDown } = await serveLadder(folder.path, flags);
      const { ladder } = await personAt(baseUrl);
      const body = { name: "stranger" };
      assert.equal((await ladder("POST", "/api/bots", { body })).status, status);
      await shutDown();
    }
  });

  it("writes to people by the mail server that it was given", async (t) => {
    const mailServer = await openMailServer();
    t.after(() => mailServer.close());
    const smtp = ["--smtp", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "Ring <r@x.org>"];
    const { baseUrl, shutDown } = await serveLadder(folder.path, [...EMBEDDED, ...smtp]);
    const { identity } = await personAt(baseUrl);
    const eve = { email: "eve@example.org", password: "correct horse battery" };
    assert.equal((await identity("POST", "/signup", eve)).status, 200);
    // The stop waits for letters on their way.
    await shutDown();
    const [{ recipients, raw } = { recipients: [], raw: "" }] = mailServer.mails;
    assert.deepEqual(recipients, ["eve@example.org"]);
    assert.match(raw, /^From: Ring <r@x\.org>\r$/m);
    const outbox = await readFile(join(folder.path, "outbox.jsonl"), "utf8");
    assert.ok(!outbox.includes("eve@example.org"));
  });

  it("keeps its keys and mails where nobody else can read them", async () => {
    for (const name of ["secrets.json", "outbox.jsonl"])
      assert.equal((await stat(join(folder.path, name))).mode & 0o777, 0o600, name);
  });
});

/** A project that answers what the test puts there, and counts what it is asked. */
async function projectStub() {
  const project = { confirmsBySelf: true, isAway: true, asked: 0 };
  const server = createServer((request, response) => {
    project.asked += 1;
    if (project.isAway) return void request.socket.destroy();
    response.setHeader("Content-Type", "application/json");
    const isSettings = request.url?.endsWith("/settings") === true;
    response.end(JSON.stringify(isSettings ? settingsOf(project) : { keys: [] }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { project, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const settingsOf = ({ confirmsBySelf }: { confirmsBySelf: boolean }) => {
  return { mailer_autoconfirm: confirmsBySelf };
};

/** In the form of a token that the project might have signed. */
const JWT = [{ alg: "ES256", kid: "x" }, { sub: "x" }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat("c2ln")
  .join(".");

it("starts while a project is away: account routes say so, and agent keys and bots go on", async () => {
  const { project, url, close } = await projectStub();
  const flags = ["--accounts", url, "--provider-key", "sb_publishable_x"];
  const { baseUrl, shutDown } = await serveLadder(folder.path, flags);
  const { ladder } = await personAt(baseUrl);
  const away = await ladder("GET", "/api/account", { token: JWT });
  assert.deepEqual([away.status, away.body["code"]], [503, "auth_unavailable"]);
  assert.equal((await ladder("GET", "/api/leaderboard")).status, 200);
  const key = await ladder("GET", "/api/admin/overview", { token: "bout_key_unknown" });
  assert.deepEqual([key.status, key.body["code"]], [401, "invalid_session"]);
  const { accounts } = (await ladder("GET", "/api")).body;
  assert.deepEqual(accounts, { project_url: url, publishable_key: "sb_publishable_x" });
  assert.ok(project.asked > 0);
  await shutDown();
  close();
});
