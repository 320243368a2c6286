import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import type { EventDefinition } from "#core/events/event.ts";
import { openEvents } from "#core/events/events.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { entry, join } from "#testing/store-cases/store-account-cases.ts";
import { SPRING } from "#testing/store-cases/store-event-cases.ts";
import { CUP } from "#testing/store-cases/store-kept-ladder-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";
import type { MatchChanges } from "#testing/store-cases/store-samples.ts";

import { openAwards } from "./awards.ts";
import type { LiveAwards } from "./awards.ts";

/** Two bots of one account, a bot of another one, and a house bot. */
const ADA = sampleId("account", 1);
const EVE = sampleId("account", 2);
const OWNERS = [ADA, ADA, EVE, null];
const KITER = 3;

const EVENT: EventDefinition = {
  ...SPRING,
  enabled: true,
  opensAt: sampleTime(100),
  closesAt: sampleTime(5000),
  achievements: [
    { kind: "games", count: 3 } as const,
    { kind: "wins", count: 2, maps: 2 } as const,
    { kind: "defeat", opponent: "kiter", wins: 1 } as const,
    { kind: "streak", wins: 3 } as const,
    { kind: "score", least: 1500 } as const,
  ].map((condition) => ({ id: condition.kind, name: "x", description: "x", condition })),
};

async function players(store: Store): Promise<void> {
  await join(store, 1, "ada");
  await join(store, 2, "eve");
  for (const [number, accountId] of OWNERS.entries()) {
    const owned = { owner: accountId === EVE ? "eve" : "ada", ownerId: accountId ?? "house" };
    const house = { house: true, name: "house-kiter", owner: "house" };
    await store.bots.add(sampleBot(number, accountId === null ? house : owned), `h${number}`, null);
    await store.versions.add(sampleVersion(number), null);
  }
}

type World = { store: Store; awards: LiveAwards; log: string[]; lag: (() => void)[] };

/** A server that begins over a store; its clock is moved by hand. */
function serverOver(store: Store, events: readonly EventDefinition[], second = 2000): World {
  const log: string[] = [];
  const lag: (() => void)[] = [];
  let ids = 0;
  const awards = openAwards({
    store,
    events: openEvents(events),
    hasMail: true,
    newId: () => `note-${second}-${(ids += 1)}`,
    instant: () => sampleTime(second),
    after: (_, call) => {
      lag.push(call);
      return () => {};
    },
    log: { error: (_, text) => void log.push(text) },
  });
  return { store, awards, log, lag };
}

async function world(event: Partial<EventDefinition> = {}): Promise<World> {
  const store = memoryStore();
  await players(store);
  const own = { ...EVENT, ...event };
  if (own.ladderId === "cup") await store.ladders.add(CUP, null, entry());
  await store.events.add(own, entry());
  return serverOver(store, [own]);
}

/** A game of two bots from a second on, won by the first. */
function game(number: number, pair: [number, number], changes: MatchChanges = {}): FinishedMatch {
  const seats = pair.map((bot, seat) =>
    sampleSeat(bot, {
      accountId: OWNERS[bot] ?? null,
      fighter: "AB"[seat]!,
      scoreAfter: 1600,
      deviationAfter: 30,
    }),
  );
  const started = sampleTime(number);
  const winnerBotId = sampleId("bot", pair[0]);
  return sampleMatch(number, {
    seats,
    started,
    ended: sampleTime(number + 9),
    winnerBotId,
    ...changes,
  });
}

const toStored = (match: FinishedMatch) => ({
  ...match,
  matchId: match.id,
  seats: match.seats.map(({ botId, accountId }) => ({ botId: botId!, accountId })),
});

async function play({ store, awards }: World, ...matches: FinishedMatch[]): Promise<void> {
  for (const match of matches) {
    await store.matches.save(match);
    awards.stored(toStored(match));
  }
}

const earned = async ({ store }: Pick<World, "store">, accountId = ADA) =>
  (await store.awards.ofAccount(accountId, "spring")).map(({ achievementId }) => achievementId);

const OVER_KITER = game(200, [0, KITER]);

