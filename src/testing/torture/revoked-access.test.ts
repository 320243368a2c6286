// T66: revoking access takes effect immediately, for open sockets and for later requests.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { createAccountClient } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { startLadder } from "#testing/harness/test-server.ts";
import type { TestLadder } from "#testing/harness/test-server.ts";

const ROOT = "root@example.org";
const EVE = "eve@example.org";

describe("an open connection", () => {
  let ladder: TestLadder;
  let client: AccountClient;
  let admin: string;
  let eve: string;
  before(async () => {
    const flags = ["--accounts", "embedded", "--admin-email", ROOT];
    ladder = await startLadder(flags, { bots_per_owner: 50 });
    client = await createAccountClient(ladder.baseUrl);
    admin = await client.signUpAndConfirm(ROOT, ladder.data);
    eve = await client.signUpAndConfirm(EVE, ladder.data);
    await client.requestLadder("PUT", "/api/account/handle", {
      token: eve,
      body: { handle: "eve" },
    });
  });
  after(() => ladder.close());

  async function openWaitingBot(name: string) {
    const options = { token: eve, body: { name } };
    const { status, body } = await client.requestLadder("POST", "/api/account/bots", options);
    assert.equal(status, 201, JSON.stringify(body));
    const token = String(body["token"]);
    const bot = await BotClient.connect(ladder.baseUrl, token);
    bot.queue();
    await bot.waitFor("queued");
    return { bot, token };
  }

  const online = async () => {
    const { body } = await client.requestLadder("GET", "/api/status");
    return (body["online"] as { name: string }[]).map(({ name }) => name);
  };

  type CloseReason = [
    what: string,
    close: { code: number; reason: string },
    method: string,
    path: string,
  ];
  const accessEnds: CloseReason[] = [
    ["rotated", { code: 4002, reason: "invalid_token" }, "POST", "/api/account/bots/{name}/token"],
    ["deleted", { code: 4002, reason: "invalid_token" }, "DELETE", "/api/account/bots/{name}"],
    ["suspended", { code: 4004, reason: "suspended" }, "POST", "/api/admin/bots/{name}/suspend"],
    ["banned", { code: 4005, reason: "banned" }, "POST", "/api/admin/bots/{name}/ban"],
    [
      "of-a-banned-account",
      { code: 4007, reason: "account_banned" },
      "POST",
      "/api/admin/accounts/eve/ban",
    ],
  ];
  for (const [description, close, method, path] of accessEnds)
    it(`from a bot is closed immediately: ${description}`, async () => {
      const { bot, token } = await openWaitingBot(description);
      const url = path.replace("{name}", description);
      const actorToken = path.startsWith("/api/admin") ? admin : eve;
      assert.equal((await client.requestLadder(method, url, { token: actorToken })).status, 200);
      assert.deepEqual(await bot.closed, close);
      assert.ok(!(await online()).includes(description));
      const reconnected = await BotClient.connect(ladder.baseUrl, token);
      assert.deepEqual(await reconnected.closed, close);
      const me = await client.requestLadder("GET", "/api/me", { token });
      assert.ok(me.status === 401 || me.status === 403, String(me.status));
    });

  it("from a browser is refused during a ban and works again after the ban", async () => {
    const accountResponse = await client.requestLadder("GET", "/api/account", { token: eve });
    assert.deepEqual(
      [accountResponse.status, accountResponse.body["code"]],
      [403, "account_banned"],
    );
    assert.equal((await client.requestLadder("GET", "/api/users/eve")).status, 404);
    await client.requestLadder("POST", "/api/admin/accounts/eve/unban", { token: admin });
    assert.equal((await client.requestLadder("GET", "/api/account", { token: eve })).status, 200);
    assert.equal((await client.requestLadder("GET", "/api/users/eve")).status, 200);
  });

  it("from a bot stays open when its owner is signed out or keys and sessions end", async () => {
    const { bot } = await openWaitingBot("goes-on");
    const options = { token: eve, body: { label: "agent" } };
    const { body } = await client.requestLadder("POST", "/api/account/keys", options);
    const key = String(body["key"]);
    const signOut = "/api/admin/accounts/eve/sign-out";
    assert.equal((await client.requestLadder("POST", signOut, { token: admin })).status, 200);
    const keyRequest = { token: key, body: { name: "by-key" } };
    assert.equal((await client.requestLadder("POST", "/api/bots", keyRequest)).status, 401);
    assert.ok((await online()).includes("goes-on"));
    assert.equal(bot.socket.readyState, bot.socket.OPEN);
    eve = await client.signIn(EVE);
  });

  it("from an admin loses admin access as soon as the role is removed", async () => {
    const role = (value: string) =>
      client.requestLadder("POST", "/api/admin/accounts/eve/role", {
        token: admin,
        body: { role: value },
      });
    assert.equal((await role("admin")).status, 200);
    assert.equal(
      (await client.requestLadder("GET", "/api/admin/overview", { token: eve })).status,
      200,
    );
    assert.equal((await role("player")).status, 200);
    const overviewResponse = await client.requestLadder("GET", "/api/admin/overview", {
      token: eve,
    });
    assert.deepEqual([overviewResponse.status, overviewResponse.body["code"]], [403, "not_admin"]);
  });
});

