// Signing in elsewhere: at an OpenID provider that we did not write, and at a stub of GitHub.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";

import { Provider } from "oidc-provider";

import { systemClock } from "#base/clock/clock.ts";
import { GITHUB, GITHUB_CODE, githubStub, PRIMARY } from "#testing/fixtures/github-stub.ts";
import type { GithubFacts } from "#testing/fixtures/github-stub.ts";
import {
  codeIn,
  IDENTITY_BASE,
  identityWorld,
  PASSWORD,
  pkce,
} from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, WorldChanges } from "#testing/fixtures/identity-world.ts";

import type { SocialProvider } from "./deps.ts";

const ADA = "ada@example.org";
const CALLBACK = `${IDENTITY_BASE}/auth/v1/callback`;
/** Begins a sign-in in a browser with a verifier; returns where it is sent. */
async function setOut(
  { ask }: IdentityWorld,
  provider: string,
  redirect_to = `${IDENTITY_BASE}/account`,
) {
  const { challenge, verifier } = pkce();
  const query = new URLSearchParams({
    provider,
    redirect_to,
    code_challenge: challenge,
    code_challenge_method: "s256",
  });
  const reply = await ask("GET", `/authorize?${query}`, { keyless: true });
  assert.equal(reply.status, 302, JSON.stringify(reply.body));
  return { verifier, to: new URL(reply.headers.get("location") ?? "") };
}

/** Comes back from the provider; returns where the browser is sent then. */
async function comeBack({ ask }: IdentityWorld, to: URL): Promise<URL> {
  const reply = await ask("GET", to.href, { keyless: true });
  assert.equal(reply.status, 302);
  return new URL(reply.headers.get("location") ?? "");
}

async function sessionBy({ ask }: IdentityWorld, back: URL, verifier: string) {
  const auth_code = back.searchParams.get("code");
  const body = { auth_code, code_verifier: verifier };
  const reply = await ask("POST", "/token?grant_type=pkce", { body });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.user as unknown as {
    id: string;
    email: string;
    app_metadata: { providers: string[] };
    user_metadata: object;
  };
}

async function githubWorld(facts: GithubFacts = {}, changes: WorldChanges = {}) {
  const { fetch, asked } = githubStub(facts);
  const settings = { ...changes.settings, social: [GITHUB] };
  return { world: await identityWorld({ fetch, ...changes, settings }), asked };
}

async function viaGithub(world: IdentityWorld) {
  const { to, verifier } = await setOut(world, "github");
  const answer = new URL(CALLBACK);
  answer.searchParams.set("code", GITHUB_CODE);
  answer.searchParams.set("state", to.searchParams.get("state") ?? "");
  return { back: await comeBack(world, answer), verifier, to, answer };
}

const errorIn = (url: URL) => url.searchParams.get("error_code");

it("a sign-in returns to the account page, or on a local ladder to a program", async () => {
  const table: [wanted: string, isLocal: boolean, leads: string][] = [
    ["http://127.0.0.1:9999/cb?x=1", true, "http://127.0.0.1:9999/cb?x=1"],
    ["http://127.0.0.1:9999/cb?x=1", false, `${IDENTITY_BASE}/account`],
    [`${IDENTITY_BASE}/account?error_code=x&from=%2Fy`, true, `${IDENTITY_BASE}/account?from=%2Fy`],
    [`${IDENTITY_BASE}/account/authorize?x=1`, true, `${IDENTITY_BASE}/account`],
  ];
  for (const [wanted, isLocal, leads] of table) {
    const { world } = await githubWorld({}, { settings: { isLocal } });
    const { to } = await setOut(world, "github", wanted);
    const callback = `${CALLBACK}?code=${GITHUB_CODE}&state=${to.searchParams.get("state")}`;
    const back = await comeBack(world, new URL(callback));
    assert.match(back.searchParams.get("code") ?? "", /^[\w-]{36}$/);
    back.searchParams.delete("code");
    assert.equal(back.href, leads);
  }
});