describe("awards", () => {
  it("are given once their game is stored", async () => {
    const one = await world();
    await play(one, OVER_KITER);
    await one.awards.settled();
    assert.deepEqual(await earned(one), ["defeat"]);
    const [award] = await one.store.awards.ofEvent("spring");
    assert.deepEqual(
      [award?.botId, award?.earnedAt, award?.evidence],
      [sampleId("bot", 0), sampleTime(209), [OVER_KITER.id]],
    );
    const [noted] = await one.store.audit.list({ kind: "event.award", limit: 9 });
    assert.deepEqual([noted?.subject?.id, noted?.actor.kind], ["spring", "system"]);
  });

  it("are given by one bot alone, never by two together", async () => {
    const one = await world();
    await play(one, game(200, [0, 2]), game(210, [1, 2]), game(220, [1, 2]));
    await one.awards.settled();
    assert.deepEqual(await earned(one), []);
    assert.deepEqual(await earned(one, EVE), ["games"]);
  });

  it("come from no unrated game, and from none outside the window or a membership", async () => {
    const one = await world({ ladderId: "cup" });
    const cup = { ladderId: "cup", season: null };
    await play(one, game(200, [0, KITER], cup));
    const step = { id: "m", ladderId: "cup", accountId: ADA, at: sampleTime(300) };
    await one.store.members.enroll(step, "active", entry());
    await play(one, game(295, [0, KITER], cup), game(400, [0, KITER], { ...cup, rated: false }));
    await play(one, game(4995, [0, KITER], cup));
    await one.awards.settled();
    assert.deepEqual(await earned(one), []);
    await play(one, game(4000, [0, KITER], cup));
    await one.awards.settled();
    assert.deepEqual(await earned(one), ["defeat"]);
  });

  it("wait for the store, and are given once", async () => {
    const one = await world();
    const { add } = one.store.awards;
    let failures = 2;
    Object.assign(one.store.awards, {
      add: (...args: Parameters<typeof add>) => {
        if ((failures -= 1) >= 0) throw new StoreError("unavailable", "away");
        return add(...args);
      },
    });
    await play(one, OVER_KITER);
    for (let wait = 0; wait < 2; wait += 1) {
      while (one.lag.length === 0) await new Promise(setImmediate);
      one.lag.pop()?.();
    }
    await one.awards.settled();
    assert.equal(one.log.length, 2);
    assert.deepEqual(await earned(one), ["defeat"]);
  });

  it("are found at the next start when a crash came between", async () => {
    const one = await world();
    one.awards.stop();
    await play(one, OVER_KITER);
    assert.deepEqual(await earned(one), []);
    const next = serverOver(one.store, [EVENT]);
    await next.awards.settled();
    assert.deepEqual(await earned(one), ["defeat"]);
  });

  it("are looked for once more after the end of an event, and then no more", async () => {
    const one = await world();
    await one.awards.settled();
    assert.deepEqual(await one.store.events.settled(), []);
    await one.store.matches.save(OVER_KITER);
    await serverOver(one.store, [EVENT], 6000).awards.settled();
    assert.deepEqual(await earned(one), ["defeat"]);
    assert.deepEqual(await one.store.events.settled(), ["spring"]);
    await one.store.matches.save(game(300, [2, KITER]));
    await serverOver(one.store, [EVENT], 6001).awards.settled();
    assert.deepEqual(await earned(one, EVE), []);
  });

  it("come from earlier games too once an event is enabled", async () => {
    const store = memoryStore();
    await players(store);
    const off = { ...EVENT, enabled: false };
    await store.events.add(off, entry());
    const one = serverOver(store, [off]);
    await play(one, OVER_KITER);
    await one.awards.settled();
    assert.deepEqual(await earned(one), []);
    const events = openEvents([EVENT]);
    const after = () => () => {};
    const log = { error: () => {} };
    const instant = () => sampleTime(2000);
    const deps = { store, events, hasMail: false, newId: () => "n", instant, after, log };
    const two = openAwards(deps);
    two.changed("spring");
    await two.settled();
    assert.deepEqual(await earned(one), ["defeat"]);
  });

  it("stay revoked", async () => {
    const one = await world();
    await play(one, OVER_KITER);
    await one.awards.settled();
    const key = { eventId: "spring", accountId: ADA, achievementId: "defeat" };
    await one.store.awards.revoke(key, entry());
    await play(one, game(300, [0, KITER]));
    await one.awards.settled();
    assert.deepEqual(await one.awards.give(EVENT, await one.awards.recount(EVENT)), []);
    const [award] = await one.store.awards.ofAccount(ADA, "spring");
    assert.notEqual(award?.revokedAt, null);
  });

  it("miss no game of a clock that was set back", async () => {
    const one = await world();
    const back = game(310, [0, KITER], { ended: sampleTime(250) });
    await play(one, game(300, [0, 2]));
    await one.awards.settled();
    await play(one, { ...back, started: sampleTime(240) });
    await one.awards.settled();
    assert.deepEqual(await earned(one), ["defeat"]);
  });
});

