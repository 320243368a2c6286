import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { sendRequest } from "#testing/fixtures/account-api.ts";
import {
  beatKiter,
  eventApi,
  REVEAL_PATH,
  setArenaState,
  addRex,
} from "#testing/fixtures/event-api.ts";
import { loseFirstResponse } from "#testing/fixtures/lose-first-response.ts";
import { addMatch } from "#testing/fixtures/test-api.ts";

describe("an account in an event", () => {
  it("sees its progress, and the flag of an achievement once it is earned", async () => {
    const world = await eventApi();
    const { ada, requestAs: callEvent } = world;
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    assert.equal((await callEvent(ada.token, "POST", REVEAL_PATH)).told, "403 achievement_locked");
    const match = await beatKiter(world, rex);
    const { body, headers } = await callEvent(ada.token, "GET", "/spring/achievements");
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
    const revealResponse = await callEvent(ada.token, "POST", REVEAL_PATH);
    assert.deepEqual(revealResponse.body, {
      event_id: "spring",
      achievement_id: "beat-kiter",
      flag: "flag of beat-kiter",
      earned_at: match.ended,
    });
    assert.equal((await callEvent(ada.token, "POST", REVEAL_PATH)).told, "200");
    const auditEntries = await world.api.store.audit.list({ kind: "event.revealed", limit: 9 });
    assert.equal(auditEntries.length, 2);
    world.api.flags.clear();
    assert.equal((await callEvent(ada.token, "POST", REVEAL_PATH)).told, "503 flag_unavailable");
    const lostResponse = await callEvent(ada.token, "POST", "/spring/achievements/lost/reveal");
    assert.equal(lostResponse.told, "404");
  });

  it("finds its awards in its data export", async () => {
    const world = await eventApi();
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    const match = await beatKiter(world, rex);
    const { body } = await sendRequest(world.api, ["GET", "/api/account/export"], world.ada);
    const award = { event_id: "spring", achievement_id: "beat-kiter" };
    assert.deepEqual(body.awards, [{ ...award, earned_at: match.ended, revoked_at: null }]);
  });

  it("receives a flag only in response to the reveal request", async () => {
    const world = await eventApi();
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    await beatKiter(world, rex);
    const secret = /flag of /;
    await world.requestAs(world.ada.token, "POST", REVEAL_PATH);
    const reads = [
      await sendRequest(world.api, ["GET", "/api/events?event=spring"]),
      await sendRequest(world.api, ["GET", "/api/ladders/public/results"]),
      await world.requestAs(world.ada.token, "GET", "/spring/achievements"),
      await world.manageEvents("GET", ""),
      await world.manageEvents("GET", "/spring/accounts/ada"),
      await world.manageEvents("POST", "/spring/reconcile", { apply: true }),
      await world.manageLadders("GET", "/public"),
    ];
    for (const { body, told: outcome } of reads) {
      assert.equal(outcome, "200");
      assert.doesNotMatch(JSON.stringify(body), secret);
    }
    const { store, log } = world.api;
    const storedTexts = [
      await store.audit.list({ limit: 99 }),
      await store.events.list(),
      await store.awards.listByEvent("spring"),
      log,
    ];
    assert.doesNotMatch(JSON.stringify(storedTexts), secret);
  });

  it("must be a member of the ladder to reveal flags and request opponents", async () => {
    const world = await eventApi();
    const rex = await addRex(world);
    await world.createLadder();
    await world.createEvent({ ladder_id: "cup" });
    await world.enableEvent();
    const { token } = world.ada;
    assert.equal(
      (await world.requestAs(token, "POST", REVEAL_PATH)).told,
      "409 enrollment_required",
    );
    const opponentRequest = { bot_id: rex.bot.id, opponent: "kiter" };
    assert.equal(
      (await world.requestAs(token, "POST", "/spring/opponent", opponentRequest)).told,
      "409 enrollment_required",
    );
    const { body } = await world.requestAs(token, "GET", "/spring/achievements");
    assert.equal(body.membership, null);
    await world.enterLadder(token);
    assert.equal(
      (await world.requestAs(token, "POST", REVEAL_PATH)).told,
      "403 achievement_locked",
    );
  });

  it("receives errors for wrong methods, unknown paths and bodies that aren't objects", async () => {
    const { api, ada } = await eventApi();
    const url = "/api/account/events/spring";
    for (const [method, path, outcome] of [
      ["PUT", `${url}/achievements`, "405"],
      ["GET", `${url}/nothing`, "404"],
      ["GET", "/api/account/ladders/public/enrollment", "405"],
    ] as const) {
      const response = await sendRequest(api, [method, path], { token: ada.token });
      assert.deepEqual([response.told, response.headers.vary], [outcome, "Authorization"]);
    }
    const reveal = await sendRequest(api, ["POST", `/api/account/events${REVEAL_PATH}`], {
      token: ada.token,
      payload: [],
    });
    assert.equal(reveal.told, "400");
  });

  it("sees the result of the match it requested, as does every visitor to the match page", async () => {
    const world = await eventApi();
    const { api, ada, requestAs: callEvent } = world;
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    setArenaState(api, rex.bot, rex.version, "public", "waiting");
    const opponentRequest = { bot_id: rex.bot.id, opponent: "kiter" };
    const { request } = (await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest))
      .body;
    const kiter = world.house.get("kiter")!.version;
    const match = await addMatch(api, [rex.version, kiter], {
      winnerBotId: kiter.botId,
      requestId: request.id,
    });
    const otherMatch = await addMatch(api, [rex.version, kiter]);
    const { body } = await callEvent(ada.token, "GET", "/spring/achievements");
    assert.deepEqual(body.last_request, {
      ...opponentRequest,
      bot: "Rex",
      started: match.started,
      match_id: match.id,
      result: "L",
    });
    const servedRequest = { event_id: "spring", bot_id: rex.bot.id };
    const revealResponse = await sendRequest(api, ["GET", `/api/matches/${match.id}`]);
    assert.deepEqual(revealResponse.body.asked_for, servedRequest);
    const chanceToReveal = await sendRequest(api, ["GET", `/api/matches/${otherMatch.id}`]);
    assert.equal("asked_for" in chanceToReveal.body, false);
    const page = (await api.app.inject(`/match/${match.id}`)).body.replaceAll(/<[^>]+>/g, "");
    assert.match(page, /The owner of Rex requested a match against Kiter in the event Spring\./);
    const plain = (await api.app.inject(`/match/${otherMatch.id}`)).body;
    assert.doesNotMatch(plain, /requested a match against/);
  });

  it("requests opponents one at a time", async () => {
    const world = await eventApi();
    const { api, ada, eve, requestAs: callEvent } = world;
    const rex = await addRex(world);
    await world.createEvent();
    const opponentRequest = { bot_id: rex.bot.id, opponent: "kiter" };
    const requestOpponent = async (body: object = opponentRequest, token = ada.token) =>
      callEvent(token, "POST", "/spring/opponent", body);
    assert.equal((await requestOpponent()).told, "409 event_closed");
    await world.enableEvent();
    assert.equal((await requestOpponent({ ...opponentRequest, opponent: "nobody" })).told, "400");
    assert.equal((await requestOpponent(opponentRequest, eve.token)).told, "404 no_such_bot");
    assert.equal((await requestOpponent()).told, "409 bot_offline");
    setArenaState(api, rex.bot, rex.version, "public", "waiting");
    const createResponse = await requestOpponent();
    assert.equal(createResponse.told, "201");
    assert.deepEqual(
      [createResponse.body.request.bot, createResponse.body.request.state],
      ["Rex", "pending"],
    );
    assert.equal(createResponse.body.bots[0].state, "waiting");
    assert.equal((await requestOpponent()).told, "409 request_exists");
    const [outcome] = api.arena.calls.filter((item) => item.startsWith("requested"));
    assert.equal(outcome, `requested ${createResponse.body.request.id}`);
    const otherBot = await callEvent(eve.token, "DELETE", "/spring/opponent");
    assert.deepEqual([otherBot.told, otherBot.body.request, otherBot.body.bots], ["200", null, []]);
    const storedTexts = await callEvent(ada.token, "GET", "/spring/achievements");
    assert.equal(
      storedTexts.body.request.id,
      createResponse.body.request.id,
      "another account can't cancel it",
    );
    const cancelled = await callEvent(ada.token, "DELETE", "/spring/opponent");
    assert.deepEqual([cancelled.told, cancelled.body.request], ["200", null]);
    assert.equal((await callEvent(ada.token, "DELETE", "/spring/opponent")).told, "200");
    const { id } = (await requestOpponent()).body.request as { id: string };
    api.arena.requests.get(id)!.matchId = "m";
    const started = api.now().toISOString();
    const [botIds, names] = [
      [rex.bot.id, rex.bot.id],
      ["Rex", "Kiter"],
    ];
    api.arena.matches = [
      { id: "m", ladderId: "public", map: "keep", tick: 1, started, botIds, names },
    ];
    const progressResponse = await callEvent(ada.token, "DELETE", "/spring/opponent");
    const { request, next_request_at: nextRequestAt } = progressResponse.body;
    assert.deepEqual([request.id, request.state, request.match_id], [id, "playing", "m"]);
    assert.equal(nextRequestAt, new Date(api.now().getTime() + 300_000).toISOString());
    assert.equal((await world.manageEvents("GET", "")).body[0].counts.requests, 1);
    assert.equal((await requestOpponent()).told, "409 request_exists");
    assert.equal(progressResponse.body.last_request, null);
    [api.arena.matches, api.arena.requests.get(id)!.matchId] = [[], null];
    await callEvent(ada.token, "DELETE", "/spring/opponent");
    await world.manageEvents("PUT", "/spring/opponents", { approved: { kiter: "v2" } });
    assert.equal((await requestOpponent()).told, "503 opponent_unavailable");
  });

  it("can request the next opponent five minutes after its last requested match started", async () => {
    const world = await eventApi();
    const { api, ada, requestAs: callEvent, house } = world;
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    setArenaState(api, rex.bot, rex.version, "public", "waiting");
    const opponentRequest = { bot_id: rex.bot.id, opponent: "kiter" };
    const createResponse = await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest);
    const requestId = String(createResponse.body.request.id);
    const started = api.now().toISOString();
    await addMatch(api, [rex.version, house.get("kiter")!.version], { requestId, started });
    api.arena.requests.clear();
    const earlyResponse = await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest);
    assert.deepEqual(
      [earlyResponse.told, earlyResponse.body.limit],
      ["429 rate_limited", "opponent_request_every_s"],
    );
    assert.ok(Number(earlyResponse.headers["retry-after"]) > 0);
    for (let minute = 0; minute < 6; minute += 1) api.nextMinute();
    assert.equal(
      (await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest)).told,
      "201",
    );
  });

  it("receives an error if the outcome of storing a request is unknown, which triggers reconciliation", async () => {
    const world = await eventApi();
    const { api, ada, requestAs: callEvent } = world;
    const rex = await addRex(world);
    await world.createEvent();
    await world.enableEvent();
    setArenaState(api, rex.bot, rex.version, "public", "waiting");
    const { requests } = api.store;
    Object.assign(requests, {
      add: loseFirstResponse(requests.add),
      cancel: loseFirstResponse(requests.cancel),
    });
    const reconciliations = () =>
      api.arena.calls.filter((item) => item === "requests in doubt").length;
    const opponentRequest = { bot_id: rex.bot.id, opponent: "kiter" };
    assert.match(
      (await callEvent(ada.token, "POST", "/spring/opponent", opponentRequest)).told,
      /^503/,
    );
    const [storedTexts] = await requests.pending();
    assert.deepEqual([reconciliations(), api.arena.requests.size], [1, 0]);
    api.arena.onOpponentRequested(storedTexts!);
    assert.match((await callEvent(ada.token, "DELETE", "/spring/opponent")).told, /^503/);
    assert.deepEqual([reconciliations(), api.arena.requests.size], [2, 0]);
    assert.deepEqual(await requests.pending(), []);
  });
});
