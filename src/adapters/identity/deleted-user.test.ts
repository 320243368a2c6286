import assert from "node:assert/strict";
import { after, it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import {
  statusAndCode,
  temporaryIdentityFolder,
  identityWorld,
  TEST_PASSWORD,
} from "#testing/fixtures/identity-world.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const ADA = "ada@example.org";

async function worldWithDeletion() {
  const store = await openStore({ data: temporaryIdentityFolder() });
  after(() => store.close());
  let isDeleting: string | null = null;
  const { addSession } = store.identity;
  const changed = overrideStore(store, {
    identity: {
      addSession: async (...args) => {
        if (isDeleting !== null) await store.identity.deleteUser(isDeleting);
        return addSession(...args);
      },
    },
  });
  const world = await identityWorld({ store: changed });
  const { id } = await world.addMember(ADA);
  return { world, store, leave: () => void (isDeleting = id) };
}

it("refuses a sign-in during account deletion without reporting an error", async () => {
  const { world, leave } = await worldWithDeletion();
  leave();
  const body = { email: ADA, password: TEST_PASSWORD };
  const reply = await world.sendRequest("POST", "/token?grant_type=password", { body });
  assert.deepEqual(statusAndCode(reply), [400, "invalid_credentials"]);
  assert.deepEqual(world.reportedErrors, []);
});

it("concurrent sign-in, sign-out, recovery and deletion never return 500", async () => {
  const { world, store } = await worldWithDeletion();
  const jwts = await world.sendRequest("POST", "/token?grant_type=password", {
    body: { email: ADA, password: TEST_PASSWORD },
  });
  const { access_token: jwt, refresh_token, user } = jwts.body;
  const signIn = () =>
    world.sendRequest("POST", "/token?grant_type=password", {
      body: { email: ADA, password: TEST_PASSWORD },
    });
  const replies = await Promise.all([
    ...Array.from({ length: 4 }, signIn),
    world.sendRequest("POST", "/recover", { body: { email: ADA } }),
    store.identity.deleteUser(user.id).then(() => null),
    ...Array.from({ length: 4 }, signIn),
    world.sendRequest("POST", "/token?grant_type=refresh_token", { body: { refresh_token } }),
    world.sendRequest("PUT", "/user", { jwt, body: { data: { name: "Ada" } } }),
    world.sendRequest("POST", "/logout", { jwt }),
  ]);
  for (const reply of replies) assert.ok((reply?.status ?? 200) < 500, JSON.stringify(reply?.body));
  assert.deepEqual(world.reportedErrors, []);
});
