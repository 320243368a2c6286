// T67: every operation of the contract with tokens that only look like those of the provider.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { forgedTokens } from "#testing/fixtures/forged-tokens.ts";
import { identityWorld } from "#testing/fixtures/identity-world.ts";
import { askOperation, operationsOf } from "#testing/fixtures/operations.ts";
import type { TriedOperation } from "#testing/fixtures/operations.ts";
import { bearer, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const ADA = "ada@example.org";

/** What each kind of operation tells a token that it does not believe. */
const DISBELIEF: Readonly<Record<string, string>> = {
  BotBearer: "401 invalid_token",
  Browser: "401 invalid_session",
  Admin: "401 invalid_session",
  "AccountBearer OwnerKey": "401 authentication_required",
  "AgentBearer OwnerKey": "400 invalid_owner_key",
};

describe("a forged token", () => {
  let api: TestApi;
  let operations: TriedOperation[];
  let access: string;
  let forged: [why: string, jwt: string][];
  before(async () => {
    const store = memoryStore();
    const people = await identityWorld({ store });
    const { provider } = people.embedded;
    const accounts = {
      provider,
      adminEmails: () => new Set([ADA]),
      mail: fakeMail(),
      passwords: fakePasswords(),
      sendLetter: () => {},
      noteLeft: async () => {},
      signUps: null,
    };
    api = testApi({ anonymous: false }, { store, accounts, clock: () => people.clock.wall() });
    operations = (await operationsOf(api)).filter(({ schemes }) => schemes !== "");
    ({ access } = await people.member(ADA));
    forged = await forgedTokens(people, access);
  });

  it("opens nothing that the token opens which it was made from", async () => {
    assert.ok(forged.length >= 16 && operations.length > 30);
    for (const [why, jwt] of forged)
      for (const operation of operations) {
        const { status, code } = await askOperation(api, operation, bearer(jwt));
        const where = `${why}: ${operation.method} ${operation.path}`;
        assert.equal(`${status} ${code}`, DISBELIEF[operation.schemes], where);
      }
  });

  it("is told apart from the good one", async () => {
    const open = operations.filter(({ schemes }) => schemes === "Browser" || schemes === "Admin");
    for (const operation of open) {
      if (operation.method !== "GET") continue;
      const { code } = await askOperation(api, operation, bearer(access));
      assert.ok(code !== "invalid_session" && code !== "not_admin", operation.path);
    }
  });
});