describe("by GitHub somebody", () => {
  it("new has an account, with their verified primary address and their name there", async () => {
    const { world, asked } = await githubWorld();
    const { back, verifier, to } = await viaGithub(world);
    assert.equal(to.origin + to.pathname, "https://github.com/login/oauth/authorize");
    assert.deepEqual(
      ["client_id", "redirect_uri", "scope", "code_challenge_method"].map((name) =>
        to.searchParams.get(name),
      ),
      ["gh", CALLBACK, "read:user user:email", "S256"],
    );
    assert.equal(back.pathname, "/account");
    const user = await sessionBy(world, back, verifier);
    assert.equal(user.email, ADA);
    assert.deepEqual(user.app_metadata.providers, ["github"]);
    assert.deepEqual(user.user_metadata, { user_name: "ada-l" });
    assert.deepEqual(asked, [
      "github.com/login/oauth/access_token",
      "api.github.com/user",
      "api.github.com/user/emails",
    ]);
    const again = await viaGithub(world);
    assert.equal((await sessionBy(world, again.back, again.verifier)).id, user.id);
  });

  it("known by the same verified address is the same person", async () => {
    const { world } = await githubWorld();
    const { id } = await world.member(ADA);
    world.clock.pass(1);
    const { back, verifier } = await viaGithub(world);
    const user = await sessionBy(world, back, verifier);
    assert.equal(user.id, id);
    assert.deepEqual(user.app_metadata.providers, ["email", "github"]);
  });

  it("is joined to nobody by an address that GitHub has not verified", async () => {
    for (const emails of [
      [{ ...PRIMARY, verified: false }],
      [{ ...PRIMARY, primary: false }],
      [],
    ]) {
      const { world } = await githubWorld({ emails });
      const { id } = await world.member(ADA);
      const { back, verifier } = await viaGithub(world);
      const user = await sessionBy(world, back, verifier);
      assert.notEqual(user.id, id);
      assert.equal(user.email, "");
    }
  });

  it("takes the place of a sign-up that nobody confirmed, and its password is gone", async () => {
    const { world } = await githubWorld();
    const body = { email: ADA, password: PASSWORD };
    await world.ask("POST", "/signup", { body });
    const { back, verifier } = await viaGithub(world);
    const user = await sessionBy(world, back, verifier);
    assert.deepEqual(user.app_metadata.providers, ["github"]);
    const stranger = await world.ask("POST", "/token?grant_type=password", { body });
    assert.deepEqual(codeIn(stranger), [400, "invalid_credentials"]);
  });

  it("comes back once, and only with the state of a sign-in that was begun", async () => {
    const { world } = await githubWorld();
    const { answer, back } = await viaGithub(world);
    assert.equal(errorIn(back), null);
    assert.equal(errorIn(await comeBack(world, answer)), "bad_oauth_state");
    answer.searchParams.set("state", "forged");
    const forged = await comeBack(world, answer);
    assert.equal(errorIn(forged), "bad_oauth_state");
    assert.equal(forged.origin, IDENTITY_BASE);
    const { to } = await setOut(world, "github");
    world.clock.pass(600_000);
    answer.searchParams.set("state", to.searchParams.get("state") ?? "");
    assert.equal(errorIn(await comeBack(world, answer)), "bad_oauth_state");
  });

  it("who says no there, or whom GitHub fails, is back where they began", async () => {
    for (const facts of [
      { token: { error: "bad_verification_code" } },
      { status: 500 },
      { user: { login: "no id" } },
      { emails: { message: "no list" } },
    ]) {
      const { world } = await githubWorld(facts);
      const { back } = await viaGithub(world);
      assert.equal(back.pathname, "/account");
      assert.equal(errorIn(back), "provider_failed");
      assert.equal(back.searchParams.get("code"), null);
    }
    const { world, asked } = await githubWorld();
    const { to } = await setOut(world, "github");
    const answer = new URL(`${CALLBACK}?error=access_denied`);
    answer.searchParams.set("state", to.searchParams.get("state") ?? "");
    assert.equal(errorIn(await comeBack(world, answer)), "provider_failed");
    assert.deepEqual(asked, []);
  });

  it("new stays out while sign-up is closed, and somebody known comes in", async () => {
    const { world } = await githubWorld();
    await viaGithub(world);
    world.settings.signupOpen = false;
    const { back, verifier } = await viaGithub(world);
    assert.equal((await sessionBy(world, back, verifier)).email, ADA);
    const closed = await githubWorld({}, { settings: { signupOpen: false } });
    assert.equal(errorIn((await viaGithub(closed.world)).back), "signup_disabled");
  });
});

