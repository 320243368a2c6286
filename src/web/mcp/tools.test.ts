import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import type { AccountBot } from "#core/api/account.ts";
import { StoreError } from "#data/store/errors.ts";
import {
  addAgentKey,
  addAccountBot,
  signUpAccount,
  sendRequest,
  accountWithBots,
} from "#testing/fixtures/account-api.ts";
import { readDocPage, tableCells } from "#testing/fixtures/doc-page.ts";
import { toolCall, sendMcpMessage, callTool } from "#testing/fixtures/mcp-messages.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  emptyMatchStats,
} from "#testing/fixtures/test-api.ts";

import { TOOLS } from "./handle-message.ts";

/**
 * Opens an API with Ada, who has an agent key and the bots Rex (never played) and Old (played). Foe
 * belongs to another account.
 */
async function openToolWorld() {
  const world = await accountWithBots();
  const key = await addAgentKey(world.api, world.token);
  const callNamedTool = (name: string, args?: unknown) => callTool(world.api, key, name, args);
  return { ...world, key, use: callNamedTool };
}
type World = Awaited<ReturnType<typeof openToolWorld>>;

const NO_ID = "01900000-0000-7000-8000-999999999999";

type Row = [name: string, given: unknown, expected: object | string];

const ROWS: Record<string, Row[]> = {
  "for the account": [
    [
      "whoami",
      {},
      { handle: "ada", admin: false, max_bots: 5, bot_count: 2, bots: ["Rex", "Old"] },
    ],
    ["whoami", { name: "bob" }, "invalid_arguments"],
    ["list_my_ladders", {}, {}],
    ["enroll_ladder", { ladder: "public" }, {}],
    ["enroll_ladder", { ladder: "public", password: "x", invitation: "y" }, "invalid_arguments"],
    ["enroll_ladder", { ladder: "secret" }, "not_found"],
    ["enroll_ladder", { ladder: "__proto__" }, "not_found"],
    ["enroll_ladder", {}, "invalid_arguments"],
  ],
  "for registration": [
    ["register_bot", { name: "Neo" }, { name: "Neo", bot_endpoint: "ws://localhost:7777/bot" }],
    ["register_bot", { name: "nEO" }, "invalid_bot"],
    ["register_bot", { name: "Foe" }, "invalid_bot"],
    ["register_bot", { name: "x" }, "invalid_bot"],
    ["register_bot", { name: "admin" }, "invalid_bot"],
    ["register_bot", { name: 7 }, "invalid_arguments"],
    ["register_bot", { name: "Eve", house: true, owner: "bob" }, "invalid_arguments"],
  ],
  "for documents": [
    ["get_agent_guide", {}, { topic: "agents" }],
    ["get_agent_guide", { topic: "protocol" }, { topic: "protocol" }],
    ["get_agent_guide", { topic: "operating" }, "not_found"],
    ["get_agent_guide", { topic: "" }, "not_found"],
    ["get_docs", { name: "operating" }, { name: "operating" }],
    ["get_docs", { name: "rules.md" }, { name: "rules" }],
    ["get_docs", { name: "../CHANGELOG" }, "not_found"],
    ["get_docs", {}, "invalid_arguments"],
  ],
  "for the ladder": [
    ["get_leaderboard", { limit: 200 }, {}],
    ["get_leaderboard", { season: "2026-01" }, {}],
    ["get_leaderboard", { season: "1999-13" }, "not_found"],
    ["get_leaderboard", { ladder: "" }, "not_found"],
    ["get_leaderboard", { limit: 0 }, "invalid_arguments"],
    ["get_leaderboard", { limit: 201 }, "invalid_arguments"],
    ["get_leaderboard", { limit: 1.5 }, "invalid_arguments"],
    ["get_leaderboard", { limit: "9" }, "invalid_arguments"],
    ["get_bot", { name: "old" }, { name: "Old", owner: "ada", status: "active" }],
    ["get_bot", { name: "Old", ladder: "none" }, "not_found"],
    ["get_bot", { name: ".." }, "no_such_bot"],
    ["get_bot", { name: "a\ud800" }, "no_such_bot"],
    ["get_bot", { name: "Nobody" }, "no_such_bot"],
    ["list_matches", { limit: 51 }, "invalid_arguments"],
    ["list_matches", { bot: "Nobody" }, "no_such_bot"],
    ["list_matches", { bot: "a&limit=500" }, "no_such_bot"],
    ["list_matches", { ladder: "a\u0000\ud800" }, "not_found"],
    ["list_matches", { before: NO_ID }, "not_found"],
    ["list_matches", { before: "x" }, "not_found"],
    ["get_match", { id: NO_ID }, "not_found"],
    ["get_match", { id: "../bots/Old" }, "not_found"],
  ],
  "for improving a bot": [
    ["get_losses", { name: "old", version: "v1" }, { version: "v1", ladder_id: "public" }],
    ["get_losses", { name: "Old", version: "v9" }, "not_found"],
    ["get_losses", { name: "Old", version: "v1&ladder=x" }, "not_found"],
    ["get_losses", { name: "Old", version: "v1", season: "1999-13" }, "not_found"],
    ["get_losses", { name: "Nobody", version: "v1" }, "no_such_bot"],
    ["get_losses", { name: "../Old", version: "v1" }, "no_such_bot"],
    ["get_losses", { name: "Old" }, "invalid_arguments"],
    ["get_style", { name: "Foe" }, { ladder_id: "public", fights: null, attacks: [] }],
    ["get_style", { name: "Foe", ladder: "none" }, "not_found"],
    ["get_style", { name: "Foe/losses" }, "no_such_bot"],
    ["compare_versions", { name: "Old", a: "v1", b: "v1" }, "invalid_arguments"],
    ["compare_versions", { name: "Old", a: "v1", b: "v9" }, "not_found"],
    ["compare_versions", { name: "Old", a: "v1" }, "invalid_arguments"],
    ["compare_versions", { name: "Nobody", a: "v1", b: "v2" }, "no_such_bot"],
    ["request_practice", { name: "Rex" }, "practice_unavailable"],
    ["request_practice", { name: "Foe" }, "no_such_bot"],
    ["request_practice", {}, "invalid_arguments"],
    ["get_practice", { name: "Rex", id: NO_ID }, "not_found"],
    ["get_practice", { name: "Foe", id: NO_ID }, "no_such_bot"],
  ],
  "for deleting and retiring bots": [
    ["delete_bot", { name: "Foe" }, "no_such_bot"],
    ["retire_bot", { name: "Foe" }, "no_such_bot"],
    ["delete_bot", { name: "a/../b" }, "no_such_bot"],
    ["delete_bot", { name: "Old" }, "bot_has_played"],
    ["delete_bot", { name: "rex" }, { name: "Rex", outcome: "deleted" }],
    ["delete_bot", { name: "Rex" }, "no_such_bot"],
    ["retire_bot", { name: "Neo" }, { name: "Neo", outcome: "deleted" }],
    ["retire_bot", { name: "Old" }, { name: "Old", outcome: "retired" }],
    ["retire_bot", { name: "Old" }, { name: "Old", outcome: "retired" }],
    ["whoami", {}, { bot_count: 0, bots: [] }],
  ],
};

