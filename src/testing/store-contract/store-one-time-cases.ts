import assert from "node:assert/strict";

import type { Store } from "#data/store/store.ts";

import {
  addSampleUsers,
  NOW_TIME,
  AFTER_EXPIRY,
  sampleClientSession,
  SAMPLE_CONSENT,
  SAMPLE_CODE_FLOW,
  SAMPLE_HASH,
  LATER_TIME,
  sampleNewSession,
  sampleAuthorization,
  sampleClient,
  sampleLink,
  sampleSession,
  sampleUser,
  SAMPLE_SOCIAL_FLOW,
  SAMPLE_TOKEN,
} from "./identity-samples.ts";
import type { StoreCase } from "./store-case.ts";

/** A range that is wide enough for all sample tokens to be valid. */
const TOKEN_AGES = { after: "2000-01-01T00:00:00.000Z", before: "2100-01-01T00:00:00.000Z" };
export const REDEEM_OPTIONS = { at: LATER_TIME, ...TOKEN_AGES, reserved: ["chief@example.org"] };

export const CODE_KEY = {
  userId: "user-1",
  purpose: "signup",
  codeHash: "code-1",
  newest: 3,
  maxTries: 3,
  addressHash: "address-1",
  maxWrongCodes: 100,
  countAfter: TOKEN_AGES.after,
  countBefore: TOKEN_AGES.before,
} as const;

export async function redeemLink(
  identity: Store["identity"],
  hash: string,
  purpose: "signup" | "recovery" = "signup",
) {
  return (await identity.redeem({ hash, purpose }, REDEEM_OPTIONS))?.token ?? null;
}

