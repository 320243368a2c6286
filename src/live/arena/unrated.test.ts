// Games that do not count: a ladder and its members are looked at when a match ends.
import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { StoredGame } from "#core/events/stored-game.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { sampleAudit, sampleTime } from "#testing/store-cases/store-samples.ts";

/** The clock of a test arena begins at noon on 2026-01-05. */
const CLOSING = "2026-01-05T12:01:00.000Z";
const CUP: LadderDefinition = { ...PUBLIC, id: "cup", name: "Cup" };
const ADA = sampleAccount(1);
const FORMERLY = { at: sampleTime(0), until: sampleTime(9) };

type Cup = TestArena & { bots: [FakeBot, FakeBot]; heard: StoredGame[] };

/** A match on a ladder between Ada's bot, or one that is still nobody's, and another. */
async function playing(ladder: LadderDefinition, isAdas: boolean): Promise<Cup> {
  const heard: StoredGame[] = [];
  const arena = await testArena({
    ladders: ladder.id === PUBLIC.id ? [] : [ladder],
    stored: (game) => void heard.push(game),
  });
  await arena.store.accounts.add(ADA, sampleAudit(1));
  await arena.store.accounts.setHandle(ADA.id, "ada", FORMERLY, sampleAudit(2));
  await arena.addBot("rex", isAdas ? { owner: "ada", ownerId: ADA.id } : {});
  await arena.addBot("max");
  arena.ladders.admit(ADA.id, ladder.id);
  const bots: FakeBot[] = [];
  for (const name of ["rex", "max"]) {
    const bot = await arena.connect(name);
    bot.say({ type: "queue", version: "v1", ladder_id: ladder.id });
    bots.push(bot);
  }
  await arena.until(() => bots.every((bot) => bot.told("hello").length === 1));
  return { ...arena, heard, bots: [bots[0]!, bots[1]!] };
}

/** How the match was told and stored, once both have played it or neither was ever ready. */
async function ended(arena: Cup, isPlayed = true): Promise<unknown[]> {
  for (const bot of arena.bots) bot.plays = isPlayed;
  if (isPlayed) for (const bot of arena.bots) bot.say({ type: "ready" });
  await arena.until(() => arena.bots.every((bot) => bot.told("end").length === 1));
  const end = arena.bots[0].told("end")[0]!;
  const stored = await arena.store.matches.byId(String(end.match_id));
  assert.equal(stored?.unratedReason, end.unrated_reason);
  assert.equal(stored?.rated, end.rated);
  assert.equal(end.rated, end.rating_change !== null);
  return [end.rated, end.unrated_reason];
}

async function claim({ store, arena }: Cup): Promise<void> {
  const rex = (await store.bots.byName("rex"))!;
  const result = await store.bots.claim(rex.id, ADA.id, 9, sampleAudit(3));
  assert.equal(result?.outcome, "claimed");
  if ("bot" in result) arena.botChanged(result.bot);
}

const withdraw = ({ ladders, arena }: Cup) => {
  ladders.dismiss(ADA.id, CUP.id);
  arena.laddersChanged();
};

const disable = ({ ladders }: Cup) => ladders.put({ ...CUP, enabled: false });

async function close({ ladders, clock }: Cup): Promise<void> {
  ladders.put({ ...ladders.byId(CUP.id)!, closesAt: CLOSING });
  clock.setWall(CLOSING);
}

type Row = [
  what: string,
  isAdas: boolean,
  during: ((cup: Cup) => unknown)[],
  reason: string | null,
];

const ROWS: Row[] = [
  ["nothing changes", true, [], null],
  ["somebody claims one of the bots", false, [claim], "account_changed"],
  ["a membership ends", true, [withdraw], "enrollment_changed"],
  [
    "a membership ends and a new one begins",
    true,
    [withdraw, (cup) => cup.ladders.admit(ADA.id, CUP.id)],
    "enrollment_changed",
  ],
  ["the ladder is disabled", true, [disable], "ladder_disabled"],
  [
    "the ladder is disabled and enabled again",
    true,
    [disable, (cup) => cup.ladders.put(CUP)],
    null,
  ],
  ["the window ends", true, [close], "window_closed"],
  ["everything happens", true, [disable, close, withdraw], "enrollment_changed"],
  ["the ladder is disabled and closed", true, [close, disable], "ladder_disabled"],
  ["a bot is claimed on a closed ladder", false, [claim, close], "account_changed"],
];

