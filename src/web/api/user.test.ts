import assert from "node:assert/strict";
import { it } from "node:test";

import {
  accountApi,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { addTestVersion, setRating, testApi } from "#testing/fixtures/test-api.ts";

const user = (handle: string, query = "") => ["GET", `/api/users/${handle}${query}`] as const;

it("shows a user's bots with totals across all their versions", async () => {
  const api = accountApi();
  const { account } = await signUpAccount(api, "Ada");
  const rex = await addAccountBot(api, account, "Rex", { avatar: "ronin" });
  await addAccountBot(api, account, "Old", { status: "retired" });
  const [first, second] = [
    await addTestVersion(api, rex, "v1"),
    await addTestVersion(api, rex, "v2"),
  ];
  setRating(api, first, 1500, [10, 2, 1]);
  setRating(api, second, 1612, [20, 8, 4]);
  const { told: outcome, body, headers } = await sendRequest(api, user("aDA"));
  assert.equal(outcome, "200");
  assert.equal(headers["cache-control"], "no-cache");
  const owner = { owner: "Ada", owner_url: "/user/Ada", house: false, online: false };
  assert.deepEqual(body, {
    handle: "Ada",
    created: account.created,
    ladder_id: "public",
    bots: [
      {
        name: "Rex",
        display_name: "Rex",
        ...owner,
        created: rex.created,
        avatar: "ronin",
        retired: false,
        version: "v2",
        rank: 1,
        leaderboard_score: 1532,
        rating: 1612,
        rating_deviation: 40,
        wins: 30,
        losses: 10,
        draws: 5,
      },
      {
        name: "Old",
        display_name: "Old",
        ...owner,
        created: body.bots[1].created,
        avatar: null,
        retired: true,
        version: null,
        rank: null,
        leaderboard_score: null,
        rating: null,
        rating_deviation: null,
        wins: 0,
        losses: 0,
        draws: 0,
      },
    ],
  });
});

it("shows default ratings for a version without rated games", async () => {
  const api = accountApi();
  const { account } = await signUpAccount(api, "Ada");
  await addTestVersion(api, await addAccountBot(api, account, "Rex"), "v1");
  const { version, rank, rating, rating_deviation, leaderboard_score } = (
    await sendRequest(api, user("Ada"))
  ).body.bots[0];
  assert.deepEqual(
    { version, rank, rating, rating_deviation, leaderboard_score },
    { version: "v1", rank: null, rating: 1500, rating_deviation: 347, leaderboard_score: 805 },
  );
});

it("shows a changed handle or name immediately, and finds users by former handles", async () => {
  const api = accountApi();
  const { token, account } = await signUpAccount(api, "ada");
  await addAccountBot(api, account, "Rex");
  await sendRequest(api, user("ada"));
  await sendRequest(api, ["PUT", "/api/account/handle"], {
    token,
    payload: { handle: "countess" },
  });
  await sendRequest(api, ["PUT", "/api/account/bots/Rex/name"], {
    token,
    payload: { name: "Neo" },
  });
  for (const handle of ["ada", "countess"]) {
    const { body } = await sendRequest(api, user(handle));
    assert.deepEqual([body.handle, body.bots[0].name], ["countess", "Neo"], handle);
  }
});

it("returns 404 for accounts that are unknown, banned or without a handle", async () => {
  const api = accountApi();
  const { account } = await signUpAccount(api, "ada");
  await signUpAccount(api, "eve", null);
  const rex = await addAccountBot(api, account, "Rex");
  setRating(api, await addTestVersion(api, rex, "v1"), 1600, [30, 0, 0]);
  for (const handle of ["eve", "x", "%20", "a%2Fb"])
    assert.equal((await sendRequest(api, user(handle))).told, "404", handle);
  assert.equal((await sendRequest(api, user("ada", "?ladder=cup"))).told, "404");
  const session = { name: "Rex", house: false, version: null, versionId: null, ladderId: null };
  api.arena.bots.push({ ...session, botId: rex.id, online: true, state: "idle", matchId: null });
  const lobby = async () => (await sendRequest(api, ["GET", "/api/lobby"])).body as unknown[];
  const board = async () => (await sendRequest(api, ["GET", "/api/leaderboard"])).body as unknown[];
  assert.deepEqual(
    [(await sendRequest(api, user("ada"))).told, (await board()).length],
    ["200", 1],
  );
  assert.equal((await lobby()).length, 1);
  const [auditEntry] = await api.store.audit.list({ limit: 1 });
  await api.store.accounts.setBan(account.id, { at: api.nextMinute(), reason: null }, auditEntry!);
  assert.equal((await lobby()).length, 0);
  assert.deepEqual(
    [(await sendRequest(api, user("ada"))).told, (await board()).length],
    ["404", 0],
  );
  const { body: page } = await sendRequest(api, ["GET", "/api/bots/Rex"]);
  assert.deepEqual([page.status, page.owner, page.owner_url], ["suspended", "ada", null]);
  await api.store.accounts.setBan(account.id, null, auditEntry!);
  assert.deepEqual(
    [(await sendRequest(api, user("ada"))).told, (await board()).length],
    ["200", 1],
  );
});

it("links to every owner that has a profile", async () => {
  const api = accountApi();
  const { account } = await signUpAccount(api, "ada");
  const rex = await addAccountBot(api, account, "Rex");
  setRating(api, await addTestVersion(api, rex, "v1"), 1600, [30, 0, 0]);
  const { body: searchResults } = await sendRequest(api, ["GET", "/api/search?q=ad"]);
  assert.deepEqual(searchResults.owners, [{ owner: "ada", owner_url: "/user/ada" }]);
  const { body: rows } = await sendRequest(api, ["GET", "/api/leaderboard"]);
  assert.equal(rows[0].owner_url, "/user/ada");
});

it("returns 404 for all names on a server without accounts", async () => {
  assert.equal((await sendRequest(testApi(), user("ada"))).told, "404");
});

it("lists in GET /api where accounts are managed", async () => {
  const { body } = await sendRequest(accountApi(), ["GET", "/api"]);
  assert.deepEqual(body.accounts, {
    project_url: "http://localhost:7777",
    publishable_key: "sb_test",
  });
  assert.deepEqual(body.onboarding, {
    signup: "/account",
    sign_in: "/account",
    handle: "/api/account/handle",
    claim: "/api/account/claim",
    register: "/api/bots",
  });
  assert.equal(body.authentication_required, true);
});