export const oneTimeCases: readonly StoreCase[] = [
  {
    name: "gives each token and flow to one of many concurrent requests",
    async run(store) {
      const { identity, grants } = store;
      await addSampleUsers(store, 1);
      await identity.putToken(SAMPLE_TOKEN, []);
      await identity.addFlow(SAMPLE_CODE_FLOW);
      await identity.addFlow(SAMPLE_SOCIAL_FLOW);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("authorization-1"));
      await grants.claim("authorization-1", "user-1");
      await grants.approve("authorization-1", "code-9", SAMPLE_CONSENT);
      const redeemConcurrently = async <T>(redeemOnce: () => Promise<T | null>) => {
        const outcomes = await Promise.all(Array.from({ length: 6 }, redeemOnce));
        return outcomes.filter((value) => value !== null);
      };
      assert.deepEqual(await identity.flow("flow-1"), SAMPLE_CODE_FLOW);
      assert.deepEqual(await redeemConcurrently(() => identity.consumeFlow("flow-1")), [
        SAMPLE_CODE_FLOW,
      ]);
      assert.deepEqual(await redeemConcurrently(() => identity.consumeFlow("state-1")), [
        SAMPLE_SOCIAL_FLOW,
      ]);
      const redeem = () => grants.redeemCode("code-9", sampleClientSession("session-1"));
      assert.equal((await redeemConcurrently(redeem)).length, 1);
      // Confirming the address invalidates all other pending tokens.
      assert.deepEqual(await redeemConcurrently(() => redeemLink(identity, "token-1")), [
        SAMPLE_TOKEN,
      ]);
    },
  },
  {
    name: "stores a token and deletes only the listed ones of its user and purpose",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      await identity.putToken({ ...SAMPLE_TOKEN, hash: "token-2", purpose: "recovery" }, []);
      await identity.putToken({ ...SAMPLE_TOKEN, hash: "token-6", userId: "user-2" }, []);
      for (const number of [1, 3, 4])
        await identity.putToken({ ...SAMPLE_TOKEN, hash: `token-${number}` }, []);
      const ends = ["token-1", "token-2", "token-6"];
      await identity.putToken({ ...SAMPLE_TOKEN, hash: "token-5" }, ends);
      const remainingTokens = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((number) => identity.token(`token-${number}`)),
      );
      const names = remainingTokens.flatMap((redeemConcurrently) => redeemConcurrently?.hash ?? []);
      assert.deepEqual(names, ["token-2", "token-3", "token-4", "token-5", "token-6"]);
      assert.deepEqual(remainingTokens[2], { ...SAMPLE_TOKEN, hash: "token-3" });
    },
  },
  {
    name: "consumes a token by its code until too many were wrong",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const attempt = async (codeHash: string, purpose: "signup" | "recovery" = "signup") => {
        const outcome = await identity.redeemCode(
          { ...CODE_KEY, purpose, codeHash },
          REDEEM_OPTIONS,
        );
        return "token" in outcome ? outcome.token : null;
      };
      await identity.putToken(SAMPLE_TOKEN, []);
      assert.equal(await attempt("wrong"), null);
      assert.equal(await attempt("code-1", "recovery"), null);
      assert.deepEqual(await attempt("code-1"), { ...SAMPLE_TOKEN, tries: 1 });
      assert.equal(await attempt("code-1"), null);
      await identity.putToken(SAMPLE_TOKEN, []);
      await Promise.all(["a", "b", "c"].map((code) => attempt(code)));
      assert.equal(await attempt("code-1"), null);
      assert.equal((await redeemLink(identity, "token-1"))?.hash, "token-1");
    },
  },
  {
    name: "counts wrong codes per address, known or not, across emails, for a day",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const attempt = (changes: object) =>
        identity.redeemCode(
          { ...CODE_KEY, codeHash: "wrong", maxWrongCodes: 3, ...changes },
          REDEEM_OPTIONS,
        );
      const unknown = { userId: "", addressHash: "address-2" };
      assert.deepEqual(await attempt({}), { wrongCodes: 1 });
      assert.deepEqual(await attempt({ purpose: "recovery" }), { wrongCodes: 2 });
      assert.deepEqual(await attempt(unknown), { wrongCodes: 1 });
      assert.deepEqual(await attempt({}), { wrongCodes: 3 });
      await identity.putToken(SAMPLE_TOKEN, []);
      assert.deepEqual(await attempt({ codeHash: "code-1" }), { wrongCodes: 4 });
      await identity.putToken({ ...SAMPLE_TOKEN, hash: "token-2" }, []);
      const nextDay = { codeHash: "code-1", countAfter: LATER_TIME };
      const outcome = await attempt(nextDay);
      assert.ok("token" in outcome, "the earlier count has expired");
      assert.deepEqual(await attempt({ countAfter: LATER_TIME }), { wrongCodes: 1 });
      const pendingAttempts = Array.from({ length: 5 }, () => attempt(unknown));
      const counts = (await Promise.all(pendingAttempts)).map((redeemConcurrently) =>
        "token" in redeemConcurrently ? 0 : redeemConcurrently.wrongCodes,
      );
      assert.deepEqual(
        counts.toSorted((redeemConcurrently, other) => redeemConcurrently - other),
        [2, 3, 4, 5, 6],
      );
      await identity.sweep({ unconfirmed: NOW_TIME, sessions: NOW_TIME, tokens: AFTER_EXPIRY });
      assert.deepEqual(await attempt(unknown), { wrongCodes: 1 });
    },
  },
  {
    name: "consumes an expired or future token without applying its action",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      for (const options of [
        { ...REDEEM_OPTIONS, after: NOW_TIME },
        { ...REDEEM_OPTIONS, before: NOW_TIME },
      ]) {
        await identity.putToken(SAMPLE_TOKEN, []);
        const key = { hash: "token-1", purpose: "signup" } as const;
        assert.equal(await identity.redeem(key, options), null);
        assert.equal(await identity.redeem(key, REDEEM_OPTIONS), null);
      }
      assert.equal((await identity.userById("user-1"))?.emailConfirmedAt, null);
    },
  },
  {
    name: "confirms an address without a password, and ends its other sign-ups",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const token = { ...SAMPLE_TOKEN, email: "user-1@example.org" };
      for (const number of [1, 2, 3])
        await identity.putToken({ ...token, hash: `token-${number}` }, []);
      await identity.putToken({ ...token, hash: "token-4", purpose: "recovery" }, []);
      await identity.addFlow(SAMPLE_CODE_FLOW);
      const redeemed = await identity.redeem(
        { hash: "token-2", purpose: "signup" },
        REDEEM_OPTIONS,
      );
      const none = { passwordHash: null, userData: {} };
      const confirmed = { emailConfirmedAt: LATER_TIME, updatedAt: LATER_TIME, ...none };
      assert.deepEqual(redeemed?.user, sampleUser(1, confirmed));
      assert.deepEqual(redeemed?.token.signUp, SAMPLE_TOKEN.signUp);
      for (const hash of ["token-1", "token-3", "token-4"])
        assert.equal(await identity.token(hash), null);
      assert.equal(await identity.flow("flow-1"), null);
      await identity.putToken({ ...token, hash: "token-5" }, []);
      const lateRedeem = await identity.redeem(
        { hash: "token-5", purpose: "signup" },
        REDEEM_OPTIONS,
      );
      assert.equal(lateRedeem?.user, null, "a later sign-up has no effect");
    },
  },
  {
    name: "sets a first password once, and never replaces one",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      const chosen = (passwordHash: string) => ({ passwordHash, userData: { passwordHash } });
      await identity.addSession(sampleSession(1), SAMPLE_HASH);
      const setPassword = (id: string, password: string, session = "session-1") =>
        identity.setFirstPassword(id, chosen(password), LATER_TIME, session);
      assert.equal(await setPassword("user-1", "mine"), null);
      assert.deepEqual(
        await identity.userById("user-1"),
        sampleUser(1, { lastSignInAt: NOW_TIME }),
      );
      await identity.changeUser("user-1", { passwordHash: null });
      for (const session of ["session-2", "session-9"]) {
        if (session === "session-9")
          await identity.addSession(sampleSession(9, { userId: "user-2" }), SAMPLE_HASH);
        assert.equal(
          await setPassword("user-1", "mine", session),
          null,
          "from a session that has ended",
        );
      }
      await identity.putToken(SAMPLE_TOKEN, []);
      await identity.addFlow(SAMPLE_CODE_FLOW);
      const passwordResults = await Promise.all(
        ["a", "b", "c"].map((name) => setPassword("user-1", name)),
      );
      const [first, ...otherUsers] = passwordResults.filter(
        (redeemConcurrently) => redeemConcurrently !== null,
      );
      assert.deepEqual(otherUsers, []);
      assert.deepEqual(await identity.userById("user-1"), first);
      assert.deepEqual(first?.userData, { passwordHash: first?.passwordHash });
      assert.equal(await identity.token("token-1"), null);
      assert.equal(await identity.flow("flow-1"), null);
      assert.notEqual(await identity.session("session-1"), null);
      assert.equal(await setPassword("user-9", "x"), null);
    },
  },
  {
    name: "adds the follow-up rows of a token in the same step, bound like the token",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const additions = {
        session: sampleNewSession("session-1"),
        code: { hash: "flow-2", method: "recovery" },
        invite: { hash: "invite-1", codeHash: "none" },
      };
      const key = { hash: "token-1", purpose: "signup" } as const;
      assert.equal(await identity.redeem(key, REDEEM_OPTIONS, additions), null);
      assert.equal(await identity.session("session-1"), null, "no token, no session");
      await identity.putToken(SAMPLE_TOKEN, []);
      const redeemed = await identity.redeem(key, REDEEM_OPTIONS, additions);
      assert.equal(redeemed?.user?.lastSignInAt, LATER_TIME);
      const { session, user } = (await identity.session("session-1"))!;
      assert.deepEqual(session, { ...additions.session, userId: "user-1" });
      assert.deepEqual(user, redeemed.user);
      const { challenge, signUp } = SAMPLE_TOKEN;
      const boundFlow = { challenge, signUp, userId: "user-1", createdAt: LATER_TIME };
      const code = { kind: "code", ...additions.code, ...boundFlow, tokenHash: null };
      assert.deepEqual(await identity.flow("flow-2"), code);
      const invite = {
        ...SAMPLE_TOKEN,
        ...additions.invite,
        purpose: "invite",
        createdAt: LATER_TIME,
      };
      const unboundFlow = { challenge: null, signUp: null };
      assert.deepEqual(await identity.token("invite-1"), { ...invite, ...unboundFlow });
      const withoutChallenge = { ...SAMPLE_TOKEN, purpose: "recovery", challenge: null } as const;
      await identity.putToken(withoutChallenge, []);
      const other = { ...additions, code: { hash: "flow-3", method: "recovery" } };
      await identity.redeem({ hash: "token-1", purpose: "recovery" }, REDEEM_OPTIONS, {
        code: other.code,
      });
      assert.equal(await identity.flow("flow-3"), null);
    },
  },
  {
    name: "issues the session of a code once, and none if a sign-out ended the code",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      await identity.changeUser("user-1", { passwordHash: null });
      const flow = { ...SAMPLE_CODE_FLOW, tokenHash: null } as const;
      await identity.addFlow(flow);
      const redeem = (id: string) =>
        identity.redeemFlow("flow-1", REDEEM_OPTIONS, sampleNewSession(id));
      const [first, ...otherUsers] = await Promise.all(["a", "b", "c"].map(redeem));
      assert.deepEqual(otherUsers, [null, null]);
      const signedIn = {
        ...SAMPLE_CODE_FLOW.signUp,
        lastSignInAt: LATER_TIME,
        updatedAt: LATER_TIME,
      };
      assert.deepEqual(first, { user: sampleUser(1, signedIn), formerEmail: null });
      assert.deepEqual((await identity.session("a"))?.user, first?.user);
      for (const id of ["b", "c"]) assert.equal(await identity.session(id), null);
      await identity.addFlow(flow);
      const end = () => identity.changeUser("user-1", {}, { ends: "all" });
      const [, lateRedeem] = await Promise.all([end(), redeem("d")]);
      assert.equal(lateRedeem, null);
      for (const id of ["a", "d"]) assert.equal(await identity.session(id), null);
      await identity.addFlow({ ...SAMPLE_CODE_FLOW, tokenHash: "gone" });
      assert.equal(await redeem("e"), null, "the token of the email change no longer exists");
      assert.equal(await identity.session("e"), null);
    },
  },
  {
    name: "ends everything sent to the old mailbox when an address changes",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const email = "new@example.org";
      await identity.changeUser("user-1", { newEmail: email });
      await identity.putToken(
        { ...SAMPLE_TOKEN, hash: "token-9", purpose: "email_change", email },
        [],
      );
      await identity.putToken({ ...SAMPLE_TOKEN, purpose: "recovery" }, []);
      await identity.addFlow({ ...SAMPLE_CODE_FLOW, hash: "flow-2", tokenHash: null });
      await identity.addFlow(SAMPLE_CODE_FLOW);
      const changedAddress = await identity.redeemFlow(
        "flow-1",
        REDEEM_OPTIONS,
        sampleNewSession("session-1"),
      );
      assert.deepEqual(
        [changedAddress?.user?.email, changedAddress?.formerEmail],
        [email, "user-1@example.org"],
      );
      assert.equal((await identity.session("session-1"))?.user.email, email);
      assert.equal(await identity.token("token-1"), null);
      assert.equal(await identity.flow("flow-2"), null);
    },
  },
  {
    name: "changes an address once, with the identity, unless it is taken",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 2);
      const changeAddress = async (email: string) => {
        await identity.changeUser("user-1", { newEmail: email });
        await identity.putToken({ ...SAMPLE_TOKEN, purpose: "email_change", email }, []);
        return identity.redeem({ hash: "token-1", purpose: "email_change" }, REDEEM_OPTIONS);
      };
      await identity.changeUser("user-2", { emailConfirmedAt: NOW_TIME });
      assert.equal((await changeAddress("user-2@example.org"))?.user, null);
      assert.equal((await changeAddress("chief@example.org"))?.user, null, "a reserved address");
      const changedAddress = await changeAddress("new@example.org");
      assert.deepEqual(
        [changedAddress?.user?.email, changedAddress?.user?.newEmail, changedAddress?.formerEmail],
        ["new@example.org", null, "user-1@example.org"],
      );
      assert.equal((await identity.identitiesOf("user-1"))[0]?.email, "new@example.org");
      await identity.changeUser("user-2", { emailConfirmedAt: null });
      const takenChange = await changeAddress("user-2@example.org");
      assert.equal(takenChange?.user?.email, "user-2@example.org", "from an unconfirmed sign-up");
      assert.equal(await identity.userById("user-2"), null);
    },
  },
  {
    name: "ends pending emails, codes and address changes with the sessions",
    async run(store) {
      const { identity, grants } = store;
      for (const [number, end] of [
        () => identity.changeUser("user-1", {}, { ends: { except: "session-1" } }),
        () => identity.changeUser("user-1", {}, { ends: "all" }),
        () =>
          identity.changeUser("user-1", { passwordHash: "n" }, { ends: { except: "session-1" } }),
      ].entries()) {
        if (number === 0) await addSampleUsers(store, 1);
        if (number === 0) await grants.putClient(sampleClient("client-1"));
        await identity.changeUser("user-1", { newEmail: "thief@example.org" });
        const change = {
          ...SAMPLE_TOKEN,
          purpose: "email_change",
          email: "thief@example.org",
        } as const;
        await identity.putToken(change, []);
        await identity.addFlow(SAMPLE_CODE_FLOW);
        await grants.addAuthorization(sampleAuthorization(`authorization-${number}`));
        await grants.claim(`authorization-${number}`, "user-1");
        await grants.approve(`authorization-${number}`, "code-9", SAMPLE_CONSENT);
        const pending = () =>
          identity.pendingToken("user-1", "email_change", change.email, REDEEM_OPTIONS.after);
        assert.ok(await pending());
        await end();
        assert.equal(await pending(), null);
        assert.equal((await identity.userById("user-1"))?.newEmail, null);
        assert.equal(await identity.consumeFlow("flow-1"), null);
        assert.equal(await grants.byCode("code-9"), null);
      }
    },
  },
  {
    name: "deletes expired tokens, flows, sessions and unconfirmed users",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 3);
      await identity.changeUser("user-1", { emailConfirmedAt: NOW_TIME });
      await identity.changeUser("user-3", { updatedAt: LATER_TIME });
      const social = sampleLink(4, { provider: "github", email: null });
      await identity.addUser(sampleUser(4, { email: null }), social);
      await identity.putToken(SAMPLE_TOKEN, []);
      await identity.addFlow(SAMPLE_CODE_FLOW);
      await identity.addFlow(SAMPLE_SOCIAL_FLOW);
      await identity.addSession(sampleSession(1), SAMPLE_HASH);
      await identity.addSession(sampleSession(2, { refreshedAt: LATER_TIME }), SAMPLE_HASH);
      await identity.sweep({ unconfirmed: LATER_TIME, sessions: LATER_TIME, tokens: LATER_TIME });
      const users = await Promise.all(
        [1, 2, 3, 4].map((number) => identity.userById(`user-${number}`)),
      );
      assert.deepEqual(
        users.map((user) => user !== null),
        [true, false, true, true],
      );
      assert.equal(await redeemLink(identity, "token-1"), null);
      assert.equal(await identity.flow("flow-1"), null);
      assert.deepEqual(await identity.flow("state-1"), SAMPLE_SOCIAL_FLOW);
      assert.equal(await identity.session("session-1"), null);
      assert.equal((await identity.session("session-2"))?.session.id, "session-2");
    },
  },
];
