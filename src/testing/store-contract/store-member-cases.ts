import assert from "node:assert/strict";

import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { InvitationRecord, NewInvitation } from "#data/store/invitation.ts";
import type { Store } from "#data/store/store.ts";

import { sampleEntry, addSampleAccount, CASE_LATER, CASE_NOW } from "./store-account-cases.ts";
import { deletionOptions } from "./store-account-deletion-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { addSampleLadder, auditKinds } from "./store-custom-ladder-cases.ts";
import { sampleId, sampleTime } from "./store-samples.ts";

let changeCount = 0;
const sampleChange = ({ id }: Pick<AccountRecord, "id">, ladderId = "cup") => {
  changeCount += 1;
  return { id: `step-${changeCount}`, ladderId, accountId: id, at: sampleTime(1000 + changeCount) };
};

const membershipStates = async (store: Store, { id }: AccountRecord) =>
  (await store.members.listByAccount(id)).map(({ state, until }) =>
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
    created: CASE_NOW,
    createdBy: null,
    expiresAt: sampleTime(9000),
    usedAt: null,
    usedBy: null,
    revokedAt: null,
    label: null,
    ...changes,
  },
  hash,
  audit: sampleEntry({ kind: "invitation.created", actor: SYSTEM_ACTOR }),
});

const addInvitation = (store: Store, code: string, changes: Partial<InvitationRecord> = {}) =>
  store.invitations.add([newInvitation(code, changes)]);

const redeemInvitation = (store: Store, code: string, change: ReturnType<typeof sampleChange>) =>
  store.invitations.redeem(code, change, {
    usedEntry: sampleEntry({ kind: "invitation.used" }),
    enrolledEntry: sampleEntry({ kind: "member.enrolled" }),
  });

