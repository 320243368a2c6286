import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { StoredRatedMatch } from "#core/events/stored-match.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import { sampleAudit, sampleTime } from "#testing/store-contract/store-samples.ts";

/** Test clocks start at 2026-01-05T12:00:00Z. */
const CLOSING = "2026-01-05T12:01:00.000Z";
const CUP: LadderDefinition = { ...PUBLIC_LADDER, id: "cup", name: "Cup" };
const ADA = sampleAccount(1);
const RENAME_TIMES = { at: sampleTime(0), until: sampleTime(9) };

type CupArena = TestArena & { bots: [FakeBot, FakeBot]; storedMatches: StoredRatedMatch[] };

async function startMatch(ladder: LadderDefinition, isOwnedByAda: boolean): Promise<CupArena> {
  const storedMatches: StoredRatedMatch[] = [];
  const arena = await testArena({
    ladders: ladder.id === PUBLIC_LADDER.id ? [] : [ladder],
    onMatchStored: (ratedMatch) => void storedMatches.push(ratedMatch),
  });
  await arena.store.accounts.add(ADA, sampleAudit(1));
  await arena.store.accounts.setHandle(ADA.id, "ada", RENAME_TIMES, sampleAudit(2));
  await arena.addArenaBot("rex", isOwnedByAda ? { owner: "ada", ownerId: ADA.id } : {});
  await arena.addArenaBot("max");
  arena.ladders.addMember(ADA.id, ladder.id);
  const bots: FakeBot[] = [];
  for (const name of ["rex", "max"]) {
    const bot = await arena.connect(name);
    bot.send({ type: "queue", version: "v1", ladder_id: ladder.id });
    bots.push(bot);
  }
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("hello").length === 1));
  return { ...arena, storedMatches, bots: [bots[0]!, bots[1]!] };
}

/**
 * Ends the match, either by playing it or with neither bot ready. Returns how it was stored and
 * reported.
 */
async function endMatch(arena: CupArena, isPlayed = true): Promise<unknown[]> {
  for (const bot of arena.bots) bot.autoPlays = isPlayed;
  if (isPlayed) for (const bot of arena.bots) bot.send({ type: "ready" });
  await arena.advanceUntil(() => arena.bots.every((bot) => bot.receivedOfType("end").length === 1));
  const end = arena.bots[0].receivedOfType("end")[0]!;
  const stored = await arena.store.matches.byId(String(end.match_id));
  assert.equal(stored?.unratedReason, end.unrated_reason);
  assert.equal(stored?.rated, end.rated);
  assert.equal(end.rated, end.rating_change !== null);
  return [end.rated, end.unrated_reason];
}

async function claim({ store, arena }: CupArena): Promise<void> {
  const rex = (await store.bots.byName("rex"))!;
  const result = await store.bots.claim(rex.id, ADA.id, 9, sampleAudit(3));
  assert.equal(result?.outcome, "claimed");
  if ("bot" in result) arena.onBotChanged(result.bot);
}

const withdrawMember = ({ ladders, arena }: CupArena) => {
  ladders.removeMember(ADA.id, CUP.id);
  arena.onLaddersChanged();
};

const disableLadder = ({ ladders }: CupArena) => ladders.upsert({ ...CUP, enabled: false });

async function closeLadder({ ladders, clock }: CupArena): Promise<void> {
  ladders.upsert({ ...ladders.byId(CUP.id)!, closesAt: CLOSING });
  clock.setWall(CLOSING);
}

type UnratedCase = [
  what: string,
  isAdas: boolean,
  during: ((cup: CupArena) => unknown)[],
  reason: string | null,
];

const ROWS: UnratedCase[] = [
  ["nothing changes", true, [], null],
  ["a bot is claimed", false, [claim], "account_changed"],
  ["a membership ends", true, [withdrawMember], "enrollment_changed"],
  [
    "a membership ends and a new one begins",
    true,
    [withdrawMember, (cup) => cup.ladders.addMember(ADA.id, CUP.id)],
    "enrollment_changed",
  ],
  ["the ladder is disabled", true, [disableLadder], "ladder_disabled"],
  [
    "the ladder is disabled and enabled again",
    true,
    [disableLadder, (cup) => cup.ladders.upsert(CUP)],
    null,
  ],
  ["the window ends", true, [closeLadder], "window_closed"],
  ["everything happens", true, [disableLadder, closeLadder, withdrawMember], "enrollment_changed"],
  ["the ladder is disabled and closed", true, [closeLadder, disableLadder], "ladder_disabled"],
  ["a bot is claimed on a closed ladder", false, [claim, closeLadder], "account_changed"],
];

