import assert from "node:assert/strict";

import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import { onboardingEmails } from "#core/mail/onboarding.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { sampleEntry, SAMPLE_RESERVATION, CASE_NOW, sampleAccount } from "./store-account-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { addSampleLadder } from "./store-custom-ladder-cases.ts";
import { SAMPLE_EVENT } from "./store-event-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleTime,
  sampleVersion,
} from "./store-samples.ts";
import type { MatchChanges } from "./store-samples.ts";

const CONFIRMED_FIELDS = { emailConfirmedAt: CASE_NOW };
const FIRST_PAGE = { after: null, limit: 9 };
/** The UTC day of all sample times below 1,000 seconds. */
const DAY = sampleTime(0).slice(0, 10);
const HOST = "ladder.example";
const accountIdOf = (number: number) => sampleId("account", number);

let deliveryCount = 0;
const newDeliveryId = () => sampleId("delivery", 700 + (deliveryCount += 1));

async function addOwnerWithBot(store: Store, number: number, changes: Partial<AccountRecord> = {}) {
  const { id } = await store.accounts.add(
    sampleAccount(number, { ...CONFIRMED_FIELDS, ...changes }),
    sampleEntry(),
  );
  await store.accounts.setHandle(id, `owner-${number}`, SAMPLE_RESERVATION, sampleEntry());
  const owned = { owner: `owner-${number}`, ownerId: id };
  await store.bots.add(sampleBot(number, owned), `hash-${number}`, null);
  await store.versions.add(sampleVersion(number), null);
}

const sampleGame = (
  number: number,
  pair: [number, number],
  changes: MatchChanges = {},
): FinishedMatch =>
  sampleMatch(number, {
    seats: pair.map((bot, seat) =>
      sampleSeat(bot, { accountId: accountIdOf(bot), fighter: "AB"[seat]! }),
    ),
    winnerBotId: sampleId("bot", pair[0]),
    ...changes,
  });

const welcomeDelivery = (accountId: string, handle: string, at: string) =>
  onboardingEmails({ accountId, handle }, at).map((email) =>
    createDelivery(email, at, newDeliveryId),
  );

const deliveryKinds = async (store: Store) =>
  (await store.deliveries.list(99)).map(({ notice }) => notice?.kind ?? null).toSorted();