const membershipChangeCases: StoreCase[] = [
  {
    name: "closes and keeps each interval of a membership",
    async run(store) {
      await addSampleLadder(store);
      const ada = await addSampleAccount(store, 1, "ada");
      const request = sampleChange(ada);
      const enrolled = () => sampleEntry({ kind: "member.enrolled" });
      const outcomes = [
        await store.members.enroll(request, "pending", enrolled()),
        await store.members.enroll(sampleChange(ada), "pending", enrolled()),
        await store.members.approve(sampleChange(ada), sampleEntry({ kind: "member.approved" })),
        await store.members.enroll(sampleChange(ada), "pending", enrolled()),
        await store.members.revoke(
          sampleChange(ada),
          sampleEntry({ kind: "member.revoked", reason: "loud" }),
        ),
        await store.members.enroll(sampleChange(ada), "active", enrolled()),
        await store.members.withdraw(sampleChange(ada), sampleEntry({ kind: "member.withdrew" })),
        await store.members.approve(sampleChange(ada), sampleEntry({ kind: "member.approved" })),
        await store.members.withdraw(sampleChange(ada), sampleEntry({ kind: "member.withdrew" })),
        await store.members.withdraw(sampleChange(ada), sampleEntry({ kind: "member.withdrew" })),
      ];
      assert.deepEqual(
        outcomes.map(
          (outcome) =>
            outcome && typeof outcome === "object" && `${outcome.state} ${outcome.isChanged}`,
        ),
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
      const rows = await store.members.listByAccount(ada.id);
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
      assert.deepEqual([rows[0]?.id, rows[0]?.since], [request.id, request.at]);
      assert.deepEqual(
        (await auditKinds(store)).map((kind) => kind.slice(7)),
        ["enrolled", "approved", "revoked", "approved", "withdrew"],
      );
    },
  },
  {
    name: "lists the current members of a ladder, the active ones of all, and counts them",
    async run(store) {
      await addSampleLadder(store);
      await addSampleLadder(store, { id: "dusk" });
      const [ada, eve, bob] = [
        await addSampleAccount(store, 1, "ada"),
        await addSampleAccount(store, 2),
        await addSampleAccount(store, 3, "bob"),
      ];
      await store.members.enroll(sampleChange(ada), "active", sampleEntry());
      await store.members.enroll(sampleChange(eve), "pending", sampleEntry());
      await store.members.enroll(sampleChange(bob), "active", sampleEntry());
      await store.members.withdraw(sampleChange(bob), sampleEntry());
      await store.members.enroll(sampleChange(ada, "dusk"), "active", sampleEntry());
      const listItems = await store.members.list("cup");
      assert.deepEqual(
        listItems.map(({ accountId, handle, state }) => [accountId, handle, state]),
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
    name: "changes nothing for an account that never asked, is banned or doesn't exist",
    async run(store) {
      await addSampleLadder(store);
      const ada = await addSampleAccount(store, 1, "ada");
      assert.equal(await store.members.approve(sampleChange(ada), sampleEntry()), null);
      assert.equal(await store.members.revoke(sampleChange(ada), sampleEntry()), null);
      assert.equal(
        await store.members.enroll(sampleChange(ada, "dusk"), "active", sampleEntry()),
        null,
      );
      const missingAccount = { id: sampleId("account", 9) };
      assert.equal(
        await store.members.enroll(sampleChange(missingAccount), "active", sampleEntry()),
        null,
      );
      await store.members.enroll(sampleChange(ada), "pending", sampleEntry());
      await store.accounts.setBan(ada.id, { at: CASE_NOW, reason: null }, sampleEntry());
      assert.equal(await store.members.approve(sampleChange(ada), sampleEntry()), "account_banned");
      assert.deepEqual(await membershipStates(store, ada), ["pending"]);
    },
  },
  {
    name: "revokes a member who has left, who then needs approval to return",
    async run(store) {
      await addSampleLadder(store);
      const ada = await addSampleAccount(store, 1, "ada");
      await store.members.enroll(sampleChange(ada), "active", sampleEntry());
      await store.members.withdraw(sampleChange(ada), sampleEntry());
      assert.equal(await store.members.approve(sampleChange(ada), sampleEntry()), null);
      const revoked = { state: "revoked", isChanged: true };
      assert.deepEqual(await store.members.revoke(sampleChange(ada), sampleEntry()), revoked);
      const revokedOutcome = { state: "revoked", isChanged: false };
      assert.deepEqual(
        await store.members.revoke(sampleChange(ada), sampleEntry()),
        revokedOutcome,
      );
      assert.deepEqual(
        await store.members.enroll(sampleChange(ada), "active", sampleEntry()),
        revokedOutcome,
      );
      assert.deepEqual(await membershipStates(store, ada), ["active once", "revoked"]);
      const approved = { state: "active", isChanged: true };
      assert.deepEqual(await store.members.approve(sampleChange(ada), sampleEntry()), approved);
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "T77 keeps one open membership after concurrent steps",
    async run(store) {
      await addSampleLadder(store);
      const ada = await addSampleAccount(store, 1, "ada");
      const request = [1, 2, 3].map(() =>
        store.members.enroll(sampleChange(ada), "pending", sampleEntry()),
      );
      const changed = (await Promise.all(request)).filter((outcome) => outcome?.isChanged === true);
      assert.equal(changed.length, 1);
      const bothOutcomes = await Promise.all([
        store.members.approve(sampleChange(ada), sampleEntry()),
        store.members.revoke(sampleChange(ada), sampleEntry()),
      ]);
      assert.ok(
        bothOutcomes.every((outcome) => typeof outcome === "object" && outcome?.isChanged === true),
      );
      const states = await membershipStates(store, ada);
      assert.equal(states.length, 3);
      assert.ok(["active", "revoked"].includes(states[2]!));
      assert.deepEqual(await store.database.faults(), []);
    },
  },
  {
    name: "deletes memberships and invitations with their account",
    async run(store) {
      await addSampleLadder(store);
      const [ada, eve] = [
        await addSampleAccount(store, 1, "ada"),
        await addSampleAccount(store, 2, "eve"),
      ];
      await addInvitation(store, "for-ada", { accountId: ada.id });
      await addInvitation(store, "by-ada", { createdBy: ada.id });
      await redeemInvitation(store, "by-ada", sampleChange(eve));
      await redeemInvitation(store, "for-ada", sampleChange(ada));
      await store.accounts.delete(ada.id, deletionOptions(), sampleEntry());
      assert.deepEqual(await store.members.listByAccount(ada.id), []);
      assert.deepEqual(
        (await store.members.list("cup")).map(({ handle }) => handle),
        ["eve"],
      );
      const [firstInvitation, ...otherInvitations] = await store.invitations.list("cup");
      assert.deepEqual(otherInvitations, []);
      assert.deepEqual(
        [firstInvitation?.createdByHandle, firstInvitation?.usedByHandle],
        [null, "eve"],
      );
    },
  },
];

const invitationCases: StoreCase[] = [
  {
    name: "accepts an invitation once, from the invited account, before it expires",
    async run(store) {
      await addSampleLadder(store);
      await addSampleLadder(store, { id: "dusk" });
      const [ada, eve] = [
        await addSampleAccount(store, 1, "ada"),
        await addSampleAccount(store, 2, "eve"),
      ];
      await addInvitation(store, "any", { createdBy: eve.id });
      await addInvitation(store, "eves", { accountId: eve.id });
      await addInvitation(store, "old", { expiresAt: CASE_NOW });
      await addInvitation(store, "elsewhere", { ladderId: "dusk" });
      await addInvitation(store, "back");
      await store.invitations.revoke("cup", "of-back", CASE_NOW, sampleEntry());
      for (const code of ["none", "eves", "old", "elsewhere", "back"])
        assert.equal(
          await redeemInvitation(store, code, sampleChange(ada)),
          "invalid_invitation",
          code,
        );
      const entered = sampleChange(ada);
      assert.deepEqual(await redeemInvitation(store, "any", entered), {
        state: "active",
        isChanged: true,
      });
      assert.equal(await redeemInvitation(store, "any", sampleChange(eve)), "invalid_invitation");
      const used = (await store.invitations.list("cup")).find(({ id }) => id === "of-any");
      assert.deepEqual(
        [used?.usedAt, used?.usedBy, used?.usedByHandle, used?.createdByHandle, used?.handle],
        [entered.at, ada.id, "ada", "eve", null],
      );
      const [auditEntry] = await store.audit.list({ kind: "invitation.used", limit: 9 });
      assert.deepEqual(auditEntry?.subject, { kind: "invitation", id: "of-any", name: "cup" });
      assert.equal((await store.audit.list({ kind: "member.enrolled", limit: 9 })).length, 1);
    },
  },
  {
    name: "keeps an invitation that changes nothing, and admits a pending member",
    async run(store) {
      await addSampleLadder(store);
      const [ada, eve] = [
        await addSampleAccount(store, 1, "ada"),
        await addSampleAccount(store, 2, "eve"),
      ];
      await addInvitation(store, "any");
      await store.members.enroll(sampleChange(ada), "active", sampleEntry());
      assert.deepEqual(await redeemInvitation(store, "any", sampleChange(ada)), {
        state: "active",
        isChanged: false,
      });
      await store.members.revoke(sampleChange(ada), sampleEntry());
      assert.deepEqual(await redeemInvitation(store, "any", sampleChange(ada)), {
        state: "revoked",
        isChanged: false,
      });
      await store.members.enroll(sampleChange(eve), "pending", sampleEntry());
      assert.deepEqual(await redeemInvitation(store, "any", sampleChange(eve)), {
        state: "active",
        isChanged: true,
      });
      assert.deepEqual(await membershipStates(store, eve), ["pending once", "active"]);
    },
  },
  {
    name: "T77 admits one of two concurrent accounts with the same invitation",
    async run(store) {
      await addSampleLadder(store);
      await addInvitation(store, "any");
      const people = [
        await addSampleAccount(store, 1, "ada"),
        await addSampleAccount(store, 2, "eve"),
      ];
      const outcomes = await Promise.all(
        people.map((outcome) => redeemInvitation(store, "any", sampleChange(outcome))),
      );
      assert.deepEqual(
        outcomes
          .map((outcome) => (typeof outcome === "object" ? outcome.state : outcome))
          .toSorted(),
        ["active", "invalid_invitation"],
      );
      assert.equal((await store.members.list("cup")).length, 1);
    },
  },
  {
    name: "adds several invitations, all or none",
    async run(store) {
      await addSampleLadder(store);
      const ids = async () => (await store.invitations.list("cup")).map(({ id }) => id);
      const created = () => store.audit.list({ kind: "invitation.created", limit: 9 });
      const outcome = newInvitation("one", { label: "Team A" });
      const two = newInvitation("two");
      // The third write of the batch fails after two successful writes.
      const failing = store.invitations.add([outcome, two, newInvitation("three", {}, "one")]);
      await assert.rejects(failing, { code: "invalid" });
      assert.deepEqual([await ids(), await created()], [[], []]);
      const otherAccount = newInvitation("three", { accountId: sampleId("account", 9) });
      assert.equal(await store.invitations.add([outcome, two, otherAccount]), false);
      assert.deepEqual([await ids(), await created()], [[], []]);
      assert.equal(await store.invitations.add([outcome, two]), true);
      const rows = (await store.invitations.list("cup")).map(({ id, label }) => [id, label]);
      assert.deepEqual(Object.fromEntries(rows), { "of-one": "Team A", "of-two": null });
      assert.equal((await created()).length, 2);
    },
  },
  {
    name: "revokes an unused invitation",
    async run(store) {
      await addSampleLadder(store);
      const ada = await addSampleAccount(store, 1, "ada");
      await addInvitation(store, "one");
      await addInvitation(store, "two", { created: CASE_LATER });
      await redeemInvitation(store, "one", sampleChange(ada));
      const take = (id: string, ladderId = "cup") =>
        store.invitations.revoke(
          ladderId,
          id,
          CASE_LATER,
          sampleEntry({ kind: "invitation.revoked" }),
        );
      assert.equal(await take("of-one"), "invitation_used");
      assert.deepEqual(await take("of-two"), { isChanged: true });
      assert.deepEqual(await take("of-two"), { isChanged: false });
      assert.equal(await take("of-two", "public"), null);
      assert.equal(await take("of-three"), null);
      const rows = await store.invitations.list("cup");
      assert.deepEqual(
        rows.map(({ id, revokedAt }) => [id, revokedAt]),
        [
          ["of-two", CASE_LATER],
          ["of-one", null],
        ],
      );
      assert.equal((await store.audit.list({ kind: "invitation.revoked", limit: 9 })).length, 1);
      assert.equal(await addInvitation(store, "lost", { ladderId: "dusk" }), false);
      const otherAccount = { accountId: sampleId("account", 9) };
      assert.equal(await addInvitation(store, "lost", otherAccount), false);
    },
  },
];

export const memberCases: StoreCase[] = [...membershipChangeCases, ...invitationCases];
