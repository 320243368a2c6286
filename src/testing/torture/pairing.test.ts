import assert from "node:assert/strict";
import { test } from "node:test";

import { bothOf } from "#base/units/sure.ts";
import type { Limits } from "#core/words/limits.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const QUEUE = { type: "queue", version: "v1" };

/** An arena, and every match it has stored. */
async function watchedArena(limits: Partial<Limits> = {}) {
  const store = memoryStore();
  const { save } = store.matches;
  const matches: FinishedMatch[] = [];
  store.matches.save = async (match) => {
    const isNew = await save(match);
    matches.push(match);
    return isNew;
  };
  return { matches, arena: await testArena({ store, limits }) };
}

type Crowd = Record<string, { owner: string; house?: boolean }>;

const CROWD: Crowd = {
  "house-kiter": { owner: "house", house: true },
  "house-brawler": { owner: "house", house: true },
  ann1: { owner: "Ann" },
  ann2: { owner: "ann" },
  ann3: { owner: "ANN" },
  bob: { owner: "Bob" },
  cat: { owner: "Cat" },
};

test("T81: by what is stored, no forbidden pair met and no limit was passed", async () => {
  const limits = { owner_concurrency: 2, max_concurrent: 3, match_interval_s: 4 };
  const { arena, matches } = await watchedArena(limits);
  const names = new Map<string, string>();
  for (const [name, facts] of Object.entries(CROWD)) {
    names.set((await arena.addBot(name, facts)).id, name);
    const bot = await arena.connect(name);
    bot.plays = true;
    bot.say(QUEUE);
    void playOn(arena, bot);
  }
  await arena.pass(120_000);
  const namesOf = ({ seats }: FinishedMatch) => seats.map(({ botId }) => names.get(botId!)!);
  const ownersOf = (match: FinishedMatch) => namesOf(match).map((name) => CROWD[name]!);
  assert.ok(matches.length >= 10, `${matches.length}`);
  for (const match of matches) {
    const [one, other] = bothOf(ownersOf(match));
    assert.notEqual(one.owner.toLowerCase(), other.owner.toLowerCase());
    assert.ok(!one.house || !other.house);
    const running = matches.filter((others) => overlap(others, match));
    assert.ok(running.length <= limits.max_concurrent, `${running.length} at once`);
    const anns = running.flatMap(ownersOf).filter(({ owner }) => owner.toLowerCase() === "ann");
    assert.ok(anns.length <= limits.owner_concurrency, `${anns.length} of one owner`);
  }
  for (const id of names.keys()) assertHolds(matches, id, limits.match_interval_s);
});

/** Queues again after every match. */
async function playOn(arena: TestArena, bot: FakeBot): Promise<void> {
  for (let matches = 1; ; matches += 1) {
    while (bot.told("end").length < matches)
      await new Promise<void>((resolve) => void arena.clock.after(300, resolve));
    bot.say(QUEUE);
  }
}

const at = (instant: string) => Date.parse(instant) / 1000;

/** Whether one match was running when the other started. */
function overlap(one: FinishedMatch, other: FinishedMatch): boolean {
  return at(one.started) <= at(other.started) && at(one.ended) > at(other.started);
}

const botsOf = ({ seats }: FinishedMatch) => seats.map(({ botId }) => botId).toSorted();

/** A bot's starts are an interval apart, and it meets nobody again within ten seconds. */
function assertHolds(matches: FinishedMatch[], botId: string, interval: number): void {
  const own = matches.filter((match) => botsOf(match).includes(botId));
  own.sort((one, other) => at(one.started) - at(other.started));
  for (const [number, match] of own.entries()) {
    for (const former of own.slice(0, number)) {
      assert.ok(at(match.started) - at(former.started) >= interval, "starts too soon");
      const isRematch = botsOf(former).join() === botsOf(match).join();
      assert.ok(!isRematch || at(match.started) - at(former.ended) >= 10, "meets again too soon");
    }
  }
}

/** Two bots in their first match, before either has said ready. */
async function startup(arena: TestArena): Promise<FakeBot[]> {
  const bots: FakeBot[] = [];
  for (const name of ["dodger", "other"]) {
    await arena.addBot(name, { id: name });
    bots.push(await arena.connect(name));
    bots.at(-1)!.say(QUEUE);
  }
  await arena.until(() => bots.every((bot) => bot.told("hello").length === 1));
  return bots;
}

const dodges: {
  name: string;
  play: (arena: TestArena, bots: FakeBot[]) => Promise<void>;
  voided: boolean;
  unrated: string | null;
}[] = [
  {
    name: "quits in the middle of a match",
    play: async (arena, [quitter, other]) => {
      other!.plays = true;
      for (const bot of [quitter, other]) bot!.say({ type: "ready" });
      await arena.until(() => quitter!.told("observation").length > 2);
      quitter!.leave();
    },
    voided: false,
    unrated: null,
  },
  {
    name: "alone skips ready",
    play: async (_, [, other]) => other!.say({ type: "ready" }),
    voided: false,
    unrated: null,
  },
  {
    name: "skips ready together with the other",
    play: async () => {},
    voided: true,
    unrated: "nobody_ready",
  },
];
for (const { name, play, voided, unrated } of dodges)
  test(`T83: who ${name} ${voided ? "makes the match void" : "loses rated points"}`, async () => {
    const { arena, matches } = await watchedArena({ reconnect_grace_s: 3 });
    const bots = await startup(arena);
    await play(arena, bots);
    await arena.until(() => bots[1]!.told("end").length === 1);
    const { reason, rated, seats, ...match } = matches[0]!;
    assert.deepEqual([reason, match.voided, rated], ["forfeit", voided, !voided]);
    const { ratingBefore, ratingAfter } = seats.find(({ botId }) => botId === "dodger")!;
    if (voided) assert.deepEqual([ratingBefore, ratingAfter], [null, null]);
    else assert.ok(ratingAfter! < ratingBefore!, `${ratingBefore} to ${ratingAfter}`);
    assert.equal(match.unratedReason, unrated);
    const end = bots[1]!.told("end")[0]!;
    assert.deepEqual([end.rated, end.unrated_reason], [unrated === null, unrated]);
  });

test("a match keeps why its bots were paired", async () => {
  const { arena, matches } = await watchedArena();
  const bots = await startup(arena);
  await arena.until(() => bots[1]!.told("end").length === 1);
  const { terms, weight, ...reasons } = matches[0]!.pairing as { terms: object; weight: number };
  const sum = Object.values(terms).reduce((all: number, term: number) => all + term, 0);
  assert.equal(sum, weight);
  assert.deepEqual(Object.keys(reasons).toSorted(), [
    "discovery",
    "expected",
    "gap",
    "ground",
    "quality",
    "tiedMaps",
    "window",
  ]);
});
