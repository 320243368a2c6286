import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import {
  addSampleUsers,
  NOW_TIME,
  SAMPLE_CONSENT,
  SAMPLE_CODE_FLOW,
  SAMPLE_HASH,
  LATER_TIME,
  sampleAuthorization,
  sampleClient,
  sampleLink,
  sampleSession,
  sampleUser,
  SAMPLE_TOKEN,
} from "./identity-samples.ts";
import type { StoreCase } from "./store-case.ts";

/** A range that is wide enough for all sample tokens to be valid. */
const TOKEN_AGES = { after: "2000-01-01T00:00:00.000Z", before: "2100-01-01T00:00:00.000Z" };
const REDEEM_OPTIONS = { at: LATER_TIME, ...TOKEN_AGES, reserved: ["chief@example.org"] };

async function redeemLink(
  identity: Store["identity"],
  hash: string,
  purpose: "signup" | "recovery" = "signup",
) {
  return (await identity.redeem({ hash, purpose }, REDEEM_OPTIONS))?.token ?? null;
}

const userCases: StoreCase[] = [
  {
    name: "finds a user by address, ID and identity, also when reopened",
    async run(store, reopen) {
      await addSampleUsers(store, 2);
      const { identity } = await reopen();
      const user = sampleUser(2);
      assert.deepEqual(await identity.userByEmail("user-2@example.org"), user);
      assert.deepEqual(await identity.userById("user-2"), user);
      assert.deepEqual(await identity.userByIdentity("email", "user-2"), user);
      assert.equal(await identity.userByIdentity("github", "user-2"), null);
      assert.deepEqual(await identity.identitiesOf("user-2"), [sampleLink(2)]);
      assert.equal(await identity.userByEmail("nobody@example.org"), null);
    },
  },
  {
    name: "lists users with an unconfirmed address, newest first",
    async run(store) {
      const { identity } = store;
      const changes = [
        { emailConfirmedAt: null, createdAt: "2026-01-01T00:00:01.000Z" },
        { emailConfirmedAt: LATER_TIME },
        { emailConfirmedAt: null, createdAt: "2026-01-01T00:00:03.000Z" },
        { emailConfirmedAt: null, email: null },
        { emailConfirmedAt: null, createdAt: "2026-01-01T00:00:02.000Z" },
      ];
      for (const [index, change] of changes.entries())
        await identity.addUser(sampleUser(index + 1, change), sampleLink(index + 1));
      const { total, users } = await identity.listUnconfirmed(2);
      assert.equal(total, 3);
      assert.deepEqual(
        users.map(({ id }) => id),
        ["user-3", "user-5"],
      );
    },
  },
  {
    name: "gives an address to only one user, and allows many users without one",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      assert.equal(await identity.addUser(sampleUser(1), sampleLink(1)), "added");
      const sameEmailUser = sampleUser(2, { email: "user-1@example.org" });
      assert.equal(await identity.addUser(sameEmailUser, sampleLink(2)), "email_taken");
      assert.equal(await identity.userById("user-2"), null);
      for (const number of [3, 4]) {
        const user = sampleUser(number, { email: null });
        const social = sampleLink(number, { provider: "github", email: null });
        assert.equal(await identity.addUser(user, social), "added");
      }
    },
  },
  {
    name: "gives an address to one of many concurrent users",
    async run({ identity }) {
      const pendingAdds = Array.from({ length: 8 }, (_, number) =>
        identity.addUser(sampleUser(number, { email: "one@example.org" }), sampleLink(number)),
      );
      const outcomes = await Promise.all(pendingAdds);
      assert.equal(outcomes.filter((outcome) => outcome === "added").length, 1);
    },
  },
  {
    name: "changes the given fields, but rejects another user's address",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      const changes = {
        emailConfirmedAt: LATER_TIME,
        userData: { colour: "blue" },
        passwordHash: null,
      };
      assert.deepEqual(await identity.changeUser("user-1", changes), sampleUser(1, changes));
      assert.deepEqual(await identity.changeUser("user-1", {}), sampleUser(1, changes));
      const takenEmail = { email: "user-2@example.org", updatedAt: LATER_TIME };
      assert.equal(await identity.changeUser("user-1", takenEmail), "email_taken");
      assert.deepEqual(await identity.userById("user-1"), sampleUser(1, changes));
      assert.equal(await identity.changeUser("user-9", changes), null);
    },
  },
  {
    name: "links an identity once, and never to a second user",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      const social = sampleLink(9, { provider: "github", subject: "77", userId: "user-1" });
      await identity.linkIdentity(social);
      await identity.linkIdentity({
        ...social,
        id: "link-8",
        email: null,
        lastSignInAt: LATER_TIME,
      });
      const identityEmails = (await identity.identitiesOf("user-1")).map((identityRecord) => [
        identityRecord.id,
        identityRecord.email,
      ]);
      assert.deepEqual(identityEmails, [
        ["link-1", "user-1@example.org"],
        ["link-9", null],
      ]);
      const takenIdentity = { ...social, id: "link-7", userId: "user-2" };
      await assert.rejects(identity.linkIdentity(takenIdentity), { code: "invalid" });
      assert.equal((await identity.userByIdentity("github", "77"))?.id, "user-1");
    },
  },
  {
    name: "deletes a user with all their data",
    async run({ identity, grants, ...store }) {
      await addSampleUsers({ identity, grants, ...store }, 2);
      await identity.addSession(sampleSession(1), SAMPLE_HASH);
      await identity.putToken(SAMPLE_TOKEN, []);
      await identity.addFlow(SAMPLE_CODE_FLOW);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("authorization-1"));
      await grants.claim("authorization-1", "user-1");
      await grants.approve("authorization-1", "code-9", SAMPLE_CONSENT);
      assert.equal(await identity.deleteUser("user-1"), true);
      assert.equal(await identity.deleteUser("user-1"), false);
      assert.equal(await identity.session("session-1"), null);
      assert.equal(await redeemLink(identity, "token-1"), null);
      assert.equal(await identity.flow("flow-1"), null);
      assert.equal(await grants.byCode("code-9"), null);
      assert.deepEqual(await grants.list("user-1"), []);
      assert.equal(await identity.userByIdentity("email", "user-1"), null);
      assert.equal((await identity.userById("user-2"))?.id, "user-2");
    },
  },
];

