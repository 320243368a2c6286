// Requests that were checked before the owner ended all sessions, and write afterwards.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Store } from "#data/store/store.ts";
import {
  begin,
  codeFor,
  decide,
  look,
  register,
  withCode,
} from "#testing/fixtures/identity-programs.ts";
import {
  codeIn,
  follow,
  identityWorld,
  PASSWORD,
  pkce,
  signIn,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld } from "#testing/fixtures/identity-world.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const OWNER = "owner@example.org";
const THIEF = "thief@evil.example";
const NEXT = "another fine password";

type Noun = "identity" | "grants";
type Hook = { method: string; run: () => Promise<unknown> };

/** A world with the owner signed in. `before` runs something once, just before a store method. */
async function racingWorld() {
  const real = memoryStore();
  let hook: Hook | null = null;
  const hooked = <N extends Noun>(noun: N): Store[N] => {
    const methods = Object.entries(real[noun]).map(([name, method]) => {
      const run = async (...args: never[]): Promise<unknown> => {
        const due = hook?.method === `${noun}.${name}` ? hook : null;
        if (due !== null) hook = null;
        await due?.run();
        return (method as (...given: never[]) => unknown)(...args);
      };
      return [name, run];
    });
    return Object.fromEntries(methods) as Store[N];
  };
  const changes = { identity: hooked("identity"), grants: hooked("grants") };
  const world = await identityWorld({ store: changedStore(real, changes) });
  const owner = await world.member(OWNER);
  const before = (method: string, run: Hook["run"]) => void (hook = { method, run });
  const isPending = () => hook !== null;
  return { world, owner, before, isPending };
}

const changePassword = async ({ ask }: IdentityWorld, jwt: string, password: string) =>
  assert.equal((await ask("PUT", "/user", { jwt, body: { password } })).status, 200);

describe("a stolen session whose change is in flight", () => {
  for (const [what, defend] of Object.entries({
    "chooses a new password": (world: IdentityWorld, jwt: string) =>
      changePassword(world, jwt, NEXT),
    "signs out everywhere": async (world: IdentityWorld, jwt: string) =>
      assert.equal((await world.ask("POST", "/logout", { jwt })).status, 204),
  }))
    it(`changes neither password nor address once the owner ${what}`, async () => {
      for (const body of [{ password: "thief's password" }, { email: THIEF }]) {
        const { world, owner, before, isPending } = await racingWorld();
        const { access } = await signIn(world, OWNER);
        before("identity.changeUser", () => defend(world, owner.access));
        const changed = await world.ask("PUT", "/user", { jwt: access, body });
        assert.deepEqual(codeIn(changed), [403, "session_not_found"]);
        assert.equal(isPending(), false);
        const isChanged = what === "chooses a new password";
        await signIn(world, OWNER, isChanged ? NEXT : PASSWORD);
        const user = await world.deps.store.identity.userById(owner.id);
        assert.deepEqual([user?.email, user?.newEmail], [OWNER, null]);
        await world.embedded.settled();
        assert.deepEqual(
          world.mails.filter(({ to, type }) => to === THIEF || type !== "password_changed"),
          [],
        );
      }
    });
});

it("a sign-out of a session that the owner just ended spares the owner's next one", async () => {
  for (const scope of ["global", "others"]) {
    const { world, owner, before, isPending } = await racingWorld();
    const { access } = await signIn(world, OWNER);
    let next = "";
    before("identity.changeUser", async () => {
      await changePassword(world, owner.access, NEXT);
      next = (await signIn(world, OWNER, NEXT)).access;
    });
    const reply = await world.ask("POST", `/logout?scope=${scope}`, { jwt: access });
    assert.deepEqual(codeIn(reply), [403, "session_not_found"]);
    assert.equal(isPending(), false);
    assert.equal((await world.ask("GET", "/user", { jwt: next })).status, 200, scope);
  }
});

const signOutEverywhere = async ({ ask }: IdentityWorld, jwt: string) =>
  assert.equal((await ask("POST", "/logout", { jwt })).status, 204);

/** The code that a browser gets for a link, with its verifier and what any browser gets. */
async function recoveryCode(world: IdentityWorld) {
  const { challenge, verifier } = pkce();
  const body = { email: OWNER, code_challenge: challenge, code_challenge_method: "s256" };
  await world.ask("POST", "/recover", { body });
  const to = await follow(world, (await world.mailTo(OWNER)).link);
  const invite = new URLSearchParams(to.hash.slice(1)).get("token_hash") ?? "";
  return { code: to.searchParams.get("code") ?? "", verifier, invite };
}

const exchange = ({ ask }: IdentityWorld, auth_code: string, code_verifier: string) =>
  ask("POST", "/token?grant_type=pkce", { body: { auth_code, code_verifier } });