suite("a match on a ladder with members", () => {
  for (const [what, isAdas, during, reason] of ROWS)
    test(`is ${reason ?? "rated"} when ${what}`, async () => {
      const cup = await playing(CUP, isAdas);
      for (const change of during) await change(cup);
      assert.deepEqual(await ended(cup), [reason === null, reason]);
    });

  test("ends ten seconds after the closing at the latest, and does not count", async () => {
    const cup = await playing(CUP, true);
    for (const bot of cup.bots) {
      bot.say({ type: "ready" });
      bot.silent = false;
    }
    await cup.pass(200);
    await close(cup);
    cup.arena.laddersChanged();
    // One bot answers each tick at its very end: the match would take minutes.
    for (let tick = 0; tick < 24 && cup.bots[0].told("end").length === 0; tick += 1) {
      await cup.pass(450);
      for (const bot of cup.bots)
        bot.say({ type: "turn", tick: bot.told("observation").at(-1)?.tick });
    }
    const end = cup.bots[0].told("end")[0];
    assert.deepEqual(
      [end?.reason, end?.rated, end?.unrated_reason],
      ["forfeit", false, "window_closed"],
    );
  });

  test("says first that nobody was ready", async () => {
    const cup = await playing(CUP, true);
    withdraw(cup);
    assert.deepEqual(await ended(cup, false), [false, "nobody_ready"]);
  });

  test("stays rated when a membership ended before it began", async () => {
    const cup = await playing(CUP, true);
    await ended(cup);
    withdraw(cup);
    cup.ladders.admit(ADA.id, CUP.id);
    await cup.pass(11_000);
    for (const bot of cup.bots) bot.say({ type: "queue", version: "v1", ladder_id: CUP.id });
    await cup.until(() => cup.bots.every((bot) => bot.told("end").length === 2));
    assert.equal(cup.bots[0].told("end")[1]?.rated, true);
  });
});

suite("a claim during a match on public", () => {
  test("leaves it rated, and the game is of nobody's account", async () => {
    const arena = await playing(PUBLIC, false);
    await claim(arena);
    assert.deepEqual(await ended(arena), [true, null]);
    assert.deepEqual(await accountsOf(arena), [null, null]);
  });

  test("leaves the next game to its account", async () => {
    const arena = await playing(PUBLIC, false);
    await claim(arena);
    await ended(arena);
    for (const bot of arena.bots) bot.say({ type: "queue", version: "v1" });
    await arena.until(() => arena.bots.every((bot) => bot.told("end").length === 2));
    assert.deepEqual(new Set(await accountsOf(arena)), new Set([ADA.id, null]));
  });
});

/** Whose the two bots of the match that ended last were, as it is stored and told. */
async function accountsOf({ bots, store, heard }: Cup) {
  const end = bots[0].told("end").at(-1)!;
  const match = await store.matches.byId(String(end.match_id));
  const seats = match!.seats.map(({ botId, accountId }) => ({ botId, accountId }));
  assert.deepEqual(heard.at(-1)?.seats, seats);
  return seats.map(({ accountId }) => accountId);
}

suite("what is made of stored matches", () => {
  test("begins with each ranked one that is not void, once it is stored", async () => {
    const heard: StoredGame[] = [];
    const arena = await testArena({ stored: (game) => void heard.push(game) });
    const bots: FakeBot[] = [];
    for (const name of ["rex", "max"]) {
      await arena.addBot(name);
      const bot = await arena.connect(name);
      bot.plays = true;
      bot.say({ type: "queue", version: "v1" });
      bots.push(bot);
    }
    await arena.until(() => heard.length > 0);
    const [game] = heard;
    const match = await arena.store.matches.byId(game!.matchId);
    assert.deepEqual(game, {
      matchId: match!.id,
      ladderId: "public",
      rated: true,
      ended: match!.ended,
      seats: match!.seats.map(({ botId, accountId }) => ({ botId, accountId })),
    });
    for (const bot of bots) bot.plays = false;
    for (const bot of bots) bot.say({ type: "queue", version: "v1" });
    await arena.until(() => bots[0]!.told("end").length === 2);
    assert.equal(heard.length, 1, "nobody was ready for the second one");
  });

  test("costs no match when it fails", async () => {
    const arena = await testArena({
      stored: () => {
        throw new Error("a fault");
      },
    });
    const bots: FakeBot[] = [];
    for (const name of ["rex", "max"]) {
      await arena.addBot(name);
      const bot = await arena.connect(name);
      bot.plays = true;
      bot.say({ type: "queue", version: "v1" });
      bots.push(bot);
    }
    await arena.until(() => bots[0]!.told("end").length === 1);
    assert.equal(bots[0]!.told("end")[0]?.rated, true);
    assert.deepEqual(arena.log, ["a stored match could not be looked at"]);
  });
});
