// Runs every auth-js call that the site and scripts use, with the unmodified Supabase library.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { AuthClient } from "@supabase/auth-js";
import type { GoTrueClient } from "@supabase/auth-js";

import { systemClock } from "#base/clock/clock.ts";
import { GITHUB_PROVIDER, GITHUB_CODE, githubStub } from "#testing/fixtures/github-stub.ts";
import {
  verifyLinkOf,
  followVerifyLink,
  IDENTITY_BASE,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, IdentityWorldChanges } from "#testing/fixtures/identity-world.ts";

const ROOT = `${IDENTITY_BASE}/auth/v1`;
const EMAIL = "ada@example.org";

function browser({ embedded }: IdentityWorld): GoTrueClient {
  const storage = new Map<string, string>();
  return new AuthClient({
    url: ROOT,
    headers: {
      apikey: embedded.publishableKey,
      Authorization: `Bearer ${embedded.publishableKey}`,
    },
    fetch: (input, init) => embedded.respond(new Request(input, init), "192.0.2.7"),
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

/** auth-js checks token expiry against the process clock. */
const openWorld = (changes: IdentityWorldChanges = {}) =>
  identityWorld({ clock: systemClock, ...changes });

function ok<R extends { data: unknown; error: unknown }>(result: R) {
  assert.equal(result.error, null);
  return result.data as Extract<R, { error: null }>["data"];
}

async function signUpAndConfirm(world: IdentityWorld, auth: GoTrueClient, email = EMAIL) {
  ok(
    await auth.signUp({
      email,
      password: TEST_PASSWORD,
      options: { emailRedirectTo: `${IDENTITY_BASE}/account` },
    }),
  );
  const redirectUrl = await followVerifyLink(world, (await world.waitForEmail(email)).link);
  world.receivedEmails.splice(0);
  return ok(await auth.exchangeCodeForSession(redirectUrl.searchParams.get("code") ?? ""));
}

const codeOf = ({ error }: { error: unknown }) => (error as { code?: string } | null)?.code;

describe("unmodified auth-js", () => {
  it("signs up, follows the link in the same browser and starts a session", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const { user, session } = ok(
      await auth.signUp({
        email: "Ada@Example.org",
        password: TEST_PASSWORD,
        options: { data: { colour: "red" }, emailRedirectTo: `${IDENTITY_BASE}/account` },
      }),
    );
    assert.equal(session, null);
    assert.equal(user?.email, EMAIL);
    const redirectUrl = await followVerifyLink(world, (await world.waitForEmail(EMAIL)).link);
    assert.equal(redirectUrl.origin + redirectUrl.pathname, `${IDENTITY_BASE}/account`);
    const exchanged = ok(
      await auth.exchangeCodeForSession(redirectUrl.searchParams.get("code") ?? ""),
    );
    assert.equal(exchanged.user.user_metadata["colour"], "red");
    assert.deepEqual(exchanged.user.app_metadata, { provider: "email", providers: ["email"] });
    assert.ok(exchanged.user.email_confirmed_at);
    const { claims } = ok(await auth.getClaims()) ?? assert.fail();
    assert.equal(claims.sub, exchanged.user.id);
    assert.equal(claims.aud, "authenticated");
    assert.equal(ok(await auth.getUser()).user.id, exchanged.user.id);
  });

  it("confirms a sign-up with the 6-digit code or the link's hash", async () => {
    const world = await openWorld();
    const auth = browser(world);
    ok(await auth.signUp({ email: EMAIL, password: TEST_PASSWORD }));
    const { code } = await world.waitForEmail(EMAIL);
    const wrongCodeResult = await auth.verifyOtp({ email: EMAIL, token: "000000", type: "email" });
    if (code !== "000000") assert.equal(codeOf(wrongCodeResult), "otp_expired");
    const session = ok(await auth.verifyOtp({ email: EMAIL, token: code ?? "", type: "email" }));
    assert.equal(session.user?.email, EMAIL);
    const body = { email: "bob@example.org", password: TEST_PASSWORD };
    await world.sendRequest("POST", "/signup", { body });
    const { link } = await world.waitForEmail("bob@example.org");
    const token_hash = new URL(verifyLinkOf(link ?? "")).searchParams.get("token") ?? "";
    const otherSignIn = ok(await browser(world).verifyOtp({ token_hash, type: "signup" }));
    assert.equal(otherSignIn.user?.email, "bob@example.org");
  });

  it("sets a password after confirming with only the code", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const credentials = { email: EMAIL, password: TEST_PASSWORD };
    ok(await auth.signUp(credentials));
    const { code } = await world.waitForEmail(EMAIL);
    ok(await auth.verifyOtp({ email: EMAIL, token: code ?? "", type: "signup" }));
    const otherSignIn = browser(world);
    assert.equal(codeOf(await otherSignIn.signInWithPassword(credentials)), "invalid_credentials");
    ok(await auth.updateUser({ password: TEST_PASSWORD }));
    ok(await otherSignIn.signInWithPassword(credentials));
  });

  it("sets the password that is sent with the code", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const credentials = { email: EMAIL, password: TEST_PASSWORD };
    ok(await auth.signUp({ ...credentials, options: { data: { colour: "red" } } }));
    const { code } = await world.waitForEmail(EMAIL);
    const params = { ...credentials, token: code ?? "", type: "signup" } as const;
    const { user } = ok(await auth.verifyOtp(params));
    assert.equal(user?.user_metadata["colour"], "red");
    ok(await browser(world).signInWithPassword(credentials));
  });

  it("sets a password with the data from a link opened in another browser", async () => {
    const world = await openWorld();
    const [auth, phone] = [browser(world), browser(world)];
    ok(await auth.signUp({ email: EMAIL, password: TEST_PASSWORD }));
    const redirectUrl = await followVerifyLink(world, (await world.waitForEmail(EMAIL)).link);
    const token_hash = new URLSearchParams(redirectUrl.hash.slice(1)).get("token_hash") ?? "";
    ok(await phone.verifyOtp({ token_hash, type: "invite" }));
    ok(await phone.updateUser({ password: "chosen on the phone" }));
    const lateExchange = await auth.exchangeCodeForSession(
      redirectUrl.searchParams.get("code") ?? "",
    );
    assert.equal(codeOf(lateExchange), "flow_state_not_found");
    ok(await auth.signInWithPassword({ email: EMAIL, password: "chosen on the phone" }));
  });

  it("resends the confirmation email", async () => {
    const world = await openWorld();
    const auth = browser(world);
    ok(await auth.signUp({ email: EMAIL, password: TEST_PASSWORD }));
    const first = await world.waitForEmail(EMAIL);
    world.receivedEmails.splice(0);
    ok(await auth.resend({ type: "signup", email: EMAIL }));
    const second = await world.waitForEmail(EMAIL);
    assert.notEqual(first.link, second.link);
    ok(await auth.resend({ type: "signup", email: "nobody@example.org" }));
    // Earlier links stay valid until one is used, because anyone can request an email for the
    // address.
    assert.equal((await followVerifyLink(world, first.link)).searchParams.get("error_code"), null);
    const lateExchange = { email: EMAIL, token: second.code ?? "", type: "signup" } as const;
    assert.equal(codeOf(await auth.verifyOtp(lateExchange)), "otp_expired");
  });

  it("signs in, refreshes and signs out with each scope", async () => {
    const world = await openWorld();
    const [auth, otherSignIn, third] = [browser(world), browser(world), browser(world)];
    await signUpAndConfirm(world, auth);
    const credentials = { email: EMAIL, password: TEST_PASSWORD };
    const wrongCodeResult = await otherSignIn.signInWithPassword({
      ...credentials,
      password: "wrong password",
    });
    assert.equal(codeOf(wrongCodeResult), "invalid_credentials");
    ok(await otherSignIn.signInWithPassword(credentials));
    const before = ok(await third.signInWithPassword(credentials)).session;
    const { session } = ok(await third.refreshSession());
    assert.notEqual(session?.refresh_token, before.refresh_token);
    assert.equal(session?.user.id, before.user.id);
    ok(await auth.getUser());
    assert.equal((await third.signOut({ scope: "others" })).error, null);
    assert.equal((await otherSignIn.getUser()).error?.name, "AuthSessionMissingError");
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

  it("restores a session from its tokens and detects when the session has ended", async () => {
    const world = await openWorld();
    const auth = browser(world);
    const { session } = await signUpAndConfirm(world, auth);
    const { access_token, refresh_token } = session;
    const secondClient = browser(world);
    ok(await secondClient.setSession({ access_token, refresh_token }));
    await auth.signOut({ scope: "global" });
    assert.equal((await secondClient.getUser()).error?.name, "AuthSessionMissingError");
  });

  it("recovers with the link, and setting a password ends other sessions", async () => {
    const world = await openWorld();
    const [auth, otherSignIn] = [browser(world), browser(world)];
    await signUpAndConfirm(world, otherSignIn);
    ok(
      await auth.resetPasswordForEmail(EMAIL, {
        redirectTo: `${IDENTITY_BASE}/account?from=%2Fladders`,
      }),
    );
    const redirectUrl = await followVerifyLink(world, (await world.waitForEmail(EMAIL)).link);
    assert.match(redirectUrl.href, /\/account\?from=%2Fladders&code=/);
    ok(await auth.exchangeCodeForSession(redirectUrl.searchParams.get("code") ?? ""));
    ok(await auth.updateUser({ password: "a new password" }));
    assert.equal((await otherSignIn.getUser()).error?.name, "AuthSessionMissingError");
    ok(await auth.getUser());
    const oldCredentials = { email: EMAIL, password: TEST_PASSWORD };
    assert.equal(
      codeOf(await otherSignIn.signInWithPassword(oldCredentials)),
      "invalid_credentials",
    );
    ok(await otherSignIn.signInWithPassword({ ...oldCredentials, password: "a new password" }));
    assert.equal((await world.waitForEmail(EMAIL)).type, "password_changed");
  });

  it("changes the profile, password and email address", async () => {
    const world = await openWorld();
    const auth = browser(world);
    await signUpAndConfirm(world, auth);
    const withUserName = ok(await auth.updateUser({ data: { colour: "blue", gone: null } }));
    assert.deepEqual(withUserName.user.user_metadata, { colour: "blue" });
    assert.equal(codeOf(await auth.updateUser({ password: TEST_PASSWORD })), "same_password");
    const weakPasswordResult = await auth.updateUser({ password: "short" });
    assert.equal(weakPasswordResult.error?.name, "AuthWeakPasswordError");
    const { user } = ok(await auth.updateUser({ email: "New@example.org" }));
    assert.deepEqual([user.email, user.new_email], [EMAIL, "new@example.org"]);
    const redirectUrl = await followVerifyLink(
      world,
      (await world.waitForEmail("new@example.org")).link,
    );
    ok(await auth.exchangeCodeForSession(redirectUrl.searchParams.get("code") ?? ""));
    assert.equal(ok(await auth.getUser()).user.email, "new@example.org");
    assert.equal((await world.waitForEmail(EMAIL)).type, "email_changed");
  });

  it("signs in with a social provider", async () => {
    const { fetch } = githubStub();
    const world = await openWorld({ fetch, settings: { social: [GITHUB_PROVIDER] } });
    const auth = browser(world);
    const options = { skipBrowserRedirect: true, redirectTo: `${IDENTITY_BASE}/account` };
    const { url } = ok(await auth.signInWithOAuth({ provider: "github", options }));
    const startResponse = await world.sendRequest("GET", url ?? "", { omitApiKey: true });
    const githubUrl = new URL(startResponse.headers.get("location") ?? "");
    assert.equal(githubUrl.host, "github.com");
    const answer = { code: GITHUB_CODE, state: githubUrl.searchParams.get("state") ?? "" };
    const query = new URLSearchParams(answer);
    const redirectUrl = await world.sendRequest("GET", `/callback?${query}`, { omitApiKey: true });
    const code = new URL(redirectUrl.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const { user } = ok(await auth.exchangeCodeForSession(code));
    assert.deepEqual([user.email, user.app_metadata.provider], [EMAIL, "github"]);
  });

  it("approves or denies an app, lists grants and revokes one", async () => {
    const world = await openWorld();
    const auth = browser(world);
    await signUpAndConfirm(world, auth);
    const registered = await world.sendRequest("POST", "/oauth/clients/register", {
      omitApiKey: true,
      body: {
        client_name: "Agent",
        redirect_uris: ["http://127.0.0.1/callback"],
        token_endpoint_auth_method: "none",
      },
    });
    const { client_id } = registered.body;
    const context = async () => {
      const query = new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri: "http://127.0.0.1:5000/callback",
        code_challenge: createPkce().challenge,
        code_challenge_method: "S256",
        state: "its state",
      });
      const { status, headers } = await world.sendRequest("GET", `/oauth/authorize?${query}`, {
        omitApiKey: true,
      });
      assert.equal(status, 302);
      const page = new URL(headers.get("location") ?? "");
      assert.equal(page.pathname, "/account/authorize");
      return page.searchParams.get("authorization_id") ?? "";
    };
    const denial = await context();
    const details = ok(await auth.oauth.getAuthorizationDetails(denial));
    assert.ok(details !== null && "client" in details);
    assert.deepEqual([details.client.name, details.scope], ["Agent", "openid email"]);
    const deniedUrl = ok(await auth.oauth.denyAuthorization(denial, { skipBrowserRedirect: true }));
    assert.match(
      deniedUrl?.redirect_url ?? "",
      /^http:\/\/127.0.0.1:5000\/callback\?error=access_denied/,
    );
    const approval = await context();
    ok(await auth.oauth.getAuthorizationDetails(approval));
    const approvedUrl = ok(
      await auth.oauth.approveAuthorization(approval, { skipBrowserRedirect: true }),
    );
    const redirectUrl = new URL(approvedUrl?.redirect_url ?? "");
    assert.deepEqual(
      [redirectUrl.searchParams.get("state"), redirectUrl.searchParams.get("iss")],
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
