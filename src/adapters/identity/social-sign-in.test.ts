import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";

import { Provider } from "oidc-provider";

import { systemClock } from "#base/clock/clock.ts";
import {
  GITHUB_PROVIDER,
  GITHUB_CODE,
  githubStub,
  PRIMARY_EMAIL,
} from "#testing/fixtures/github-stub.ts";
import type { GithubStubOptions } from "#testing/fixtures/github-stub.ts";
import {
  statusAndCode,
  IDENTITY_BASE,
  identityWorld,
  TEST_PASSWORD,
  createPkce,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, IdentityWorldChanges } from "#testing/fixtures/identity-world.ts";

import type { SocialProvider } from "./identity-deps.ts";

const ADA = "ada@example.org";
const CALLBACK = `${IDENTITY_BASE}/auth/v1/callback`;
async function startSignIn(
  { sendRequest: context }: IdentityWorld,
  provider: string,
  redirect_to = `${IDENTITY_BASE}/account`,
) {
  const { challenge, verifier } = createPkce();
  const query = new URLSearchParams({
    provider,
    redirect_to,
    code_challenge: challenge,
    code_challenge_method: "s256",
  });
  const reply = await context("GET", `/authorize?${query}`, { omitApiKey: true });
  assert.equal(reply.status, 302, JSON.stringify(reply.body));
  return { verifier, to: new URL(reply.headers.get("location") ?? "") };
}

async function followCallback({ sendRequest: context }: IdentityWorld, to: URL): Promise<URL> {
  const reply = await context("GET", to.href, { omitApiKey: true });
  assert.equal(reply.status, 302);
  return new URL(reply.headers.get("location") ?? "");
}

async function sessionBy(
  { sendRequest: context }: IdentityWorld,
  redirectUrl: URL,
  verifier: string,
) {
  const auth_code = redirectUrl.searchParams.get("code");
  const body = { auth_code, code_verifier: verifier };
  const reply = await context("POST", "/token?grant_type=pkce", { body });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.user as unknown as {
    id: string;
    email: string;
    app_metadata: { providers: string[] };
    user_metadata: object;
  };
}

async function githubWorld(
  githubFacts: GithubStubOptions = {},
  changes: IdentityWorldChanges = {},
) {
  const { fetch, asked: requestedUrls } = githubStub(githubFacts);
  const settings = { ...changes.settings, social: [GITHUB_PROVIDER] };
  return { world: await identityWorld({ fetch, ...changes, settings }), asked: requestedUrls };
}

async function viaGithub(world: IdentityWorld) {
  const { to, verifier } = await startSignIn(world, "github");
  const answer = new URL(CALLBACK);
  answer.searchParams.set("code", GITHUB_CODE);
  answer.searchParams.set("state", to.searchParams.get("state") ?? "");
  return { back: await followCallback(world, answer), verifier, to, answer };
}

const errorIn = (url: URL) => url.searchParams.get("error_code");

it("redirects to the account page or, on a local ladder, to another app", async () => {
  const table: [wanted: string, isLocal: boolean, leads: string][] = [
    ["http://127.0.0.1:9999/cb?x=1", true, "http://127.0.0.1:9999/cb?x=1"],
    ["http://127.0.0.1:9999/cb?x=1", false, `${IDENTITY_BASE}/account`],
    [`${IDENTITY_BASE}/account?error_code=x&from=%2Fy`, true, `${IDENTITY_BASE}/account?from=%2Fy`],
    [`${IDENTITY_BASE}/account/authorize?x=1`, true, `${IDENTITY_BASE}/account`],
  ];
  for (const [wanted, isLocal, leads] of table) {
    const { world } = await githubWorld({}, { settings: { isLocal } });
    const { to } = await startSignIn(world, "github", wanted);
    const callback = `${CALLBACK}?code=${GITHUB_CODE}&state=${to.searchParams.get("state")}`;
    const redirectUrl = await followCallback(world, new URL(callback));
    assert.match(redirectUrl.searchParams.get("code") ?? "", /^[\w-]{36}$/);
    redirectUrl.searchParams.delete("code");
    assert.equal(redirectUrl.href, leads);
  }
});