describe("a running match", () => {
  it("is forfeited immediately and counts as rated when a bot is stopped", async (t) => {
    const ladder = await startLadder(["--accounts", "embedded", "--admin-email", ROOT]);
    t.after(() => ladder.close());
    const client = await createAccountClient(ladder.baseUrl);
    const admin = await client.signUpAndConfirm(ROOT, ladder.data);
    const bots = [];
    for (const name of ["ada", "eve"]) {
      const token = await client.signUpAndConfirm(`${name}@example.org`, ladder.data);
      await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: name } });
      const options = { token, body: { name: `${name}-bot` } };
      const { body } = await client.requestLadder("POST", "/api/account/bots", options);
      const bot = await BotClient.connect(ladder.baseUrl, String(body["token"]));
      bot.queue();
      bots.push(bot);
    }
    const [first, second] = bots;
    assert.ok(first !== undefined && second !== undefined);
    const { fighter } = await first.waitFor("hello");
    await second.waitFor("hello");
    for (const bot of bots) bot.send({ type: "ready" });
    await first.waitFor("observation");
    await client.requestLadder("POST", "/api/admin/bots/eve-bot/suspend", { token: admin });
    assert.deepEqual(await second.closed, { code: 4004, reason: "suspended" });
    const end = await first.waitFor("end");
    assert.deepEqual([end["reason"], end["winner"], end["rated"]], ["forfeit", fighter, true]);
    assert.notEqual(end["rating_change"], null);
  });
});

describe("a membership that ends", () => {
  const CUP = "/api/admin/ladders/cup";
  const queueOnCup = { type: "queue", version: "v1", ladder_id: "cup" };
  let ladder: TestLadder;
  let client: AccountClient;
  let admin: string;
  before(async () => {
    ladder = await startLadder(["--accounts", "embedded", "--admin-email", ROOT]);
    client = await createAccountClient(ladder.baseUrl);
    admin = await client.signUpAndConfirm(ROOT, ladder.data);
    const body = { id: "cup", name: "Cup" };
    await client.requestLadder("POST", "/api/admin/ladders", { token: admin, body });
  });
  after(() => ladder.close());

  async function member(name: string) {
    const token = await client.signUpAndConfirm(`${name}@example.org`, ladder.data);
    await client.requestLadder("PUT", "/api/account/handle", { token, body: { handle: name } });
    await client.requestLadder("POST", "/api/account/ladders/cup/enrollment", { token, body: {} });
    const options = { token, body: { name: `${name}s-bot` } };
    const { body } = await client.requestLadder("POST", "/api/account/bots", options);
    const bot = await BotClient.connect(ladder.baseUrl, String(body["token"]));
    bot.send(queueOnCup);
    return bot;
  }

  const revoke = (name: string) =>
    client.requestLadder("POST", `${CUP}/members/${name}/revoke`, {
      token: admin,
      body: { reason: "over" },
    });

  it("T66 removes a waiting bot from the queue immediately and leaves its connection open", async () => {
    const bot = await member("wait");
    await bot.waitFor("queued");
    assert.equal((await revoke("wait")).status, 200);
    assert.equal((await bot.waitFor("error"))["code"], "enrollment_required");
    bot.send(queueOnCup);
    assert.equal((await bot.waitFor("error"))["code"], "enrollment_required");
    bot.queue();
    assert.equal((await bot.waitFor("queued"))["ladder_id"], "public");
    bot.socket.close();
  });

  it("T66 lets a running match finish unrated", async () => {
    const bots = [await member("ada"), await member("eve")];
    const matches = await Promise.all(bots.map((bot) => bot.waitFor("hello")));
    assert.deepEqual(
      matches.map(({ ladder_id }) => ladder_id),
      ["cup", "cup"],
    );
    for (const bot of bots) bot.send({ type: "ready" });
    await bots[0]!.waitFor("observation");
    assert.equal((await revoke("eve")).status, 200);
    for (const bot of bots) bot.autoplay();
    for (const bot of bots) bot.send({ type: "turn", tick: 0 });
    const accessEnds = await Promise.all(bots.map((bot) => bot.waitFor("end")));
    for (const end of accessEnds)
      assert.deepEqual([end["rated"], end["unrated_reason"]], [false, "enrollment_changed"]);
    bots[1]!.send(queueOnCup);
    assert.equal((await bots[1]!.waitFor("error"))["code"], "enrollment_required");
  });

  it("T66 can't be approved by an operator whose role was just removed", async () => {
    const body = { role: "admin" };
    const role = "/api/admin/accounts/ada/role";
    assert.equal((await client.requestLadder("POST", role, { token: admin, body })).status, 200);
    const ada = await client.signIn("ada@example.org");
    const readStatus = async () => {
      const { status } = await client.requestLadder("GET", CUP, { token: ada });
      const invited = await client.requestLadder("POST", `${CUP}/invitations`, {
        token: ada,
        body: {},
      });
      return [status, invited.status];
    };
    assert.deepEqual(await readStatus(), [200, 201]);
    await client.requestLadder("POST", role, { token: admin, body: { role: "player" } });
    assert.deepEqual(await readStatus(), [403, 403]);
  });
});
