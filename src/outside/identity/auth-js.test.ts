// The client library of Supabase, unchanged, in every call that the site and scripts make.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { AuthClient } from "@supabase/auth-js";
import type { GoTrueClient } from "@supabase/auth-js";

import { systemClock } from "#base/clock/clock.ts";
import { GITHUB, GITHUB_CODE, githubStub } from "#testing/fixtures/github-stub.ts";
import {
  buttonOf,
  follow,
  IDENTITY_BASE,
  identityWorld,
  PASSWORD,
  pkce,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, WorldChanges } from "#testing/fixtures/identity-world.ts";

const ROOT = `${IDENTITY_BASE}/auth/v1`;
const EMAIL = "ada@example.org";

/** A browser with a storage of its own. */
function browser({ embedded }: IdentityWorld): GoTrueClient {
  const storage = new Map<string, string>();
  return new AuthClient({
    url: ROOT,
    headers: {
      apikey: embedded.publishableKey,
      Authorization: `Bearer ${embedded.publishableKey}`,
    },
    fetch: (input, init) => embedded.answer(new Request(input, init), "192.0.2.7"),
    flowType: "pkce",
    autoRefreshToken: false,
    persistSession: true,
    detectSessionInUrl: false,
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
      removeItem: (key) => void storage.delete(key),
    },
  });
}

/** The library compares lifetimes with the clock of the process. */
const openWorld = (changes: WorldChanges = {}) => identityWorld({ clock: systemClock, ...changes });

function ok<R extends { data: unknown; error: unknown }>(result: R) {
  assert.equal(result.error, null);
  return result.data as Extract<R, { error: null }>["data"];
}

async function signedUp(world: IdentityWorld, auth: GoTrueClient, email = EMAIL) {
  ok(
    await auth.signUp({
      email,
      password: PASSWORD,
      options: { emailRedirectTo: `${IDENTITY_BASE}/account` },
    }),
  );
  const back = await follow(world, (await world.mailTo(email)).link);
  world.mails.splice(0);
  return ok(await auth.exchangeCodeForSession(back.searchParams.get("code") ?? ""));
}

const codeOf = ({ error }: { error: unknown }) => (error as { code?: string } | null)?.code;