const CHECKS = new Map(
  TOOLS.map(
    ({ listing: listedTools }) =>
      [listedTools.name, strictCheck(listedTools.outputSchema as object)] as const,
  ),
);

async function assertRow({ api, key }: World, [name, args, expected]: Row): Promise<void> {
  const { answer: response } = await sendMcpMessage(api, {
    token: key,
    body: toolCall(name, args),
  });
  const { result } = response.json();
  const { structuredContent: outcome, content, isError = false } = result;
  const message = `${name} ${JSON.stringify(args)}: ${JSON.stringify(outcome)}`;
  assert.deepEqual(JSON.parse(content[0].text), outcome, message);
  assert.deepEqual(CHECKS.get(name)!(outcome), [], message);
  assert.equal(isError, typeof expected === "string", message);
  if (typeof expected === "string") assert.equal(outcome.code, expected, message);
  else assert.partialDeepStrictEqual(outcome, expected, message);
}

describe("tools", () => {
  let world: World;
  before(async () => {
    world = await openToolWorld();
  });
  // Rows run in order, because later rows depend on earlier ones.
  for (const [kind, rows] of Object.entries(ROWS))
    it(`tools ${kind} return the documented results and errors`, async () => {
      for (const row of rows) await assertRow(world, row);
    });
});

