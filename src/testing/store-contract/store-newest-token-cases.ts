import assert from "node:assert/strict";

import { addSampleUsers, SAMPLE_TOKEN } from "./identity-samples.ts";
import type { StoreCase } from "./store-case.ts";
import { CODE_KEY, redeemLink, REDEEM_OPTIONS } from "./store-one-time-cases.ts";

export const newestTokenCases: readonly StoreCase[] = [
  {
    name: "takes only the codes of the newest tokens of a user and purpose, and any link",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const hashes = ["4", "1", "3", "2", "5"];
      for (const digit of hashes) {
        const createdAt = `2026-01-05T12:00:00.00${digit}Z`;
        await identity.putToken(
          { ...SAMPLE_TOKEN, hash: `token-${digit}`, codeHash: `code-${digit}`, createdAt },
          [],
        );
      }
      await identity.putToken({ ...SAMPLE_TOKEN, purpose: "recovery", hash: "other" }, []);
      const isRedeemed = async (digit: string) =>
        "token" in
        (await identity.redeemCode(
          { ...CODE_KEY, maxTries: 9, codeHash: `code-${digit}` },
          REDEEM_OPTIONS,
        ));
      assert.equal(await isRedeemed("2"), false);
      assert.equal(await isRedeemed("1"), false);
      assert.equal((await redeemLink(identity, "token-1"))?.hash, "token-1");
    },
  },
  {
    name: "finds the newest token of an email to an address",
    async run(store) {
      const { identity } = store;
      await addSampleUsers(store, 1);
      const change = { ...SAMPLE_TOKEN, purpose: "email_change" } as const;
      for (const [hash, email, second] of [
        ["b", "first@example.org", 1],
        ["d", "second@example.org", 2],
        ["a", "second@example.org", 4],
        ["c", "second@example.org", 3],
      ] as const)
        await identity.putToken(
          { ...change, hash, codeHash: hash, email, createdAt: `2026-01-05T12:00:0${second}.000Z` },
          [],
        );
      const pending = async (email: string, after = REDEEM_OPTIONS.after) =>
        (await identity.pendingToken("user-1", "email_change", email, after))?.hash ?? null;
      assert.equal(await pending("first@example.org"), "b");
      assert.equal(await pending("second@example.org"), "a");
      assert.equal(await pending("second@example.org", "2026-01-05T12:00:04.000Z"), null);
      assert.equal(await pending("third@example.org"), null);
    },
  },
];
