// T67: sends forged provider tokens to every operation in the contract.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import { fakeMail } from "#testing/fixtures/fake-mail.ts";
import { fakePasswords } from "#testing/fixtures/fake-passwords.ts";
import { forgedTokens } from "#testing/fixtures/forged-tokens.ts";
import { identityWorld } from "#testing/fixtures/identity-world.ts";
import { requestOperation, listOperations } from "#testing/fixtures/operations.ts";
import type { ListedOperation } from "#testing/fixtures/operations.ts";
import { bearerHeader, testApi } from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const ADA = "ada@example.org";

/** Expected outcome for a forged token, by accepted schemes. */
const EXPECTED_OUTCOMES: Readonly<Record<string, string>> = {
  BotBearer: "401 invalid_token",
  Browser: "401 invalid_session",
  Admin: "401 invalid_session",
  "AccountBearer OwnerKey": "401 authentication_required",
  "AgentBearer OwnerKey": "400 invalid_owner_key",
};

describe("a forged token", () => {
  let api: TestApi;
  let operations: ListedOperation[];
  let access: string;
  let tokens: [why: string, jwt: string][];
  before(async () => {
    const store = memoryStore();
    const people = await identityWorld({ store });
    const { provider } = people.embedded;
    const accounts = {
      provider,
      adminEmails: () => new Set([ADA]),
      mail: fakeMail(),
      passwords: fakePasswords(),
      sendEmail: () => {},
      recordDeletion: async () => {},
      signUps: null,
    };
    api = testApi({ anonymous: false }, { store, accounts, clock: () => people.clock.wall() });
    operations = (await listOperations(api)).filter(({ schemes }) => schemes !== "");
    ({ access } = await people.addMember(ADA));
    tokens = await forgedTokens(people, access);
  });

  it("gives none of the original token's access", async () => {
    assert.ok(tokens.length >= 16 && operations.length > 30);
    for (const [why, jwt] of tokens)
      for (const operation of operations) {
        const { status, code } = await requestOperation(api, operation, bearerHeader(jwt));
        const message = `${why}: ${operation.method} ${operation.path}`;
        assert.equal(`${status} ${code}`, EXPECTED_OUTCOMES[operation.schemes], message);
      }
  });

  it("fails only because it is forged: the valid token is accepted", async () => {
    const sessionOperations = operations.filter(
      ({ schemes }) => schemes === "Browser" || schemes === "Admin",
    );
    for (const operation of sessionOperations) {
      if (operation.method !== "GET") continue;
      const { code } = await requestOperation(api, operation, bearerHeader(access));
      assert.ok(code !== "invalid_session" && code !== "not_admin", operation.path);
    }
  });
});
