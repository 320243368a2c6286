// Races in which the owner ends all sessions between a request's checks and its write.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Store } from "#data/store/store.ts";
import {
  beginAuthorization,
  authorizeForCode,
  decideAuthorization,
  loadAuthorizationAs,
  registerApp,
  redeemCodeGrant,
} from "#testing/fixtures/identity-apps.ts";
import {
  statusAndCode,
  followVerifyLink,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
  signInMember,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const OWNER = "owner@example.org";
const THIEF = "thief@evil.example";
const NEXT = "another fine password";

type StoreNamespace = "identity" | "grants";
type Hook = { method: string; run: () => Promise<unknown> };

/**
 * Sets up a signed-in owner. `before` runs a callback once, just before the given store method is
 * called.
 */
async function racingWorld() {
  const real = memoryStore();
  let hook: Hook | null = null;
  const hookedNamespace = <N extends StoreNamespace>(namespace: N): Store[N] => {
    const methods = Object.entries(real[namespace]).map(([name, method]) => {
      const run = async (...args: never[]): Promise<unknown> => {
        const due = hook?.method === `${namespace}.${name}` ? hook : null;
        if (due !== null) hook = null;
        await due?.run();
        return (method as (...args: never[]) => unknown)(...args);
      };
      return [name, run];
    });
    return Object.fromEntries(methods) as Store[N];
  };
  const changes = { identity: hookedNamespace("identity"), grants: hookedNamespace("grants") };
  const world = await identityWorld({ store: overrideStore(real, changes) });
  const owner = await world.addMember(OWNER);
  const before = (method: string, run: Hook["run"]) => void (hook = { method, run });
  const isPending = () => hook !== null;
  return { world, owner, before, isPending };
}

const changePassword = async (
  { sendRequest: context }: IdentityWorld,
  jwt: string,
  password: string,
) => assert.equal((await context("PUT", "/user", { jwt, body: { password } })).status, 200);

describe("a pending change from a stolen session", () => {
  for (const [defense, applyDefense] of Object.entries({
    "sets a new password": (world: IdentityWorld, jwt: string) => changePassword(world, jwt, NEXT),
    "signs out everywhere": async (world: IdentityWorld, jwt: string) =>
      assert.equal((await world.sendRequest("POST", "/logout", { jwt })).status, 204),
  }))
    it(`changes neither the password nor the address once the owner ${defense}`, async () => {
      for (const body of [{ password: "thief's password" }, { email: THIEF }]) {
        const { world, owner, before, isPending } = await racingWorld();
        const { access } = await signInMember(world, OWNER);
        before("identity.changeUser", () => applyDefense(world, owner.access));
        const changed = await world.sendRequest("PUT", "/user", { jwt: access, body });
        assert.deepEqual(statusAndCode(changed), [403, "session_not_found"]);
        assert.equal(isPending(), false);
        const isChanged = defense === "sets a new password";
        await signInMember(world, OWNER, isChanged ? NEXT : TEST_PASSWORD);
        const user = await world.deps.store.identity.userById(owner.id);
        assert.deepEqual([user?.email, user?.newEmail], [OWNER, null]);
        await world.embedded.whenIdle();
        assert.deepEqual(
          world.receivedEmails.filter(
            ({ to, type }) => to === THIEF || type !== "password_changed",
          ),
          [],
        );
      }
    });
});

it("a sign-out from an ended session doesn't end the owner's new session", async () => {
  for (const scope of ["global", "others"]) {
    const { world, owner, before, isPending } = await racingWorld();
    const { access } = await signInMember(world, OWNER);
    let next = "";
    before("identity.changeUser", async () => {
      await changePassword(world, owner.access, NEXT);
      next = (await signInMember(world, OWNER, NEXT)).access;
    });
    const reply = await world.sendRequest("POST", `/logout?scope=${scope}`, { jwt: access });
    assert.deepEqual(statusAndCode(reply), [403, "session_not_found"]);
    assert.equal(isPending(), false);
    assert.equal((await world.sendRequest("GET", "/user", { jwt: next })).status, 200, scope);
  }
});

const signOutEverywhere = async ({ sendRequest: context }: IdentityWorld, jwt: string) =>
  assert.equal((await context("POST", "/logout", { jwt })).status, 204);

async function recoveryCode(world: IdentityWorld) {
  const { challenge, verifier } = createPkce();
  const body = { email: OWNER, code_challenge: challenge, code_challenge_method: "s256" };
  await world.sendRequest("POST", "/recover", { body });
  const to = await followVerifyLink(world, (await world.waitForEmail(OWNER)).link);
  const invite = new URLSearchParams(to.hash.slice(1)).get("token_hash") ?? "";
  return { code: to.searchParams.get("code") ?? "", verifier, invite };
}

const exchange = (
  { sendRequest: context }: IdentityWorld,
  auth_code: string,
  code_verifier: string,
) => context("POST", "/token?grant_type=pkce", { body: { auth_code, code_verifier } });

describe("a pending sign-in", () => {
  it("is refused if the password has changed since it was verified", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    before("identity.addSession", () => changePassword(world, owner.access, NEXT));
    const body = { email: OWNER, password: TEST_PASSWORD };
    const reply = await world.sendRequest("POST", "/token?grant_type=password", { body });
    assert.deepEqual(statusAndCode(reply), [400, "invalid_credentials"]);
    assert.equal(isPending(), false);
    await signInMember(world, OWNER, NEXT);
  });

  it("is refused if the account is deleted", async () => {
    const { world, owner, before } = await racingWorld();
    before("identity.addSession", () => world.deps.store.identity.deleteUser(owner.id));
    const body = { email: OWNER, password: TEST_PASSWORD };
    const reply = await world.sendRequest("POST", "/token?grant_type=password", { body });
    assert.deepEqual(statusAndCode(reply), [400, "invalid_credentials"]);
    assert.deepEqual(world.reportedErrors, []);
  });

  it("gets no session from a browser's code once the owner signs out everywhere", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    const { code, verifier } = await recoveryCode(world);
    before("identity.redeemFlow", () => signOutEverywhere(world, owner.access));
    assert.deepEqual(statusAndCode(await exchange(world, code, verifier)), [
      404,
      "flow_state_not_found",
    ]);
    assert.equal(isPending(), false);
  });

  it("stores the session in the same write that consumes the code or token", async () => {
    const { world, before, isPending } = await racingWorld();
    const { code, verifier, invite } = await recoveryCode(world);
    const { verifier: otherVerifier, code: second } = await recoveryCode(world);
    await world.sendRequest("POST", "/recover", { body: { email: OWNER } });
    const { code: token } = await world.waitForEmail(OWNER);
    before("identity.addSession", () => Promise.reject(new Error("a second write")));
    const bodies = [
      { type: "invite", token_hash: invite },
      { type: "recovery", email: OWNER, token },
    ];
    for (const body of bodies)
      assert.equal((await world.sendRequest("POST", "/verify", { body })).status, 200);
    for (const [codeToTry, proof] of [
      [code, verifier],
      [second, otherVerifier],
    ] as const)
      assert.equal((await exchange(world, codeToTry, proof)).status, 200);
    assert.equal(isPending(), true);
  });

  it("gets no code from a link that was invalidated in the meantime", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    await world.sendRequest("POST", "/recover", { body: { email: OWNER } });
    const { link } = await world.waitForEmail(OWNER);
    before("identity.redeem", () => signOutEverywhere(world, owner.access));
    const to = await followVerifyLink(world, link);
    assert.equal(new URLSearchParams(to.hash.slice(1)).get("error_code"), "otp_expired");
    assert.equal(isPending(), false);
  });
});

