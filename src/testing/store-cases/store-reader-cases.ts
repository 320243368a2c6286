// What the store must do with letters that go with something else, and with what letters are made of.
import assert from "node:assert/strict";

import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import { onboardingLetters } from "#core/mail/onboarding.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { entry, FORMERLY, NOW, sampleAccount } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { SPRING } from "./store-event-cases.ts";
import { addCup } from "./store-kept-ladder-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const CONFIRMED = { emailConfirmedAt: NOW };
const PAGE = { after: null, most: 9 };
/** Of all sample times below a thousand seconds. */
const DAY = sampleTime(0).slice(0, 10);
const HOST = "ladder.example";
const account = (number: number) => sampleId("account", number);

let letters = 0;
const newId = () => sampleId("delivery", 700 + (letters += 1));

/** Person `number` has the bot `number`. */
async function addOwner(store: Store, number: number, changes: Partial<AccountRecord> = {}) {
  const { id } = await store.accounts.add(
    sampleAccount(number, { ...CONFIRMED, ...changes }),
    entry(),
  );
  await store.accounts.setHandle(id, `owner-${number}`, FORMERLY, entry());
  const owned = { owner: `owner-${number}`, ownerId: id };
  await store.bots.add(sampleBot(number, owned), `hash-${number}`, null);
  await store.versions.add(sampleVersion(number), null);
}

/** The first of the two wins. */
const game = (number: number, pair: [number, number], changes: MatchChanges = {}): FinishedMatch =>
  sampleMatch(number, {
    seats: pair.map((bot, seat) =>
      sampleSeat(bot, { accountId: account(bot), fighter: "AB"[seat]! }),
    ),
    winnerBotId: sampleId("bot", pair[0]),
    ...changes,
  });

const welcome = (accountId: string, handle: string, at: string) =>
  onboardingLetters({ accountId, handle }, at).map((letter) => deliveryOf(letter, at, newId));

const kindsOf = async (store: Store) =>
  (await store.deliveries.list(99)).map(({ notice }) => notice?.kind ?? null).toSorted();

