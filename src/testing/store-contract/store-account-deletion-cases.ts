import assert from "node:assert/strict";

import type { AccountRecord, AccountDeletionOptions } from "#data/store/account.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import {
  sampleEntry,
  SAMPLE_RESERVATION,
  addSampleAccount,
  SAMPLE_KEY,
  CASE_LATER,
  CASE_NOW,
  sampleAccount,
} from "./store-account-cases.ts";
import { countWords } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch, statusChange } from "./store-samples.ts";

export const deletionOptions = (
  changes: Partial<AccountDeletionOptions> = {},
): AccountDeletionOptions => ({
  ...SAMPLE_RESERVATION,
  second: 1000,
  ban: null,
  inMatch: [],
  ...changes,
});

export const SAMPLE_APP = {
  clientId: "client-1",
  name: "Helper",
  created: CASE_NOW,
  lastUsed: null,
};

/** Adds Ada with four bots: two that have played, one suspended and one unused. */
async function addOwnerWithBots(store: Store): Promise<AccountRecord> {
  const ada = await addSampleAccount(store, 1, "ada");
  await addSamplePlayers(store, 4);
  for (const number of [0, 1, 2, 3])
    await store.bots.claim(sampleId("bot", number), ada.id, 9, sampleEntry());
  await store.matches.save(sampleMatch(1));
  await store.bots.setStatus(sampleId("bot", 2), statusChange("suspended", { reason: "noise" }));
  await store.keys.add({ ...SAMPLE_KEY, accountId: ada.id }, "k1", 9, sampleEntry());
  await store.apps.authorize(ada.id, SAMPLE_APP, sampleEntry());
  return ada;
}

export const accountDeletionCases: StoreCase[] = [
  {
    name: "deletes bots that never played, and keeps the rest under another owner",
    async run(store) {
      const ada = await addOwnerWithBots(store);
      const deletion = await store.accounts.delete(
        ada.id,
        deletionOptions(),
        sampleEntry({ kind: "account.left" }),
      );
      assert.deepEqual(deletion?.account, ada);
      assert.deepEqual(deletion.deletedBots, [{ id: sampleId("bot", 3), name: "Bot-3" }]);
      const retainedBots = deletion.retainedBots.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      assert.deepEqual(
        retainedBots.map(({ name, status, statusReason, owner, ownerId }) =>
          [name, status, statusReason, owner, ownerId].join(" "),
        ),
        [
          "Bot-0 retired  deleted anon:deleted",
          "Bot-1 retired  deleted anon:deleted",
          "Bot-2 suspended noise deleted anon:deleted",
        ],
      );
      assert.equal(deletion.identityDeleted, false, "the provider had no such user");
      assert.equal(await store.accounts.byId(ada.id), null);
      assert.equal(await store.keys.byHash("k1"), null);
      assert.deepEqual(await store.apps.list(ada.id), []);
      assert.deepEqual(await store.accounts.find(ada.issuer, ada.subject), {
        account: null,
        signedOutAt: 1000,
      });
      const [auditEntry] = await store.audit.list({ kind: "account.left", limit: 9 });
      assert.deepEqual([...(auditEntry!.detail as { kept_bots: string[] }).kept_bots].toSorted(), [
        "Bot-0",
        "Bot-1",
        "Bot-2",
      ]);
      assert.equal(await store.accounts.delete(ada.id, deletionOptions(), sampleEntry()), null);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "keeps a deleted account's handle reserved, and finds no account by it",
    async run(store) {
      const ada = await addOwnerWithBots(store);
      await store.accounts.delete(ada.id, deletionOptions(), sampleEntry());
      const eve = await addSampleAccount(store, 2);
      assert.equal(await store.accounts.byHandle("ada", CASE_NOW), null);
      assert.equal(
        await store.accounts.setHandle(eve.id, "ada", SAMPLE_RESERVATION, sampleEntry()),
        "handle_taken",
      );
      const laterReservation = { at: CASE_LATER, until: CASE_LATER };
      const handleOutcome = await store.accounts.setHandle(
        eve.id,
        "ada",
        laterReservation,
        sampleEntry(),
      );
      assert.ok(handleOutcome !== "handle_taken" && handleOutcome?.handle === "ada");
    },
  },
  {
    name: "keeps a bot in its first match, and bans the rest on request",
    async run(store) {
      const ada = await addOwnerWithBots(store);
      const ban = { reason: "cheating" };
      const inMatch = [sampleId("bot", 3)];
      const deletion = await store.accounts.delete(
        ada.id,
        deletionOptions({ ban, inMatch }),
        sampleEntry(),
      );
      assert.deepEqual(deletion?.deletedBots, []);
      const states = deletion?.retainedBots.map(
        ({ status, statusReason }) => `${status} ${statusReason}`,
      );
      assert.deepEqual(countWords(states ?? []), { "banned cheating": 4 });
      const tokenLookup = await store.bots.byToken("hash-3");
      assert.deepEqual([tokenLookup?.stale, tokenLookup?.bot.status], [true, "banned"]);
    },
  },
  {
    name: "deletes the embedded provider's user too",
    async run(store) {
      const ada = sampleAccount(1, { issuer: EMBEDDED_ISSUER });
      const times = { createdAt: CASE_NOW, updatedAt: CASE_NOW, lastSignInAt: CASE_NOW };
      const user = {
        id: ada.subject,
        email: ada.email,
        emailConfirmedAt: CASE_NOW,
        newEmail: null,
        passwordHash: null,
        userData: {},
        confirmationSentAt: null,
        recoverySentAt: null,
        ...times,
      };
      const identity = { id: "i1", userId: ada.subject, provider: "email", subject: ada.subject };
      await store.identity.addUser(user, { ...identity, email: ada.email, ...times });
      await store.accounts.add(ada, sampleEntry());
      const deletion = await store.accounts.delete(ada.id, deletionOptions(), sampleEntry());
      assert.equal(deletion?.identityDeleted, true);
      assert.equal(await store.identity.userById(ada.subject), null);
    },
  },
  {
    name: "shows final standings with current names and profile owners",
    async run(store) {
      const ada = await addOwnerWithBots(store);
      const place = {
        rank: 1,
        botId: sampleId("bot", 0),
        versionId: sampleId("version", 0),
        name: "Bot-0",
        owner: "Owner-0",
        house: false,
        label: "v0",
        rating: 1600,
        deviation: 30,
        wins: 30,
        draws: 0,
        losses: 0,
      };
      await store.seasons.archive("2026-01", CASE_LATER, [place]);
      await store.bots.rename(place.botId, "Neo", SAMPLE_RESERVATION, sampleEntry());
      const readStanding = async () => (await store.seasons.standings("2026-01"))[0];
      assert.deepEqual(await readStanding(), {
        ...place,
        name: "Neo",
        owner: "ada",
        ownerId: ada.id,
        ownerBanned: false,
      });
      await store.accounts.setBan(ada.id, { at: CASE_NOW, reason: null }, sampleEntry());
      assert.equal((await readStanding())?.ownerBanned, true);
      await store.accounts.delete(ada.id, deletionOptions(), sampleEntry());
      assert.deepEqual((await readStanding())?.owner, "deleted");
    },
  },
];
