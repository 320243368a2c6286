// T66: what ends an access ends it at once, on sockets that are open and for requests that follow.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { personAt } from "#testing/harness/account-client.ts";
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
    client = await personAt(ladder.baseUrl);
    admin = await client.join(ROOT, ladder.data);
    eve = await client.join(EVE, ladder.data);
    await client.ladder("PUT", "/api/account/handle", { token: eve, body: { handle: "eve" } });
  });
  after(() => ladder.close());

  async function waiting(name: string) {
    const options = { token: eve, body: { name } };
    const { status, body } = await client.ladder("POST", "/api/account/bots", options);
    assert.equal(status, 201, JSON.stringify(body));
    const token = String(body["token"]);
    const bot = await BotClient.connect(ladder.baseUrl, token);
    bot.queue();
    await bot.next("queued");
    return { bot, token };
  }

  const online = async () => {
    const { body } = await client.ladder("GET", "/api/status");
    return (body["online"] as { name: string }[]).map(({ name }) => name);
  };

  type End = [what: string, close: { code: number; reason: string }, method: string, path: string];
  const ends: End[] = [
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
  for (const [what, close, method, path] of ends)
    it(`of a bot is closed at once: ${what}`, async () => {
      const { bot, token } = await waiting(what);
      const url = path.replace("{name}", what);
      const by = path.startsWith("/api/admin") ? admin : eve;
      assert.equal((await client.ladder(method, url, { token: by })).status, 200);
      assert.deepEqual(await bot.closed, close);
      assert.ok(!(await online()).includes(what));
      const again = await BotClient.connect(ladder.baseUrl, token);
      assert.deepEqual(await again.closed, close);
      const me = await client.ladder("GET", "/api/me", { token });
      assert.ok(me.status === 401 || me.status === 403, String(me.status));
    });

  it("of a browser asks in vain after a ban, and goes on when it is lifted", async () => {
    const asked = await client.ladder("GET", "/api/account", { token: eve });
    assert.deepEqual([asked.status, asked.body["code"]], [403, "account_banned"]);
    assert.equal((await client.ladder("GET", "/api/users/eve")).status, 404);
    await client.ladder("POST", "/api/admin/accounts/eve/unban", { token: admin });
    assert.equal((await client.ladder("GET", "/api/account", { token: eve })).status, 200);
    assert.equal((await client.ladder("GET", "/api/users/eve")).status, 200);
  });

  it("of a bot goes on when its holder is signed out, and keys and sessions end", async () => {
    const { bot } = await waiting("goes-on");
    const options = { token: eve, body: { label: "agent" } };
    const { body } = await client.ladder("POST", "/api/account/keys", options);
    const key = String(body["key"]);
    const signOut = "/api/admin/accounts/eve/sign-out";
    assert.equal((await client.ladder("POST", signOut, { token: admin })).status, 200);
    const named = { token: key, body: { name: "by-key" } };
    assert.equal((await client.ladder("POST", "/api/bots", named)).status, 401);
    assert.ok((await online()).includes("goes-on"));
    assert.equal(bot.socket.readyState, bot.socket.OPEN);
    eve = await client.signIn(EVE);
  });

  it("of an admin is a player's from the moment the role is gone", async () => {
    const role = (value: string) =>
      client.ladder("POST", "/api/admin/accounts/eve/role", {
        token: admin,
        body: { role: value },
      });
    assert.equal((await role("admin")).status, 200);
    assert.equal((await client.ladder("GET", "/api/admin/overview", { token: eve })).status, 200);
    assert.equal((await role("player")).status, 200);
    const refused = await client.ladder("GET", "/api/admin/overview", { token: eve });
    assert.deepEqual([refused.status, refused.body["code"]], [403, "not_admin"]);
  });
});

