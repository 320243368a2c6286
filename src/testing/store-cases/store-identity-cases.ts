// What the store must do for people of the embedded identity provider.

import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import {
  addPeople,
  AT,
  CONSENT,
  FLOW,
  HASH,
  LATER,
  sampleAuthorization,
  sampleClient,
  sampleLink,
  sampleSession,
  sampleUser,
  TOKEN,
} from "./identity-samples.ts";
import type { Case } from "./store-case.ts";

/** All tokens of the samples are good. */
const AGES = { after: "2000-01-01T00:00:00.000Z", before: "2100-01-01T00:00:00.000Z" };
const TIMES = { at: LATER, ...AGES, reserved: ["chief@example.org"] };

/** The token of a link, if it is there. */
async function takeLink(
  identity: Store["identity"],
  hash: string,
  purpose: "signup" | "recovery" = "signup",
) {
  return (await identity.redeem({ hash, purpose }, TIMES))?.token ?? null;
}

const userCases: Case[] = [
  {
    name: "finds a user by address, id and identity, over a reopening",
    async run(store, reopen) {
      await addPeople(store, 2);
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
        { emailConfirmedAt: LATER },
        { emailConfirmedAt: null, createdAt: "2026-01-01T00:00:03.000Z" },
        { emailConfirmedAt: null, email: null },
        { emailConfirmedAt: null, createdAt: "2026-01-01T00:00:02.000Z" },
      ];
      for (const [at, change] of changes.entries())
        await identity.addUser(sampleUser(at + 1, change), sampleLink(at + 1));
      const { total, users } = await identity.unconfirmed(2);
      assert.equal(total, 3);
      assert.deepEqual(
        users.map(({ id }) => id),
        ["user-3", "user-5"],
      );
    },
  },
  {
    name: "gives an address to one user, and none to any number",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      assert.equal(await identity.addUser(sampleUser(1), sampleLink(1)), "added");
      const other = sampleUser(2, { email: "user-1@example.org" });
      assert.equal(await identity.addUser(other, sampleLink(2)), "email_taken");
      assert.equal(await identity.userById("user-2"), null);
      for (const number of [3, 4]) {
        const user = sampleUser(number, { email: null });
        const social = sampleLink(number, { provider: "github", email: null });
        assert.equal(await identity.addUser(user, social), "added");
      }
    },
  },
  {
    name: "gives an address to one of many that ask at once",
    async run({ identity }) {
      const adds = Array.from({ length: 8 }, (_, number) =>
        identity.addUser(sampleUser(number, { email: "one@example.org" }), sampleLink(number)),
      );
      const outcomes = await Promise.all(adds);
      assert.equal(outcomes.filter((outcome) => outcome === "added").length, 1);
    },
  },
  {
    name: "changes what is given, and no address to that of another user",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      const changes = { emailConfirmedAt: LATER, userData: { colour: "blue" }, passwordHash: null };
      assert.deepEqual(await identity.changeUser("user-1", changes), sampleUser(1, changes));
      assert.deepEqual(await identity.changeUser("user-1", {}), sampleUser(1, changes));
      const taken = { email: "user-2@example.org", updatedAt: LATER };
      assert.equal(await identity.changeUser("user-1", taken), "email_taken");
      assert.deepEqual(await identity.userById("user-1"), sampleUser(1, changes));
      assert.equal(await identity.changeUser("user-9", changes), null);
    },
  },
  {
    name: "links an identity once, and never to a second user",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      const social = sampleLink(9, { provider: "github", subject: "77", userId: "user-1" });
      await identity.linkIdentity(social);
      await identity.linkIdentity({ ...social, id: "link-8", email: null, lastSignInAt: LATER });
      const found = (await identity.identitiesOf("user-1")).map((one) => [one.id, one.email]);
      assert.deepEqual(found, [
        ["link-1", "user-1@example.org"],
        ["link-9", null],
      ]);
      const stolen = { ...social, id: "link-7", userId: "user-2" };
      await assert.rejects(identity.linkIdentity(stolen), { code: "invalid" });
      assert.equal((await identity.userByIdentity("github", "77"))?.id, "user-1");
    },
  },
  {
    name: "deletes a user with everything of theirs",
    async run({ identity, grants, ...store }) {
      await addPeople({ identity, grants, ...store }, 2);
      await identity.addSession(sampleSession(1), HASH);
      await identity.putToken(TOKEN, []);
      await identity.addFlow(FLOW);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("authorization-1"));
      await grants.claim("authorization-1", "user-1");
      await grants.approve("authorization-1", "code-9", CONSENT);
      assert.equal(await identity.deleteUser("user-1"), true);
      assert.equal(await identity.deleteUser("user-1"), false);
      assert.equal(await identity.session("session-1"), null);
      assert.equal(await takeLink(identity, "token-1"), null);
      assert.equal(await identity.flow("flow-1"), null);
      assert.equal(await grants.byCode("code-9"), null);
      assert.deepEqual(await grants.list("user-1"), []);
      assert.equal(await identity.userByIdentity("email", "user-1"), null);
      assert.equal((await identity.userById("user-2"))?.id, "user-2");
    },
  },
];

