// What the store must do with somebody who leaves.
import assert from "node:assert/strict";

import type { AccountRecord, Leaving } from "#data/store/account.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";
import type { Store } from "#data/store/store.ts";

import { entry, FORMERLY, join, KEY, LATER, NOW, sampleAccount } from "./store-account-cases.ts";
import { tally } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { addSamplePlayers, sampleId, sampleMatch, toStatus } from "./store-samples.ts";

export const leaving = (changes: Partial<Leaving> = {}): Leaving => ({
  ...FORMERLY,
  second: 1000,
  ban: null,
  inMatch: [],
  ...changes,
});

export const PROGRAM = { clientId: "client-1", name: "Helper", created: NOW, lastUsed: null };

/** Ada with bots 0 to 3: two that played, one that is suspended, and one that did nothing. */
async function household(store: Store): Promise<AccountRecord> {
  const ada = await join(store, 1, "ada");
  await addSamplePlayers(store, 4);
  for (const number of [0, 1, 2, 3])
    await store.bots.claim(sampleId("bot", number), ada.id, 9, entry());
  await store.matches.save(sampleMatch(1));
  await store.bots.setStatus(sampleId("bot", 2), toStatus("suspended", { reason: "noise" }));
  await store.keys.add({ ...KEY, accountId: ada.id }, "k1", 9, entry());
  await store.programs.allow(ada.id, PROGRAM, entry());
  return ada;
}

export const leavingCases: Case[] = [
  {
    name: "lets somebody leave: what never played goes, the rest stays under another owner",
    async run(store) {
      const ada = await household(store);
      const left = await store.accounts.leave(ada.id, leaving(), entry({ kind: "account.left" }));
      assert.deepEqual(left?.account, ada);
      assert.deepEqual(left.deletedBots, [{ id: sampleId("bot", 3), name: "Bot-3" }]);
      const kept = left.keptBots.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      assert.deepEqual(
        kept.map(({ name, status, statusReason, owner, ownerId }) =>
          [name, status, statusReason, owner, ownerId].join(" "),
        ),
        [
          "Bot-0 retired  deleted anon:deleted",
          "Bot-1 retired  deleted anon:deleted",
          "Bot-2 suspended noise deleted anon:deleted",
        ],
      );
      assert.equal(left.identityDeleted, false, "the provider knew nobody of that name");
      assert.equal(await store.accounts.byId(ada.id), null);
      assert.equal(await store.keys.byHash("k1"), null);
      assert.deepEqual(await store.programs.list(ada.id), []);
      assert.deepEqual(await store.accounts.find(ada.issuer, ada.subject), {
        account: null,
        signedOutAt: 1000,
      });
      const [note] = await store.audit.list({ kind: "account.left", limit: 9 });
      assert.deepEqual([...(note!.detail as { kept_bots: string[] }).kept_bots].toSorted(), [
        "Bot-0",
        "Bot-1",
        "Bot-2",
      ]);
      assert.equal(await store.accounts.leave(ada.id, leaving(), entry()), null);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "keeps the handle of somebody who left from others, and finds nobody by it",
    async run(store) {
      const ada = await household(store);
      await store.accounts.leave(ada.id, leaving(), entry());
      const eve = await join(store, 2);
      assert.equal(await store.accounts.byHandle("ada", NOW), null);
      assert.equal(
        await store.accounts.setHandle(eve.id, "ada", FORMERLY, entry()),
        "handle_taken",
      );
      const after = { at: LATER, until: LATER };
      const given = await store.accounts.setHandle(eve.id, "ada", after, entry());
      assert.ok(given !== "handle_taken" && given?.handle === "ada");
    },
  },
  {
    name: "keeps a bot in its first match, and bans the rest when an operator says so",
    async run(store) {
      const ada = await household(store);
      const ban = { reason: "cheating" };
      const inMatch = [sampleId("bot", 3)];
      const left = await store.accounts.leave(ada.id, leaving({ ban, inMatch }), entry());
      assert.deepEqual(left?.deletedBots, []);
      const states = left?.keptBots.map(({ status, statusReason }) => `${status} ${statusReason}`);
      assert.deepEqual(tally(states ?? []), { "banned cheating": 4 });
      const found = await store.bots.byToken("hash-3");
      assert.deepEqual([found?.stale, found?.bot.status], [true, "banned"]);
    },
  },
  {
    name: "lets the embedded provider forget the person too",
    async run(store) {
      const ada = sampleAccount(1, { issuer: EMBEDDED_ISSUER });
      const times = { createdAt: NOW, updatedAt: NOW, lastSignInAt: NOW };
      const user = {
        id: ada.subject,
        email: ada.email,
        emailConfirmedAt: NOW,
        newEmail: null,
        passwordHash: null,
        userData: {},
        confirmationSentAt: null,
        recoverySentAt: null,
        ...times,
      };
      const identity = { id: "i1", userId: ada.subject, provider: "email", subject: ada.subject };
      await store.identity.addUser(user, { ...identity, email: ada.email, ...times });
      await store.accounts.add(ada, entry());
      const left = await store.accounts.leave(ada.id, leaving(), entry());
      assert.equal(left?.identityDeleted, true);
      assert.equal(await store.identity.userById(ada.subject), null);
    },
  },
  {
    name: "shows final standings under present names, and whose profile belongs to them",
    async run(store) {
      const ada = await household(store);
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
      await store.seasons.archive("2026-01", LATER, [place]);
      await store.bots.rename(place.botId, "Neo", FORMERLY, entry());
      const shown = async () => (await store.seasons.standings("2026-01"))[0];
      assert.deepEqual(await shown(), {
        ...place,
        name: "Neo",
        owner: "ada",
        ownerId: ada.id,
        ownerBanned: false,
      });
      await store.accounts.setBan(ada.id, { at: NOW, reason: null }, entry());
      assert.equal((await shown())?.ownerBanned, true);
      await store.accounts.leave(ada.id, leaving(), entry());
      assert.deepEqual((await shown())?.owner, "deleted");
    },
  },
];
