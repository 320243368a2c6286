// What the store must do for people of the embedded identity provider.

import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import {
  addPeople,
  AT,
  CONSENT,
  FLOW,
  LATER,
  sampleAuthorization,
  sampleClient,
  sampleLink,
  sampleSession,
  sampleUser,
  STATE,
  TOKEN,
} from "./identity-samples.ts";
import type { Case } from "./store-case.ts";

/** All tokens of the samples are good. */
const TIMES = { at: LATER, after: "2000-01-01T00:00:00.000Z", before: "2100-01-01T00:00:00.000Z" };

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
      await identity.addSession(sampleSession(1));
      await identity.putToken(TOKEN);
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
      await identity.addSession(sampleSession(1, { client }));
      await identity.addSession(sampleSession(1, { method: "otp" }));
      const same = Array.from({ length: 5 }, () => identity.rotateSession("session-1", 0, LATER));
      const moved = sampleSession(1, { client, counter: 1, refreshedAt: LATER });
      assert.deepEqual(
        await Promise.all(same),
        Array.from({ length: 5 }, () => moved),
      );
      assert.deepEqual(await identity.session("session-1"), {
        session: moved,
        user: sampleUser(1),
      });
      assert.equal(await identity.rotateSession("session-9", 0, LATER), null);
    },
  },
  {
    name: "ends one session, all others, or all with what was sent out",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      for (const number of [1, 2, 3]) await identity.addSession(sampleSession(number));
      await identity.addSession(sampleSession(9, { userId: "user-2" }));
      const alive = async () => {
        const found = await Promise.all([1, 2, 3, 9].map((n) => identity.session(`session-${n}`)));
        return found.flatMap((one) => one?.session.id ?? []);
      };
      assert.equal(await identity.endSession("session-3"), true);
      assert.equal(await identity.endSession("session-3"), false);
      assert.deepEqual(await alive(), ["session-1", "session-2", "session-9"]);
      await identity.endSessions("user-1", { except: "session-1" });
      assert.deepEqual(await alive(), ["session-1", "session-9"]);
      await identity.putToken(TOKEN);
      await identity.addFlow(FLOW);
      await identity.changeUser("user-1", { passwordHash: "new" }, "all");
      assert.deepEqual(await alive(), ["session-9"]);
      assert.equal(await takeLink(identity, "token-1"), null);
      assert.equal(await identity.takeFlow("flow-1"), null);
    },
  },
];

