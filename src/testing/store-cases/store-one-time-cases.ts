// Store contract: one-time tokens, codes and flows.

import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import {
  addPeople,
  AT,
  BEYOND,
  clientSession,
  CONSENT,
  FLOW,
  HASH,
  LATER,
  newSession,
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
const AGES = { after: "2000-01-01T00:00:00.000Z", before: "2100-01-01T00:00:00.000Z" };
export const TIMES = { at: LATER, ...AGES, reserved: ["chief@example.org"] };

export const CODE_KEY = {
  userId: "user-1",
  purpose: "signup",
  codeHash: "code-1",
  newest: 3,
  mostTries: 3,
  addressHash: "address-1",
  mostWrong: 100,
  countAfter: AGES.after,
  countBefore: AGES.before,
} as const;

/** The token of a link, if it is there. */
export async function takeLink(
  identity: Store["identity"],
  hash: string,
  purpose: "signup" | "recovery" = "signup",
) {
  return (await identity.redeem({ hash, purpose }, TIMES))?.token ?? null;
}

export const oneTimeCases: readonly Case[] = [
  {
    name: "gives each token and each flow to one of many that ask at once",
    async run(store) {
      const { identity, grants } = store;
      await addPeople(store, 1);
      await identity.putToken(TOKEN, []);
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
      assert.deepEqual(await one(() => identity.takeFlow("flow-1")), [FLOW]);
      assert.deepEqual(await one(() => identity.takeFlow("state-1")), [STATE]);
      const redeem = () => grants.redeemCode("code-9", clientSession("session-1"));
      assert.equal((await one(redeem)).length, 1);
      // Confirms the address, which ends whatever is pending.
      assert.deepEqual(await one(() => takeLink(identity, "token-1")), [TOKEN]);
    },
  },
  {
    name: "stores a token and ends only the named ones of its user and purpose",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      await identity.putToken({ ...TOKEN, hash: "token-2", purpose: "recovery" }, []);
      await identity.putToken({ ...TOKEN, hash: "token-6", userId: "user-2" }, []);
      for (const number of [1, 3, 4])
        await identity.putToken({ ...TOKEN, hash: `token-${number}` }, []);
      const ends = ["token-1", "token-2", "token-6"];
      await identity.putToken({ ...TOKEN, hash: "token-5" }, ends);
      const left = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((number) => identity.token(`token-${number}`)),
      );
      const names = left.flatMap((one) => one?.hash ?? []);
      assert.deepEqual(names, ["token-2", "token-3", "token-4", "token-5", "token-6"]);
      assert.deepEqual(left[2], { ...TOKEN, hash: "token-3" });
    },
  },
  {
    name: "takes a token by its code until too many were wrong",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const attempt = async (codeHash: string, purpose: "signup" | "recovery" = "signup") => {
        const outcome = await identity.redeemCode({ ...CODE_KEY, purpose, codeHash }, TIMES);
        return "token" in outcome ? outcome.token : null;
      };
      await identity.putToken(TOKEN, []);
      assert.equal(await attempt("wrong"), null);
      assert.equal(await attempt("code-1", "recovery"), null);
      assert.deepEqual(await attempt("code-1"), { ...TOKEN, tries: 1 });
      assert.equal(await attempt("code-1"), null);
      await identity.putToken(TOKEN, []);
      await Promise.all(["a", "b", "c"].map((code) => attempt(code)));
      assert.equal(await attempt("code-1"), null);
      assert.equal((await takeLink(identity, "token-1"))?.hash, "token-1");
    },
  },
  {
    name: "counts wrong codes by address, known or not, across emails, until the day is over",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const attempt = (changes: object) =>
        identity.redeemCode({ ...CODE_KEY, codeHash: "wrong", mostWrong: 3, ...changes }, TIMES);
      const unknown = { userId: "", addressHash: "address-2" };
      assert.deepEqual(await attempt({}), { wrongCodes: 1 });
      assert.deepEqual(await attempt({ purpose: "recovery" }), { wrongCodes: 2 });
      assert.deepEqual(await attempt(unknown), { wrongCodes: 1 });
      assert.deepEqual(await attempt({}), { wrongCodes: 3 });
      await identity.putToken(TOKEN, []);
      assert.deepEqual(await attempt({ codeHash: "code-1" }), { wrongCodes: 4 });
      await identity.putToken({ ...TOKEN, hash: "token-2" }, []);
      const nextDay = { codeHash: "code-1", countAfter: LATER };
      const outcome = await attempt(nextDay);
      assert.ok("token" in outcome, "the count of before is over");
      assert.deepEqual(await attempt({ countAfter: LATER }), { wrongCodes: 1 });
      const many = Array.from({ length: 5 }, () => attempt(unknown));
      const counts = (await Promise.all(many)).map((one) => ("token" in one ? 0 : one.wrongCodes));
      assert.deepEqual(
        counts.toSorted((one, other) => one - other),
        [2, 3, 4, 5, 6],
      );
      await identity.sweep({ unconfirmed: AT, sessions: AT, tokens: BEYOND });
      assert.deepEqual(await attempt(unknown), { wrongCodes: 1 });
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
        await identity.putToken(TOKEN, []);
        const key = { hash: "token-1", purpose: "signup" } as const;
        assert.equal(await identity.redeem(key, times), null);
        assert.equal(await identity.redeem(key, TIMES), null);
      }
      assert.equal((await identity.userById("user-1"))?.emailConfirmedAt, null);
    },
  },
  {
    name: "confirms an address without a password, and ends every other sign-up of it",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const token = { ...TOKEN, email: "user-1@example.org" };
      for (const number of [1, 2, 3])
        await identity.putToken({ ...token, hash: `token-${number}` }, []);
      await identity.putToken({ ...token, hash: "token-4", purpose: "recovery" }, []);
      await identity.addFlow(FLOW);
      const redeemed = await identity.redeem({ hash: "token-2", purpose: "signup" }, TIMES);
      const none = { passwordHash: null, userData: {} };
      const confirmed = { emailConfirmedAt: LATER, updatedAt: LATER, ...none };
      assert.deepEqual(redeemed?.user, sampleUser(1, confirmed));
      assert.deepEqual(redeemed?.token.signUp, TOKEN.signUp);
      for (const hash of ["token-1", "token-3", "token-4"])
        assert.equal(await identity.token(hash), null);
      assert.equal(await identity.flow("flow-1"), null);
      await identity.putToken({ ...token, hash: "token-5" }, []);
      const late = await identity.redeem({ hash: "token-5", purpose: "signup" }, TIMES);
      assert.equal(late?.user, null, "a sign-up that comes later does nothing");
    },
  },
  {
    name: "gives a first password once, and never in place of another",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      const chosen = (passwordHash: string) => ({ passwordHash, userData: { passwordHash } });
      await identity.addSession(sampleSession(1), HASH);
      const set = (id: string, password: string, session = "session-1") =>
        identity.setFirstPassword(id, chosen(password), LATER, session);
      assert.equal(await set("user-1", "mine"), null);
      assert.deepEqual(await identity.userById("user-1"), sampleUser(1, { lastSignInAt: AT }));
      await identity.changeUser("user-1", { passwordHash: null });
      for (const session of ["session-2", "session-9"]) {
        if (session === "session-9")
          await identity.addSession(sampleSession(9, { userId: "user-2" }), HASH);
        assert.equal(await set("user-1", "mine", session), null, "of an ended session");
      }
      await identity.putToken(TOKEN, []);
      await identity.addFlow(FLOW);
      const all = await Promise.all(["a", "b", "c"].map((name) => set("user-1", name)));
      const [first, ...others] = all.filter((one) => one !== null);
      assert.deepEqual(others, []);
      assert.deepEqual(await identity.userById("user-1"), first);
      assert.deepEqual(first?.userData, { passwordHash: first?.passwordHash });
      assert.equal(await identity.token("token-1"), null);
      assert.equal(await identity.flow("flow-1"), null);
      assert.notEqual(await identity.session("session-1"), null);
      assert.equal(await set("user-9", "x"), null);
    },
  },
  {
    name: "adds what a token gives in the same step, bound as the token was",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const gains = {
        session: newSession("session-1"),
        code: { hash: "flow-2", method: "recovery" },
        invite: { hash: "invite-1", codeHash: "none" },
      };
      const key = { hash: "token-1", purpose: "signup" } as const;
      assert.equal(await identity.redeem(key, TIMES, gains), null);
      assert.equal(await identity.session("session-1"), null, "no token, no session");
      await identity.putToken(TOKEN, []);
      const redeemed = await identity.redeem(key, TIMES, gains);
      assert.equal(redeemed?.user?.lastSignInAt, LATER);
      const { session, user } = (await identity.session("session-1"))!;
      assert.deepEqual(session, { ...gains.session, userId: "user-1" });
      assert.deepEqual(user, redeemed.user);
      const { challenge, signUp } = TOKEN;
      const bound = { challenge, signUp, userId: "user-1", createdAt: LATER };
      const code = { kind: "code", ...gains.code, ...bound, tokenHash: null };
      assert.deepEqual(await identity.flow("flow-2"), code);
      const invite = { ...TOKEN, ...gains.invite, purpose: "invite", createdAt: LATER };
      const unbound = { challenge: null, signUp: null };
      assert.deepEqual(await identity.token("invite-1"), { ...invite, ...unbound });
      const unchallenged = { ...TOKEN, purpose: "recovery", challenge: null } as const;
      await identity.putToken(unchallenged, []);
      const other = { ...gains, code: { hash: "flow-3", method: "recovery" } };
      await identity.redeem({ hash: "token-1", purpose: "recovery" }, TIMES, { code: other.code });
      assert.equal(await identity.flow("flow-3"), null);
    },
  },
  {
    name: "gives the session of a code once, and none when sign-outs ended the code",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      await identity.changeUser("user-1", { passwordHash: null });
      const flow = { ...FLOW, tokenHash: null } as const;
      await identity.addFlow(flow);
      const redeem = (id: string) => identity.redeemFlow("flow-1", TIMES, newSession(id));
      const [first, ...others] = await Promise.all(["a", "b", "c"].map(redeem));
      assert.deepEqual(others, [null, null]);
      const signedIn = { ...FLOW.signUp, lastSignInAt: LATER, updatedAt: LATER };
      assert.deepEqual(first, { user: sampleUser(1, signedIn), formerEmail: null });
      assert.deepEqual((await identity.session("a"))?.user, first?.user);
      for (const id of ["b", "c"]) assert.equal(await identity.session(id), null);
      await identity.addFlow(flow);
      const end = () => identity.changeUser("user-1", {}, { ends: "all" });
      const [, late] = await Promise.all([end(), redeem("d")]);
      assert.equal(late, null);
      for (const id of ["a", "d"]) assert.equal(await identity.session(id), null);
      await identity.addFlow({ ...FLOW, tokenHash: "gone" });
      assert.equal(await redeem("e"), null, "the token of the email change is gone");
      assert.equal(await identity.session("e"), null);
    },
  },
  {
    name: "ends what was sent to the old mailbox when an address moves",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const email = "new@example.org";
      await identity.changeUser("user-1", { newEmail: email });
      await identity.putToken({ ...TOKEN, hash: "token-9", purpose: "email_change", email }, []);
      await identity.putToken({ ...TOKEN, purpose: "recovery" }, []);
      await identity.addFlow({ ...FLOW, hash: "flow-2", tokenHash: null });
      await identity.addFlow(FLOW);
      const moved = await identity.redeemFlow("flow-1", TIMES, newSession("session-1"));
      assert.deepEqual([moved?.user?.email, moved?.formerEmail], [email, "user-1@example.org"]);
      assert.equal((await identity.session("session-1"))?.user.email, email);
      assert.equal(await identity.token("token-1"), null);
      assert.equal(await identity.flow("flow-2"), null);
    },
  },
  {
    name: "moves an address once, with the identity, unless somebody has it",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 2);
      const move = async (email: string) => {
        await identity.changeUser("user-1", { newEmail: email });
        await identity.putToken({ ...TOKEN, purpose: "email_change", email }, []);
        return identity.redeem({ hash: "token-1", purpose: "email_change" }, TIMES);
      };
      await identity.changeUser("user-2", { emailConfirmedAt: AT });
      assert.equal((await move("user-2@example.org"))?.user, null);
      assert.equal((await move("chief@example.org"))?.user, null, "a reserved address");
      const moved = await move("new@example.org");
      assert.deepEqual(
        [moved?.user?.email, moved?.user?.newEmail, moved?.formerEmail],
        ["new@example.org", null, "user-1@example.org"],
      );
      assert.equal((await identity.identitiesOf("user-1"))[0]?.email, "new@example.org");
      await identity.changeUser("user-2", { emailConfirmedAt: null });
      const taken = await move("user-2@example.org");
      assert.equal(taken?.user?.email, "user-2@example.org", "from a sign-up nobody confirmed");
      assert.equal(await identity.userById("user-2"), null);
    },
  },
  {
    name: "ends what is pending with the sessions: mails, codes, a change of address",
    async run(store) {
      const { identity, grants } = store;
      for (const [number, end] of [
        () => identity.changeUser("user-1", {}, { ends: { except: "session-1" } }),
        () => identity.changeUser("user-1", {}, { ends: "all" }),
        () =>
          identity.changeUser("user-1", { passwordHash: "n" }, { ends: { except: "session-1" } }),
      ].entries()) {
        if (number === 0) await addPeople(store, 1);
        if (number === 0) await grants.putClient(sampleClient("client-1"));
        await identity.changeUser("user-1", { newEmail: "thief@example.org" });
        const change = { ...TOKEN, purpose: "email_change", email: "thief@example.org" } as const;
        await identity.putToken(change, []);
        await identity.addFlow(FLOW);
        await grants.addAuthorization(sampleAuthorization(`authorization-${number}`));
        await grants.claim(`authorization-${number}`, "user-1");
        await grants.approve(`authorization-${number}`, "code-9", CONSENT);
        const pending = () =>
          identity.pendingToken("user-1", "email_change", change.email, TIMES.after);
        assert.ok(await pending());
        await end();
        assert.equal(await pending(), null);
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
      await identity.putToken(TOKEN, []);
      await identity.addFlow(FLOW);
      await identity.addFlow(STATE);
      await identity.addSession(sampleSession(1), HASH);
      await identity.addSession(sampleSession(2, { refreshedAt: LATER }), HASH);
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