describe("an app's pending code exchange", () => {
  for (const [defense, end] of Object.entries({
    "the consent was revoked": async (
      { sendRequest: context }: IdentityWorld,
      jwt: string,
      client: string,
    ) => context("DELETE", `/user/oauth/grants?client_id=${client}`, { jwt }),
    "the owner signed out everywhere": signOutEverywhere,
  }))
    it(`gets no session once ${defense}`, async () => {
      const { world, owner, before, isPending } = await racingWorld();
      const app = await registerApp(world);
      const { code, verifier } = await authorizeForCode(world, app, owner);
      before("grants.redeemCode", async () => end(world, owner.access, app.id));
      const reply = await redeemCodeGrant(world, app, code, verifier);
      assert.deepEqual(statusAndCode(reply), [400, "invalid_grant"]);
      assert.equal(isPending(), false);
    });

  it("revokes the issued tokens if two requests use the same code", async () => {
    const { world, owner, before } = await racingWorld();
    const app = await registerApp(world);
    const { code, verifier } = await authorizeForCode(world, app, owner);
    let winner = "";
    before("grants.redeemCode", async () => {
      const { status, body } = await redeemCodeGrant(world, app, code, verifier);
      assert.equal(status, 200);
      winner = body.access_token;
    });
    const loser = await redeemCodeGrant(world, app, code, verifier);
    assert.deepEqual(statusAndCode(loser), [400, "invalid_grant"]);
    const usedCode = await world.sendRequest("GET", "/user", { jwt: winner });
    assert.deepEqual(statusAndCode(usedCode), [403, "session_not_found"]);
  });

  it("gets no code if consent was given by an ended session", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    const app = await registerApp(world);
    const { id } = await beginAuthorization(world, app);
    await loadAuthorizationAs(world, owner, id);
    before("grants.approve", () => signOutEverywhere(world, owner.access));
    const reply = await decideAuthorization(world, owner, id, "approve");
    assert.deepEqual(statusAndCode(reply), [404, "oauth_authorization_not_found"]);
    assert.equal(isPending(), false);
    assert.equal(await world.deps.store.grants.consent(owner.id, app.id), null);
  });
});

it("a code sent to the old mailbox gives no session after an address change", async () => {
  const { world, owner } = await racingWorld();
  const oldRecovery = await recoveryCode(world);
  const { challenge, verifier } = createPkce();
  const email = "new@example.org";
  const change = { email, code_challenge: challenge, code_challenge_method: "s256" };
  await world.sendRequest("PUT", "/user", { jwt: owner.access, body: change });
  const to = await followVerifyLink(world, (await world.waitForEmail(email)).link);
  const exchangeAfterMove = await exchange(world, to.searchParams.get("code") ?? "", verifier);
  assert.deepEqual(
    [exchangeAfterMove.status, (exchangeAfterMove.body.user as { email?: string }).email],
    [200, email],
  );
  const lateExchange = await exchange(world, oldRecovery.code, oldRecovery.verifier);
  assert.deepEqual(statusAndCode(lateExchange), [404, "flow_state_not_found"]);
});