describe("progress", () => {
  it("is that of the furthest bot, with what is stored", async () => {
    const one = await world();
    await play(one, game(200, [0, 2]), game(210, [1, 2]), game(220, [2, 1]));
    const progress = await one.awards.progressOf(EVENT, ADA);
    assert.deepEqual(
      progress.map(({ current, target, botId }) => [current, target, botId?.at(-1) ?? null]),
      [
        [2, 3, "1"],
        [1, 2, "0"],
        [0, 1, null],
        [1, 3, "0"],
        [0, 1500, null],
      ],
    );
  });

  it("begins again with an event that was deleted and made again", async () => {
    const one = await world();
    await play(one, game(200, [0, 2]));
    assert.equal((await one.awards.progressOf(EVENT, ADA))[0]?.current, 1);
    const again = { ...EVENT, opensAt: sampleTime(1000) };
    assert.equal((await one.awards.progressOf(again, ADA))[0]?.current, 0);
  });

  it("of a score counts the games of the season before the event", async () => {
    const one = await world();
    for (let number = 0; number < 29; number += 1)
      await one.store.matches.save(game(number, [0, 2], { ended: sampleTime(number + 1) }));
    await play(one, game(200, [0, 2]));
    await one.awards.settled();
    assert.deepEqual(await earned(one), ["score"]);
  });
});

type Told = {
  pair: [number, number];
  map: "keep" | "cage";
  gap: number;
  rated: boolean;
  crash: number;
};

/** One bot of an account earns what another one earns later, between two reads of one look. */
const AMID_A_LOOK: Told[] = [
  { pair: [0, 2], map: "keep", gap: 11, rated: true, crash: 1 },
  { pair: [0, 2], map: "keep", gap: 10, rated: false, crash: 0 },
  { pair: [0, 2], map: "keep", gap: 10, rated: true, crash: 0 },
  { pair: [1, 2], map: "keep", gap: 10, rated: true, crash: 0 },
  { pair: [0, 2], map: "cage", gap: 10, rated: true, crash: 0 },
  { pair: [1, 2], map: "cage", gap: 10, rated: true, crash: 0 },
];

describe("whatever is played", () => {
  const pair = fc.constantFrom<[number, number]>([0, 2], [2, 0], [1, 2], [0, 3], [3, 1], [2, 3]);
  const told: fc.Arbitrary<Told> = fc.record({
    pair,
    map: fc.constantFrom<Told["map"]>("keep", "cage"),
    gap: fc.integer({ min: 10, max: 40 }),
    rated: fc.boolean(),
    crash: fc.integer({ min: 0, max: 9 }),
  });

  it("gives what a recount of the stored matches gives, crashes or not", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(told, { maxLength: 25 }), async (games) => {
        let one = await world();
        let second = 80;
        for (const { pair: bots, map, gap, rated, crash } of games) {
          second += gap;
          if (crash === 0) one.awards.stop();
          await play(one, game(second, bots, { map, rated }));
          if (crash === 0) one = serverOver(one.store, [EVENT]);
        }
        await one.awards.settled();
        const facts = await one.awards.recount(EVENT);
        const given = await one.store.awards.ofEvent("spring");
        const known = given.map(({ accountId, achievementId, botId, earnedAt, evidence }) => {
          return { accountId, achievementId, botId, earnedAt, evidence };
        });
        const byName = (list: typeof facts) =>
          list.toSorted((a, b) =>
            `${a.accountId} ${a.achievementId}` < `${b.accountId} ${b.achievementId}` ? -1 : 1,
          );
        assert.deepEqual(byName(known), byName(facts));
      }),
      { numRuns: 40, examples: [[AMID_A_LOOK]] },
    );
  });
});