describe("a tool", () => {
  it("lists the account's bots without their versions", async () => {
    const { use: callNamedTool } = await openToolWorld();
    const bots = (await callNamedTool("list_my_bots")).bots as Record<string, unknown>[];
    const outcome = bots.map((bot) => [bot.name, bot.status, bot.played]);
    assert.deepEqual(outcome, [
      ["Rex", "active", false],
      ["Old", "active", true],
    ]);
    assert.ok(bots.every((bot) => !("versions" in bot)));
  });

  it("omits version notes for other accounts' bots from get_bot", async () => {
    const { api, old: oldBot, use: callNamedTool } = await openToolWorld();
    const opponent = await addTestBot(api, "Zed");
    for (const bot of [oldBot, opponent])
      await api.store.versions.add(
        {
          ...(await addTestVersion(api, bot, "v8")),
          id: api.newId(),
          label: "v9",
          notes: "Retire all",
        },
        null,
      );
    const notesOf = async (name: string) =>
      ((await callNamedTool("get_bot", { name })).versions as { label: string; notes?: string }[])
        .filter(({ label }) => label === "v9")
        .map(({ notes }) => notes);
    assert.deepEqual(await notesOf("Old"), ["Retire all"]);
    assert.deepEqual(await notesOf("Zed"), [undefined]);
  });

  it("returns standings, matches and statistics like the API", async () => {
    const { api, old: oldBot, use: callNamedTool } = await openToolWorld();
    const [firstVersion, secondVersion] = [
      await addTestVersion(api, oldBot, "v2"),
      await addTestVersion(api, await addTestBot(api, "Zed"), "v1"),
    ];
    setRating(api, firstVersion, 1700, [30, 2, 1]);
    setRating(api, secondVersion, 1600, [30, 2, 1]);
    const stats = emptyMatchStats();
    const playedMatch = await addMatch(api, [firstVersion, secondVersion], {
      stats: JSON.stringify(stats),
    });
    const rows = (await callNamedTool("get_leaderboard", { limit: 1 })).rows;
    assert.deepEqual([rows.length, rows[0].bot ?? rows[0].name], [1, "Old"]);
    const { matches } = await callNamedTool("list_matches", { bot: "zed", limit: 1 });
    assert.deepEqual(matches, [(await api.app.inject(`/api/matches/${playedMatch.id}`)).json()]);
    const { match, stats: outcome } = await callNamedTool("get_match", {
      id: playedMatch.id.toUpperCase(),
    });
    assert.deepEqual(
      [match, outcome],
      [matches[0], (await api.app.inject(match.stats_url)).json()],
    );
    const older = await callNamedTool("list_matches", { before: playedMatch.id });
    assert.equal(older.matches.length, 1);
    const matchWithoutReplay = await callNamedTool("get_match", { id: older.matches[0].id });
    assert.equal(matchWithoutReplay.stats, null);
  });

  it("returns losses, style and comparisons like the API", async () => {
    const { api, use: callNamedTool } = await openToolWorld();
    const otherAccount = await addTestBot(api, "Zed");
    await addTestVersion(api, otherAccount, "v1");
    await addTestVersion(api, otherAccount, "v2");
    for (const [tool, args, path] of [
      ["get_losses", { version: "v1" }, "losses?version=v1"],
      ["get_style", { ladder: "public" }, "style?ladder=public"],
      ["compare_versions", { a: "v2", b: "v1" }, "compare?a=v2&b=v1"],
    ] as const) {
      const expected = (await api.app.inject(`/api/bots/Zed/${path}`)).json();
      assert.deepEqual(await callNamedTool(tool, { name: "zed", ...args }), expected, tool);
    }
  });

  it("requests practice matches for the account's active bots and returns their reports", async () => {
    const { api, account, rex, use: callNamedTool } = await openToolWorld();
    const suspendedBot = await addAccountBot(api, account, "Held", { status: "suspended" });
    const practice = { id: NO_ID, state: "pending", match_id: null, result: null } as const;
    api.arena.practiceResponse = { practice };
    assert.deepEqual(await callNamedTool("request_practice", { name: "rex" }), practice);
    api.arena.practiceRecords = [rex, suspendedBot].map(({ id }) => ({ botId: id, practice }));
    assert.deepEqual(await callNamedTool("get_practice", { name: "Rex", id: NO_ID }), practice);
    assert.equal(await callNamedTool("get_practice", { name: "Old", id: NO_ID }), "not_found");
    for (const [tool, args] of [
      ["request_practice", { name: "Held" }],
      ["get_practice", { name: "Held", id: NO_ID }],
    ] as const)
      assert.equal(await callNamedTool(tool, args), "bot_moderated", tool);
  });

  it("reports why a practice match can't start and how long to wait", async () => {
    const { api, key, use: callNamedTool } = await openToolWorld();
    api.arena.practiceResponse = { refused: "practice_pending" };
    assert.equal(await callNamedTool("request_practice", { name: "Rex" }), "practice_pending");
    api.arena.practiceResponse = { refused: "rate_limited", waitS: 77 };
    const body = toolCall("request_practice", { name: "Rex" });
    const { answer: response } = await sendMcpMessage(api, { token: key, body });
    const { code, error } = response.json().result.structuredContent;
    assert.equal(code, "rate_limited");
    assert.match(error, /20 practice matches an hour\. Wait 77 s\.$/);
  });

  it("returns documents with the server's URL, and topics in reading order", async () => {
    const { use: callNamedTool } = await openToolWorld();
    const guide = await callNamedTool("get_agent_guide");
    const topics = guide.topics as string[];
    assert.match(guide.markdown, /^# Guide for AI agents\n/);
    assert.deepEqual(topics.slice(0, 2), ["quick-start", "quick-start-bots"]);
    assert.ok(topics.includes("mcp") && !topics.includes("operating"));
    assert.match(
      (await callNamedTool("get_docs", { name: "mcp" })).markdown,
      /http:\/\/localhost:7777\/mcp/,
    );
  });

  it("acts for the key's account, as the audit log shows", async () => {
    const { api, account, use: callNamedTool } = await openToolWorld();
    await callNamedTool("register_bot", { name: "Neo" });
    const [entry] = await api.store.audit.list({ kind: "bot.registered", limit: 1 });
    assert.deepEqual([entry?.actor.kind, entry?.subject?.name], ["agent_key", "Neo"]);
    assert.equal((await api.store.bots.byName("Neo"))?.ownerId, account.id);
  });

  it("T76 registers only one of many concurrent bots if one slot remains", async () => {
    const { api, account, use: callNamedTool } = await openToolWorld();
    await addAccountBot(api, account, "Two");
    await addAccountBot(api, account, "Three");
    const names = Array.from({ length: 50 }, (_, at) => `Many-${at}`);
    const outcome = await Promise.all(names.map((name) => callNamedTool("register_bot", { name })));
    const refusal = outcome.filter((firstVersion) => firstVersion === "bot_limit");
    assert.deepEqual([outcome.length, refusal.length], [50, 49]);
  });

  it("links to the page where the owner chooses a handle, which apps can't", async () => {
    const { api } = await openToolWorld();
    const { token } = await signUpAccount(api, "bob", null);
    const key = await addAgentKey(api, token);
    const body = toolCall("register_bot", { name: "Neo" });
    const { structuredContent } = (await sendMcpMessage(api, { token: key, body })).answer.json()
      .result;
    assert.equal(structuredContent.code, "handle_required");
    assert.match(structuredContent.error, /http:\/\/localhost:7777\/account/);
    assert.equal((await callTool(api, key, "whoami")).handle, null);
  });

  it("respects closed registration and moderation", async () => {
    const { api, account, use: callNamedTool } = await openToolWorld();
    await addAccountBot(api, account, "Held", { status: "suspended" });
    api.liveSettings.change({ registration_open: false });
    assert.equal(await callNamedTool("register_bot", { name: "Neo" }), "registration_closed");
    for (const name of ["delete_bot", "retire_bot"])
      assert.equal(await callNamedTool(name, { name: "Held" }), "bot_moderated");
  });

  it("T71 never changes or returns another account's private data", async () => {
    const { api, use: callNamedTool } = await openToolWorld();
    const bob = await signUpAccount(api, "bob");
    await addAccountBot(api, bob.account, "Bobs");
    for (const name of ["delete_bot", "retire_bot"])
      assert.equal(await callNamedTool(name, { name: "Bobs" }), "no_such_bot");
    const outcome = JSON.stringify([
      await callNamedTool("whoami"),
      await callNamedTool("list_my_bots"),
    ]);
    assert.ok(!outcome.includes("Bobs") && !outcome.includes("bob"));
    const { body } = await sendRequest(api, ["GET", "/api/account"], { token: bob.token });
    assert.deepEqual(
      (body.bots as AccountBot[]).map(({ name, status }) => [name, status]),
      [["Bobs", "active"]],
    );
  });

  it("reports that the store is unavailable, but no details of other errors", async () => {
    const { api, key } = await openToolWorld();
    const fail = async (error: Error) => {
      api.store.bots.listByOwners = async () => {
        throw error;
      };
      return (await sendMcpMessage(api, { token: key })).answer;
    };
    const unavailableResult = (
      await fail(new StoreError("unavailable", "no route to db.internal"))
    ).json();
    assert.equal(unavailableResult.result.structuredContent.code, "store_unavailable");
    const { error } = (await fail(new Error("secret of db.internal"))).json();
    assert.deepEqual(error, { code: -32603, message: "Internal server error." });
    assert.ok(api.log.some((line) => line.includes("secret of db.internal")));
  });
});

describe("the list of tools", () => {
  it("matches the guide", () => {
    const rows = tableCells(readDocPage("mcp")).filter(([first]) =>
      /^`[a-z_]+`$/.test(first ?? ""),
    );
    const inGuide = rows.filter(([, args]) => args !== undefined && !/^\d+$/.test(args));
    const listedTools = TOOLS.map(({ listing: { name, inputSchema } }) => {
      const { properties = {}, required = [] } = inputSchema;
      const args = Object.keys(properties).map((firstVersion) =>
        required.includes(firstVersion) ? `\`${firstVersion}\`` : `\`${firstVersion}\`?`,
      );
      return [`\`${name}\``, args.length === 0 ? "-" : args.join(", ")];
    });
    assert.deepEqual(
      inGuide.map((row) => row.slice(0, 2)).slice(0, listedTools.length),
      listedTools,
    );
    assert.equal(inGuide.filter(([, , about]) => about !== undefined).length, listedTools.length);
  });

  it("marks read-only tools", () => {
    const writing = TOOLS.filter(
      ({ listing: listedTools }) => listedTools.annotations?.readOnlyHint === false,
    );
    assert.deepEqual(
      writing.map(({ listing: { name, annotations } }) => [name, annotations?.destructiveHint]),
      [
        ["register_bot", false],
        ["delete_bot", true],
        ["retire_bot", true],
        ["enroll_ladder", false],
        ["request_practice", false],
      ],
    );
  });

  it("describes each tool, and declares only names and types", () => {
    for (const { listing: listedTools } of TOOLS) {
      assert.ok(
        (listedTools.description ?? "").length > 40 && (listedTools.title ?? "").length > 3,
      );
      assert.equal(typeof listedTools.annotations?.readOnlyHint, "boolean");
      const { properties = {} } = listedTools.inputSchema;
      for (const schema of Object.values(properties) as object[])
        assert.deepEqual(Object.keys(schema).toSorted(), ["description", "type"], listedTools.name);
    }
  });
});
