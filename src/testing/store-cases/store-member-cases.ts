// What the store must do with members of ladders and with invitations.
import assert from "node:assert/strict";

import { SYSTEM } from "#core/words/audit.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { InvitationRecord, NewInvitation } from "#data/store/invitation.ts";
import type { Store } from "#data/store/store.ts";

import { entry, join, LATER, NOW } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { addCup, kindsOf } from "./store-kept-ladder-cases.ts";
import { leaving } from "./store-leaving-cases.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

let steps = 0;
/** Another step of somebody on the cup, in the next second. */
const step = ({ id }: Pick<AccountRecord, "id">, ladderId = "cup") => {
  steps += 1;
  return { id: `step-${steps}`, ladderId, accountId: id, at: sampleTime(1000 + steps) };
};

const statesOf = async (store: Store, { id }: AccountRecord) =>
  (await store.members.ofAccount(id)).map(({ state, until }) =>
    until === null ? state : `${state} once`,
  );

const newInvitation = (
  code: string,
  changes: Partial<InvitationRecord> = {},
  hash = code,
): NewInvitation => ({
  invitation: {
    id: `of-${code}`,
    ladderId: "cup",
    accountId: null,
    created: NOW,
    createdBy: null,
    expiresAt: sampleTime(9000),
    usedAt: null,
    usedBy: null,
    revokedAt: null,
    label: null,
    ...changes,
  },
  hash,
  audit: entry({ kind: "invitation.created", actor: SYSTEM }),
});

const invite = (store: Store, code: string, changes: Partial<InvitationRecord> = {}) =>
  store.invitations.add([newInvitation(code, changes)]);

const use = (store: Store, code: string, one: ReturnType<typeof step>) =>
  store.invitations.use(code, one, {
    used: entry({ kind: "invitation.used" }),
    enrolled: entry({ kind: "member.enrolled" }),
  });

