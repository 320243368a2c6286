import assert from "node:assert/strict";

import { addPeople, TOKEN } from "./identity-samples.ts";
import type { Case } from "./store-case.ts";
import { CODE_KEY, takeLink, TIMES } from "./store-one-time-cases.ts";

export const newestTokenCases: readonly Case[] = [
  {
    name: "takes only the codes of the newest tokens of a user and purpose, and any link",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const hashes = ["4", "1", "3", "2", "5"];
      for (const at of hashes) {
        const createdAt = `2026-01-05T12:00:00.00${at}Z`;
        await identity.putToken(
          { ...TOKEN, hash: `token-${at}`, codeHash: `code-${at}`, createdAt },
          [],
        );
      }
      await identity.putToken({ ...TOKEN, purpose: "recovery", hash: "other" }, []);
      const isTaken = async (at: string) =>
        "token" in
        (await identity.redeemCode({ ...CODE_KEY, mostTries: 9, codeHash: `code-${at}` }, TIMES));
      assert.equal(await isTaken("2"), false);
      assert.equal(await isTaken("1"), false);
      assert.equal((await takeLink(identity, "token-1"))?.hash, "token-1");
    },
  },
  {
    name: "finds the newest token of an email to an address",
    async run(store) {
      const { identity } = store;
      await addPeople(store, 1);
      const change = { ...TOKEN, purpose: "email_change" } as const;
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
      const pending = async (email: string, after = TIMES.after) =>
        (await identity.pendingToken("user-1", "email_change", email, after))?.hash ?? null;
      assert.equal(await pending("first@example.org"), "b");
      assert.equal(await pending("second@example.org"), "a");
      assert.equal(await pending("second@example.org", "2026-01-05T12:00:04.000Z"), null);
      assert.equal(await pending("third@example.org"), null);
    },
  },
];