export const recipientCases: StoreCase[] = [
  {
    name: "queues emails with a first handle, but not with a later or rejected one",
    async run(store) {
      const firstAccount = await store.accounts.add(
        sampleAccount(1, CONFIRMED_FIELDS),
        sampleEntry(),
      );
      const secondAccount = await store.accounts.add(
        sampleAccount(2, CONFIRMED_FIELDS),
        sampleEntry(),
      );
      const choose = (id: string, handle: string) =>
        store.accounts.setHandle(
          id,
          handle,
          SAMPLE_RESERVATION,
          sampleEntry(),
          welcomeDelivery(id, handle, CASE_NOW),
        );
      await choose(firstAccount.id, "ada");
      assert.equal(await choose(secondAccount.id, "ADA"), "handle_taken");
      await choose(firstAccount.id, "countess");
      assert.deepEqual(await deliveryKinds(store), ["first_match", "welcome"]);
      assert.ok(
        (await store.deliveries.list(9)).every(({ accountId }) => accountId === firstAccount.id),
      );
    },
  },
  {
    name: "skips emails that are no longer needed or are too late",
    async run(store) {
      for (const number of [0, 1, 2]) await addOwnerWithBot(store, number);
      const late = "2027-06-01T00:00:00.000Z";
      await store.deliveries.queue(
        [
          ...welcomeDelivery(accountIdOf(0), "owner-0", CASE_NOW),
          ...welcomeDelivery(accountIdOf(2), "owner-2", CASE_NOW),
        ],
        [],
      );
      await store.matches.save(sampleGame(1, [0, 1]));
      const beginDelivery = async (at: string) => {
        const started = await store.deliveries.begin(at, HOST);
        return started !== null && "skipped" in started
          ? started.skipped
          : (started?.notice.kind ?? null);
      };
      assert.deepEqual(
        [
          await beginDelivery(CASE_NOW),
          await beginDelivery(CASE_NOW),
          await beginDelivery(CASE_NOW),
        ],
        ["welcome", "welcome", null],
      );
      const later = new Date(Date.parse(CASE_NOW) + 73 * 3_600_000).toISOString();
      assert.deepEqual([await beginDelivery(later), await beginDelivery(later)].toSorted(), [
        "first_match",
        "has_played",
      ]);
      await store.deliveries.queue(welcomeDelivery(accountIdOf(1), "owner-1", CASE_NOW), []);
      assert.deepEqual(
        [await beginDelivery(late), await beginDelivery(late)],
        ["too_late", "too_late"],
      );
    },
  },
  {
    name: "queues the email of an award with it, once",
    async run(store) {
      await addOwnerWithBot(store, 1);
      await store.events.add({ ...SAMPLE_EVENT, enabled: true }, sampleEntry());
      const award = {
        eventId: "spring",
        accountId: accountIdOf(1),
        achievementId: "play-1",
        botId: sampleId("bot", 1),
        earnedAt: CASE_NOW,
        evidence: [],
      };
      const data = {
        eventId: "spring",
        event: "Spring",
        achievement: "Play 1",
        earnedAt: CASE_NOW,
      };
      const grantAward = () => {
        const due = { accountId: accountIdOf(1), subject: "spring play-1", due: CASE_NOW };
        const email = createDelivery(
          { ...due, notice: { kind: "achievement", data } },
          CASE_NOW,
          newDeliveryId,
        );
        return store.awards.add([{ award, audit: sampleEntry({ kind: "event.award" }), email }]);
      };
      assert.deepEqual([(await grantAward()).length, (await grantAward()).length], [1, 0]);
      assert.deepEqual(await deliveryKinds(store), ["achievement"]);
    },
  },
  {
    name: "finds the latest email about a subject, also after its content is deleted",
    async run(store) {
      await addOwnerWithBot(store, 1);
      const data = { bot: "Rex", version: "v1" };
      const queueNotice = (subject: string, created: string) => {
        const due = { accountId: accountIdOf(1), subject, due: created };
        const email = createDelivery(
          { ...due, notice: { kind: "bot_well", data } },
          created,
          newDeliveryId,
        );
        return store.deliveries.queue([email], []);
      };
      await queueNotice("one 2026-01-01", sampleTime(1));
      await queueNotice("one 2026-01-02", sampleTime(2));
      await queueNotice("two 2026-01-03", sampleTime(3));
      const latest = () => store.deliveries.latest(accountIdOf(1), "bot_health", "one ");
      const expected = { kind: "bot_well", created: sampleTime(2), state: "pending" };
      assert.deepEqual(await latest(), expected);
      for (let times = 0; times < 3; times += 1) {
        const started = await store.deliveries.begin(sampleTime(9), HOST);
        const outcome = {
          state: "accepted",
          responseCode: 250,
          error: null,
          refused: null,
        } as const;
        await store.deliveries.end(
          started?.id ?? "",
          { at: sampleTime(9), ...outcome },
          sampleEntry(),
        );
      }
      assert.equal(await store.deliveries.sweep(sampleTime(10), 9), 3);
      assert.deepEqual(await latest(), { ...expected, state: "accepted" });
      assert.equal(await store.deliveries.latest(accountIdOf(1), "achievements", "one "), null);
      assert.equal(await store.deliveries.latest(accountIdOf(1), "bot_health", "three "), null);
    },
  },
  {
    name: "finds recipients whose bots played on some days, page by page, without opted-out accounts",
    async run(store) {
      const unsubscribed = { mail: { ...DEFAULT_EMAIL_SETTINGS, announcements: false } };
      const banned = { bannedAt: CASE_NOW, banReason: null };
      const people = [{}, unsubscribed, banned, { emailConfirmedAt: null }, {}];
      for (const [number, changes] of people.entries())
        await addOwnerWithBot(store, number, changes);
      await store.bots.add(
        sampleBot(7, { owner: "owner-0", ownerId: accountIdOf(0) }),
        "hash-7",
        null,
      );
      await store.versions.add(sampleVersion(7), null);
      await store.matches.save(sampleGame(1, [0, 1]));
      await store.matches.save(sampleGame(2, [2, 3]));
      await store.matches.save(sampleGame(3, [7, 4], { voided: true, rated: false }));
      const bot = (number: number) => [{ id: sampleId("bot", number), name: `Bot-${number}` }];
      const activeRecipients = [
        { accountId: accountIdOf(0), mail: DEFAULT_EMAIL_SETTINGS, bots: bot(0) },
        { accountId: accountIdOf(1), ...unsubscribed, bots: bot(1) },
      ];
      assert.deepEqual(await store.recipients.withPlayedBots([DAY], FIRST_PAGE), activeRecipients);
      assert.deepEqual(
        await store.recipients.withPlayedBots(["2025-12-31", DAY], FIRST_PAGE),
        activeRecipients,
      );
      assert.deepEqual(await store.recipients.withPlayedBots(["2025-12-31"], FIRST_PAGE), []);
      assert.deepEqual(await store.recipients.withPlayedBots([], FIRST_PAGE), []);
      const next = { after: accountIdOf(0), limit: 1 };
      assert.deepEqual(await store.recipients.withPlayedBots([DAY], { ...FIRST_PAGE, limit: 1 }), [
        activeRecipients[0],
      ]);
      assert.deepEqual(await store.recipients.withPlayedBots([DAY], next), [activeRecipients[1]]);
    },
  },
  {
    name: "finds the recipients of a ladder: active members, or on public those whose bot has played",
    async run(store) {
      for (const number of [0, 1, 2, 3]) await addOwnerWithBot(store, number);
      await addSampleLadder(store);
      const step = (number: number) => ({
        id: sampleId("request", number),
        ladderId: "cup",
        accountId: accountIdOf(number),
        at: CASE_NOW,
      });
      await store.members.enroll(step(1), "active", sampleEntry());
      await store.members.enroll(step(2), "pending", sampleEntry());
      await store.members.enroll(step(3), "active", sampleEntry());
      const { ladderId, accountId } = step(3);
      await store.members.withdraw({ ladderId, accountId, at: CASE_NOW }, sampleEntry());
      await store.matches.save(sampleGame(1, [0, 2]));
      const ids = async (ladderId: string) =>
        (await store.recipients.onLadder(ladderId, FIRST_PAGE)).map(({ accountId }) => accountId);
      assert.deepEqual(await ids("cup"), [accountIdOf(1)]);
      assert.deepEqual(await ids("public"), [accountIdOf(0), accountIdOf(2)]);
      assert.deepEqual(
        await store.recipients.onLadder("public", { after: accountIdOf(0), limit: 9 }),
        [{ accountId: accountIdOf(2), mail: DEFAULT_EMAIL_SETTINGS }],
      );
    },
  },
  {
    name: "sums a bot's rated results of a span, and finds the latest match voided by a server fault",
    async run(store) {
      for (const number of [0, 1]) await addOwnerWithBot(store, number);
      const serverFault = { voided: true, rated: false, unratedReason: "server_fault" } as const;
      for (const match of [
        sampleGame(1, [0, 1]),
        sampleGame(2, [1, 0]),
        sampleGame(3, [0, 1], { winnerBotId: null }),
        sampleGame(4, [0, 1], { rated: false }),
        sampleGame(5, [0, 1], serverFault),
        sampleGame(6, [0, 1], { voided: true, rated: false }),
        sampleGame(500, [0, 1]),
      ])
        await store.matches.save(match);
      const span = { from: sampleTime(0), until: sampleTime(560) };
      assert.deepEqual(await store.recipients.results(sampleId("bot", 0), span), {
        games: 3,
        wins: 1,
        draws: 1,
        losses: 1,
      });
      const none = { games: 0, wins: 0, draws: 0, losses: 0 };
      assert.deepEqual(await store.recipients.results(sampleId("bot", 9), span), none);
      const expected = { id: sampleId("match", 5), ended: sampleTime(65) };
      assert.deepEqual(
        await store.recipients.latestServerFault(["public"], sampleTime(64)),
        expected,
      );
      assert.equal(await store.recipients.latestServerFault(["public"], sampleTime(65)), null);
      assert.equal(await store.recipients.latestServerFault(["cup"], sampleTime(0)), null);
    },
  },
];