export const readerCases: Case[] = [
  {
    name: "makes the letters of a first handle with it, and none of a later or a refused one",
    async run(store) {
      const one = await store.accounts.add(sampleAccount(1, CONFIRMED), entry());
      const two = await store.accounts.add(sampleAccount(2, CONFIRMED), entry());
      const choose = (id: string, handle: string) =>
        store.accounts.setHandle(id, handle, FORMERLY, entry(), welcome(id, handle, NOW));
      await choose(one.id, "ada");
      assert.equal(await choose(two.id, "ADA"), "handle_taken");
      await choose(one.id, "countess");
      assert.deepEqual(await kindsOf(store), ["first_match", "welcome"]);
      assert.ok((await store.deliveries.list(9)).every(({ accountId }) => accountId === one.id));
    },
  },
  {
    name: "skips what somebody who has played need not be told, and what comes too late",
    async run(store) {
      for (const number of [0, 1, 2]) await addOwner(store, number);
      const late = "2027-06-01T00:00:00.000Z";
      await store.deliveries.queue(
        [...welcome(account(0), "owner-0", NOW), ...welcome(account(2), "owner-2", NOW)],
        [],
      );
      await store.matches.save(game(1, [0, 1]));
      const begin = async (at: string) => {
        const begun = await store.deliveries.begin(at, HOST);
        return begun !== null && "skipped" in begun ? begun.skipped : (begun?.notice.kind ?? null);
      };
      assert.deepEqual(
        [await begin(NOW), await begin(NOW), await begin(NOW)],
        ["welcome", "welcome", null],
      );
      const later = new Date(Date.parse(NOW) + 73 * 3_600_000).toISOString();
      assert.deepEqual([await begin(later), await begin(later)].toSorted(), [
        "first_match",
        "has_played",
      ]);
      await store.deliveries.queue(welcome(account(1), "owner-1", NOW), []);
      assert.deepEqual([await begin(late), await begin(late)], ["too_late", "too_late"]);
    },
  },
  {
    name: "makes the letter of an award with it, once",
    async run(store) {
      await addOwner(store, 1);
      await store.events.add({ ...SPRING, enabled: true }, entry());
      const award = {
        eventId: "spring",
        accountId: account(1),
        achievementId: "play-1",
        botId: sampleId("bot", 1),
        earnedAt: NOW,
        evidence: [],
      };
      const data = { eventId: "spring", event: "Spring", achievement: "Play 1", earnedAt: NOW };
      const give = () => {
        const due = { accountId: account(1), subject: "spring play-1", due: NOW };
        const letter = deliveryOf({ ...due, notice: { kind: "achievement", data } }, NOW, newId);
        return store.awards.add([{ award, audit: entry({ kind: "event.award" }), letter }]);
      };
      assert.deepEqual([(await give()).length, (await give()).length], [1, 0]);
      assert.deepEqual(await kindsOf(store), ["achievement"]);
    },
  },
  {
    name: "knows the latest letter about something, also once its content is forgotten",
    async run(store) {
      await addOwner(store, 1);
      const data = { bot: "Rex", version: "v1" };
      const tell = (subject: string, created: string) => {
        const due = { accountId: account(1), subject, due: created };
        const letter = deliveryOf({ ...due, notice: { kind: "bot_well", data } }, created, newId);
        return store.deliveries.queue([letter], []);
      };
      await tell("one 2026-01-01", sampleTime(1));
      await tell("one 2026-01-02", sampleTime(2));
      await tell("two 2026-01-03", sampleTime(3));
      const latest = () => store.deliveries.latest(account(1), "bot_health", "one ");
      const found = { kind: "bot_well", created: sampleTime(2), state: "pending" };
      assert.deepEqual(await latest(), found);
      for (let times = 0; times < 3; times += 1) {
        const begun = await store.deliveries.begin(sampleTime(9), HOST);
        const outcome = {
          state: "accepted",
          responseCode: 250,
          error: null,
          refused: null,
        } as const;
        await store.deliveries.end(begun?.id ?? "", { at: sampleTime(9), ...outcome }, entry());
      }
      assert.equal(await store.deliveries.sweep(sampleTime(10), 9), 3);
      assert.deepEqual(await latest(), { ...found, state: "accepted" });
      assert.equal(await store.deliveries.latest(account(1), "achievements", "one "), null);
      assert.equal(await store.deliveries.latest(account(1), "bot_health", "three "), null);
    },
  },
  {
    name: "finds readers whose bots played on some days, page by page, and nobody who gets no mail",
    async run(store) {
      const silent = { mail: { ...DEFAULT_MAIL, announcements: false } };
      const banned = { bannedAt: NOW, banReason: null };
      const people = [{}, silent, banned, { emailConfirmedAt: null }, {}];
      for (const [number, changes] of people.entries()) await addOwner(store, number, changes);
      await store.bots.add(sampleBot(7, { owner: "owner-0", ownerId: account(0) }), "hash-7", null);
      await store.versions.add(sampleVersion(7), null);
      await store.matches.save(game(1, [0, 1]));
      await store.matches.save(game(2, [2, 3]));
      await store.matches.save(game(3, [7, 4], { voided: true, rated: false }));
      const bot = (number: number) => [{ id: sampleId("bot", number), name: `Bot-${number}` }];
      const playing = [
        { accountId: account(0), mail: DEFAULT_MAIL, bots: bot(0) },
        { accountId: account(1), ...silent, bots: bot(1) },
      ];
      assert.deepEqual(await store.readers.playing([DAY], PAGE), playing);
      assert.deepEqual(await store.readers.playing(["2025-12-31", DAY], PAGE), playing);
      assert.deepEqual(await store.readers.playing(["2025-12-31"], PAGE), []);
      assert.deepEqual(await store.readers.playing([], PAGE), []);
      const next = { after: account(0), most: 1 };
      assert.deepEqual(await store.readers.playing([DAY], { ...PAGE, most: 1 }), [playing[0]]);
      assert.deepEqual(await store.readers.playing([DAY], next), [playing[1]]);
    },
  },
  {
    name: "finds the readers of a ladder: active members, and on public whose bot has played",
    async run(store) {
      for (const number of [0, 1, 2, 3]) await addOwner(store, number);
      await addCup(store);
      const step = (number: number) => ({
        id: sampleId("request", number),
        ladderId: "cup",
        accountId: account(number),
        at: NOW,
      });
      await store.members.enroll(step(1), "active", entry());
      await store.members.enroll(step(2), "pending", entry());
      await store.members.enroll(step(3), "active", entry());
      const { ladderId, accountId } = step(3);
      await store.members.withdraw({ ladderId, accountId, at: NOW }, entry());
      await store.matches.save(game(1, [0, 2]));
      const ids = async (ladderId: string) =>
        (await store.readers.onLadder(ladderId, PAGE)).map(({ accountId }) => accountId);
      assert.deepEqual(await ids("cup"), [account(1)]);
      assert.deepEqual(await ids("public"), [account(0), account(2)]);
      assert.deepEqual(await store.readers.onLadder("public", { after: account(0), most: 9 }), [
        { accountId: account(2), mail: DEFAULT_MAIL },
      ]);
    },
  },
  {
    name: "sums a bot's rated results of a span, and finds the latest match that a fault voided",
    async run(store) {
      for (const number of [0, 1]) await addOwner(store, number);
      const fault = { voided: true, rated: false, unratedReason: "server_fault" } as const;
      for (const match of [
        game(1, [0, 1]),
        game(2, [1, 0]),
        game(3, [0, 1], { winnerBotId: null }),
        game(4, [0, 1], { rated: false }),
        game(5, [0, 1], fault),
        game(6, [0, 1], { voided: true, rated: false }),
        game(500, [0, 1]),
      ])
        await store.matches.save(match);
      const span = { from: sampleTime(0), until: sampleTime(560) };
      assert.deepEqual(await store.readers.results(sampleId("bot", 0), span), {
        games: 3,
        wins: 1,
        draws: 1,
        losses: 1,
      });
      const none = { games: 0, wins: 0, draws: 0, losses: 0 };
      assert.deepEqual(await store.readers.results(sampleId("bot", 9), span), none);
      const found = { id: sampleId("match", 5), ended: sampleTime(65) };
      assert.deepEqual(await store.readers.latestFault(["public"], sampleTime(64)), found);
      assert.equal(await store.readers.latestFault(["public"], sampleTime(65)), null);
      assert.equal(await store.readers.latestFault(["cup"], sampleTime(0)), null);
    },
  },
];
