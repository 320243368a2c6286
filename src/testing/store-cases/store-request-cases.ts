// What the store must do with opponent requests.
import assert from "node:assert/strict";

import type { OpponentRequest } from "#core/events/request.ts";
import type { Store } from "#data/store/store.ts";

import { entry, join } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { leaving } from "./store-leaving-cases.ts";
import { addSamplePlayers, sampleId, sampleMatch, sampleTime } from "./store-samples.ts";

export function sampleRequest(
  number: number,
  changes: Partial<OpponentRequest> = {},
): OpponentRequest {
  return {
    id: sampleId("request", number),
    eventId: "evening",
    ladderId: "public",
    accountId: sampleId("account", 1),
    botId: sampleId("bot", 0),
    opponent: "kiter",
    created: sampleTime(number),
    ...changes,
  };
}

/** Whether a match of a saving process serves a request, and which. */
export const hasRequest = (number: number): boolean => number % 3 === 0;
export const requestOf = (number: number): OpponentRequest =>
  sampleRequest(number, { eventId: `event-${number}` });

const [FIRST, SECOND] = [sampleRequest(1), sampleRequest(2)];

/** Ada and Bob, bots 0 and 1, and Ada's first request. */
async function asked(store: Store): Promise<void> {
  await join(store, 1, "ada");
  await join(store, 2, "bob");
  await addSamplePlayers(store, 2);
  assert.equal(await store.requests.add(FIRST, entry()), "added");
}

const latest = (store: Store) => store.requests.latest(FIRST.eventId, FIRST.accountId);
const started = sampleTime(500);
const { eventId, botId, opponent } = FIRST;
const SERVED = { eventId, botId, opponent, matchId: sampleId("match", 1), started };
const serving = (number: number, requestId = FIRST.id) =>
  sampleMatch(number, { started, requestId });

export const requestCases: Case[] = [
  {
    name: "keeps one pending request of an account in an event, until it is served",
    async run(store, reopen) {
      await asked(store);
      assert.equal(await store.requests.add(SECOND, entry()), "request_exists");
      assert.deepEqual(await latest(store), { pending: FIRST, served: null });
      const opened = await reopen();
      assert.deepEqual(await opened.requests.pending(), [FIRST]);
      assert.equal(await opened.matches.save(serving(1)), true);
      assert.deepEqual(await opened.requests.pending(), []);
      assert.deepEqual(await latest(opened), { pending: null, served: SERVED });
      assert.equal(await opened.requests.add(SECOND, entry()), "added");
      assert.deepEqual(await latest(opened), { pending: SECOND, served: SERVED });
    },
  },
  {
    name: "knows the request that a match has served, and the one whose game started last",
    async run(store) {
      await asked(store);
      const served = (number: number) =>
        store.requests.servedBy({
          id: sampleId("match", number),
          botIds: [sampleId("bot", 1), FIRST.botId],
        });
      assert.equal(await served(1), null);
      await store.matches.save(serving(1));
      await store.requests.add(SECOND, entry());
      await store.matches.save({ ...serving(2, SECOND.id), started: sampleTime(900) });
      await store.matches.save(sampleMatch(3));
      const second = { ...SERVED, matchId: sampleId("match", 2), started: sampleTime(900) };
      assert.deepEqual([await served(1), await served(2), await served(3)], [SERVED, second, null]);
      assert.deepEqual(await latest(store), { pending: null, served: second });
    },
  },
  {
    name: "takes a request once, with its entry in the audit",
    async run(store) {
      await asked(store);
      await store.matches.save(serving(1));
      const kind = "event.requested";
      const own = entry({ kind });
      assert.equal(await store.requests.add(SECOND, own), "added");
      assert.equal(await store.requests.add(SECOND, own), "added");
      assert.equal(await store.requests.add(sampleRequest(3), entry({ kind })), "request_exists");
      await store.matches.save(serving(2, SECOND.id));
      assert.equal(await store.requests.add(SECOND, own), "added");
      assert.deepEqual(await store.requests.pending(), [], "what is served stays served");
      assert.equal((await store.audit.list({ kind, limit: 9 })).length, 1);
    },
  },
  {
    name: "gives pending requests oldest first, each event and account apart",
    async run(store) {
      await asked(store);
      const others = [
        sampleRequest(4, { accountId: sampleId("account", 2), botId: sampleId("bot", 1) }),
        sampleRequest(3, { eventId: "morning", opponent: "champion" }),
      ];
      for (const one of others) assert.equal(await store.requests.add(one, entry()), "added");
      assert.deepEqual(await store.requests.pending(), [FIRST, others[1], others[0]]);
      assert.deepEqual(await store.requests.cancelOf("evening"), [FIRST.id, others[0]!.id]);
      assert.deepEqual(await store.requests.cancelOf("evening"), []);
      assert.deepEqual(await store.requests.pending(), [others[1]]);
      assert.equal(await store.requests.drop(others[1]!.id), true);
      assert.equal(await store.requests.drop(others[1]!.id), false);
      assert.deepEqual(await store.requests.pending(), []);
    },
  },
  {
    name: "cancels a pending request, and has nothing to cancel after that",
    async run(store) {
      await asked(store);
      const { eventId, accountId } = FIRST;
      const kind = "event.changed";
      assert.deepEqual(await store.requests.cancel(eventId, accountId, entry({ kind })), FIRST);
      assert.equal(await store.requests.cancel(eventId, accountId, entry({ kind })), null);
      assert.equal((await store.audit.list({ kind, limit: 9 })).length, 1);
      assert.deepEqual(await latest(store), { pending: null, served: null });
      assert.equal(await store.requests.add(SECOND, entry()), "added");
    },
  },
  {
    name: "leaves a request pending that a void match was to serve",
    async run(store) {
      await asked(store);
      await store.matches.save({ ...serving(1), ...sampleMatch(1, VOID), requestId: FIRST.id });
      assert.deepEqual(await latest(store), { pending: FIRST, served: null });
    },
  },
  {
    name: "serves a request once, also one that was cancelled when its match had begun",
    async run(store) {
      await asked(store);
      await store.requests.cancel(FIRST.eventId, FIRST.accountId);
      await store.matches.save(serving(1));
      const later = { ...serving(2), started: sampleTime(900) };
      await store.matches.save(later);
      assert.deepEqual(await latest(store), { pending: null, served: SERVED });
    },
  },
  {
    name: "serves no request by a match that is stored already",
    async run(store) {
      await asked(store);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.matches.save(serving(1)), false);
      assert.deepEqual(await store.requests.pending(), [FIRST]);
    },
  },
  {
    name: "lets requests go with their bot and their account",
    async run(store) {
      await asked(store);
      const other = sampleRequest(3, { accountId: sampleId("account", 2) });
      await store.requests.add({ ...other, botId: sampleId("bot", 1) }, entry());
      await store.bots.delete(FIRST.botId);
      assert.deepEqual(await latest(store), { pending: null, served: null });
      await store.accounts.leave(other.accountId, leaving(), entry({ kind: "account.left" }));
      assert.deepEqual(await store.requests.pending(), []);
    },
  },
];

const VOID = { rated: false, voided: true } as const;
