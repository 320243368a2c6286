import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DAY_MS } from "#base/util/time.ts";
import {
  statusAndCode,
  followVerifyLink,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";

const ADA = "ada@example.org";
const STRANGER = "a stranger's password";
const CHOSEN = "what Ada chose";

async function signUp(world: IdentityWorld, email = ADA, password = TEST_PASSWORD) {
  const { verifier, challenge } = createPkce();
  const challenged = { code_challenge: challenge, code_challenge_method: "s256" };
  await world.sendRequest("POST", "/signup", { body: { email, password, ...challenged } });
  const { link } = await world.waitForEmail(email);
  return { verifier, link };
}

async function linkFor(world: IdentityWorld, idOrEmail: string): Promise<string> {
  const signUpLink = await world.embedded.signUps.confirmLink(idOrEmail);
  assert.ok(signUpLink !== null && signUpLink !== "reserved");
  return signUpLink.link;
}

const signIn = (world: IdentityWorld, password: string) =>
  world.sendRequest("POST", "/token?grant_type=password", { body: { email: ADA, password } });

describe("unconfirmed sign-ups", () => {
  it("are listed newest first until confirmed", async () => {
    const world = await identityWorld();
    await signUp(world);
    world.clock.advance(1000);
    await signUp(world, "eve@example.org");
    await world.addMember("bob@example.org");
    const { total, signUps } = await world.embedded.signUps.listUnconfirmed(9);
    assert.equal(total, 2);
    assert.deepEqual(
      signUps.map(({ email }) => email),
      ["eve@example.org", ADA],
    );
  });

  it("are confirmed by an operator's link, which works once and asks for a password", async () => {
    const world = await identityWorld();
    await signUp(world);
    world.receivedEmails.splice(0);
    const link = await linkFor(world, "Ada@Example.org");
    const target = await followVerifyLink(world, link);
    assert.equal(target.pathname, "/account");
    const facts = new URLSearchParams(target.hash.slice(1));
    assert.equal(facts.get("type"), "signup");
    assert.equal(target.searchParams.get("code"), null);
    const body = { type: "invite", token_hash: facts.get("token_hash") };
    const { body: session } = await world.sendRequest("POST", "/verify", { body });
    const chosen = { jwt: session.access_token, body: { password: CHOSEN } };
    assert.equal((await world.sendRequest("PUT", "/user", chosen)).status, 200);
    assert.equal((await signIn(world, CHOSEN)).status, 200);
    assert.deepEqual(statusAndCode(await signIn(world, TEST_PASSWORD)), [
      400,
      "invalid_credentials",
    ]);
    assert.match((await followVerifyLink(world, link)).hash, /error_code=otp_expired/);
    assert.equal(await world.embedded.signUps.confirmLink(ADA), null);
    assert.equal((await world.embedded.signUps.listUnconfirmed(9)).total, 0);
  });

  it("never receive the password of another person who signed up with the address", async () => {
    const world = await identityWorld();
    const ownerSignUp = await signUp(world);
    world.clock.advance(61_000);
    world.receivedEmails.splice(0);
    const stranger = await signUp(world, ADA, STRANGER);
    await followVerifyLink(world, await linkFor(world, ADA));
    for (const password of [STRANGER, TEST_PASSWORD])
      assert.deepEqual(statusAndCode(await signIn(world, password)), [400, "invalid_credentials"]);
    // Both sign-up links are invalid now, so neither browser can exchange a code.
    for (const { link } of [ownerSignUp, stranger])
      assert.match((await followVerifyLink(world, link)).hash, /error_code=otp_expired/);
  });

  it("keep their emailed link while an operator's link is unused", async () => {
    const world = await identityWorld();
    const { verifier, link } = await signUp(world);
    await linkFor(world, ADA);
    const code = (await followVerifyLink(world, link)).searchParams.get("code");
    const body = { auth_code: code, code_verifier: verifier };
    const exchanged = await world.sendRequest("POST", "/token?grant_type=pkce", { body });
    assert.equal(exchanged.status, 200);
    assert.equal((await signIn(world, TEST_PASSWORD)).status, 200);
  });

  it("are not confirmed by an operator's link after a day", async () => {
    const world = await identityWorld();
    await signUp(world);
    const link = await linkFor(world, ADA);
    world.clock.advance(DAY_MS);
    assert.match((await followVerifyLink(world, link)).hash, /error_code=otp_expired/);
  });

  it("with a configured admin's address get no operator link", async () => {
    const world = await identityWorld({ reserved: () => [ADA] });
    await signUp(world);
    assert.equal(await world.embedded.signUps.confirmLink(ADA), "reserved");
    const { id } = (await world.deps.store.identity.userByEmail(ADA))!;
    assert.equal(await world.embedded.signUps.confirmLink(id), "reserved");
    for (const nobody of ["nobody@example.org", "no-such-id", ""])
      assert.equal(await world.embedded.signUps.confirmLink(nobody), null);
  });
});
