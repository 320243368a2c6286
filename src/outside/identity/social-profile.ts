// What other providers say of people: any OpenID Connect issuer, and GitHub, which is not one.

import { createHmac } from "node:crypto";

import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processUserInfoResponse,
  userInfoRequest,
  validateAuthResponse,
} from "oauth4webapi";
import type { AuthorizationServer, TokenEndpointResponse } from "oauth4webapi";

import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import { isLoopback } from "./address.ts";
import { rootOf } from "./deps.ts";
import type { EmbeddedDeps, SocialProvider } from "./deps.ts";

/** Somebody as their provider knows them. An address that it did not verify is not told. */
export type SocialProfile = { subject: string; email: string | null; userName: string | null };

export type SocialSide = {
  /** Where the browser goes to sign in there. */
  begin: (provider: SocialProvider, state: string) => Promise<URL>;
  /** Who came back; rejects when anything about the answer is wrong. */
  finish: (provider: SocialProvider, state: string, answer: URL) => Promise<SocialProfile>;
};

const CALL_MS = FIXED.social_call_s * SECOND_MS;

const GITHUB: AuthorizationServer = {
  issuer: "https://github.com/login/oauth",
  authorization_endpoint: "https://github.com/login/oauth/authorize",
  token_endpoint: "https://github.com/login/oauth/access_token",
};
const GITHUB_API = "https://api.github.com";

const SCOPES = { oidc: "openid email profile", github: "read:user user:email" } as const;

type SocialDeps = Pick<EmbeddedDeps, "fetch" | "secrets" | "settings">;

/** Issuers are asked for their metadata once. */
export function openSocial(deps: SocialDeps): SocialSide {
  const found = new Map<string, Promise<AuthorizationServer>>();

  function serverOf(provider: SocialProvider): Promise<AuthorizationServer> {
    if (provider.kind === "github") return Promise.resolve(GITHUB);
    const known = found.get(provider.issuer) ?? discover(deps, provider.issuer);
    found.set(provider.issuer, known);
    // What failed is asked for again the next time.
    known.catch(() => found.delete(provider.issuer));
    return known;
  }

  return {
    begin: async (provider, state) => beginAt(deps, await serverOf(provider), provider, state),
    finish: async (provider, state, answer) => {
      const server = await serverOf(provider);
      const tokens = await redeem(deps, server, provider, state, answer);
      return provider.kind === "github"
        ? githubProfile(deps, tokens)
        : oidcProfile(deps, server, provider, tokens);
    },
  };
}

const callbackOf = ({ settings }: SocialDeps): string => `${rootOf(settings())}/callback`;

/** Only this server can make them from a state, so nothing of them is stored. */
function derived({ secrets }: SocialDeps, what: "verifier" | "nonce", state: string): string {
  const key = secrets.derive("social sign-in");
  return createHmac("sha256", key).update(`${what} ${state}`).digest("base64url");
}

/** Of one call. Plain http is for providers on this machine alone. */
function callOptions({ fetch }: SocialDeps, address: string) {
  return {
    [customFetch]: (url: string, options: object) => fetch(url, options),
    [allowInsecureRequests]: isLoopback(new URL(address)),
    signal: AbortSignal.timeout(CALL_MS),
  };
}

async function discover(deps: SocialDeps, issuer: string): Promise<AuthorizationServer> {
  const url = new URL(issuer);
  return processDiscoveryResponse(url, await discoveryRequest(url, callOptions(deps, issuer)));
}

async function beginAt(
  deps: SocialDeps,
  server: AuthorizationServer,
  { kind, clientId }: SocialProvider,
  state: string,
): Promise<URL> {
  const url = new URL(server.authorization_endpoint ?? "");
  const fields = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: callbackOf(deps),
    scope: SCOPES[kind],
    state,
    code_challenge: await calculatePKCECodeChallenge(derived(deps, "verifier", state)),
    code_challenge_method: "S256",
    ...(kind === "oidc" && { nonce: derived(deps, "nonce", state) }),
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url;
}

async function redeem(
  deps: SocialDeps,
  server: AuthorizationServer,
  { kind, clientId, clientSecret }: SocialProvider,
  state: string,
  answer: URL,
): Promise<TokenEndpointResponse> {
  const client = { client_id: clientId };
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const usesBasic = kind === "oidc" && methods.includes("client_secret_basic");
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    (usesBasic ? ClientSecretBasic : ClientSecretPost)(clientSecret),
    validateAuthResponse(server, client, answer, state),
    callbackOf(deps),
    derived(deps, "verifier", state),
    callOptions(deps, server.token_endpoint ?? server.issuer),
  );
  const expected =
    kind === "oidc" ? { expectedNonce: derived(deps, "nonce", state), requireIdToken: true } : {};
  return processAuthorizationCodeResponse(server, client, response, expected);
}

const textIn = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

async function oidcProfile(
  deps: SocialDeps,
  server: AuthorizationServer,
  { clientId }: SocialProvider,
  tokens: TokenEndpointResponse,
): Promise<SocialProfile> {
  const claims = getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new Error("the provider gave no id token");
  const client = { client_id: clientId };
  const { userinfo_endpoint: endpoint } = server;
  const isBare = claims["email"] === undefined && endpoint !== undefined;
  const told = isBare
    ? await processUserInfoResponse(
        server,
        client,
        claims.sub,
        await userInfoRequest(server, client, tokens.access_token, callOptions(deps, endpoint)),
      )
    : claims;
  return {
    subject: claims.sub,
    email: told["email_verified"] === true ? textIn(told["email"]) : null,
    userName: textIn(told["preferred_username"]) ?? textIn(told["nickname"]),
  };
}

type GithubUser = { id?: unknown; login?: unknown };
type GithubEmail = { email?: unknown; primary?: unknown; verified?: unknown };

async function githubProfile(
  deps: SocialDeps,
  { access_token: token }: TokenEndpointResponse,
): Promise<SocialProfile> {
  const user = (await askGithub(deps, token, "/user")) as GithubUser;
  const emails = (await askGithub(deps, token, "/user/emails")) as GithubEmail[];
  if (typeof user.id !== "number" || !Array.isArray(emails))
    throw new Error("GitHub answered something else");
  const primary = emails.find((one) => one.primary === true && one.verified === true);
  const email = textIn(primary?.email);
  return { subject: String(user.id), email, userName: textIn(user.login) };
}

async function askGithub({ fetch }: SocialDeps, token: string, path: string): Promise<unknown> {
  const response = await fetch(GITHUB_API + path, {
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/vnd.github+json",
      "User-Agent": "Bout",
    },
    redirect: "error",
    signal: AbortSignal.timeout(CALL_MS),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
  return response.json();
}