const memberStepCases: Case[] = [
  {
    name: "closes each interval of a membership and keeps it",
    async run(store) {
      await addCup(store);
      const ada = await join(store, 1, "ada");
      const asked = step(ada);
      const enrolled = () => entry({ kind: "member.enrolled" });
      const told = [
        await store.members.enroll(asked, "pending", enrolled()),
        await store.members.enroll(step(ada), "pending", enrolled()),
        await store.members.approve(step(ada), entry({ kind: "member.approved" })),
        await store.members.enroll(step(ada), "pending", enrolled()),
        await store.members.revoke(step(ada), entry({ kind: "member.revoked", reason: "loud" })),
        await store.members.enroll(step(ada), "active", enrolled()),
        await store.members.withdraw(step(ada), entry({ kind: "member.withdrew" })),
        await store.members.approve(step(ada), entry({ kind: "member.approved" })),
        await store.members.withdraw(step(ada), entry({ kind: "member.withdrew" })),
        await store.members.withdraw(step(ada), entry({ kind: "member.withdrew" })),
      ];
      assert.deepEqual(
        told.map((one) => one && typeof one === "object" && `${one.state} ${one.isChanged}`),
        [
          "pending true",
          "pending false",
          "active true",
          "active false",
          "revoked true",
          "revoked false",
          "revoked false",
          "active true",
          "active true",
          null,
        ],
      );
      const rows = await store.members.ofAccount(ada.id);
      assert.deepEqual(
        rows.map(({ state, reason }) => [state, reason]),
        [
          ["pending", null],
          ["active", null],
          ["revoked", "loud"],
          ["active", null],
        ],
      );
      assert.ok(rows.every(({ since, until }) => until !== null && since < until));
      assert.deepEqual([rows[0]?.id, rows[0]?.since], [asked.id, asked.at]);
      assert.deepEqual(
        (await kindsOf(store)).map((kind) => kind.slice(7)),
        ["enrolled", "approved", "revoked", "approved", "withdrew"],
      );
    },
  },
  {
    name: "lists the present members of a ladder, the active ones of all, and counts them",
    async run(store) {
      await addCup(store);
      await addCup(store, { id: "dusk" });
      const [ada, eve, bob] = [
        await join(store, 1, "ada"),
        await join(store, 2),
        await join(store, 3, "bob"),
      ];
      await store.members.enroll(step(ada), "active", entry());
      await store.members.enroll(step(eve), "pending", entry());
      await store.members.enroll(step(bob), "active", entry());
      await store.members.withdraw(step(bob), entry());
      await store.members.enroll(step(ada, "dusk"), "active", entry());
      const lines = await store.members.of("cup");
      assert.deepEqual(
        lines.map(({ accountId, handle, state }) => [accountId, handle, state]),
        [
          [ada.id, "ada", "active"],
          [eve.id, null, "pending"],
        ],
      );
      const order = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
      assert.deepEqual(
        order(await store.members.active()),
        order([
          { accountId: ada.id, ladderId: "cup" },
          { accountId: ada.id, ladderId: "dusk" },
        ]),
      );
      assert.deepEqual(
        (await store.members.counts())
          .map(({ ladderId, state, accounts }) => `${ladderId} ${state} ${accounts}`)
          .toSorted(),
        ["cup active 1", "cup pending 1", "dusk active 1"],
      );
    },
  },
  {
    name: "moves nobody who never asked, is banned, or is not there",
    async run(store) {
      await addCup(store);
      const ada = await join(store, 1, "ada");
      assert.equal(await store.members.approve(step(ada), entry()), null);
      assert.equal(await store.members.revoke(step(ada), entry()), null);
      assert.equal(await store.members.enroll(step(ada, "dusk"), "active", entry()), null);
      const nobody = { id: sampleId("account", 9) };
      assert.equal(await store.members.enroll(step(nobody), "active", entry()), null);
      await store.members.enroll(step(ada), "pending", entry());
      await store.accounts.setBan(ada.id, { at: NOW, reason: null }, entry());
      assert.equal(await store.members.approve(step(ada), entry()), "account_banned");
      assert.deepEqual(await statesOf(store, ada), ["pending"]);
    },
  },
  {
    name: "revokes somebody who has left, who comes back by approval alone",
    async run(store) {
      await addCup(store);
      const ada = await join(store, 1, "ada");
      await store.members.enroll(step(ada), "active", entry());
      await store.members.withdraw(step(ada), entry());
      assert.equal(await store.members.approve(step(ada), entry()), null);
      const revoked = { state: "revoked", isChanged: true };
      assert.deepEqual(await store.members.revoke(step(ada), entry()), revoked);
      const kept = { state: "revoked", isChanged: false };
      assert.deepEqual(await store.members.revoke(step(ada), entry()), kept);
      assert.deepEqual(await store.members.enroll(step(ada), "active", entry()), kept);
      assert.deepEqual(await statesOf(store, ada), ["active once", "revoked"]);
      const approved = { state: "active", isChanged: true };
      assert.deepEqual(await store.members.approve(step(ada), entry()), approved);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "T77 leaves one present membership of steps made at once",
    async run(store) {
      await addCup(store);
      const ada = await join(store, 1, "ada");
      const asked = [1, 2, 3].map(() => store.members.enroll(step(ada), "pending", entry()));
      const changed = (await Promise.all(asked)).filter((one) => one?.isChanged === true);
      assert.equal(changed.length, 1);
      const both = await Promise.all([
        store.members.approve(step(ada), entry()),
        store.members.revoke(step(ada), entry()),
      ]);
      assert.ok(both.every((one) => typeof one === "object" && one?.isChanged === true));
      const states = await statesOf(store, ada);
      assert.equal(states.length, 3);
      assert.ok(["active", "revoked"].includes(states[2]!));
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "forgets the memberships and the invitations of somebody who leaves",
    async run(store) {
      await addCup(store);
      const [ada, eve] = [await join(store, 1, "ada"), await join(store, 2, "eve")];
      await invite(store, "for-ada", { accountId: ada.id });
      await invite(store, "by-ada", { createdBy: ada.id });
      await use(store, "by-ada", step(eve));
      await use(store, "for-ada", step(ada));
      await store.accounts.leave(ada.id, leaving(), entry());
      assert.deepEqual(await store.members.ofAccount(ada.id), []);
      assert.deepEqual(
        (await store.members.of("cup")).map(({ handle }) => handle),
        ["eve"],
      );
      const [left, ...others] = await store.invitations.list("cup");
      assert.deepEqual(others, []);
      assert.deepEqual([left?.createdByHandle, left?.usedByHandle], [null, "eve"]);
    },
  },
];

const invitingCases: Case[] = [
  {
    name: "lets in by an invitation once, for whom and as long as it is",
    async run(store) {
      await addCup(store);
      await addCup(store, { id: "dusk" });
      const [ada, eve] = [await join(store, 1, "ada"), await join(store, 2, "eve")];
      await invite(store, "any", { createdBy: eve.id });
      await invite(store, "eves", { accountId: eve.id });
      await invite(store, "old", { expiresAt: NOW });
      await invite(store, "elsewhere", { ladderId: "dusk" });
      await invite(store, "back");
      await store.invitations.revoke("cup", "of-back", NOW, entry());
      for (const code of ["none", "eves", "old", "elsewhere", "back"])
        assert.equal(await use(store, code, step(ada)), "invalid_invitation", code);
      const entered = step(ada);
      assert.deepEqual(await use(store, "any", entered), { state: "active", isChanged: true });
      assert.equal(await use(store, "any", step(eve)), "invalid_invitation");
      const used = (await store.invitations.list("cup")).find(({ id }) => id === "of-any");
      assert.deepEqual(
        [used?.usedAt, used?.usedBy, used?.usedByHandle, used?.createdByHandle, used?.handle],
        [entered.at, ada.id, "ada", "eve", null],
      );
      const [note] = await store.audit.list({ kind: "invitation.used", limit: 9 });
      assert.deepEqual(note?.subject, { kind: "invitation", id: "of-any", name: "cup" });
      assert.equal((await store.audit.list({ kind: "member.enrolled", limit: 9 })).length, 1);
    },
  },
  {
    name: "keeps an invitation that changes nothing, and lets in who is pending",
    async run(store) {
      await addCup(store);
      const [ada, eve] = [await join(store, 1, "ada"), await join(store, 2, "eve")];
      await invite(store, "any");
      await store.members.enroll(step(ada), "active", entry());
      assert.deepEqual(await use(store, "any", step(ada)), { state: "active", isChanged: false });
      await store.members.revoke(step(ada), entry());
      assert.deepEqual(await use(store, "any", step(ada)), { state: "revoked", isChanged: false });
      await store.members.enroll(step(eve), "pending", entry());
      assert.deepEqual(await use(store, "any", step(eve)), { state: "active", isChanged: true });
      assert.deepEqual(await statesOf(store, eve), ["pending once", "active"]);
    },
  },
  {
    name: "T77 lets one of two in who use an invitation at once",
    async run(store) {
      await addCup(store);
      await invite(store, "any");
      const people = [await join(store, 1, "ada"), await join(store, 2, "eve")];
      const told = await Promise.all(people.map((one) => use(store, "any", step(one))));
      assert.deepEqual(told.map((one) => (typeof one === "object" ? one.state : one)).toSorted(), [
        "active",
        "invalid_invitation",
      ]);
      assert.equal((await store.members.of("cup")).length, 1);
    },
  },
  {
    name: "adds several invitations, all or none",
    async run(store) {
      await addCup(store);
      const ids = async () => (await store.invitations.list("cup")).map(({ id }) => id);
      const created = () => store.audit.list({ kind: "invitation.created", limit: 9 });
      const one = newInvitation("one", { label: "Team A" });
      const two = newInvitation("two");
      // The third write of the batch fails, after two that did not.
      const failing = store.invitations.add([one, two, newInvitation("three", {}, "one")]);
      await assert.rejects(failing, { code: "invalid" });
      assert.deepEqual([await ids(), await created()], [[], []]);
      const stranger = newInvitation("three", { accountId: sampleId("account", 9) });
      assert.equal(await store.invitations.add([one, two, stranger]), false);
      assert.deepEqual([await ids(), await created()], [[], []]);
      assert.equal(await store.invitations.add([one, two]), true);
      const rows = (await store.invitations.list("cup")).map(({ id, label }) => [id, label]);
      assert.deepEqual(Object.fromEntries(rows), { "of-one": "Team A", "of-two": null });
      assert.equal((await created()).length, 2);
    },
  },
  {
    name: "takes back an invitation that is not used",
    async run(store) {
      await addCup(store);
      const ada = await join(store, 1, "ada");
      await invite(store, "one");
      await invite(store, "two", { created: LATER });
      await use(store, "one", step(ada));
      const take = (id: string, ladderId = "cup") =>
        store.invitations.revoke(ladderId, id, LATER, entry({ kind: "invitation.revoked" }));
      assert.equal(await take("of-one"), "invitation_used");
      assert.deepEqual(await take("of-two"), { isChanged: true });
      assert.deepEqual(await take("of-two"), { isChanged: false });
      assert.equal(await take("of-two", "public"), null);
      assert.equal(await take("of-three"), null);
      const rows = await store.invitations.list("cup");
      assert.deepEqual(
        rows.map(({ id, revokedAt }) => [id, revokedAt]),
        [
          ["of-two", LATER],
          ["of-one", null],
        ],
      );
      assert.equal((await store.audit.list({ kind: "invitation.revoked", limit: 9 })).length, 1);
      assert.equal(await invite(store, "lost", { ladderId: "dusk" }), false);
      const stranger = { accountId: sampleId("account", 9) };
      assert.equal(await invite(store, "lost", stranger), false);
    },
  },
];

export const memberCases: Case[] = [...memberStepCases, ...invitingCases];