it("nobody goes to a provider that is off, or without a challenge", async () => {
  const { world } = await githubWorld();
  const { challenge } = pkce();
  const proof = `code_challenge=${challenge}&code_challenge_method=s256`;
  for (const query of [
    `provider=gitlab&${proof}`,
    `provider=email&${proof}`,
    proof,
    "provider=github",
    `provider=github&code_challenge=${challenge}&code_challenge_method=plain`,
  ]) {
    const reply = await world.ask("GET", `/authorize?${query}`, { keyless: true });
    assert.deepEqual(codeIn(reply), [400, "validation_failed"], query);
  }
  const none = await identityWorld();
  const reply = await none.ask("GET", `/authorize?provider=github&${proof}`);
  assert.deepEqual(codeIn(reply), [400, "validation_failed"]);
  const { external } = (await world.ask("GET", "/settings")).body as unknown as {
    external: object;
  };
  assert.deepEqual(external, { email: true, github: true });
});

type Claims = { email: string; email_verified: boolean; preferred_username?: string };

/** A certified OpenID provider on this machine, at which anybody may sign in by a name. */
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

/** A browser with cookies that signs in at the provider, and stops at our callback. */
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
  return assert.fail("the provider never came to an end");
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

describe("by an OpenID provider somebody", () => {
  it("has an account, and the same one the next time", async () => {
    const claims = { email: ADA, email_verified: true, preferred_username: "ada" };
    using provider = await openIssuer(claims);
    const world = await oidcWorld(provider.issuer);
    const ids = [];
    for (let time = 0; time < 2; time += 1) {
      const { to, verifier } = await setOut(world, "club");
      const back = await comeBack(world, await signInThere(to, "ada-there"));
      const user = await sessionBy(world, back, verifier);
      assert.deepEqual([user.email, user.user_metadata], [ADA, { user_name: "ada" }]);
      assert.deepEqual(user.app_metadata.providers, ["club"]);
      ids.push(user.id);
    }
    assert.equal(ids[0], ids[1]);
  });

  it("is joined to an account only by an address that the provider verified", async () => {
    for (const email_verified of [true, false]) {
      using provider = await openIssuer({ email: ADA, email_verified });
      const world = await oidcWorld(provider.issuer);
      const { id } = await world.member(ADA);
      const { to, verifier } = await setOut(world, "club");
      const back = await comeBack(world, await signInThere(to, "ada-there"));
      const user = await sessionBy(world, back, verifier);
      assert.equal(user.id === id, email_verified);
    }
  });

  it("is not let in by an answer to another sign-in", async () => {
    using provider = await openIssuer({ email: ADA, email_verified: true });
    const world = await oidcWorld(provider.issuer);
    const [mine, other] = [await setOut(world, "club"), await setOut(world, "club")];
    const answer = await signInThere(other.to, "mallory");
    answer.searchParams.set("state", mine.to.searchParams.get("state") ?? "");
    assert.equal(errorIn(await comeBack(world, answer)), "provider_failed");
  });

  it("is not let in with a wrong secret of ours, nor by another issuer's answer", async () => {
    using provider = await openIssuer({ email: ADA, email_verified: true });
    const world = await oidcWorld(provider.issuer, { clientSecret: "another secret" });
    const { to } = await setOut(world, "club");
    const answer = await signInThere(to, "ada-there");
    assert.equal(errorIn(await comeBack(world, answer)), "provider_failed");
    const second = await oidcWorld(provider.issuer);
    const begun = await setOut(second, "club");
    const mixed = await signInThere(begun.to, "ada-there");
    mixed.searchParams.set("iss", "https://evil.example");
    assert.equal(errorIn(await comeBack(second, mixed)), "provider_failed");
  });

  it("whose provider is away is told so, and nobody else is kept out", async () => {
    const world = await oidcWorld("http://127.0.0.1:9");
    const { challenge } = pkce();
    const query = `provider=club&code_challenge=${challenge}&code_challenge_method=s256`;
    const reply = await world.ask("GET", `/authorize?${query}`, { keyless: true });
    assert.deepEqual(codeIn(reply), [503, "unexpected_failure"]);
    assert.equal((await world.member(ADA)).email, ADA);
  });
});