const sessionCases: StoreCase[] = [
  {
    name: "advances a session once per token number, and returns it with its user",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const client = { id: "client-1", scope: "openid", resource: "http://localhost/mcp" };
      await identity.addSession(sampleSession(1, { client }), SAMPLE_HASH);
      await identity.addSession(sampleSession(1, { method: "otp" }), SAMPLE_HASH);
      const rotation = { from: 0, counter: 2, parent: 0, at: LATER_TIME };
      const repeatedRotation = Array.from({ length: 5 }, () =>
        identity.rotateSession("session-1", rotation),
      );
      const changedUser = sampleSession(1, {
        client,
        counter: 2,
        parent: 0,
        refreshedAt: LATER_TIME,
      });
      assert.deepEqual(
        await Promise.all(repeatedRotation),
        Array.from({ length: 5 }, () => changedUser),
      );
      assert.deepEqual(await identity.session("session-1"), {
        session: changedUser,
        user: sampleUser(1, { lastSignInAt: NOW_TIME }),
      });
      assert.equal(await identity.rotateSession("session-9", rotation), null);
    },
  },
  {
    name: "ends one session, all others, or all with pending emails",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      for (const number of [1, 2, 3]) await identity.addSession(sampleSession(number), SAMPLE_HASH);
      await identity.addSession(sampleSession(9, { userId: "user-2" }), SAMPLE_HASH);
      const sessionIds = async () => {
        const sessions = await Promise.all(
          [1, 2, 3, 9].map((number) => identity.session(`session-${number}`)),
        );
        return sessions.flatMap((identityRecord) => identityRecord?.session.id ?? []);
      };
      assert.equal(await identity.sessionCount(), 4);
      assert.equal(await identity.endSession("session-3"), true);
      assert.equal(await identity.endSession("session-3"), false);
      assert.deepEqual(await sessionIds(), ["session-1", "session-2", "session-9"]);
      await identity.changeUser("user-1", {}, { ends: { except: "session-1" } });
      assert.deepEqual(await sessionIds(), ["session-1", "session-9"]);
      await identity.putToken(SAMPLE_TOKEN, []);
      await identity.addFlow(SAMPLE_CODE_FLOW);
      await identity.changeUser("user-1", { passwordHash: "new" }, { ends: "all" });
      assert.deepEqual(await sessionIds(), ["session-9"]);
      assert.equal(await identity.sessionCount(), 1);
      assert.equal(await redeemLink(identity, "token-1"), null);
      assert.equal(await identity.consumeFlow("flow-1"), null);
    },
  },
];