describe("a user with GitHub", () => {
  it("gets an account with their verified primary address and user name", async () => {
    const { world, asked: requestedUrls } = await githubWorld();
    const { back: redirectUrl, verifier, to } = await viaGithub(world);
    assert.equal(to.origin + to.pathname, "https://github.com/login/oauth/authorize");
    assert.deepEqual(
      ["client_id", "redirect_uri", "scope", "code_challenge_method"].map((name) =>
        to.searchParams.get(name),
      ),
      ["gh", CALLBACK, "read:user user:email", "S256"],
    );
    assert.equal(redirectUrl.pathname, "/account");
    const user = await sessionBy(world, redirectUrl, verifier);
    assert.equal(user.email, ADA);
    assert.deepEqual(user.app_metadata.providers, ["github"]);
    assert.deepEqual(user.user_metadata, { user_name: "ada-l" });
    assert.deepEqual(requestedUrls, [
      "github.com/login/oauth/access_token",
      "api.github.com/user",
      "api.github.com/user/emails",
    ]);
    const secondSignIn = await viaGithub(world);
    assert.equal((await sessionBy(world, secondSignIn.back, secondSignIn.verifier)).id, user.id);
  });

  it("signs in to the account with the same verified address", async () => {
    const { world } = await githubWorld();
    const { id } = await world.addMember(ADA);
    world.clock.advance(1);
    const { back: redirectUrl, verifier } = await viaGithub(world);
    const user = await sessionBy(world, redirectUrl, verifier);
    assert.equal(user.id, id);
    assert.deepEqual(user.app_metadata.providers, ["email", "github"]);
  });

  it("isn't linked by an address that GitHub hasn't verified", async () => {
    for (const emails of [
      [{ ...PRIMARY_EMAIL, verified: false }],
      [{ ...PRIMARY_EMAIL, primary: false }],
      [],
    ]) {
      const { world } = await githubWorld({ emails });
      const { id } = await world.addMember(ADA);
      const { back: redirectUrl, verifier } = await viaGithub(world);
      const user = await sessionBy(world, redirectUrl, verifier);
      assert.notEqual(user.id, id);
      assert.equal(user.email, "");
    }
  });

  it("replaces an unconfirmed sign-up, whose password is discarded", async () => {
    const { world } = await githubWorld();
    const body = { email: ADA, password: TEST_PASSWORD };
    await world.sendRequest("POST", "/signup", { body });
    const { back: redirectUrl, verifier } = await viaGithub(world);
    const user = await sessionBy(world, redirectUrl, verifier);
    assert.deepEqual(user.app_metadata.providers, ["github"]);
    const newUser = await world.sendRequest("POST", "/token?grant_type=password", { body });
    assert.deepEqual(statusAndCode(newUser), [400, "invalid_credentials"]);
  });

  it("can return only once and only with the state of a pending sign-in", async () => {
    const { world } = await githubWorld();
    const { answer, back: redirectUrl } = await viaGithub(world);
    assert.equal(errorIn(redirectUrl), null);
    assert.equal(errorIn(await followCallback(world, answer)), "bad_oauth_state");
    answer.searchParams.set("state", "forged");
    const forgedReply = await followCallback(world, answer);
    assert.equal(errorIn(forgedReply), "bad_oauth_state");
    assert.equal(forgedReply.origin, IDENTITY_BASE);
    const { to } = await startSignIn(world, "github");
    world.clock.advance(600_000);
    answer.searchParams.set("state", to.searchParams.get("state") ?? "");
    assert.equal(errorIn(await followCallback(world, answer)), "bad_oauth_state");
  });

  it("returns to the start page after cancelling or if GitHub fails", async () => {
    for (const githubFacts of [
      { token: { error: "bad_verification_code" } },
      { status: 500 },
      { user: { login: "no id" } },
      { emails: { message: "an object" } },
    ]) {
      const { world } = await githubWorld(githubFacts);
      const { back: redirectUrl } = await viaGithub(world);
      assert.equal(redirectUrl.pathname, "/account");
      assert.equal(errorIn(redirectUrl), "provider_failed");
      assert.equal(redirectUrl.searchParams.get("code"), null);
    }
    const { world, asked: requestedUrls } = await githubWorld();
    const { to } = await startSignIn(world, "github");
    const answer = new URL(`${CALLBACK}?error=access_denied`);
    answer.searchParams.set("state", to.searchParams.get("state") ?? "");
    assert.equal(errorIn(await followCallback(world, answer)), "provider_failed");
    assert.deepEqual(requestedUrls, []);
  });

  it("is rejected while sign-up is closed unless they have an account", async () => {
    const { world } = await githubWorld();
    await viaGithub(world);
    world.settings.signupOpen = false;
    const { back: redirectUrl, verifier } = await viaGithub(world);
    assert.equal((await sessionBy(world, redirectUrl, verifier)).email, ADA);
    const closedWorld = await githubWorld({}, { settings: { signupOpen: false } });
    assert.equal(errorIn((await viaGithub(closedWorld.world)).back), "signup_disabled");
  });
});

it("doesn't redirect to a disabled provider or without a challenge", async () => {
  const { world } = await githubWorld();
  const { challenge } = createPkce();
  const proof = `code_challenge=${challenge}&code_challenge_method=s256`;
  for (const query of [
    `provider=gitlab&${proof}`,
    `provider=email&${proof}`,
    proof,
    "provider=github",
    `provider=github&code_challenge=${challenge}&code_challenge_method=plain`,
  ]) {
    const reply = await world.sendRequest("GET", `/authorize?${query}`, { omitApiKey: true });
    assert.deepEqual(statusAndCode(reply), [400, "validation_failed"], query);
  }
  const none = await identityWorld();
  const reply = await none.sendRequest("GET", `/authorize?provider=github&${proof}`);
  assert.deepEqual(statusAndCode(reply), [400, "validation_failed"]);
  const { external } = (await world.sendRequest("GET", "/settings")).body as unknown as {
    external: object;
  };
  assert.deepEqual(external, { email: true, github: true });
});

