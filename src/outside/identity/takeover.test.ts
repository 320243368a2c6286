// Somebody has a stolen session for a while. Once the owner has done what one does about it, nothing
// that was begun with it leads anywhere.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  begin,
  codeFor,
  decide,
  look,
  register,
  withCode,
} from "#testing/fixtures/identity-programs.ts";
import {
  buttonOf,
  codeIn,
  follow,
  identityWorld,
  signIn,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const OWNER = "owner@example.org";
const THIEF = "thief@evil.example";
const NEXT = "another fine password";

/** What the owner may do. */
const DEFENCES: Readonly<Record<string, (world: IdentityWorld) => Promise<void>>> = {
  "signs out everywhere": async (world) => {
    const { access } = await signIn(world, OWNER);
    assert.equal((await world.ask("POST", "/logout?scope=global", { jwt: access })).status, 204);
  },
  "signs out elsewhere": async (world) => {
    const { access } = await signIn(world, OWNER);
    assert.equal((await world.ask("POST", "/logout?scope=others", { jwt: access })).status, 204);
  },
  "chooses a new password": async (world) => {
    const { access } = await signIn(world, OWNER);
    const changed = await world.ask("PUT", "/user", { jwt: access, body: { password: NEXT } });
    assert.equal(changed.status, 200);
    assert.equal((changed.body as { new_email?: string }).new_email ?? "", "");
  },
};

/** The thief asks for another address with the session. */
async function begunMove(world: IdentityWorld, access: string): Promise<string> {
  const asked = await world.ask("PUT", "/user", { jwt: access, body: { email: THIEF } });
  assert.equal(asked.status, 200);
  const { link } = await world.mailTo(THIEF);
  world.mails.splice(0);
  return new URL(buttonOf(link ?? "")).searchParams.get("token") ?? "";
}

for (const [what, defend] of Object.entries(DEFENCES))
  describe(`an owner who ${what}`, () => {
    it("ends a change of address that somebody began, and it cannot be mailed again", async () => {
      const world = await identityWorld();
      const { access } = await world.member(OWNER);
      const token_hash = await begunMove(world, access);
      await defend(world);
      const used = await world.ask("POST", "/verify", {
        body: { type: "email_change", token_hash },
      });
      assert.deepEqual(codeIn(used), [403, "otp_expired"]);
      world.clock.pass(61_000);
      await world.ask("POST", "/resend", { body: { type: "email_change", email: OWNER } });
      await world.embedded.settled();
      assert.ok(world.mails.every(({ to }) => to !== THIEF));
      assert.notEqual(await world.deps.store.identity.userByEmail(OWNER), null);
      assert.equal(await world.deps.store.identity.userByEmail(THIEF), null);
    });

    it("ends what a program was given meanwhile and did not use yet", async () => {
      const world = await identityWorld();
      const person = await world.member(OWNER);
      const program = await register(world);
      const { code, verifier } = await codeFor(world, program, person);
      await defend(world);
      const redeemed = await withCode(world, program, code, verifier);
      assert.deepEqual(codeIn(redeemed), [400, "invalid_grant"]);
    });
  });

it("a consent cannot be given with a session that has ended", async () => {
  const world = await identityWorld();
  const person = await world.member(OWNER);
  const program = await register(world);
  const { id } = await begin(world, program);
  await look(world, person, id);
  await DEFENCES["signs out everywhere"]?.(world);
  assert.equal((await decide(world, person, id, "approve")).status, 403);
});

describe("a session of an hour ago", () => {
  async function stale() {
    const world = await identityWorld();
    const { access } = await world.member(OWNER);
    world.clock.pass(16 * 60_000);
    const put = (body: object) => world.ask("PUT", "/user", { jwt: access, body });
    return { world, put };
  }

  it("changes neither password nor address by itself", async () => {
    const { put } = await stale();
    for (const body of [
      { password: NEXT },
      { email: THIEF },
      { password: NEXT, current_password: null },
    ])
      assert.deepEqual(codeIn(await put(body)), [400, "reauthentication_needed"]);
    assert.equal((await put({ data: { user_name: "owner" } })).status, 200);
  });

  it("does so with the present password, and with no other", async () => {
    const { put } = await stale();
    const wrong = await put({ password: NEXT, current_password: "not the password" });
    assert.deepEqual(codeIn(wrong), [400, "invalid_credentials"]);
    const odd = await put({ password: NEXT, current_password: 5 });
    assert.deepEqual(codeIn(odd), [400, "validation_failed"]);
    const right = await put({ password: NEXT, current_password: "correct horse battery" });
    assert.equal(right.status, 200);
  });

  it("does so after a mail for a new password", async () => {
    const { world } = await stale();
    await world.ask("POST", "/recover", { body: { email: OWNER } });
    const { code } = await world.mailTo(OWNER);
    const body = { type: "recovery", email: OWNER, token: code };
    const { body: session } = await world.ask("POST", "/verify", { body });
    const jwt = session.access_token;
    assert.equal((await world.ask("PUT", "/user", { jwt, body: { password: NEXT } })).status, 200);
  });
});

it("a stranger's mail for a new password leaves the link of before good", async () => {
  const world = await identityWorld();
  await world.member(OWNER);
  await world.ask("POST", "/recover", { body: { email: OWNER } });
  const { link } = await world.mailTo(OWNER);
  world.mails.splice(0);
  world.clock.pass(60_000);
  await world.ask("POST", "/recover", { body: { email: OWNER }, caller: "192.0.2.66" });
  await world.mailTo(OWNER);
  const to = await follow(world, link);
  assert.equal(to.searchParams.get("error_code"), null);
});
