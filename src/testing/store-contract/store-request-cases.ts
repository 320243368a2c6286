import assert from "node:assert/strict";

import type { OpponentRequest } from "#core/events/opponent-request.ts";
import type { Store } from "#data/store/store.ts";

import { sampleEntry, addSampleAccount } from "./store-account-cases.ts";
import { deletionOptions } from "./store-account-deletion-cases.ts";
import type { StoreCase } from "./store-case.ts";
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

export const servesRequest = (number: number): boolean => number % 3 === 0;
export const sampleRequestOf = (number: number): OpponentRequest =>
  sampleRequest(number, { eventId: `event-${number}` });

const [FIRST_REQUEST, SECOND_REQUEST] = [sampleRequest(1), sampleRequest(2)];

async function addRequest(store: Store): Promise<void> {
  await addSampleAccount(store, 1, "ada");
  await addSampleAccount(store, 2, "bob");
  await addSamplePlayers(store, 2);
  assert.equal(await store.requests.add(FIRST_REQUEST, sampleEntry()), "added");
}

const latest = (store: Store) =>
  store.requests.latest(FIRST_REQUEST.eventId, FIRST_REQUEST.accountId);
const started = sampleTime(500);
const { eventId, botId, opponent } = FIRST_REQUEST;
const SERVED_REQUEST = { eventId, botId, opponent, matchId: sampleId("match", 1), started };
const servingMatch = (number: number, requestId = FIRST_REQUEST.id) =>
  sampleMatch(number, { started, requestId });

