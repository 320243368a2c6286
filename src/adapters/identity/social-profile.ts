// Reads user profiles from OpenID Connect providers and from GitHub, which has its own API.

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

import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { rootOf } from "./identity-deps.ts";
import type { EmbeddedDeps, SocialProvider } from "./identity-deps.ts";
import { isLoopback } from "./redirect-target.ts";

/** A user's profile at the provider. `email` is null unless the provider has verified it. */
export type SocialProfile = { subject: string; email: string | null; userName: string | null };

export type SocialSignIn = {
  startUrl: (provider: SocialProvider, state: string) => Promise<URL>;
  /**
   * Returns the profile of the user who returned from the provider. Rejects if any part of the
   * response is invalid.
   */
  fetchProfile: (
    provider: SocialProvider,
    state: string,
    callbackUrl: URL,
  ) => Promise<SocialProfile>;
};

const CALL_MS = FIXED_LIMITS.social_call_s * SECOND_MS;

const GITHUB: AuthorizationServer = {
  issuer: "https://github.com/login/oauth",
  authorization_endpoint: "https://github.com/login/oauth/authorize",
  token_endpoint: "https://github.com/login/oauth/access_token",
};
const GITHUB_API = "https://api.github.com";

const SCOPES = { oidc: "openid email profile", github: "read:user user:email" } as const;

type SocialDeps = Pick<EmbeddedDeps, "fetch" | "secrets" | "settings">;

export function openSocialSignIn(deps: SocialDeps): SocialSignIn {
  const serverCache = new Map<string, Promise<AuthorizationServer>>();

  function authorizationServerOf(provider: SocialProvider): Promise<AuthorizationServer> {
    if (provider.kind === "github") return Promise.resolve(GITHUB);
    const pendingServer = serverCache.get(provider.issuer) ?? discover(deps, provider.issuer);
    serverCache.set(provider.issuer, pendingServer);
    // A failed fetch is retried on the next sign-in.
    pendingServer.catch(() => serverCache.delete(provider.issuer));
    return pendingServer;
  }

  return {
    startUrl: async (provider, state) =>
      buildStartUrl(deps, await authorizationServerOf(provider), provider, state),
    fetchProfile: async (provider, state, callbackUrl) => {
      const server = await authorizationServerOf(provider);
      const tokens = await exchangeCode(deps, server, provider, state, callbackUrl);
      return provider.kind === "github"
        ? githubProfile(deps, tokens)
        : oidcProfile(deps, server, provider, tokens);
    },
  };
}

const callbackOf = ({ settings }: SocialDeps): string => `${rootOf(settings())}/callback`;

/** Derives the value from the state and a server secret, so that it needn't be stored. */
function deriveValue(
  { secrets }: SocialDeps,
  purpose: "verifier" | "nonce",
  state: string,
): string {
  const key = secrets.derive("social sign-in");
  return createHmac("sha256", key).update(`${purpose} ${state}`).digest("base64url");
}

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

async function buildStartUrl(
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
    code_challenge: await calculatePKCECodeChallenge(deriveValue(deps, "verifier", state)),
    code_challenge_method: "S256",
    ...(kind === "oidc" && { nonce: deriveValue(deps, "nonce", state) }),
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url;
}

async function exchangeCode(
  deps: SocialDeps,
  server: AuthorizationServer,
  { kind, clientId, clientSecret }: SocialProvider,
  state: string,
  callbackUrl: URL,
): Promise<TokenEndpointResponse> {
  const client = { client_id: clientId };
  const authMethods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const usesBasic = kind === "oidc" && authMethods.includes("client_secret_basic");
  const response = await authorizationCodeGrantRequest(
    server,
    client,
    (usesBasic ? ClientSecretBasic : ClientSecretPost)(clientSecret),
    validateAuthResponse(server, client, callbackUrl, state),
    callbackOf(deps),
    deriveValue(deps, "verifier", state),
    callOptions(deps, server.token_endpoint ?? server.issuer),
  );
  const expectedClaims =
    kind === "oidc"
      ? { expectedNonce: deriveValue(deps, "nonce", state), requireIdToken: true }
      : {};
  return processAuthorizationCodeResponse(server, client, response, expectedClaims);
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
  if (claims === undefined) throw new Error("provider returned no ID token");
  const client = { client_id: clientId };
  const { userinfo_endpoint: endpoint } = server;
  const lacksEmail = claims["email"] === undefined && endpoint !== undefined;
  const userInfo = lacksEmail
    ? await processUserInfoResponse(
        server,
        client,
        claims.sub,
        await userInfoRequest(server, client, tokens.access_token, callOptions(deps, endpoint)),
      )
    : claims;
  return {
    subject: claims.sub,
    email: userInfo["email_verified"] === true ? textIn(userInfo["email"]) : null,
    userName: textIn(userInfo["preferred_username"]) ?? textIn(userInfo["nickname"]),
  };
}

type GithubUser = { id?: unknown; login?: unknown };
type GithubEmail = { email?: unknown; primary?: unknown; verified?: unknown };

async function githubProfile(
  deps: SocialDeps,
  { access_token: token }: TokenEndpointResponse,
): Promise<SocialProfile> {
  const user = (await fetchGithub(deps, token, "/user")) as GithubUser;
  const emails = (await fetchGithub(deps, token, "/user/emails")) as GithubEmail[];
  if (typeof user.id !== "number" || !Array.isArray(emails))
    throw new Error("unexpected GitHub response");
  const primary = emails.find(
    (githubEmail) => githubEmail.primary === true && githubEmail.verified === true,
  );
  const email = textIn(primary?.email);
  return { subject: String(user.id), email, userName: textIn(user.login) };
}

async function fetchGithub({ fetch }: SocialDeps, token: string, path: string): Promise<unknown> {
  const response = await fetch(GITHUB_API + path, {
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "application/vnd.github+json",
      "User-Agent": "Bout",
    },
    redirect: "error",
    signal: AbortSignal.timeout(CALL_MS),
  });
  if (!response.ok) throw new Error(`GitHub responded with status ${response.status}`);
  return response.json();
}
