// What the store must do for programs that act for people.

import assert from "node:assert/strict";

import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import {
  addPeople,
  BEYOND,
  clientSession,
  CONSENT,
  HASH,
  LATER,
  sampleAuthorization,
  sampleClient,
  sampleSession,
  sampleUser,
} from "./identity-samples.ts";
import { entry, sampleAccount } from "./store-account-cases.ts";
import type { Case } from "./store-case.ts";
import { sampleTime } from "./store-samples.ts";

export const grantCases: readonly Case[] = [
  {
    name: "keeps a client, and brings it up to date",
    async run({ grants }) {
      await grants.putClient(sampleClient("client-1"));
      assert.deepEqual(await grants.client("client-1"), sampleClient("client-1"));
      const newer = { name: "Other", redirectUris: ["https://x.example/"], createdAt: LATER };
      await grants.putClient(sampleClient("client-1", newer));
      assert.deepEqual(await grants.client("client-1"), sampleClient("client-1", newer));
      assert.equal(await grants.client("client-2"), null);
    },
  },
  {
    name: "lets only the user who claimed an authorization decide, and once",
    async run(store) {
      const { grants, identity } = store;
      await addPeople(store, 2);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("one"));
      assert.equal(await grants.approve("one", "code-1", CONSENT), false);
      const claimed = { ...sampleAuthorization("one"), userId: "user-1" };
      assert.deepEqual(await grants.claim("one", "user-1"), claimed);
      assert.deepEqual(await grants.claim("one", "user-1"), claimed);
      assert.equal(await grants.claim("one", "user-2"), null);
      assert.deepEqual(await grants.authorization("one"), claimed);
      assert.equal(await grants.authorization("two"), null);
      assert.equal(await grants.claim("two", "user-1"), null);
      assert.equal(await grants.approve("one", "x", { ...CONSENT, userId: "user-2" }), false);
      assert.equal(await grants.deny("one", "user-2"), false);
      const codes = ["code-1", "code-2"].map((code) => grants.approve("one", code, CONSENT));
      assert.deepEqual(await Promise.all(codes), [true, false]);
      assert.equal(await grants.deny("one", "user-1"), false);
      assert.equal(await grants.claim("one", "user-1"), null);
      const approved = { ...claimed, codeHash: "code-1" };
      assert.deepEqual(await grants.byCode("code-1"), approved);
      const session = clientSession("session-1");
      const owner = { session: { ...session, userId: "user-1" }, user: sampleUser(1) };
      assert.deepEqual(await grants.redeemCode("code-1", session), owner);
      assert.deepEqual(await identity.session("session-1"), owner);
      assert.equal(await grants.byCode("code-1"), null);
      await grants.addAuthorization(sampleAuthorization("three"));
      await grants.claim("three", "user-2");
      assert.equal(await grants.deny("three", "user-2"), true);
      assert.equal(await grants.claim("three", "user-2"), null);
    },
  },
  {
    name: "ends everything that a client may do when its consent is revoked",
    async run(store) {
      const { grants, identity } = store;
      await addPeople(store, 1);
      const client = { id: "client-1", scope: "openid", resource: "http://localhost/mcp" };
      await grants.putClient(sampleClient("client-1"));
      for (const hash of ["one", "two"]) {
        await grants.addAuthorization(sampleAuthorization(hash));
        await grants.claim(hash, "user-1");
        await grants.approve(hash, `code-${hash}`, { ...CONSENT, grantedAt: sampleTime(90) });
      }
      await identity.addSession(sampleSession(1, { client }), HASH);
      await identity.addSession(sampleSession(2), HASH);
      const granted = { ...CONSENT, grantedAt: sampleTime(90) };
      assert.deepEqual(await grants.consent("user-1", "client-1"), granted);
      const listed = [{ ...granted, client: sampleClient("client-1") }];
      assert.deepEqual(await grants.list("user-1"), listed);
      assert.equal(await grants.revoke("user-1", "client-1"), true);
      assert.equal(await grants.revoke("user-1", "client-1"), false);
      assert.equal(await identity.session("session-1"), null);
      assert.equal((await identity.session("session-2"))?.session.id, "session-2");
      assert.equal(await grants.redeemCode("code-two", clientSession("session-3")), null);
      assert.equal(await grants.consent("user-1", "client-1"), null);
      assert.deepEqual(await grants.list("user-1"), []);
    },
  },
  {
    name: "ends the session of a code that is redeemed twice, in turn or at once",
    async run(store) {
      const { grants, identity } = store;
      await addPeople(store, 1);
      await grants.putClient(sampleClient("client-1"));
      await identity.addSession(sampleSession(5), HASH);
      for (const atOnce of [false, true]) {
        const hash = `at once: ${atOnce}`;
        await grants.addAuthorization(sampleAuthorization(hash));
        await grants.claim(hash, "user-1");
        await grants.approve(hash, hash, CONSENT);
        const redeem = () => grants.redeemCode(hash, clientSession(hash));
        const first = redeem();
        if (!atOnce) await first;
        const given = await Promise.all([first, redeem(), redeem()]);
        assert.deepEqual(
          given.map((one) => one?.session.id ?? null),
          [hash, null, null],
        );
        assert.equal(await identity.session(hash), null);
      }
      const browsers = { ...clientSession("session-5") };
      assert.equal(await grants.redeemCode("unknown", browsers), null);
      assert.notEqual(await identity.session("session-5"), null, "no session of the client");
    },
  },
  {
    name: "stores no consent for a session that has ended",
    async run(store) {
      const { grants, identity } = store;
      await addPeople(store, 2);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("one"));
      await grants.claim("one", "user-1");
      await identity.addSession(sampleSession(1), HASH);
      await identity.addSession(sampleSession(2), HASH);
      await identity.addSession(sampleSession(9, { userId: "user-2" }), HASH);
      await identity.endSession("session-1");
      for (const gone of ["session-1", "session-9"])
        assert.equal(await grants.approve("one", "code-1", CONSENT, gone), false);
      assert.equal(await grants.consent("user-1", "client-1"), null);
      assert.equal(await grants.approve("one", "code-1", CONSENT, "session-2"), true);
    },
  },
  {
    name: "ends what every client may do for a person of its own who is signed out",
    async run(store) {
      const { accounts, grants } = store;
      await addPeople(store, 2);
      await grants.putClient(sampleClient("client-1"));
      for (const userId of ["user-1", "user-2"]) {
        await grants.addAuthorization(sampleAuthorization(userId));
        await grants.claim(userId, userId);
        await grants.approve(userId, `code of ${userId}`, { ...CONSENT, userId });
      }
      const person = { issuer: EMBEDDED_ISSUER, subject: "user-1" };
      await accounts.add({ ...sampleAccount(1), ...person }, entry());
      await accounts.signOut(sampleAccount(1).id, 5000, entry());
      assert.deepEqual(await grants.list("user-1"), []);
      assert.equal(await grants.redeemCode("code of user-1", clientSession("one")), null);
      assert.equal((await grants.list("user-2")).length, 1);
      const owner = await grants.redeemCode("code of user-2", clientSession("two"));
      assert.equal(owner?.user.id, "user-2");
    },
  },
  {
    name: "forgets old authorizations, and old clients that nobody consented to",
    async run(store) {
      const { grants } = store;
      await addPeople(store, 1);
      for (const number of [1, 2]) await grants.putClient(sampleClient(`client-${number}`));
      await grants.putClient(sampleClient("client-3", { createdAt: BEYOND }));
      await grants.addAuthorization(sampleAuthorization("one"));
      await grants.claim("one", "user-1");
      await grants.approve("one", "code-1", CONSENT);
      const other = { ...sampleAuthorization("two"), clientId: "client-3", createdAt: BEYOND };
      await grants.addAuthorization(other);
      await grants.sweep({ authorizations: LATER, clients: LATER });
      assert.equal(await grants.byCode("code-1"), null);
      assert.equal((await grants.claim("two", "user-1"))?.hash, "two");
      const kept = await Promise.all([1, 2, 3].map((n) => grants.client(`client-${n}`)));
      assert.deepEqual(
        kept.map((client) => client?.id ?? null),
        ["client-1", null, "client-3"],
      );
    },
  },
];