describe("a match that runs", () => {
  it("is lost by forfeit at once when a bot is stopped, and rated", async (t) => {
    const ladder = await startLadder(["--accounts", "embedded", "--admin-email", ROOT]);
    t.after(() => ladder.close());
    const client = await personAt(ladder.baseUrl);
    const admin = await client.join(ROOT, ladder.data);
    const bots = [];
    for (const name of ["ada", "eve"]) {
      const token = await client.join(`${name}@example.org`, ladder.data);
      await client.ladder("PUT", "/api/account/handle", { token, body: { handle: name } });
      const options = { token, body: { name: `${name}-bot` } };
      const { body } = await client.ladder("POST", "/api/account/bots", options);
      const bot = await BotClient.connect(ladder.baseUrl, String(body["token"]));
      bot.queue();
      bots.push(bot);
    }
    const [first, second] = bots;
    assert.ok(first !== undefined && second !== undefined);
    const { fighter } = await first.next("hello");
    await second.next("hello");
    for (const bot of bots) bot.say({ type: "ready" });
    await first.next("observation");
    await client.ladder("POST", "/api/admin/bots/eve-bot/suspend", { token: admin });
    assert.deepEqual(await second.closed, { code: 4004, reason: "suspended" });
    const end = await first.next("end");
    assert.deepEqual([end["reason"], end["winner"], end["rated"]], ["forfeit", fighter, true]);
    assert.notEqual(end["rating_change"], null);
  });
});

describe("a membership that ends", () => {
  const CUP = "/api/admin/ladders/cup";
  const onCup = { type: "queue", version: "v1", ladder_id: "cup" };
  let ladder: TestLadder;
  let client: AccountClient;
  let admin: string;
  before(async () => {
    ladder = await startLadder(["--accounts", "embedded", "--admin-email", ROOT]);
    client = await personAt(ladder.baseUrl);
    admin = await client.join(ROOT, ladder.data);
    const body = { id: "cup", name: "Cup" };
    await client.ladder("POST", "/api/admin/ladders", { token: admin, body });
  });
  after(() => ladder.close());

  /** Somebody who is on the ladder with a bot that has asked for a game there. */
  async function member(name: string) {
    const token = await client.join(`${name}@example.org`, ladder.data);
    await client.ladder("PUT", "/api/account/handle", { token, body: { handle: name } });
    await client.ladder("POST", "/api/account/ladders/cup/enrollment", { token, body: {} });
    const options = { token, body: { name: `${name}s-bot` } };
    const { body } = await client.ladder("POST", "/api/account/bots", options);
    const bot = await BotClient.connect(ladder.baseUrl, String(body["token"]));
    bot.say(onCup);
    return bot;
  }

  const revoke = (name: string) =>
    client.ladder("POST", `${CUP}/members/${name}/revoke`, {
      token: admin,
      body: { reason: "over" },
    });

  it("T66 takes a waiting bot out of the queue at once, and leaves its connection open", async () => {
    const bot = await member("wait");
    await bot.next("queued");
    assert.equal((await revoke("wait")).status, 200);
    assert.equal((await bot.next("error"))["code"], "enrollment_required");
    bot.say(onCup);
    assert.equal((await bot.next("error"))["code"], "enrollment_required");
    bot.queue();
    assert.equal((await bot.next("queued"))["ladder_id"], "public");
    bot.socket.close();
  });

  it("T66 lets a match that runs be played to its end, unrated", async () => {
    const bots = [await member("ada"), await member("eve")];
    const matches = await Promise.all(bots.map((bot) => bot.next("hello")));
    assert.deepEqual(
      matches.map(({ ladder_id }) => ladder_id),
      ["cup", "cup"],
    );
    for (const bot of bots) bot.say({ type: "ready" });
    await bots[0]!.next("observation");
    assert.equal((await revoke("eve")).status, 200);
    for (const bot of bots) bot.autoplay();
    for (const bot of bots) bot.say({ type: "turn", tick: 0 });
    const ends = await Promise.all(bots.map((bot) => bot.next("end")));
    for (const end of ends)
      assert.deepEqual([end["rated"], end["unrated_reason"]], [false, "enrollment_changed"]);
    bots[1]!.say(onCup);
    assert.equal((await bots[1]!.next("error"))["code"], "enrollment_required");
  });

  it("T66 is refused to an operator from the moment their role is gone", async () => {
    const body = { role: "admin" };
    const role = "/api/admin/accounts/ada/role";
    assert.equal((await client.ladder("POST", role, { token: admin, body })).status, 200);
    const ada = await client.signIn("ada@example.org");
    const look = async () => {
      const { status } = await client.ladder("GET", CUP, { token: ada });
      const invited = await client.ladder("POST", `${CUP}/invitations`, { token: ada, body: {} });
      return [status, invited.status];
    };
    assert.deepEqual(await look(), [200, 201]);
    await client.ladder("POST", role, { token: admin, body: { role: "player" } });
    assert.deepEqual(await look(), [403, 403]);
  });
});
