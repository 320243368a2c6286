// Users who are deleted while a request of theirs is handled, over the real store.

import assert from "node:assert/strict";
import { after, it } from "node:test";

import { openStore } from "#server/composition/open-store.ts";
import { codeIn, freshFolder, identityWorld, PASSWORD } from "#testing/fixtures/identity-world.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

const ADA = "ada@example.org";

/** A world with a member who is deleted just before a session of theirs is stored. */
async function leavingWorld() {
  const store = await openStore({ data: freshFolder() });
  after(() => store.close());
  let leaving: string | null = null;
  const { addSession } = store.identity;
  const changed = changedStore(store, {
    identity: {
      addSession: async (...given) => {
        if (leaving !== null) await store.identity.deleteUser(leaving);
        return addSession(...given);
      },
    },
  });
  const world = await identityWorld({ store: changed });
  const { id } = await world.member(ADA);
  return { world, store, leave: () => void (leaving = id) };
}

it("a sign-in during the deletion of the account is refused, and is no fault", async () => {
  const { world, leave } = await leavingWorld();
  leave();
  const body = { email: ADA, password: PASSWORD };
  const reply = await world.ask("POST", "/token?grant_type=password", { body });
  assert.deepEqual(codeIn(reply), [400, "invalid_credentials"]);
  assert.deepEqual(world.faults, []);
});

it("a sign-in, a sign-out and a recovery at once with the deletion answer no 500", async () => {
  const { world, store } = await leavingWorld();
  const jwts = await world.ask("POST", "/token?grant_type=password", {
    body: { email: ADA, password: PASSWORD },
  });
  const { access_token: jwt, refresh_token, user } = jwts.body;
  const signIn = () =>
    world.ask("POST", "/token?grant_type=password", { body: { email: ADA, password: PASSWORD } });
  const replies = await Promise.all([
    ...Array.from({ length: 4 }, signIn),
    world.ask("POST", "/recover", { body: { email: ADA } }),
    store.identity.deleteUser(user.id).then(() => null),
    ...Array.from({ length: 4 }, signIn),
    world.ask("POST", "/token?grant_type=refresh_token", { body: { refresh_token } }),
    world.ask("PUT", "/user", { jwt, body: { data: { name: "Ada" } } }),
    world.ask("POST", "/logout", { jwt }),
  ]);
  for (const reply of replies) assert.ok((reply?.status ?? 200) < 500, JSON.stringify(reply?.body));
  assert.deepEqual(world.faults, []);
});
