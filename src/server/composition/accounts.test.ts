import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { openSmtpServer } from "#testing/fixtures/mail-server.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { findFreePort } from "#testing/harness/free-port.ts";
import { serveLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
before(async () => {
  folder = await createTemporaryFolder();
});
after(() => folder.remove());

const ADA = "ada@example.org";
const EMBEDDED = ["--accounts", "embedded"];

describe("a server with embedded accounts", () => {
  it("takes a user from sign-up to a queued bot, and recognizes admins", async () => {
    const flags = [...EMBEDDED, "--admin-email", ADA];
    const { baseUrl, shutDown } = await serveLadder(folder.path, flags);
    const { signUpAndConfirm, requestLadder } = await createAccountClient(baseUrl);
    const token = await signUpAndConfirm(ADA, folder.path);
    const account = await requestLadder("GET", "/api/account", { token });
    assert.deepEqual([account.status, account.body["admin"]], [200, true]);
    const handleRequest = { token, body: { handle: "ada" } };
    assert.equal((await requestLadder("PUT", "/api/account/handle", handleRequest)).status, 200);
    const createdBot = await requestLadder("POST", "/api/account/bots", {
      token,
      body: { name: "neo" },
    });
    assert.equal(createdBot.status, 201, JSON.stringify(createdBot.body));
    const bot = await BotClient.connect(baseUrl, String(createdBot.body["token"]));
    bot.queue();
    assert.equal((await bot.waitFor("queued"))["ladder_id"], "public");
    assert.equal((await requestLadder("GET", "/api/admin/overview", { token })).status, 200);
    assert.equal(await shutDown(), true);
  });

  it("serves the same accounts on another port or base URL, and over HTTPS", async () => {
    const ids = new Set();
    for (const addressFlags of [[], ["--base-url", "https://bout.example"]]) {
      const port = await findFreePort();
      const flags = [...EMBEDDED, "--port", String(port), ...addressFlags];
      const { shutDown } = await serveLadder(folder.path, flags);
      const { signIn, requestLadder } = await createAccountClient(`http://127.0.0.1:${port}`);
      const { body } = await requestLadder("GET", "/api/account", { token: await signIn(ADA) });
      ids.add(`${String(body["id"])} ${String(body["handle"])}`);
      await shutDown();
    }
    assert.equal(ids.size, 1);
    assert.match(String([...ids][0]), / ada$/);
  });

  it("sends emails that link only to its own account page", async () => {
    const elsewhere = "http://127.0.0.1:9999";
    const redirectCases = [
      [[], null],
      [["--base-url", "https://bout.example"], "https://bout.example"],
    ] as const;
    for (const [addressFlags, expectedOrigin] of redirectCases) {
      const port = await findFreePort();
      const flags = [...EMBEDDED, "--port", String(port), ...addressFlags];
      const { shutDown } = await serveLadder(folder.path, flags);
      const query = new URLSearchParams({ type: "signup", token: "x", redirect_to: elsewhere });
      const link = `http://127.0.0.1:${port}/auth/v1/verify?${query}`;
      const { headers } = await fetch(link, { redirect: "manual" });
      const { origin, pathname } = new URL(headers.get("location") ?? "");
      assert.equal(origin + pathname, `${expectedOrigin ?? `http://localhost:${port}`}/account`);
      await shutDown();
    }
  });

  it("refuses to register a bot without an account unless anonymous bots are allowed", async () => {
    const registrationCases: [flags: string[], status: number][] = [
      [EMBEDDED, 401],
      [[...EMBEDDED, "--anonymous"], 201],
    ];
    for (const [flags, status] of registrationCases) {
      const { baseUrl, shutDown } = await serveLadder(folder.path, flags);
      const { requestLadder } = await createAccountClient(baseUrl);
      const body = { name: "stranger" };
      assert.equal((await requestLadder("POST", "/api/bots", { body })).status, status);
      await shutDown();
    }
  });

  it("sends email through the configured mail server", async (t) => {
    const mailServer = await openSmtpServer();
    t.after(() => mailServer.close());
    const smtp = ["--smtp", `smtp://127.0.0.1:${mailServer.port}`, "--mail-from", "Ring <r@x.org>"];
    const { baseUrl, shutDown } = await serveLadder(folder.path, [...EMBEDDED, ...smtp]);
    const { requestProvider } = await createAccountClient(baseUrl);
    const eve = { email: "eve@example.org", password: "correct horse battery" };
    assert.equal((await requestProvider("POST", "/signup", eve)).status, 200);
    // Shutdown waits for emails that are being sent.
    await shutDown();
    const [{ recipients, raw } = { recipients: [], raw: "" }] = mailServer.receivedMessages;
    assert.deepEqual(recipients, ["eve@example.org"]);
    assert.match(raw, /^From: Ring <r@x\.org>\r$/m);
    const outbox = await readFile(join(folder.path, "outbox.jsonl"), "utf8");
    assert.ok(!outbox.includes("eve@example.org"));
  });

  it("stores keys and emails so that only the file owner can read them", async () => {
    for (const name of ["secrets.json", "outbox.jsonl"])
      assert.equal((await stat(join(folder.path, name))).mode & 0o777, 0o600, name);
  });
});

async function projectStub() {
  const project = { isAutoconfirming: true, isUnreachable: true, requestCount: 0 };
  const server = createServer((request, response) => {
    project.requestCount += 1;
    if (project.isUnreachable) return void request.socket.destroy();
    response.setHeader("Content-Type", "application/json");
    const isSettings = request.url?.endsWith("/settings") === true;
    response.end(JSON.stringify(isSettings ? settingsOf(project) : { keys: [] }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { project, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const settingsOf = ({ isAutoconfirming }: { isAutoconfirming: boolean }) => {
  return { mailer_autoconfirm: isAutoconfirming };
};

/** Has the format of a token signed by the project. */
const JWT = [{ alg: "ES256", kid: "x" }, { sub: "x" }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat("c2ln")
  .join(".");

it("starts while the external project is unreachable: account routes report it, and agent keys and bots still work", async () => {
  const { project, url, close } = await projectStub();
  const flags = ["--accounts", url, "--provider-key", "sb_publishable_x"];
  const { baseUrl, shutDown } = await serveLadder(folder.path, flags);
  const { requestLadder } = await createAccountClient(baseUrl);
  const unavailableResponse = await requestLadder("GET", "/api/account", { token: JWT });
  assert.deepEqual(
    [unavailableResponse.status, unavailableResponse.body["code"]],
    [503, "auth_unavailable"],
  );
  assert.equal((await requestLadder("GET", "/api/leaderboard")).status, 200);
  const keyResponse = await requestLadder("GET", "/api/admin/overview", {
    token: "bout_key_unknown",
  });
  assert.deepEqual([keyResponse.status, keyResponse.body["code"]], [401, "invalid_session"]);
  const { accounts } = (await requestLadder("GET", "/api")).body;
  assert.deepEqual(accounts, { project_url: url, publishable_key: "sb_publishable_x" });
  assert.ok(project.requestCount > 0);
  await shutDown();
  close();
});
