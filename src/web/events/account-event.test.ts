import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ask } from "#testing/fixtures/account-api.ts";
import { beatKiter, eventApi, REVEAL, show, withRex } from "#testing/fixtures/event-api.ts";
import { loseAnswer } from "#testing/fixtures/lose-answer.ts";
import { addMatch } from "#testing/fixtures/test-api.ts";

describe("an account in an event", () => {
  it("sees its progress, and its flags once it has earned them", async () => {
    const world = await eventApi();
    const { ada, of } = world;
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    assert.equal((await of(ada.token, "POST", REVEAL)).told, "403 achievement_locked");
    const match = await beatKiter(world, rex);
    const { body, headers } = await of(ada.token, "GET", "/spring/achievements");
    assert.equal(headers["cache-control"], "private, no-store");
    assert.match(String(headers.vary), /Authorization/);
    const card = body.achievements[2];
    assert.deepEqual(
      [card.progress, card.earned_at, card.evidence, card.flag_available],
      [
        { current: 1, target: 1, bot: "Rex" },
        match.ended,
        [{ match_id: match.id, watch_url: `/match/${match.id}` }],
        true,
      ],
    );
    const shown = await of(ada.token, "POST", REVEAL);
    assert.deepEqual(shown.body, {
      event_id: "spring",
      achievement_id: "beat-kiter",
      flag: "flag of beat-kiter",
      earned_at: match.ended,
    });
    assert.equal((await of(ada.token, "POST", REVEAL)).told, "200");
    const noted = await world.api.store.audit.list({ kind: "event.revealed", limit: 9 });
    assert.equal(noted.length, 2);
    world.api.flags.clear();
    assert.equal((await of(ada.token, "POST", REVEAL)).told, "503 flag_unavailable");
    const lost = await of(ada.token, "POST", "/spring/achievements/lost/reveal");
    assert.equal(lost.told, "404");
  });

  it("finds what it has earned in its export", async () => {
    const world = await eventApi();
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    const match = await beatKiter(world, rex);
    const { body } = await ask(world.api, ["GET", "/api/account/export"], world.ada);
    const award = { event_id: "spring", achievement_id: "beat-kiter" };
    assert.deepEqual(body.awards, [{ ...award, earned_at: match.ended, revoked_at: null }]);
  });

  it("has its flags nowhere but in the answer that reveals one", async () => {
    const world = await eventApi();
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    await beatKiter(world, rex);
    const secret = /flag of /;
    await world.of(world.ada.token, "POST", REVEAL);
    const reads = [
      await ask(world.api, ["GET", "/api/events?event=spring"]),
      await ask(world.api, ["GET", "/api/ladders/public/results"]),
      await world.of(world.ada.token, "GET", "/spring/achievements"),
      await world.manage("GET", ""),
      await world.manage("GET", "/spring/accounts/ada"),
      await world.manage("POST", "/spring/reconcile", { apply: true }),
      await world.operate("GET", "/public"),
    ];
    for (const { body, told } of reads) {
      assert.equal(told, "200");
      assert.doesNotMatch(JSON.stringify(body), secret);
    }
    const { store, log } = world.api;
    const kept = [
      await store.audit.list({ limit: 99 }),
      await store.events.list(),
      await store.awards.ofEvent("spring"),
      log,
    ];
    assert.doesNotMatch(JSON.stringify(kept), secret);
  });

  it("needs to be a member of the ladder for its flags and its wishes", async () => {
    const world = await eventApi();
    const rex = await withRex(world);
    await world.make();
    await world.begin({ ladder_id: "cup" });
    await world.enable();
    const { token } = world.ada;
    assert.equal((await world.of(token, "POST", REVEAL)).told, "409 enrollment_required");
    const wish = { bot_id: rex.bot.id, opponent: "kiter" };
    assert.equal(
      (await world.of(token, "POST", "/spring/opponent", wish)).told,
      "409 enrollment_required",
    );
    const { body } = await world.of(token, "GET", "/spring/achievements");
    assert.equal(body.membership, null);
    await world.enroll(token);
    assert.equal((await world.of(token, "POST", REVEAL)).told, "403 achievement_locked");
  });

  it("is told of wrong methods, unknown addresses and bodies that are no object", async () => {
    const { api, ada } = await eventApi();
    const url = "/api/account/events/spring";
    for (const [method, path, told] of [
      ["PUT", `${url}/achievements`, "405"],
      ["GET", `${url}/nothing`, "404"],
      ["GET", "/api/account/ladders/public/enrollment", "405"],
    ] as const) {
      const answer = await ask(api, [method, path], { token: ada.token });
      assert.deepEqual([answer.told, answer.headers.vary], [told, "Authorization"]);
    }
    const reveal = await ask(api, ["POST", `/api/account/events${REVEAL}`], {
      token: ada.token,
      payload: [],
    });
    assert.equal(reveal.told, "400");
  });

  it("is told how the game ended that it asked for, and so is everybody who looks at it", async () => {
    const world = await eventApi();
    const { api, ada, of } = world;
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    show(api, rex.bot, rex.version, "public", "waiting");
    const wish = { bot_id: rex.bot.id, opponent: "kiter" };
    const { request } = (await of(ada.token, "POST", "/spring/opponent", wish)).body;
    const kiter = world.house.get("kiter")!.version;
    const match = await addMatch(api, [rex.version, kiter], {
      winnerBotId: kiter.botId,
      requestId: request.id,
    });
    const other = await addMatch(api, [rex.version, kiter]);
    const { body } = await of(ada.token, "GET", "/spring/achievements");
    assert.deepEqual(body.last_request, {
      ...wish,
      bot: "Rex",
      started: match.started,
      match_id: match.id,
      result: "L",
    });
    const asked = { event_id: "spring", bot_id: rex.bot.id };
    const shown = await ask(api, ["GET", `/api/matches/${match.id}`]);
    assert.deepEqual(shown.body.asked_for, asked);
    const chance = await ask(api, ["GET", `/api/matches/${other.id}`]);
    assert.equal("asked_for" in chance.body, false);
    const page = (await api.app.inject(`/match/${match.id}`)).body.replaceAll(/<[^>]+>/g, "");
    assert.match(page, /because the owner of Rex asked for Kiter in the event Spring\./);
    const plain = (await api.app.inject(`/match/${other.id}`)).body;
    assert.doesNotMatch(plain, /They met because/);
  });

  it("asks for an opponent, one at a time", async () => {
    const world = await eventApi();
    const { api, ada, eve, of } = world;
    const rex = await withRex(world);
    await world.begin();
    const wish = { bot_id: rex.bot.id, opponent: "kiter" };
    const askFor = async (body: object = wish, token = ada.token) =>
      of(token, "POST", "/spring/opponent", body);
    assert.equal((await askFor()).told, "409 event_closed");
    await world.enable();
    assert.equal((await askFor({ ...wish, opponent: "nobody" })).told, "400");
    assert.equal((await askFor(wish, eve.token)).told, "404 no_such_bot");
    assert.equal((await askFor()).told, "409 bot_offline");
    show(api, rex.bot, rex.version, "public", "waiting");
    const made = await askFor();
    assert.equal(made.told, "201");
    assert.deepEqual([made.body.request.bot, made.body.request.state], ["Rex", "pending"]);
    assert.equal(made.body.bots[0].state, "waiting");
    assert.equal((await askFor()).told, "409 request_exists");
    const [told] = api.arena.told.filter((one) => one.startsWith("requested"));
    assert.equal(told, `requested ${made.body.request.id}`);
    const foreign = await of(eve.token, "DELETE", "/spring/opponent");
    assert.deepEqual([foreign.told, foreign.body.request, foreign.body.bots], ["200", null, []]);
    const kept = await of(ada.token, "GET", "/spring/achievements");
    assert.equal(kept.body.request.id, made.body.request.id, "somebody else cannot cancel it");
    const cancelled = await of(ada.token, "DELETE", "/spring/opponent");
    assert.deepEqual([cancelled.told, cancelled.body.request], ["200", null]);
    assert.equal((await of(ada.token, "DELETE", "/spring/opponent")).told, "200");
    const { id } = (await askFor()).body.request as { id: string };
    api.arena.requests.get(id)!.matchId = "m";
    const started = api.now().toISOString();
    const [botIds, names] = [
      [rex.bot.id, rex.bot.id],
      ["Rex", "Kiter"],
    ];
    api.arena.matches = [
      { id: "m", ladderId: "public", map: "keep", tick: 1, started, botIds, names },
    ];
    const goesOn = await of(ada.token, "DELETE", "/spring/opponent");
    const { request, next_request_at: next } = goesOn.body;
    assert.deepEqual([request.id, request.state, request.match_id], [id, "playing", "m"]);
    assert.equal(next, new Date(api.now().getTime() + 300_000).toISOString());
    assert.equal((await world.manage("GET", "")).body[0].counts.requests, 1);
    assert.equal((await askFor()).told, "409 request_exists");
    assert.equal(goesOn.body.last_request, null);
    [api.arena.matches, api.arena.requests.get(id)!.matchId] = [[], null];
    await of(ada.token, "DELETE", "/spring/opponent");
    await world.manage("PUT", "/spring/opponents", { approved: { kiter: "v2" } });
    assert.equal((await askFor()).told, "503 opponent_unavailable");
  });

  it("waits five minutes after the start of the last game that it asked for", async () => {
    const world = await eventApi();
    const { api, ada, of, house } = world;
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    show(api, rex.bot, rex.version, "public", "waiting");
    const wish = { bot_id: rex.bot.id, opponent: "kiter" };
    const made = await of(ada.token, "POST", "/spring/opponent", wish);
    const requestId = String(made.body.request.id);
    const started = api.now().toISOString();
    await addMatch(api, [rex.version, house.get("kiter")!.version], { requestId, started });
    api.arena.requests.clear();
    const soon = await of(ada.token, "POST", "/spring/opponent", wish);
    assert.deepEqual(
      [soon.told, soon.body.limit],
      ["429 rate_limited", "opponent_request_every_s"],
    );
    assert.ok(Number(soon.headers["retry-after"]) > 0);
    for (let minute = 0; minute < 6; minute += 1) api.tick();
    assert.equal((await of(ada.token, "POST", "/spring/opponent", wish)).told, "201");
  });

  it("says so when a wish may be stored or taken back without an answer", async () => {
    const world = await eventApi();
    const { api, ada, of } = world;
    const rex = await withRex(world);
    await world.begin();
    await world.enable();
    show(api, rex.bot, rex.version, "public", "waiting");
    const { requests } = api.store;
    Object.assign(requests, {
      add: loseAnswer(requests.add),
      cancel: loseAnswer(requests.cancel),
    });
    const doubts = () => api.arena.told.filter((one) => one === "requests in doubt").length;
    const wish = { bot_id: rex.bot.id, opponent: "kiter" };
    assert.match((await of(ada.token, "POST", "/spring/opponent", wish)).told, /^503/);
    const [kept] = await requests.pending();
    assert.deepEqual([doubts(), api.arena.requests.size], [1, 0]);
    api.arena.opponentRequested(kept!);
    assert.match((await of(ada.token, "DELETE", "/spring/opponent")).told, /^503/);
    assert.deepEqual([doubts(), api.arena.requests.size], [2, 0]);
    assert.deepEqual(await requests.pending(), []);
  });
});
