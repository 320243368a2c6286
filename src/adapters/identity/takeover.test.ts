// A session was stolen for a while. After the owner's countermeasures, nothing that the thief
// started has any effect.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  beginAuthorization,
  authorizeForCode,
  decideAuthorization,
  loadAuthorizationAs,
  registerApp,
  redeemCodeGrant,
} from "#testing/fixtures/identity-apps.ts";
import {
  verifyLinkOf,
  statusAndCode,
  followVerifyLink,
  identityWorld,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const OWNER = "owner@example.org";
const THIEF = "thief@evil.example";
const NEXT = "another fine password";

const DEFENCES: Readonly<Record<string, (world: IdentityWorld) => Promise<void>>> = {
  "signs out everywhere": async (world) => {
    const { access } = await signInMember(world, OWNER);
    assert.equal(
      (await world.sendRequest("POST", "/logout?scope=global", { jwt: access })).status,
      204,
    );
  },
  "signs out elsewhere": async (world) => {
    const { access } = await signInMember(world, OWNER);
    assert.equal(
      (await world.sendRequest("POST", "/logout?scope=others", { jwt: access })).status,
      204,
    );
  },
  "sets a new password": async (world) => {
    const { access } = await signInMember(world, OWNER);
    const changed = await world.sendRequest("PUT", "/user", {
      jwt: access,
      body: { password: NEXT },
    });
    assert.equal(changed.status, 200);
    assert.equal((changed.body as { new_email?: string }).new_email ?? "", "");
  },
};

async function startEmailChange(world: IdentityWorld, access: string): Promise<string> {
  const changeReply = await world.sendRequest("PUT", "/user", {
    jwt: access,
    body: { email: THIEF },
  });
  assert.equal(changeReply.status, 200);
  const { link } = await world.waitForEmail(THIEF);
  world.receivedEmails.splice(0);
  return new URL(verifyLinkOf(link ?? "")).searchParams.get("token") ?? "";
}

for (const [defense, applyDefense] of Object.entries(DEFENCES))
  describe(`an owner who ${defense}`, () => {
    it("cancels a pending email change, which then can't be resent", async () => {
      const world = await identityWorld();
      const { access } = await world.addMember(OWNER);
      const token_hash = await startEmailChange(world, access);
      await applyDefense(world);
      const used = await world.sendRequest("POST", "/verify", {
        body: { type: "email_change", token_hash },
      });
      assert.deepEqual(statusAndCode(used), [403, "otp_expired"]);
      world.clock.advance(61_000);
      await world.sendRequest("POST", "/resend", { body: { type: "email_change", email: OWNER } });
      await world.embedded.whenIdle();
      assert.ok(world.receivedEmails.every(({ to }) => to !== THIEF));
      assert.notEqual(await world.deps.store.identity.userByEmail(OWNER), null);
      assert.equal(await world.deps.store.identity.userByEmail(THIEF), null);
    });

    it("revokes unused codes issued to an app in the meantime", async () => {
      const world = await identityWorld();
      const person = await world.addMember(OWNER);
      const program = await registerApp(world);
      const { code, verifier } = await authorizeForCode(world, program, person);
      await applyDefense(world);
      const redeemed = await redeemCodeGrant(world, program, code, verifier);
      assert.deepEqual(statusAndCode(redeemed), [400, "invalid_grant"]);
    });
  });

it("an ended session can't give consent", async () => {
  const world = await identityWorld();
  const person = await world.addMember(OWNER);
  const program = await registerApp(world);
  const { id } = await beginAuthorization(world, program);
  await loadAuthorizationAs(world, person, id);
  await DEFENCES["signs out everywhere"]?.(world);
  assert.equal((await decideAuthorization(world, person, id, "approve")).status, 403);
});

describe("an hour-old session", () => {
  async function assertStale() {
    const world = await identityWorld();
    const { access } = await world.addMember(OWNER);
    world.clock.advance(16 * 60_000);
    const put = (body: object) => world.sendRequest("PUT", "/user", { jwt: access, body });
    return { world, put };
  }

  it("can't change the password or address on its own", async () => {
    const { put } = await assertStale();
    for (const body of [
      { password: NEXT },
      { email: THIEF },
      { password: NEXT, current_password: null },
    ])
      assert.deepEqual(statusAndCode(await put(body)), [400, "reauthentication_needed"]);
    assert.equal((await put({ data: { user_name: "owner" } })).status, 200);
  });

  it("can make changes with the current password", async () => {
    const { put } = await assertStale();
    const wrongReply = await put({ password: NEXT, current_password: "not the password" });
    assert.deepEqual(statusAndCode(wrongReply), [400, "invalid_credentials"]);
    const nonTextReply = await put({ password: NEXT, current_password: 5 });
    assert.deepEqual(statusAndCode(nonTextReply), [400, "validation_failed"]);
    const correctReply = await put({ password: NEXT, current_password: "correct horse battery" });
    assert.equal(correctReply.status, 200);
  });

  it("can make changes after a password reset email", async () => {
    const { world } = await assertStale();
    await world.sendRequest("POST", "/recover", { body: { email: OWNER } });
    const { code } = await world.waitForEmail(OWNER);
    const body = { type: "recovery", email: OWNER, token: code };
    const { body: session } = await world.sendRequest("POST", "/verify", { body });
    const jwt = session.access_token;
    assert.equal(
      (await world.sendRequest("PUT", "/user", { jwt, body: { password: NEXT } })).status,
      200,
    );
  });
});

it("a reset email requested by someone else doesn't invalidate the previous link", async () => {
  const world = await identityWorld();
  await world.addMember(OWNER);
  await world.sendRequest("POST", "/recover", { body: { email: OWNER } });
  const { link } = await world.waitForEmail(OWNER);
  world.receivedEmails.splice(0);
  world.clock.advance(60_000);
  await world.sendRequest("POST", "/recover", { body: { email: OWNER }, caller: "192.0.2.66" });
  await world.waitForEmail(OWNER);
  const to = await followVerifyLink(world, link);
  assert.equal(to.searchParams.get("error_code"), null);
});