describe("auth-js, unchanged,", () => {
  it("signs up, follows the link in the same browser and has a session", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const { user, session } = ok(
      await auth.signUp({
        email: "Ada@Example.org",
        password: PASSWORD,
        options: { data: { colour: "red" }, emailRedirectTo: `${IDENTITY_BASE}/account` },
      }),
    );
    assert.equal(session, null);
    assert.equal(user?.email, EMAIL);
    const back = await follow(world, (await world.mailTo(EMAIL)).link);
    assert.equal(back.origin + back.pathname, `${IDENTITY_BASE}/account`);
    const exchanged = ok(await auth.exchangeCodeForSession(back.searchParams.get("code") ?? ""));
    assert.equal(exchanged.user.user_metadata["colour"], "red");
    assert.deepEqual(exchanged.user.app_metadata, { provider: "email", providers: ["email"] });
    assert.ok(exchanged.user.email_confirmed_at);
    const { claims } = ok(await auth.getClaims()) ?? assert.fail();
    assert.equal(claims.sub, exchanged.user.id);
    assert.equal(claims.aud, "authenticated");
    assert.equal(ok(await auth.getUser()).user.id, exchanged.user.id);
  });

  it("confirms by the six digits, or by the hash of a link", async () => {
    const world = await openWorld();
    const auth = browser(world);
    ok(await auth.signUp({ email: EMAIL, password: PASSWORD }));
    const { code } = await world.mailTo(EMAIL);
    const wrong = await auth.verifyOtp({ email: EMAIL, token: "000000", type: "email" });
    if (code !== "000000") assert.equal(codeOf(wrong), "otp_expired");
    const session = ok(await auth.verifyOtp({ email: EMAIL, token: code ?? "", type: "email" }));
    assert.equal(session.user?.email, EMAIL);
    const body = { email: "bob@example.org", password: PASSWORD };
    await world.ask("POST", "/signup", { body });
    const { link } = await world.mailTo("bob@example.org");
    const token_hash = new URL(buttonOf(link ?? "")).searchParams.get("token") ?? "";
    const other = ok(await browser(world).verifyOtp({ token_hash, type: "signup" }));
    assert.equal(other.user?.email, "bob@example.org");
  });

  it("has no password after the code alone, and chooses one", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const credentials = { email: EMAIL, password: PASSWORD };
    ok(await auth.signUp(credentials));
    const { code } = await world.mailTo(EMAIL);
    ok(await auth.verifyOtp({ email: EMAIL, token: code ?? "", type: "signup" }));
    const other = browser(world);
    assert.equal(codeOf(await other.signInWithPassword(credentials)), "invalid_credentials");
    ok(await auth.updateUser({ password: PASSWORD }));
    ok(await other.signInWithPassword(credentials));
  });

  it("has the password that it sends beside the code", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const credentials = { email: EMAIL, password: PASSWORD };
    ok(await auth.signUp({ ...credentials, options: { data: { colour: "red" } } }));
    const { code } = await world.mailTo(EMAIL);
    const params = { ...credentials, token: code ?? "", type: "signup" } as const;
    const { user } = ok(await auth.verifyOtp(params));
    assert.equal(user?.user_metadata["colour"], "red");
    ok(await browser(world).signInWithPassword(credentials));
  });

  it("accepts what a link opened elsewhere brought, and chooses a password", async () => {
    const world = await openWorld();
    const [auth, phone] = [browser(world), browser(world)];
    ok(await auth.signUp({ email: EMAIL, password: PASSWORD }));
    const back = await follow(world, (await world.mailTo(EMAIL)).link);
    const token_hash = new URLSearchParams(back.hash.slice(1)).get("token_hash") ?? "";
    ok(await phone.verifyOtp({ token_hash, type: "invite" }));
    ok(await phone.updateUser({ password: "chosen on the phone" }));
    const late = await auth.exchangeCodeForSession(back.searchParams.get("code") ?? "");
    assert.equal(codeOf(late), "flow_state_not_found");
    ok(await auth.signInWithPassword({ email: EMAIL, password: "chosen on the phone" }));
  });

  it("asks for the mail again", async () => {
    const world = await openWorld();
    const auth = browser(world);
    ok(await auth.signUp({ email: EMAIL, password: PASSWORD }));
    const first = await world.mailTo(EMAIL);
    world.mails.splice(0);
    ok(await auth.resend({ type: "signup", email: EMAIL }));
    const second = await world.mailTo(EMAIL);
    assert.notEqual(first.link, second.link);
    ok(await auth.resend({ type: "signup", email: "nobody@example.org" }));
    // Anyone may ask for another email, so the one before stays good until one of them is used.
    assert.equal((await follow(world, first.link)).searchParams.get("error_code"), null);
    const late = { email: EMAIL, token: second.code ?? "", type: "signup" } as const;
    assert.equal(codeOf(await auth.verifyOtp(late)), "otp_expired");
  });

  it("signs in, refreshes and signs out in each scope", async () => {
    const world = await openWorld();
    const [auth, other, third] = [browser(world), browser(world), browser(world)];
    await signedUp(world, auth);
    const credentials = { email: EMAIL, password: PASSWORD };
    const wrong = await other.signInWithPassword({ ...credentials, password: "wrong password" });
    assert.equal(codeOf(wrong), "invalid_credentials");
    ok(await other.signInWithPassword(credentials));
    const before = ok(await third.signInWithPassword(credentials)).session;
    const { session } = ok(await third.refreshSession());
    assert.notEqual(session?.refresh_token, before.refresh_token);
    assert.equal(session?.user.id, before.user.id);
    ok(await auth.getUser());
    assert.equal((await third.signOut({ scope: "others" })).error, null);
    assert.equal((await other.getUser()).error?.name, "AuthSessionMissingError");
    ok(await third.getUser());
    ok(await auth.signInWithPassword(credentials));
    assert.equal((await third.signOut({ scope: "local" })).error, null);
    assert.equal(ok(await third.getSession()).session, null);
    ok(await auth.getUser());
    assert.equal((await auth.signOut()).error, null);
    assert.equal(
      codeOf(await browser(world).refreshSession({ refresh_token: before.refresh_token })),
      "refresh_token_not_found",
    );
  });

  it("sets a session from its tokens, and finds out that it has ended", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const { session } = await signedUp(world, auth);
    const { access_token, refresh_token } = session;
    const copy = browser(world);
    ok(await copy.setSession({ access_token, refresh_token }));
    await auth.signOut({ scope: "global" });
    assert.equal((await copy.getUser()).error?.name, "AuthSessionMissingError");
  });

  it("recovers by the link, and the new password ends the other sessions", async () => {
    const world = await openWorld();
    const [auth, other] = [browser(world), browser(world)];
    await signedUp(world, other);
    ok(
      await auth.resetPasswordForEmail(EMAIL, {
        redirectTo: `${IDENTITY_BASE}/account?from=%2Fladders`,
      }),
    );
    const back = await follow(world, (await world.mailTo(EMAIL)).link);
    assert.match(back.href, /\/account\?from=%2Fladders&code=/);
    ok(await auth.exchangeCodeForSession(back.searchParams.get("code") ?? ""));
    ok(await auth.updateUser({ password: "a new password" }));
    assert.equal((await other.getUser()).error?.name, "AuthSessionMissingError");
    ok(await auth.getUser());
    const old = { email: EMAIL, password: PASSWORD };
    assert.equal(codeOf(await other.signInWithPassword(old)), "invalid_credentials");
    ok(await other.signInWithPassword({ ...old, password: "a new password" }));
    assert.equal((await world.mailTo(EMAIL)).type, "password_changed");
  });

  it("changes what people say of themselves, their password and their address", async () => {
    const world = await openWorld();
    const auth = browser(world);
    await signedUp(world, auth);
    const named = ok(await auth.updateUser({ data: { colour: "blue", gone: null } }));
    assert.deepEqual(named.user.user_metadata, { colour: "blue" });
    assert.equal(codeOf(await auth.updateUser({ password: PASSWORD })), "same_password");
    const weak = await auth.updateUser({ password: "short" });
    assert.equal(weak.error?.name, "AuthWeakPasswordError");
    const { user } = ok(await auth.updateUser({ email: "New@example.org" }));
    assert.deepEqual([user.email, user.new_email], [EMAIL, "new@example.org"]);
    const back = await follow(world, (await world.mailTo("new@example.org")).link);
    ok(await auth.exchangeCodeForSession(back.searchParams.get("code") ?? ""));
    assert.equal(ok(await auth.getUser()).user.email, "new@example.org");
    assert.equal((await world.mailTo(EMAIL)).type, "email_changed");
  });

  it("signs in by another provider", async () => {
    const { fetch } = githubStub();
    const world = await openWorld({ fetch, settings: { social: [GITHUB] } });
    const auth = browser(world);
    const options = { skipBrowserRedirect: true, redirectTo: `${IDENTITY_BASE}/account` };
    const { url } = ok(await auth.signInWithOAuth({ provider: "github", options }));
    const out = await world.ask("GET", url ?? "", { keyless: true });
    const there = new URL(out.headers.get("location") ?? "");
    assert.equal(there.host, "github.com");
    const answer = { code: GITHUB_CODE, state: there.searchParams.get("state") ?? "" };
    const query = new URLSearchParams(answer);
    const back = await world.ask("GET", `/callback?${query}`, { keyless: true });
    const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const { user } = ok(await auth.exchangeCodeForSession(code));
    assert.deepEqual([user.email, user.app_metadata.provider], [EMAIL, "github"]);
  });

  it("lets a person decide about a program, see their grants and revoke one", async () => {
    const world = await openWorld();
    const auth = browser(world);
    await signedUp(world, auth);
    const registered = await world.ask("POST", "/oauth/clients/register", {
      keyless: true,
      body: {
        client_name: "Agent",
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "none",
      },
    });
    const { client_id } = registered.body;
    const ask = async () => {
      const query = new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri: "http://127.0.0.1:5000/callback",
        code_challenge: pkce().challenge,
        code_challenge_method: "S256",
        state: "its state",
      });
      const { status, headers } = await world.ask("GET", `/oauth/authorize?${query}`, {
        keyless: true,
      });
      assert.equal(status, 302);
      const page = new URL(headers.get("location") ?? "");
      assert.equal(page.pathname, "/account/authorize");
      return page.searchParams.get("authorization_id") ?? "";
    };
    const denied = await ask();
    const details = ok(await auth.oauth.getAuthorizationDetails(denied));
    assert.ok(details !== null && "client" in details);
    assert.deepEqual([details.client.name, details.scope], ["Agent", "openid email"]);
    const no = ok(await auth.oauth.denyAuthorization(denied, { skipBrowserRedirect: true }));
    assert.match(no?.redirect_url ?? "", /^http:\/\/127.0.0.1:5000\/callback\?error=access_denied/);
    const approved = await ask();
    ok(await auth.oauth.getAuthorizationDetails(approved));
    const yes = ok(await auth.oauth.approveAuthorization(approved, { skipBrowserRedirect: true }));
    const back = new URL(yes?.redirect_url ?? "");
    assert.deepEqual(
      [back.searchParams.get("state"), back.searchParams.get("iss")],
      ["its state", ROOT],
    );
    const grants = ok(await auth.oauth.listGrants());
    assert.deepEqual(
      grants?.map(({ client, scopes }) => [client.id, client.name, scopes]),
      [[client_id, "Agent", ["openid", "email"]]],
    );
    ok(await auth.oauth.revokeGrant({ clientId: client_id }));
    assert.deepEqual(ok(await auth.oauth.listGrants()), []);
  });
});
