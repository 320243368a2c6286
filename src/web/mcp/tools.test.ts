// What each tool answers and refuses, and that it fits the schema that it lists.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import type { AccountBot } from "#core/resources/account.ts";
import { StoreError } from "#data/store/errors.ts";
import {
  addAgentKey,
  addOwnBot,
  addPerson,
  ask,
  personWithBots,
} from "#testing/fixtures/account-api.ts";
import { pageOf, rowsOf } from "#testing/fixtures/doc-page.ts";
import { callOf, sendMessage, useTool } from "#testing/fixtures/mcp-messages.ts";
import { strictCheck } from "#testing/fixtures/response-check.ts";
import { addBot, addMatch, addVersion, rate, sampleStats } from "#testing/fixtures/test-api.ts";

import { TOOLS } from "./exchange.ts";

/** Ada with an agent key, Rex who never played and Old who did; Foe is somebody else's. */
async function adasWorld() {
  const world = await personWithBots();
  const key = await addAgentKey(world.api, world.token);
  const use = (name: string, given?: unknown) => useTool(world.api, key, name, given);
  return { ...world, key, use };
}
type World = Awaited<ReturnType<typeof adasWorld>>;

const NO_ID = "01900000-0000-7000-8000-999999999999";

/** Arguments, and what the answer or the code of the refusal has to be. */
type Row = [name: string, given: unknown, expected: object | string];

