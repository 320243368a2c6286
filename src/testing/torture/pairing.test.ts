import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const QUEUE = { type: "queue", version: "v1" };

async function openWatchedArena(limits: Partial<Limits> = {}) {
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

test("T81: the stored matches contain no forbidden pair and exceed no limit", async () => {
  const limits = { owner_concurrency: 2, max_concurrent: 3, match_interval_s: 4 };
  const { arena, matches } = await openWatchedArena(limits);
  const names = new Map<string, string>();
  for (const [name, botFacts] of Object.entries(CROWD)) {
    names.set((await arena.addArenaBot(name, botFacts)).id, name);
    const bot = await arena.connect(name);
    bot.autoPlays = true;
    bot.send(QUEUE);
    void playOn(arena, bot);
  }
  await arena.advanceTime(120_000);
  const namesOf = ({ seats }: FinishedMatch) => seats.map(({ botId }) => names.get(botId!)!);
  const ownersOf = (match: FinishedMatch) => namesOf(match).map((name) => CROWD[name]!);
  assert.ok(matches.length >= 10, `${matches.length}`);
  for (const match of matches) {
    const [a, b] = firstTwo(ownersOf(match));
    assert.notEqual(a.owner.toLowerCase(), b.owner.toLowerCase());
    assert.ok(!a.house || !b.house);
    const running = matches.filter((otherMatch) => overlap(otherMatch, match));
    assert.ok(running.length <= limits.max_concurrent, `${running.length} concurrent`);
    const annMatches = running
      .flatMap(ownersOf)
      .filter(({ owner }) => owner.toLowerCase() === "ann");
    assert.ok(annMatches.length <= limits.owner_concurrency, `${annMatches.length} of one owner`);
  }
  for (const id of names.keys()) assertInterval(matches, id, limits.match_interval_s);
});

async function playOn(arena: TestArena, bot: FakeBot): Promise<void> {
  for (let matches = 1; ; matches += 1) {
    while (bot.receivedOfType("end").length < matches)
      await new Promise<void>((resolve) => void arena.clock.after(300, resolve));
    bot.send(QUEUE);
  }
}

const toSeconds = (instant: string) => Date.parse(instant) / 1000;

function overlap(a: FinishedMatch, b: FinishedMatch): boolean {
  return toSeconds(a.started) <= toSeconds(b.started) && toSeconds(a.ended) > toSeconds(b.started);
}

const botsOf = ({ seats }: FinishedMatch) => seats.map(({ botId }) => botId).toSorted();

function assertInterval(matches: FinishedMatch[], botId: string, interval: number): void {
  const botMatches = matches.filter((match) => botsOf(match).includes(botId));
  botMatches.sort((a, b) => toSeconds(a.started) - toSeconds(b.started));
  for (const [number, match] of botMatches.entries()) {
    for (const previous of botMatches.slice(0, number)) {
      assert.ok(
        toSeconds(match.started) - toSeconds(previous.started) >= interval,
        "starts too soon",
      );
      const isRematch = botsOf(previous).join() === botsOf(match).join();
      assert.ok(
        !isRematch || toSeconds(match.started) - toSeconds(previous.ended) >= 10,
        "meets again too soon",
      );
    }
  }
}

async function startArena(arena: TestArena): Promise<FakeBot[]> {
  const bots: FakeBot[] = [];
  for (const name of ["dodger", "other"]) {
    await arena.addArenaBot(name, { id: name });
    bots.push(await arena.connect(name));
    bots.at(-1)!.send(QUEUE);
  }
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("hello").length === 1));
  return bots;
}

const dodgeCases: {
  name: string;
  play: (arena: TestArena, bots: FakeBot[]) => Promise<void>;
  voided: boolean;
  unrated: string | null;
}[] = [
  {
    name: "quits in the middle of a match",
    play: async (arena, [quittingBot, b]) => {
      b!.autoPlays = true;
      for (const bot of [quittingBot, b]) bot!.send({ type: "ready" });
      await arena.advanceUntil(() => quittingBot!.receivedOfType("observation").length > 2);
      quittingBot!.disconnect();
    },
    voided: false,
    unrated: null,
  },
  {
    name: "skips ready alone",
    play: async (_, [, b]) => b!.send({ type: "ready" }),
    voided: false,
    unrated: null,
  },
  {
    name: "skips ready together with the opponent",
    play: async () => {},
    voided: true,
    unrated: "nobody_ready",
  },
];
for (const { name, play, voided, unrated } of dodgeCases)
  test(`T83: a bot that ${name} ${voided ? "makes the match void" : "loses rated points"}`, async () => {
    const { arena, matches } = await openWatchedArena({ reconnect_grace_s: 3 });
    const bots = await startArena(arena);
    await play(arena, bots);
    await arena.advanceUntil(() => bots[1]!.receivedOfType("end").length === 1);
    const { reason, rated, seats, ...match } = matches[0]!;
    assert.deepEqual([reason, match.voided, rated], ["forfeit", voided, !voided]);
    const { ratingBefore, ratingAfter } = seats.find(({ botId }) => botId === "dodger")!;
    if (voided) assert.deepEqual([ratingBefore, ratingAfter], [null, null]);
    else assert.ok(ratingAfter! < ratingBefore!, `${ratingBefore} to ${ratingAfter}`);
    assert.equal(match.unratedReason, unrated);
    const end = bots[1]!.receivedOfType("end")[0]!;
    assert.deepEqual([end.rated, end.unrated_reason], [unrated === null, unrated]);
  });

test("a match records why its bots were paired", async () => {
  const { arena, matches } = await openWatchedArena();
  const bots = await startArena(arena);
  await arena.advanceUntil(() => bots[1]!.receivedOfType("end").length === 1);
  const { terms, weight, ...reasons } = matches[0]!.pairing as { terms: object; weight: number };
  const sum = Object.values(terms).reduce((total: number, term: number) => total + term, 0);
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