const onceCases: Case[] = [
  {
    name: "gives each token and each flow to one of many that ask at once",
    async run(store) {
      const { identity, grants } = store;
      await addPeople(store, 1);
      await identity.putToken(TOKEN);
      await identity.addFlow(FLOW);
      await identity.addFlow(STATE);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("authorization-1"));
      await grants.claim("authorization-1", "user-1");
      await grants.approve("authorization-1", "code-9", CONSENT);
      const one = async <T>(make: () => Promise<T | null>) => {
        const given = await Promise.all(Array.from({ length: 6 }, make));
        return given.filter((value) => value !== null);
      };
      assert.deepEqual(await identity.flow("flow-1"), FLOW);
      assert.deepEqual(await one(() => takeLink(identity, "token-1")), [TOKEN]);
      assert.deepEqual(await one(() => identity.takeFlow("flow-1")), [FLOW]);
      assert.deepEqual(await one(() => identity.takeFlow("state-1")), [STATE]);
      assert.equal((await one(() => grants.takeCode("code-9"))).length, 1);
    },
  },
  {
    name: "keeps the newest three tokens of a purpose",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      await identity.putToken({ ...TOKEN, hash: "token-2", purpose: "recovery" });
      for (const number of [1, 3, 4, 5])
        await identity.putToken({
          ...TOKEN,
          hash: `token-${number}`,
          createdAt: new Date(Date.parse(AT) + number).toISOString(),
        });
      assert.equal(await takeLink(identity, "token-1"), null);
      assert.equal((await takeLink(identity, "token-2", "recovery"))?.purpose, "recovery");
      for (const hash of ["token-3", "token-4", "token-5"])
        assert.equal((await takeLink(identity, hash))?.hash, hash);
    },
  },
  {
    name: "takes a token by its code until too many were wrong",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const attempt = async (codeHash: string, purpose: "signup" | "recovery" = "signup") => {
        const key = { userId: "user-1", purpose, codeHash, mostTries: 3 };
        return (await identity.redeem(key, TIMES))?.token ?? null;
      };
      await identity.putToken(TOKEN);
      assert.equal(await attempt("wrong"), null);
      assert.equal(await attempt("code-1", "recovery"), null);
      assert.deepEqual(await attempt("code-1"), { ...TOKEN, tries: 1 });
      assert.equal(await attempt("code-1"), null);
      await identity.putToken(TOKEN);
      await Promise.all(["a", "b", "c"].map((code) => attempt(code)));
      assert.equal(await attempt("code-1"), null);
      assert.equal((await takeLink(identity, "token-1"))?.hash, "token-1");
    },
  },
  {
    name: "takes a token that is too old or of the future without doing what it was for",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      for (const times of [
        { ...TIMES, after: AT },
        { ...TIMES, before: AT },
      ]) {
        await identity.putToken(TOKEN);
        const key = { hash: "token-1", purpose: "signup" } as const;
        assert.equal(await identity.redeem(key, times), null);
        assert.equal(await identity.redeem(key, TIMES), null);
      }
      assert.equal((await identity.userById("user-1"))?.emailConfirmedAt, null);
    },
  },
  {
    name: "confirms the sign-up that a token was mailed for, or is too late for it",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const key = { hash: "token-1", purpose: "signup" } as const;
      const again = { passwordHash: "other", userData: {}, updatedAt: LATER };
      for (let round = 0; round < 8; round += 1) {
        await identity.changeUser("user-1", { emailConfirmedAt: null, passwordHash: "own" });
        await identity.putToken({ ...TOKEN, email: "user-1@example.org" });
        const [redeemed, replaced] = await Promise.all([
          identity.redeem(key, TIMES),
          identity.replaceSignUp("user-1", again),
        ]);
        const user = await identity.userById("user-1");
        assert.equal(redeemed === null, replaced !== null, "one of them comes first");
        assert.equal(user?.passwordHash, redeemed === null ? "other" : "own");
        assert.equal(user?.emailConfirmedAt, redeemed === null ? null : TIMES.at);
      }
    },
  },
  {
    name: "moves an address once, with the identity, unless somebody has it",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      const move = async (email: string) => {
        await identity.changeUser("user-1", { newEmail: email });
        await identity.putToken({ ...TOKEN, purpose: "email_change", email });
        return identity.redeem({ hash: "token-1", purpose: "email_change" }, TIMES);
      };
      assert.equal((await move("user-2@example.org"))?.user, null);
      const moved = await move("new@example.org");
      assert.deepEqual(
        [moved?.user?.email, moved?.user?.newEmail, moved?.formerEmail],
        ["new@example.org", null, "user-1@example.org"],
      );
      assert.equal((await identity.identitiesOf("user-1"))[0]?.email, "new@example.org");
    },
  },
  {
    name: "ends what is pending with the sessions: mails, codes, a change of address",
    async run(store) {
      const { identity, grants } = store;
      for (const [number, end] of [
        () => identity.endSessions("user-1", { except: "session-1" }),
        () => identity.endSessions("user-1", "all"),
        () => identity.changeUser("user-1", { passwordHash: "new" }, { except: "session-1" }),
      ].entries()) {
        if (number === 0) await addPeople(store, 1);
        if (number === 0) await grants.putClient(sampleClient("client-1"));
        await identity.changeUser("user-1", { newEmail: "thief@example.org" });
        await identity.putToken({ ...TOKEN, purpose: "email_change", email: "thief@example.org" });
        await identity.addFlow(FLOW);
        await grants.addAuthorization(sampleAuthorization(`authorization-${number}`));
        await grants.claim(`authorization-${number}`, "user-1");
        await grants.approve(`authorization-${number}`, "code-9", CONSENT);
        assert.ok(await identity.pendingToken("user-1", "email_change", TIMES.after));
        await end();
        assert.equal(await identity.pendingToken("user-1", "email_change", TIMES.after), null);
        assert.equal((await identity.userById("user-1"))?.newEmail, null);
        assert.equal(await identity.takeFlow("flow-1"), null);
        assert.equal(await grants.byCode("code-9"), null);
      }
    },
  },
  {
    name: "forgets tokens, flows, sessions and people that were never confirmed",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 3);
      await identity.changeUser("user-1", { emailConfirmedAt: AT });
      await identity.changeUser("user-3", { updatedAt: LATER });
      const social = sampleLink(4, { provider: "github", email: null });
      await identity.addUser(sampleUser(4, { email: null }), social);
      await identity.putToken(TOKEN);
      await identity.addFlow(FLOW);
      await identity.addFlow(STATE);
      await identity.addSession(sampleSession(1));
      await identity.addSession(sampleSession(2, { refreshedAt: LATER }));
      await identity.sweep({ unconfirmed: LATER, sessions: LATER, tokens: LATER });
      const users = await Promise.all([1, 2, 3, 4].map((n) => identity.userById(`user-${n}`)));
      assert.deepEqual(
        users.map((user) => user !== null),
        [true, false, true, true],
      );
      assert.equal(await takeLink(identity, "token-1"), null);
      assert.equal(await identity.flow("flow-1"), null);
      assert.deepEqual(await identity.flow("state-1"), STATE);
      assert.equal(await identity.session("session-1"), null);
      assert.equal((await identity.session("session-2"))?.session.id, "session-2");
    },
  },
];

export const identityCases: readonly Case[] = [...userCases, ...sessionCases, ...onceCases];