suite("a match on a ladder with members", () => {
  for (const [title, isOwnedByAda, changes, reason] of ROWS)
    test(`is ${reason ?? "rated"} when ${title}`, async () => {
      const cup = await startMatch(CUP, isOwnedByAda);
      for (const change of changes) await change(cup);
      assert.deepEqual(await endMatch(cup), [reason === null, reason]);
    });

  test("ends within 10 seconds after the ladder closes and doesn't count", async () => {
    const cup = await startMatch(CUP, true);
    for (const bot of cup.bots) {
      bot.send({ type: "ready" });
      bot.ignoresPings = false;
    }
    await cup.advanceTime(200);
    await closeLadder(cup);
    cup.arena.onLaddersChanged();
    // One bot responds to each tick just before the deadline, so a full match would take minutes.
    for (let tick = 0; tick < 24 && cup.bots[0].receivedOfType("end").length === 0; tick += 1) {
      await cup.advanceTime(450);
      for (const bot of cup.bots)
        bot.send({ type: "turn", tick: bot.receivedOfType("observation").at(-1)?.tick });
    }
    const end = cup.bots[0].receivedOfType("end")[0];
    assert.deepEqual(
      [end?.reason, end?.rated, end?.unrated_reason],
      ["forfeit", false, "window_closed"],
    );
  });

  test("reports nobody_ready before other reasons", async () => {
    const cup = await startMatch(CUP, true);
    withdrawMember(cup);
    assert.deepEqual(await endMatch(cup, false), [false, "nobody_ready"]);
  });

  test("stays rated if a membership ended before the match started", async () => {
    const cup = await startMatch(CUP, true);
    await endMatch(cup);
    withdrawMember(cup);
    cup.ladders.addMember(ADA.id, CUP.id);
    await cup.advanceTime(11_000);
    for (const bot of cup.bots) bot.send({ type: "queue", version: "v1", ladder_id: CUP.id });
    await cup.advanceUntil(() => cup.bots.every((bot) => bot.receivedOfType("end").length === 2));
    assert.equal(cup.bots[0].receivedOfType("end")[1]?.rated, true);
  });
});

suite("claiming a bot during a match on public", () => {
  test("keeps the match rated and assigns it to no account", async () => {
    const arena = await startMatch(PUBLIC_LADDER, false);
    await claim(arena);
    assert.deepEqual(await endMatch(arena), [true, null]);
    assert.deepEqual(await lastMatchAccounts(arena), [null, null]);
  });

  test("assigns the next match to the account", async () => {
    const arena = await startMatch(PUBLIC_LADDER, false);
    await claim(arena);
    await endMatch(arena);
    for (const bot of arena.bots) bot.send({ type: "queue", version: "v1" });
    await arena.advanceUntil(() =>
      arena.bots.every((bot) => bot.receivedOfType("end").length === 2),
    );
    assert.deepEqual(new Set(await lastMatchAccounts(arena)), new Set([ADA.id, null]));
  });
});

async function lastMatchAccounts({ bots, store, storedMatches }: CupArena) {
  const end = bots[0].receivedOfType("end").at(-1)!;
  const match = await store.matches.byId(String(end.match_id));
  const seats = match!.seats.map(({ botId, accountId }) => ({ botId, accountId }));
  assert.deepEqual(storedMatches.at(-1)?.seats, seats);
  return seats.map(({ accountId }) => accountId);
}

suite("onMatchStored", () => {
  test("is called after each ranked, non-void match is stored", async () => {
    const storedMatches: StoredRatedMatch[] = [];
    const arena = await testArena({
      onMatchStored: (ratedMatch) => void storedMatches.push(ratedMatch),
    });
    const bots: FakeBot[] = [];
    for (const name of ["rex", "max"]) {
      await arena.addArenaBot(name);
      const bot = await arena.connect(name);
      bot.autoPlays = true;
      bot.send({ type: "queue", version: "v1" });
      bots.push(bot);
    }
    await arena.advanceUntil(() => storedMatches.length > 0);
    const [game] = storedMatches;
    const match = await arena.store.matches.byId(game!.matchId);
    assert.deepEqual(game, {
      matchId: match!.id,
      ladderId: "public",
      rated: true,
      ended: match!.ended,
      seats: match!.seats.map(({ botId, accountId }) => ({ botId, accountId })),
    });
    for (const bot of bots) bot.autoPlays = false;
    for (const bot of bots) bot.send({ type: "queue", version: "v1" });
    await arena.advanceUntil(() => bots[0]!.receivedOfType("end").length === 2);
    assert.equal(storedMatches.length, 1, "neither bot was ready for the second match");
  });

  test("doesn't affect the match if it throws", async () => {
    const arena = await testArena({
      onMatchStored: () => {
        throw new Error("a fault");
      },
    });
    const bots: FakeBot[] = [];
    for (const name of ["rex", "max"]) {
      await arena.addArenaBot(name);
      const bot = await arena.connect(name);
      bot.autoPlays = true;
      bot.send({ type: "queue", version: "v1" });
      bots.push(bot);
    }
    await arena.advanceUntil(() => bots[0]!.receivedOfType("end").length === 1);
    assert.equal(bots[0]!.receivedOfType("end")[0]?.rated, true);
    assert.deepEqual(arena.log, ["match stored, but follow-up failed"]);
  });
});