describe("a sign-in in flight", () => {
  it("is refused when the password that it verified has changed", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    before("identity.addSession", () => changePassword(world, owner.access, NEXT));
    const body = { email: OWNER, password: PASSWORD };
    const reply = await world.ask("POST", "/token?grant_type=password", { body });
    assert.deepEqual(codeIn(reply), [400, "invalid_credentials"]);
    assert.equal(isPending(), false);
    await signIn(world, OWNER, NEXT);
  });

  it("is refused when the account is deleted", async () => {
    const { world, owner, before } = await racingWorld();
    before("identity.addSession", () => world.deps.store.identity.deleteUser(owner.id));
    const body = { email: OWNER, password: PASSWORD };
    const reply = await world.ask("POST", "/token?grant_type=password", { body });
    assert.deepEqual(codeIn(reply), [400, "invalid_credentials"]);
    assert.deepEqual(world.faults, []);
  });

  it("gives no session for a browser's code once the owner signs out everywhere", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    const { code, verifier } = await recoveryCode(world);
    before("identity.redeemFlow", () => signOutEverywhere(world, owner.access));
    assert.deepEqual(codeIn(await exchange(world, code, verifier)), [404, "flow_state_not_found"]);
    assert.equal(isPending(), false);
  });

  it("adds its session in the write that takes the code or token", async () => {
    const { world, before, isPending } = await racingWorld();
    const { code, verifier, invite } = await recoveryCode(world);
    const { verifier: other, code: second } = await recoveryCode(world);
    await world.ask("POST", "/recover", { body: { email: OWNER } });
    const { code: token } = await world.mailTo(OWNER);
    before("identity.addSession", () => Promise.reject(new Error("a second write")));
    const bodies = [
      { type: "invite", token_hash: invite },
      { type: "recovery", email: OWNER, token },
    ];
    for (const body of bodies)
      assert.equal((await world.ask("POST", "/verify", { body })).status, 200);
    for (const [one, proof] of [
      [code, verifier],
      [second, other],
    ] as const)
      assert.equal((await exchange(world, one, proof)).status, 200);
    assert.equal(isPending(), true);
  });

  it("gets no code from a link once the link's email was ended", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    await world.ask("POST", "/recover", { body: { email: OWNER } });
    const { link } = await world.mailTo(OWNER);
    before("identity.redeem", () => signOutEverywhere(world, owner.access));
    const to = await follow(world, link);
    assert.equal(new URLSearchParams(to.hash.slice(1)).get("error_code"), "otp_expired");
    assert.equal(isPending(), false);
  });
});

describe("a code of an app in flight", () => {
  for (const [what, end] of Object.entries({
    "the consent was revoked": async ({ ask }: IdentityWorld, jwt: string, client: string) =>
      ask("DELETE", `/user/oauth/grants?client_id=${client}`, { jwt }),
    "the owner signed out everywhere": signOutEverywhere,
  }))
    it(`gives no session once ${what}`, async () => {
      const { world, owner, before, isPending } = await racingWorld();
      const app = await register(world);
      const { code, verifier } = await codeFor(world, app, owner);
      before("grants.redeemCode", async () => end(world, owner.access, app.id));
      const reply = await withCode(world, app, code, verifier);
      assert.deepEqual(codeIn(reply), [400, "invalid_grant"]);
      assert.equal(isPending(), false);
    });

  it("ends the tokens of the request that won, when two use it at once", async () => {
    const { world, owner, before } = await racingWorld();
    const app = await register(world);
    const { code, verifier } = await codeFor(world, app, owner);
    let winner = "";
    before("grants.redeemCode", async () => {
      const { status, body } = await withCode(world, app, code, verifier);
      assert.equal(status, 200);
      winner = body.access_token;
    });
    const loser = await withCode(world, app, code, verifier);
    assert.deepEqual(codeIn(loser), [400, "invalid_grant"]);
    const used = await world.ask("GET", "/user", { jwt: winner });
    assert.deepEqual(codeIn(used), [403, "session_not_found"]);
  });

  it("is not given for a consent of a session that has ended", async () => {
    const { world, owner, before, isPending } = await racingWorld();
    const app = await register(world);
    const { id } = await begin(world, app);
    await look(world, owner, id);
    before("grants.approve", () => signOutEverywhere(world, owner.access));
    const reply = await decide(world, owner, id, "approve");
    assert.deepEqual(codeIn(reply), [404, "oauth_authorization_not_found"]);
    assert.equal(isPending(), false);
    assert.equal(await world.deps.store.grants.consent(owner.id, app.id), null);
  });
});

it("a code from the old mailbox gives no session after the address moved", async () => {
  const { world, owner } = await racingWorld();
  const old = await recoveryCode(world);
  const { challenge, verifier } = pkce();
  const email = "new@example.org";
  const change = { email, code_challenge: challenge, code_challenge_method: "s256" };
  await world.ask("PUT", "/user", { jwt: owner.access, body: change });
  const to = await follow(world, (await world.mailTo(email)).link);
  const moved = await exchange(world, to.searchParams.get("code") ?? "", verifier);
  assert.deepEqual([moved.status, (moved.body.user as { email?: string }).email], [200, email]);
  const late = await exchange(world, old.code, old.verifier);
  assert.deepEqual(codeIn(late), [404, "flow_state_not_found"]);
});
