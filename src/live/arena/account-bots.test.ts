import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { playRefusal } from "#core/accounts/name-rules.ts";
import { startTwoBotMatch, queueTwoBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import { sampleAudit, sampleTime } from "#testing/store-contract/store-samples.ts";

const RENAME_TIMES = { at: sampleTime(0), until: sampleTime(9) };
const ADA = sampleAccount(1);

/** An arena where every bot needs an account. Only Ada has one. */
async function arenaWithAda(): Promise<TestArena> {
  const test = await testArena({ playRefusalOf: (bot) => playRefusal(bot, false) });
  await addAda(test);
  return test;
}

async function addAda({ store }: TestArena): Promise<void> {
  await store.accounts.add(ADA, sampleAudit(1));
  await store.accounts.setHandle(ADA.id, "ada", RENAME_TIMES, sampleAudit(2));
}

async function ban({ store, arena }: TestArena, at: string | null): Promise<void> {
  await store.accounts.setBan(ADA.id, at === null ? null : { at, reason: null }, sampleAudit(3));
  for (const bot of await store.bots.listByOwners([ADA.id])) arena.onBotChanged(bot);
}

const ownedByAda = { owner: "ada", ownerId: ADA.id };
const closeCodes = (bot: FakeBot) => [bot.received.at(-1)?.code, bot.closeReason()];

suite("a bot with an account", () => {
  test("plays, while a bot without an account is refused with account_required", async () => {
    const arena = await arenaWithAda();
    await arena.addArenaBot("alpha", ownedByAda);
    await arena.addArenaBot("beta");
    const alpha = await arena.connect("alpha");
    assert.equal(alpha.closeReason(), null);
    const beta = await arena.connect("beta");
    assert.deepEqual(closeCodes(beta), ["account_required", "4008 account_required"]);
  });

  test("is disconnected and refused while banned, and can reconnect after the ban is lifted", async () => {
    const arena = await arenaWithAda();
    await arena.addArenaBot("alpha", ownedByAda);
    const alpha = await arena.connect("alpha");
    await ban(arena, RENAME_TIMES.at);
    assert.deepEqual(closeCodes(alpha), ["account_banned", "4007 account_banned"]);
    assert.deepEqual(closeCodes(await arena.connect("alpha")), closeCodes(alpha));
    assert.deepEqual(arena.arena.onlineBots(), []);
    await ban(arena, null);
    assert.equal((await arena.connect("alpha")).closeReason(), null);
  });

  test("receives the ban error before the retirement error", async () => {
    const arena = await arenaWithAda();
    await arena.addArenaBot("alpha", { ...ownedByAda, status: "retired" });
    await ban(arena, RENAME_TIMES.at);
    assert.equal(closeCodes(await arena.connect("alpha"))[0], "account_banned");
  });

  test("stays in the queue when its name or owner changes", async () => {
    const arena = await arenaWithAda();
    const { id } = await arena.addArenaBot("alpha", ownedByAda);
    const alpha = await arena.connect("alpha");
    const renamed = await arena.store.bots.rename(id, "Neo", RENAME_TIMES, sampleAudit(4));
    assert.ok(renamed !== null && renamed !== "name_taken");
    arena.arena.onBotChanged(renamed);
    assert.equal(alpha.closeReason(), null);
    assert.deepEqual(
      arena.arena.onlineBots().map(({ name }) => name),
      ["Neo"],
    );
  });
});

suite("a ban", () => {
  test("forfeits the running match, which stays rated", async () => {
    const arena = await testArena();
    await addAda(arena);
    const [alpha, beta] = await startTwoBotMatch(arena);
    for (const bot of [alpha, beta]) bot.send({ type: "ready" });
    await arena.advanceTime(100);
    const bot = (await arena.store.bots.byName("alpha"))!;
    await arena.store.bots.claim(bot.id, ADA.id, 9, sampleAudit(4));
    await ban(arena, RENAME_TIMES.at);
    await arena.advanceUntil(() => beta.receivedOfType("end").length > 0);
    const [end] = beta.receivedOfType("end");
    assert.equal(end?.reason, "forfeit");
    assert.equal(alpha.closeReason(), "4007 account_banned");
    const match = await arena.store.matches.byId(String(end?.match_id));
    assert.equal(match?.rated, true);
    const seat = match.seats.find(({ botId }) => botId === bot.id);
    assert.equal(seat?.accountId, null, "the owner when the match started");
  });

  test("removes a waiting bot from the queue", async () => {
    const arena = await testArena({ limits: { max_concurrent: 0 } });
    await addAda(arena);
    await queueTwoBots(arena);
    const { id } = (await arena.store.bots.byName("alpha"))!;
    await arena.store.bots.claim(id, ADA.id, 9, sampleAudit(4));
    await ban(arena, RENAME_TIMES.at);
    assert.deepEqual(
      arena.arena.onlineBots().map(({ name }) => name),
      ["beta"],
    );
  });
});

suite("a bot on hold", () => {
  test("is not paired until every hold is released", async () => {
    const arena = await testArena();
    const [alpha, beta] = await queueTwoBots(arena);
    const { id } = (await arena.store.bots.byName("alpha"))!;
    const [release, releaseOther] = [
      arena.arena.holdFromPairing(id),
      arena.arena.holdFromPairing(id),
    ];
    await arena.advanceTime(10_000);
    release?.();
    await arena.advanceTime(10_000);
    assert.equal(alpha.receivedOfType("hello").length, 0, "the other hold still applies");
    releaseOther?.();
    await arena.advanceUntil(() =>
      [alpha, beta].every((bot) => bot.receivedOfType("hello").length > 0),
    );
  });

  test("can't be put on hold after its match has started", async () => {
    const arena = await testArena();
    await startTwoBotMatch(arena);
    const { id } = (await arena.store.bots.byName("alpha"))!;
    assert.equal(arena.arena.holdFromPairing(id), null);
  });
});
