import assert from "node:assert/strict";

import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import {
  addSampleUsers,
  AFTER_EXPIRY,
  sampleClientSession,
  SAMPLE_CONSENT,
  SAMPLE_HASH,
  LATER_TIME,
  sampleAuthorization,
  sampleClient,
  sampleSession,
  sampleUser,
} from "./identity-samples.ts";
import { sampleEntry, sampleAccount } from "./store-account-cases.ts";
import type { StoreCase } from "./store-case.ts";
import { sampleTime } from "./store-samples.ts";

export const grantCases: readonly StoreCase[] = [
  {
    name: "stores a client and updates it",
    async run({ grants }) {
      await grants.putClient(sampleClient("client-1"));
      assert.deepEqual(await grants.client("client-1"), sampleClient("client-1"));
      const newerClient = {
        name: "Other",
        redirectUris: ["https://x.example/"],
        createdAt: LATER_TIME,
      };
      await grants.putClient(sampleClient("client-1", newerClient));
      assert.deepEqual(await grants.client("client-1"), sampleClient("client-1", newerClient));
      assert.equal(await grants.client("client-2"), null);
    },
  },
  {
    name: "lets only the user who claimed an authorization decide, once",
    async run(store) {
      const { grants, identity } = store;
      await addSampleUsers(store, 2);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("one"));
      assert.equal(await grants.approve("one", "code-1", SAMPLE_CONSENT), false);
      const claimed = { ...sampleAuthorization("one"), userId: "user-1" };
      assert.deepEqual(await grants.claim("one", "user-1"), claimed);
      assert.deepEqual(await grants.claim("one", "user-1"), claimed);
      assert.equal(await grants.claim("one", "user-2"), null);
      assert.deepEqual(await grants.authorization("one"), claimed);
      assert.equal(await grants.authorization("two"), null);
      assert.equal(await grants.claim("two", "user-1"), null);
      assert.equal(
        await grants.approve("one", "x", { ...SAMPLE_CONSENT, userId: "user-2" }),
        false,
      );
      assert.equal(await grants.deny("one", "user-2"), false);
      const codes = ["code-1", "code-2"].map((code) => grants.approve("one", code, SAMPLE_CONSENT));
      assert.deepEqual(await Promise.all(codes), [true, false]);
      assert.equal(await grants.deny("one", "user-1"), false);
      assert.equal(await grants.claim("one", "user-1"), null);
      const approved = { ...claimed, codeHash: "code-1" };
      assert.deepEqual(await grants.byCode("code-1"), approved);
      const session = sampleClientSession("session-1");
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
    name: "ends all access of a client when its consent is revoked",
    async run(store) {
      const { grants, identity } = store;
      await addSampleUsers(store, 1);
      const client = { id: "client-1", scope: "openid", resource: "http://localhost/mcp" };
      await grants.putClient(sampleClient("client-1"));
      for (const hash of ["one", "two"]) {
        await grants.addAuthorization(sampleAuthorization(hash));
        await grants.claim(hash, "user-1");
        await grants.approve(hash, `code-${hash}`, {
          ...SAMPLE_CONSENT,
          grantedAt: sampleTime(90),
        });
      }
      await identity.addSession(sampleSession(1, { client }), SAMPLE_HASH);
      await identity.addSession(sampleSession(2), SAMPLE_HASH);
      const granted = { ...SAMPLE_CONSENT, grantedAt: sampleTime(90) };
      assert.deepEqual(await grants.consent("user-1", "client-1"), granted);
      const grantList = [{ ...granted, client: sampleClient("client-1") }];
      assert.deepEqual(await grants.list("user-1"), grantList);
      assert.equal(await grants.revoke("user-1", "client-1"), true);
      assert.equal(await grants.revoke("user-1", "client-1"), false);
      assert.equal(await identity.session("session-1"), null);
      assert.equal((await identity.session("session-2"))?.session.id, "session-2");
      assert.equal(await grants.redeemCode("code-two", sampleClientSession("session-3")), null);
      assert.equal(await grants.consent("user-1", "client-1"), null);
      assert.deepEqual(await grants.list("user-1"), []);
    },
  },
  {
    name: "ends the session of a code redeemed twice, sequentially or concurrently",
    async run(store) {
      const { grants, identity } = store;
      await addSampleUsers(store, 1);
      await grants.putClient(sampleClient("client-1"));
      await identity.addSession(sampleSession(5), SAMPLE_HASH);
      for (const atOnce of [false, true]) {
        const hash = `concurrently: ${atOnce}`;
        await grants.addAuthorization(sampleAuthorization(hash));
        await grants.claim(hash, "user-1");
        await grants.approve(hash, hash, SAMPLE_CONSENT);
        const redeem = () => grants.redeemCode(hash, sampleClientSession(hash));
        const first = redeem();
        if (!atOnce) await first;
        const redeemedSessions = await Promise.all([first, redeem(), redeem()]);
        assert.deepEqual(
          redeemedSessions.map((owner) => owner?.session.id ?? null),
          [hash, null, null],
        );
        assert.equal(await identity.session(hash), null);
      }
      const browserSession = { ...sampleClientSession("session-5") };
      assert.equal(await grants.redeemCode("unknown", browserSession), null);
      assert.notEqual(await identity.session("session-5"), null, "no client session");
    },
  },
  {
    name: "stores no consent for a session that has ended",
    async run(store) {
      const { grants, identity } = store;
      await addSampleUsers(store, 2);
      await grants.putClient(sampleClient("client-1"));
      await grants.addAuthorization(sampleAuthorization("one"));
      await grants.claim("one", "user-1");
      await identity.addSession(sampleSession(1), SAMPLE_HASH);
      await identity.addSession(sampleSession(2), SAMPLE_HASH);
      await identity.addSession(sampleSession(9, { userId: "user-2" }), SAMPLE_HASH);
      await identity.endSession("session-1");
      for (const endedSessionId of ["session-1", "session-9"])
        assert.equal(await grants.approve("one", "code-1", SAMPLE_CONSENT, endedSessionId), false);
      assert.equal(await grants.consent("user-1", "client-1"), null);
      assert.equal(await grants.approve("one", "code-1", SAMPLE_CONSENT, "session-2"), true);
    },
  },
  {
    name: "ends all client access when a user is signed out",
    async run(store) {
      const { accounts, grants } = store;
      await addSampleUsers(store, 2);
      await grants.putClient(sampleClient("client-1"));
      for (const userId of ["user-1", "user-2"]) {
        await grants.addAuthorization(sampleAuthorization(userId));
        await grants.claim(userId, userId);
        await grants.approve(userId, `code of ${userId}`, { ...SAMPLE_CONSENT, userId });
      }
      const userNumber = { issuer: EMBEDDED_ISSUER, subject: "user-1" };
      await accounts.add({ ...sampleAccount(1), ...userNumber }, sampleEntry());
      await accounts.signOut(sampleAccount(1).id, 5000, sampleEntry());
      assert.deepEqual(await grants.list("user-1"), []);
      assert.equal(await grants.redeemCode("code of user-1", sampleClientSession("one")), null);
      assert.equal((await grants.list("user-2")).length, 1);
      const owner = await grants.redeemCode("code of user-2", sampleClientSession("two"));
      assert.equal(owner?.user.id, "user-2");
    },
  },
  {
    name: "deletes old authorizations, and old clients without a consent",
    async run(store) {
      const { grants } = store;
      await addSampleUsers(store, 1);
      for (const number of [1, 2]) await grants.putClient(sampleClient(`client-${number}`));
      await grants.putClient(sampleClient("client-3", { createdAt: AFTER_EXPIRY }));
      await grants.addAuthorization(sampleAuthorization("one"));
      await grants.claim("one", "user-1");
      await grants.approve("one", "code-1", SAMPLE_CONSENT);
      const otherAuthorization = {
        ...sampleAuthorization("two"),
        clientId: "client-3",
        createdAt: AFTER_EXPIRY,
      };
      await grants.addAuthorization(otherAuthorization);
      await grants.sweep({ authorizations: LATER_TIME, clients: LATER_TIME });
      assert.equal(await grants.byCode("code-1"), null);
      assert.equal((await grants.claim("two", "user-1"))?.hash, "two");
      const remainingClients = await Promise.all(
        [1, 2, 3].map((n) => grants.client(`client-${n}`)),
      );
      assert.deepEqual(
        remainingClients.map((client) => client?.id ?? null),
        ["client-1", null, "client-3"],
      );
    },
  },
];