const sessionCheckCases: StoreCase[] = [
  {
    name: "adds no session for a changed password or a deleted user",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      const signIn = (number: number, userId: string, hash: string | null) =>
        identity.addSession(sampleSession(number, { userId, createdAt: LATER_TIME }), hash);
      const signedIn = sampleUser(1, { lastSignInAt: LATER_TIME });
      assert.deepEqual(await signIn(1, "user-1", SAMPLE_HASH), signedIn);
      const changes = { passwordHash: "new" };
      const [, racedChange] = await Promise.all([
        identity.changeUser("user-1", changes, { ends: "all" }),
        signIn(2, "user-1", SAMPLE_HASH),
      ]);
      assert.equal(racedChange, null);
      assert.equal(await signIn(3, "user-1", null), null);
      const [, endedChange] = await Promise.all([
        identity.deleteUser("user-2"),
        signIn(4, "user-2", SAMPLE_HASH),
      ]);
      assert.equal(endedChange, null);
      for (const number of [1, 2, 3, 4])
        assert.equal(await identity.session(`session-${number}`), null);
      assert.deepEqual(await signIn(5, "user-1", "new"), { ...signedIn, ...changes });
    },
  },
  {
    name: "changes nothing for a session that has ended or is another user's",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      await identity.addSession(sampleSession(1), SAMPLE_HASH);
      await identity.addSession(sampleSession(2), SAMPLE_HASH);
      await identity.addSession(sampleSession(9, { userId: "user-2" }), SAMPLE_HASH);
      await identity.putToken(SAMPLE_TOKEN, []);
      const changes = { passwordHash: "thief's", newEmail: "thief@example.org" };
      const change = (session: string) =>
        identity.changeUser("user-1", changes, { session, ends: { except: session } });
      await identity.endSession("session-1");
      for (const endedChange of ["session-1", "session-9"])
        assert.equal(await change(endedChange), null);
      const before = sampleUser(1, { lastSignInAt: NOW_TIME });
      assert.deepEqual(await identity.session("session-2"), {
        session: sampleSession(2),
        user: before,
      });
      assert.notEqual(await identity.token("token-1"), null);
      assert.deepEqual(await change("session-2"), { ...before, ...changes });
    },
  },
  {
    name: "lets only the first of two sessions that end each other change the password",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      for (const number of [1, 2]) await identity.addSession(sampleSession(number), SAMPLE_HASH);
      const changed = await Promise.all(
        ["session-1", "session-2"].map((session) =>
          identity.changeUser(
            "user-1",
            { passwordHash: session },
            { session, ends: { except: session } },
          ),
        ),
      );
      assert.deepEqual(
        changed.map((user) => user !== null && user !== "email_taken" && user.passwordHash),
        ["session-1", false],
      );
    },
  },
];

export const identityCases: readonly StoreCase[] = [
  ...userCases,
  ...sessionCases,
  ...sessionCheckCases,
];
