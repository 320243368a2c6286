// What an account's state does to the sockets, the queue and the matches of its bots.
import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { playRefusal } from "#core/accounts/name.ts";
import { pairedBots, queuedPair, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { sampleAudit, sampleTime } from "#testing/store-cases/store-samples.ts";

const FORMERLY = { at: sampleTime(0), until: sampleTime(9) };
const ADA = sampleAccount(1);

/** An arena where bots need an account, and Ada has one. */
async function withAda(): Promise<TestArena> {
  const test = await testArena({ mayPlay: (bot) => playRefusal(bot, false) });
  await addAda(test);
  return test;
}

async function addAda({ store }: TestArena): Promise<void> {
  await store.accounts.add(ADA, sampleAudit(1));
  await store.accounts.setHandle(ADA.id, "ada", FORMERLY, sampleAudit(2));
}

async function ban({ store, arena }: TestArena, at: string | null): Promise<void> {
  await store.accounts.setBan(ADA.id, at === null ? null : { at, reason: null }, sampleAudit(3));
  for (const bot of await store.bots.ofOwners([ADA.id])) arena.botChanged(bot);
}

const ownedByAda = { owner: "ada", ownerId: ADA.id };
const farewell = (bot: FakeBot) => [bot.heard.at(-1)?.code, bot.ending()];

suite("a bot of an account", () => {
  test("plays where bots without one are told that they need one", async () => {
    const arena = await withAda();
    await arena.addBot("alpha", ownedByAda);
    await arena.addBot("beta");
    const alpha = await arena.connect("alpha");
    assert.equal(alpha.ending(), null);
    const beta = await arena.connect("beta");
    assert.deepEqual(farewell(beta), ["account_required", "4008 account_required"]);
  });

  test("is closed and refused by a ban, and let in again once it is lifted", async () => {
    const arena = await withAda();
    await arena.addBot("alpha", ownedByAda);
    const alpha = await arena.connect("alpha");
    await ban(arena, FORMERLY.at);
    assert.deepEqual(farewell(alpha), ["account_banned", "4007 account_banned"]);
    assert.deepEqual(farewell(await arena.connect("alpha")), farewell(alpha));
    assert.deepEqual(arena.arena.online(), []);
    await ban(arena, null);
    assert.equal((await arena.connect("alpha")).ending(), null);
  });

  test("hears of the ban before it hears that it is retired", async () => {
    const arena = await withAda();
    await arena.addBot("alpha", { ...ownedByAda, status: "retired" });
    await ban(arena, FORMERLY.at);
    assert.equal(farewell(await arena.connect("alpha"))[0], "account_banned");
  });

  test("waits under its new name and owner", async () => {
    const arena = await withAda();
    const { id } = await arena.addBot("alpha", ownedByAda);
    const alpha = await arena.connect("alpha");
    const renamed = await arena.store.bots.rename(id, "Neo", FORMERLY, sampleAudit(4));
    assert.ok(renamed !== null && renamed !== "name_taken");
    arena.arena.botChanged(renamed);
    assert.equal(alpha.ending(), null);
    assert.deepEqual(
      arena.arena.online().map(({ name }) => name),
      ["Neo"],
    );
  });
});

suite("a ban", () => {
  test("ends a running match by forfeit, which is rated", async () => {
    const arena = await testArena();
    await addAda(arena);
    const [alpha, beta] = await pairedBots(arena);
    for (const bot of [alpha, beta]) bot.say({ type: "ready" });
    await arena.pass(100);
    const bot = (await arena.store.bots.byName("alpha"))!;
    await arena.store.bots.claim(bot.id, ADA.id, 9, sampleAudit(4));
    await ban(arena, FORMERLY.at);
    await arena.until(() => beta.told("end").length > 0);
    const [end] = beta.told("end");
    assert.equal(end?.reason, "forfeit");
    assert.equal(alpha.ending(), "4007 account_banned");
    const match = await arena.store.matches.byId(String(end?.match_id));
    assert.equal(match?.rated, true);
    const seat = match.seats.find(({ botId }) => botId === bot.id);
    assert.equal(seat?.accountId, null, "whose it was as the match began");
  });

  test("takes a waiting bot out of the queue", async () => {
    const arena = await testArena({ limits: { max_concurrent: 0 } });
    await addAda(arena);
    await queuedPair(arena);
    const { id } = (await arena.store.bots.byName("alpha"))!;
    await arena.store.bots.claim(id, ADA.id, 9, sampleAudit(4));
    await ban(arena, FORMERLY.at);
    assert.deepEqual(
      arena.arena.online().map(({ name }) => name),
      ["beta"],
    );
  });
});

suite("a bot that is withheld", () => {
  test("starts no match until it is let go", async () => {
    const arena = await testArena();
    const [alpha, beta] = await queuedPair(arena);
    const { id } = (await arena.store.bots.byName("alpha"))!;
    const [letGo, other] = [arena.arena.withhold(id), arena.arena.withhold(id)];
    await arena.pass(10_000);
    letGo?.();
    await arena.pass(10_000);
    assert.equal(alpha.told("hello").length, 0, "the other hold still counts");
    other?.();
    await arena.until(() => [alpha, beta].every((bot) => bot.told("hello").length > 0));
  });

  test("cannot be withheld from a match that has begun", async () => {
    const arena = await testArena();
    await pairedBots(arena);
    const { id } = (await arena.store.bots.byName("alpha"))!;
    assert.equal(arena.arena.withhold(id), null);
  });
});