type Claims = { email: string; email_verified: boolean; preferred_username?: string };

/**
 * Starts a certified OpenID provider on this machine. Anyone can sign in there with just a name.
 */
async function openIssuer(claims: Claims) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "bout", client_secret: "a secret of bout", redirect_uris: [CALLBACK] }],
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["preferred_username"],
    },
    cookies: { keys: ["a key of the test"] },
    pkce: { required: () => true },
    findAccount: (_context, sub) => {
      return { accountId: sub, claims: () => ({ sub, ...claims }) };
    },
  });
  const callback = provider.callback();
  server.on("request", (request, response) => void callback(request, response));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { issuer, [Symbol.dispose]: end };
}

async function signInThere(to: URL, name: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = to;
  let form: string | null = null;
  for (let step = 0; step < 20; step += 1) {
    if (url.href.startsWith(CALLBACK)) return url;
    const response: Response = await fetch(url, {
      redirect: "manual",
      headers: {
        cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join("; "),
        ...(form !== null && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form !== null && { method: "POST", body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get("location");
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
    form = location === null ? `prompt=${prompt}&login=${name}&password=x` : null;
    url =
      location === null
        ? new URL(/action="([^"]+)"/.exec(page)?.[1] ?? "", url)
        : new URL(location, url);
  }
  return assert.fail("provider never finished");
}

async function oidcWorld(issuer: string, changes: Partial<SocialProvider> = {}) {
  const provider = {
    id: "club",
    name: "The club",
    kind: "oidc",
    issuer,
    clientId: "bout",
    clientSecret: "a secret of bout",
    ...changes,
  } as SocialProvider;
  return identityWorld({ fetch, clock: systemClock, settings: { social: [provider] } });
}

describe("a user with an OpenID provider", () => {
  it("gets an account and signs in to it the next time", async () => {
    const claims = { email: ADA, email_verified: true, preferred_username: "ada" };
    using provider = await openIssuer(claims);
    const world = await oidcWorld(provider.issuer);
    const ids = [];
    for (let time = 0; time < 2; time += 1) {
      const { to, verifier } = await startSignIn(world, "club");
      const redirectUrl = await followCallback(world, await signInThere(to, "ada-there"));
      const user = await sessionBy(world, redirectUrl, verifier);
      assert.deepEqual([user.email, user.user_metadata], [ADA, { user_name: "ada" }]);
      assert.deepEqual(user.app_metadata.providers, ["club"]);
      ids.push(user.id);
    }
    assert.equal(ids[0], ids[1]);
  });

  it("is linked to an account only by an address that the provider has verified", async () => {
    for (const email_verified of [true, false]) {
      using provider = await openIssuer({ email: ADA, email_verified });
      const world = await oidcWorld(provider.issuer);
      const { id } = await world.addMember(ADA);
      const { to, verifier } = await startSignIn(world, "club");
      const redirectUrl = await followCallback(world, await signInThere(to, "ada-there"));
      const user = await sessionBy(world, redirectUrl, verifier);
      assert.equal(user.id === id, email_verified);
    }
  });

  it("isn't signed in by the response to another sign-in", async () => {
    using provider = await openIssuer({ email: ADA, email_verified: true });
    const world = await oidcWorld(provider.issuer);
    const [ownStart, other] = [await startSignIn(world, "club"), await startSignIn(world, "club")];
    const answer = await signInThere(other.to, "mallory");
    answer.searchParams.set("state", ownStart.to.searchParams.get("state") ?? "");
    assert.equal(errorIn(await followCallback(world, answer)), "provider_failed");
  });

  it("isn't signed in with a wrong client secret or by another issuer's response", async () => {
    using provider = await openIssuer({ email: ADA, email_verified: true });
    const world = await oidcWorld(provider.issuer, { clientSecret: "another secret" });
    const { to } = await startSignIn(world, "club");
    const answer = await signInThere(to, "ada-there");
    assert.equal(errorIn(await followCallback(world, answer)), "provider_failed");
    const second = await oidcWorld(provider.issuer);
    const differentStart = await startSignIn(second, "club");
    const mixed = await signInThere(differentStart.to, "ada-there");
    mixed.searchParams.set("iss", "https://evil.example");
    assert.equal(errorIn(await followCallback(second, mixed)), "provider_failed");
  });

  it("gets an error while their provider is down, and other sign-ins still work", async () => {
    const world = await oidcWorld("http://127.0.0.1:9");
    const { challenge } = createPkce();
    const query = `provider=club&code_challenge=${challenge}&code_challenge_method=s256`;
    const reply = await world.sendRequest("GET", `/authorize?${query}`, { omitApiKey: true });
    assert.deepEqual(statusAndCode(reply), [503, "unexpected_failure"]);
    assert.equal((await world.addMember(ADA)).email, ADA);
  });
});