const ROWS: Record<string, Row[]> = {
  "that read the account": [
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
  "that register": [
    ["register_bot", { name: "Neo" }, { name: "Neo", bot_endpoint: "ws://localhost:7777/bot" }],
    ["register_bot", { name: "nEO" }, "invalid_bot"],
    ["register_bot", { name: "Foe" }, "invalid_bot"],
    ["register_bot", { name: "x" }, "invalid_bot"],
    ["register_bot", { name: "admin" }, "invalid_bot"],
    ["register_bot", { name: 7 }, "invalid_arguments"],
    ["register_bot", { name: "Eve", house: true, owner: "bob" }, "invalid_arguments"],
  ],
  "that read documents": [
    ["get_agent_guide", {}, { topic: "agents" }],
    ["get_agent_guide", { topic: "protocol" }, { topic: "protocol" }],
    ["get_agent_guide", { topic: "operating" }, "not_found"],
    ["get_agent_guide", { topic: "" }, "not_found"],
    ["get_docs", { name: "operating" }, { name: "operating" }],
    ["get_docs", { name: "rules.md" }, { name: "rules" }],
    ["get_docs", { name: "../CHANGELOG" }, "not_found"],
    ["get_docs", {}, "invalid_arguments"],
  ],
  "that read the ladder": [
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
  "that help to improve a bot": [
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
  "that end bots": [
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
  TOOLS.map(({ listed }) => [listed.name, strictCheck(listed.outputSchema as object)] as const),
);

async function assertRow({ api, key }: World, [name, given, expected]: Row): Promise<void> {
  const { answer } = await sendMessage(api, { token: key, body: callOf(name, given) });
  const { result } = answer.json();
  const { structuredContent: told, content, isError = false } = result;
  const where = `${name} ${JSON.stringify(given)}: ${JSON.stringify(told)}`;
  assert.deepEqual(JSON.parse(content[0].text), told, where);
  assert.deepEqual(CHECKS.get(name)!(told), [], where);
  assert.equal(isError, typeof expected === "string", where);
  if (typeof expected === "string") assert.equal(told.code, expected, where);
  else assert.partialDeepStrictEqual(told, expected, where);
}

describe("tools", () => {
  let world: World;
  before(async () => {
    world = await adasWorld();
  });
  // In order: later rows see what earlier ones did.
  for (const [kind, rows] of Object.entries(ROWS))
    it(`${kind} answer and refuse as they say`, async () => {
      for (const row of rows) await assertRow(world, row);
    });
});

describe("a tool", () => {
  it("tells of the account's bots without their versions", async () => {
    const { use } = await adasWorld();
    const bots = (await use("list_my_bots")).bots as Record<string, unknown>[];
    const told = bots.map((bot) => [bot.name, bot.status, bot.played]);
    assert.deepEqual(told, [
      ["Rex", "active", false],
      ["Old", "active", true],
    ]);
    assert.ok(bots.every((bot) => !("versions" in bot)));
  });

  it("leaves notes of other accounts' versions out of get_bot", async () => {
    const { api, old, use } = await adasWorld();
    const foe = await addBot(api, "Zed");
    for (const bot of [old, foe])
      await api.store.versions.add(
        {
          ...(await addVersion(api, bot, "v8")),
          id: api.newId(),
          label: "v9",
          notes: "Retire all",
        },
        null,
      );
    const notesOf = async (name: string) =>
      ((await use("get_bot", { name })).versions as { label: string; notes?: string }[])
        .filter(({ label }) => label === "v9")
        .map(({ notes }) => notes);
    assert.deepEqual(await notesOf("Old"), ["Retire all"]);
    assert.deepEqual(await notesOf("Zed"), [undefined]);
  });

  it("gives rows, matches and statistics as the API does", async () => {
    const { api, old, use } = await adasWorld();
    const [one, other] = [
      await addVersion(api, old, "v2"),
      await addVersion(api, await addBot(api, "Zed"), "v1"),
    ];
    rate(api, one, 1700, [30, 2, 1]);
    rate(api, other, 1600, [30, 2, 1]);
    const stats = sampleStats();
    const played = await addMatch(api, [one, other], { stats: JSON.stringify(stats) });
    const rows = (await use("get_leaderboard", { limit: 1 })).rows;
    assert.deepEqual([rows.length, rows[0].bot ?? rows[0].name], [1, "Old"]);
    const { matches } = await use("list_matches", { bot: "zed", limit: 1 });
    assert.deepEqual(matches, [(await api.app.inject(`/api/matches/${played.id}`)).json()]);
    const { match, stats: told } = await use("get_match", { id: played.id.toUpperCase() });
    assert.deepEqual([match, told], [matches[0], (await api.app.inject(match.stats_url)).json()]);
    const older = await use("list_matches", { before: played.id });
    assert.equal(older.matches.length, 1);
    const unkept = await use("get_match", { id: older.matches[0].id });
    assert.equal(unkept.stats, null);
  });

  it("answers losses, style and comparisons as the API does", async () => {
    const { api, use } = await adasWorld();
    const zed = await addBot(api, "Zed");
    await addVersion(api, zed, "v1");
    await addVersion(api, zed, "v2");
    for (const [tool, given, path] of [
      ["get_losses", { version: "v1" }, "losses?version=v1"],
      ["get_style", { ladder: "public" }, "style?ladder=public"],
      ["compare_versions", { a: "v2", b: "v1" }, "compare?a=v2&b=v1"],
    ] as const) {
      const expected = (await api.app.inject(`/api/bots/Zed/${path}`)).json();
      assert.deepEqual(await use(tool, { name: "zed", ...given }), expected, tool);
    }
  });

  it("requests practice matches of the account's active bots, and reports them", async () => {
    const { api, account, rex, use } = await adasWorld();
    const held = await addOwnBot(api, account, "Held", { status: "suspended" });
    const practice = { id: NO_ID, state: "pending", match_id: null, result: null } as const;
    api.arena.asked = { practice };
    assert.deepEqual(await use("request_practice", { name: "rex" }), practice);
    api.arena.practices = [rex, held].map(({ id }) => ({ botId: id, practice }));
    assert.deepEqual(await use("get_practice", { name: "Rex", id: NO_ID }), practice);
    assert.equal(await use("get_practice", { name: "Old", id: NO_ID }), "not_found");
    for (const [tool, given] of [
      ["request_practice", { name: "Held" }],
      ["get_practice", { name: "Held", id: NO_ID }],
    ] as const)
      assert.equal(await use(tool, given), "bot_moderated", tool);
  });

  it("passes on why there is no practice match, and how long to wait", async () => {
    const { api, key, use } = await adasWorld();
    api.arena.asked = { refused: "practice_pending" };
    assert.equal(await use("request_practice", { name: "Rex" }), "practice_pending");
    api.arena.asked = { refused: "rate_limited", waitS: 77 };
    const body = callOf("request_practice", { name: "Rex" });
    const { answer } = await sendMessage(api, { token: key, body });
    const { code, error } = answer.json().result.structuredContent;
    assert.equal(code, "rate_limited");
    assert.match(error, /20 practice matches an hour\. Wait 77 s\.$/);
  });

  it("gives documents with this ladder's own address, and topics in reading order", async () => {
    const { use } = await adasWorld();
    const guide = await use("get_agent_guide");
    const topics = guide.topics as string[];
    assert.match(guide.markdown, /^# Guide for AI agents\n/);
    assert.deepEqual(topics.slice(0, 2), ["quick-start", "quick-start-bots"]);
    assert.ok(topics.includes("mcp") && !topics.includes("operating"));
    assert.match((await use("get_docs", { name: "mcp" })).markdown, /http:\/\/localhost:7777\/mcp/);
  });

  it("acts in the name of the key, and the audit says so", async () => {
    const { api, account, use } = await adasWorld();
    await use("register_bot", { name: "Neo" });
    const [entry] = await api.store.audit.list({ kind: "bot.registered", limit: 1 });
    assert.deepEqual([entry?.actor.kind, entry?.subject?.name], ["agent_key", "Neo"]);
    assert.equal((await api.store.bots.byName("Neo"))?.ownerId, account.id);
  });

  it("T76 registers one bot of many where one may still be had", async () => {
    const { api, account, use } = await adasWorld();
    await addOwnBot(api, account, "Two");
    await addOwnBot(api, account, "Three");
    const names = Array.from({ length: 50 }, (_, at) => `Many-${at}`);
    const told = await Promise.all(names.map((name) => use("register_bot", { name })));
    const refused = told.filter((one) => one === "bot_limit");
    assert.deepEqual([told.length, refused.length], [50, 49]);
  });

  it("says where the owner chooses a handle, which no program can", async () => {
    const { api } = await adasWorld();
    const { token } = await addPerson(api, "bob", null);
    const key = await addAgentKey(api, token);
    const body = callOf("register_bot", { name: "Neo" });
    const { structuredContent } = (await sendMessage(api, { token: key, body })).answer.json()
      .result;
    assert.equal(structuredContent.code, "handle_required");
    assert.match(structuredContent.error, /http:\/\/localhost:7777\/account/);
    assert.equal((await useTool(api, key, "whoami")).handle, null);
  });

  it("follows registration being closed, and moderation", async () => {
    const { api, account, use } = await adasWorld();
    await addOwnBot(api, account, "Held", { status: "suspended" });
    api.live.change({ registration_open: false });
    assert.equal(await use("register_bot", { name: "Neo" }), "registration_closed");
    for (const name of ["delete_bot", "retire_bot"])
      assert.equal(await use(name, { name: "Held" }), "bot_moderated");
  });

  it("T71 never touches or shows what is another account's own", async () => {
    const { api, use } = await adasWorld();
    const bob = await addPerson(api, "bob");
    await addOwnBot(api, bob.account, "Bobs");
    for (const name of ["delete_bot", "retire_bot"])
      assert.equal(await use(name, { name: "Bobs" }), "no_such_bot");
    const told = JSON.stringify([await use("whoami"), await use("list_my_bots")]);
    assert.ok(!told.includes("Bobs") && !told.includes("bob"));
    const { body } = await ask(api, ["GET", "/api/account"], { token: bob.token });
    assert.deepEqual(
      (body.bots as AccountBot[]).map(({ name, status }) => [name, status]),
      [["Bobs", "active"]],
    );
  });

  it("says that the store is away, and nothing of other faults", async () => {
    const { api, key } = await adasWorld();
    const fail = async (error: Error) => {
      api.store.bots.ofOwners = async () => {
        throw error;
      };
      return (await sendMessage(api, { token: key })).answer;
    };
    const away = (await fail(new StoreError("unavailable", "no route to db.internal"))).json();
    assert.equal(away.result.structuredContent.code, "store_unavailable");
    const { error } = (await fail(new Error("secret of db.internal"))).json();
    assert.deepEqual(error, { code: -32603, message: "A fault of the server." });
    assert.ok(api.log.some((line) => line.includes("secret of db.internal")));
  });
});

describe("the list of tools", () => {
  it("is that of the guide", () => {
    const rows = rowsOf(pageOf("mcp")).filter(([first]) => /^`[a-z_]+`$/.test(first ?? ""));
    const inGuide = rows.filter(([, given]) => given !== undefined && !/^\d+$/.test(given));
    const listed = TOOLS.map(({ listed: { name, inputSchema } }) => {
      const { properties = {}, required = [] } = inputSchema;
      const given = Object.keys(properties).map((one) =>
        required.includes(one) ? `\`${one}\`` : `\`${one}\`?`,
      );
      return [`\`${name}\``, given.length === 0 ? "-" : given.join(", ")];
    });
    assert.deepEqual(inGuide.map((row) => row.slice(0, 2)).slice(0, listed.length), listed);
    assert.equal(inGuide.filter(([, , about]) => about !== undefined).length, listed.length);
  });

  it("marks the tools that only read", () => {
    const writing = TOOLS.filter(({ listed }) => listed.annotations?.readOnlyHint === false);
    assert.deepEqual(
      writing.map(({ listed: { name, annotations } }) => [name, annotations?.destructiveHint]),
      [
        ["register_bot", false],
        ["delete_bot", true],
        ["retire_bot", true],
        ["enroll_ladder", false],
        ["request_practice", false],
      ],
    );
  });

  it("describes each for the one who chooses, and asks for names and types alone", () => {
    for (const { listed } of TOOLS) {
      assert.ok((listed.description ?? "").length > 40 && (listed.title ?? "").length > 3);
      assert.equal(typeof listed.annotations?.readOnlyHint, "boolean");
      const { properties = {} } = listed.inputSchema;
      for (const schema of Object.values(properties) as object[])
        assert.deepEqual(Object.keys(schema).toSorted(), ["description", "type"], listed.name);
    }
  });
});