const sessionCases: Case[] = [
  {
    name: "moves a session on once for each number, and gives it with its user",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const client = { id: "client-1", scope: "openid", resource: "http://localhost/mcp" };
      await identity.addSession(sampleSession(1, { client }), HASH);
      await identity.addSession(sampleSession(1, { method: "otp" }), HASH);
      const rotation = { from: 0, counter: 2, parent: 0, at: LATER };
      const same = Array.from({ length: 5 }, () => identity.rotateSession("session-1", rotation));
      const moved = sampleSession(1, { client, counter: 2, parent: 0, refreshedAt: LATER });
      assert.deepEqual(
        await Promise.all(same),
        Array.from({ length: 5 }, () => moved),
      );
      assert.deepEqual(await identity.session("session-1"), {
        session: moved,
        user: sampleUser(1, { lastSignInAt: AT }),
      });
      assert.equal(await identity.rotateSession("session-9", rotation), null);
    },
  },
  {
    name: "ends one session, all others, or all with what was sent out",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      for (const number of [1, 2, 3]) await identity.addSession(sampleSession(number), HASH);
      await identity.addSession(sampleSession(9, { userId: "user-2" }), HASH);
      const alive = async () => {
        const found = await Promise.all([1, 2, 3, 9].map((n) => identity.session(`session-${n}`)));
        return found.flatMap((one) => one?.session.id ?? []);
      };
      assert.equal(await identity.sessionCount(), 4);
      assert.equal(await identity.endSession("session-3"), true);
      assert.equal(await identity.endSession("session-3"), false);
      assert.deepEqual(await alive(), ["session-1", "session-2", "session-9"]);
      await identity.changeUser("user-1", {}, { ends: { except: "session-1" } });
      assert.deepEqual(await alive(), ["session-1", "session-9"]);
      await identity.putToken(TOKEN, []);
      await identity.addFlow(FLOW);
      await identity.changeUser("user-1", { passwordHash: "new" }, { ends: "all" });
      assert.deepEqual(await alive(), ["session-9"]);
      assert.equal(await identity.sessionCount(), 1);
      assert.equal(await takeLink(identity, "token-1"), null);
      assert.equal(await identity.takeFlow("flow-1"), null);
    },
  },
];

const askingCases: Case[] = [
  {
    name: "adds no session by a password that has changed, or for a user who is gone",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      const signIn = (number: number, userId: string, hash: string | null) =>
        identity.addSession(sampleSession(number, { userId, createdAt: LATER }), hash);
      const signedIn = sampleUser(1, { lastSignInAt: LATER });
      assert.deepEqual(await signIn(1, "user-1", HASH), signedIn);
      const changes = { passwordHash: "new" };
      const [, raced] = await Promise.all([
        identity.changeUser("user-1", changes, { ends: "all" }),
        signIn(2, "user-1", HASH),
      ]);
      assert.equal(raced, null);
      assert.equal(await signIn(3, "user-1", null), null);
      const [, gone] = await Promise.all([
        identity.deleteUser("user-2"),
        signIn(4, "user-2", HASH),
      ]);
      assert.equal(gone, null);
      for (const number of [1, 2, 3, 4])
        assert.equal(await identity.session(`session-${number}`), null);
      assert.deepEqual(await signIn(5, "user-1", "new"), { ...signedIn, ...changes });
    },
  },
  {
    name: "changes nothing for a session that has ended, or is another user's",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      await identity.addSession(sampleSession(1), HASH);
      await identity.addSession(sampleSession(2), HASH);
      await identity.addSession(sampleSession(9, { userId: "user-2" }), HASH);
      await identity.putToken(TOKEN, []);
      const changes = { passwordHash: "thief's", newEmail: "thief@example.org" };
      const change = (session: string) =>
        identity.changeUser("user-1", changes, { session, ends: { except: session } });
      await identity.endSession("session-1");
      for (const gone of ["session-1", "session-9"]) assert.equal(await change(gone), null);
      const before = sampleUser(1, { lastSignInAt: AT });
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
      await addPeople(store, 1);
      for (const number of [1, 2]) await identity.addSession(sampleSession(number), HASH);
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

export const identityCases: readonly Case[] = [...userCases, ...sessionCases, ...askingCases];