export const requestCases: StoreCase[] = [
  {
    name: "stores one pending request per account and event until it is served",
    async run(store, reopen) {
      await addRequest(store);
      assert.equal(await store.requests.add(SECOND_REQUEST, sampleEntry()), "request_exists");
      assert.deepEqual(await latest(store), { pending: FIRST_REQUEST, served: null });
      const opened = await reopen();
      assert.deepEqual(await opened.requests.pending(), [FIRST_REQUEST]);
      assert.equal(await opened.matches.save(servingMatch(1)), true);
      assert.deepEqual(await opened.requests.pending(), []);
      assert.deepEqual(await latest(opened), { pending: null, served: SERVED_REQUEST });
      assert.equal(await opened.requests.add(SECOND_REQUEST, sampleEntry()), "added");
      assert.deepEqual(await latest(opened), { pending: SECOND_REQUEST, served: SERVED_REQUEST });
    },
  },
  {
    name: "finds the request served by a match, and the one whose match started last",
    async run(store) {
      await addRequest(store);
      const served = (number: number) =>
        store.requests.servedBy({
          id: sampleId("match", number),
          botIds: [sampleId("bot", 1), FIRST_REQUEST.botId],
        });
      assert.equal(await served(1), null);
      await store.matches.save(servingMatch(1));
      await store.requests.add(SECOND_REQUEST, sampleEntry());
      await store.matches.save({ ...servingMatch(2, SECOND_REQUEST.id), started: sampleTime(900) });
      await store.matches.save(sampleMatch(3));
      const second = { ...SERVED_REQUEST, matchId: sampleId("match", 2), started: sampleTime(900) };
      assert.deepEqual(
        [await served(1), await served(2), await served(3)],
        [SERVED_REQUEST, second, null],
      );
      assert.deepEqual(await latest(store), { pending: null, served: second });
    },
  },
  {
    name: "stores a request once, with its audit entry",
    async run(store) {
      await addRequest(store);
      await store.matches.save(servingMatch(1));
      const kind = "event.requested";
      const cancelEntry = sampleEntry({ kind });
      assert.equal(await store.requests.add(SECOND_REQUEST, cancelEntry), "added");
      assert.equal(await store.requests.add(SECOND_REQUEST, cancelEntry), "added");
      assert.equal(
        await store.requests.add(sampleRequest(3), sampleEntry({ kind })),
        "request_exists",
      );
      await store.matches.save(servingMatch(2, SECOND_REQUEST.id));
      assert.equal(await store.requests.add(SECOND_REQUEST, cancelEntry), "added");
      assert.deepEqual(await store.requests.pending(), [], "served requests stay served");
      assert.equal((await store.audit.list({ kind, limit: 9 })).length, 1);
    },
  },
  {
    name: "returns pending requests oldest first, by event and account",
    async run(store) {
      await addRequest(store);
      const otherRequests = [
        sampleRequest(4, { accountId: sampleId("account", 2), botId: sampleId("bot", 1) }),
        sampleRequest(3, { eventId: "morning", opponent: "champion" }),
      ];
      for (const request of otherRequests)
        assert.equal(await store.requests.add(request, sampleEntry()), "added");
      assert.deepEqual(await store.requests.pending(), [
        FIRST_REQUEST,
        otherRequests[1],
        otherRequests[0],
      ]);
      assert.deepEqual(await store.requests.cancelForEvent("evening"), [
        FIRST_REQUEST.id,
        otherRequests[0]!.id,
      ]);
      assert.deepEqual(await store.requests.cancelForEvent("evening"), []);
      assert.deepEqual(await store.requests.pending(), [otherRequests[1]]);
      assert.equal(await store.requests.cancelById(otherRequests[1]!.id), true);
      assert.equal(await store.requests.cancelById(otherRequests[1]!.id), false);
      assert.deepEqual(await store.requests.pending(), []);
    },
  },
  {
    name: "cancels a pending request once",
    async run(store) {
      await addRequest(store);
      const { eventId, accountId } = FIRST_REQUEST;
      const kind = "event.changed";
      assert.deepEqual(
        await store.requests.cancel(eventId, accountId, sampleEntry({ kind })),
        FIRST_REQUEST,
      );
      assert.equal(await store.requests.cancel(eventId, accountId, sampleEntry({ kind })), null);
      assert.equal((await store.audit.list({ kind, limit: 9 })).length, 1);
      assert.deepEqual(await latest(store), { pending: null, served: null });
      assert.equal(await store.requests.add(SECOND_REQUEST, sampleEntry()), "added");
    },
  },
  {
    name: "leaves the request of a void match pending",
    async run(store) {
      await addRequest(store);
      await store.matches.save({
        ...servingMatch(1),
        ...sampleMatch(1, VOIDED_FIELDS),
        requestId: FIRST_REQUEST.id,
      });
      assert.deepEqual(await latest(store), { pending: FIRST_REQUEST, served: null });
    },
  },
  {
    name: "serves a request once, even if it was cancelled after its match started",
    async run(store) {
      await addRequest(store);
      await store.requests.cancel(FIRST_REQUEST.eventId, FIRST_REQUEST.accountId);
      await store.matches.save(servingMatch(1));
      const laterMatch = { ...servingMatch(2), started: sampleTime(900) };
      await store.matches.save(laterMatch);
      assert.deepEqual(await latest(store), { pending: null, served: SERVED_REQUEST });
    },
  },
  {
    name: "serves no request with a match that is already stored",
    async run(store) {
      await addRequest(store);
      await store.matches.save(sampleMatch(1));
      assert.equal(await store.matches.save(servingMatch(1)), false);
      assert.deepEqual(await store.requests.pending(), [FIRST_REQUEST]);
    },
  },
  {
    name: "deletes requests with their bot and their account",
    async run(store) {
      await addRequest(store);
      const otherRequest = sampleRequest(3, { accountId: sampleId("account", 2) });
      await store.requests.add({ ...otherRequest, botId: sampleId("bot", 1) }, sampleEntry());
      await store.bots.delete(FIRST_REQUEST.botId);
      assert.deepEqual(await latest(store), { pending: null, served: null });
      await store.accounts.delete(
        otherRequest.accountId,
        deletionOptions(),
        sampleEntry({ kind: "account.left" }),
      );
      assert.deepEqual(await store.requests.pending(), []);
    },
  },
];

const VOIDED_FIELDS = { rated: false, voided: true } as const;
