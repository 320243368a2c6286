// Checks the ladder's sign-in flows against a GoTrue-compatible provider. Browser actions are plain
// requests. Ladder actions use the ladder's provider adapter.

import { createHash, randomBytes } from "node:crypto";

import type { IdentityProvider } from "#adapters/identity/identity-provider.ts";

export type ProviderUnderTest = {
  /** Base URL of the provider, such as `https://project.example/auth/v1`. */
  root: string;
  /** Base URL of the ladder: the origin of browser requests and the target of emailed links. */
  baseUrl: string;
  key: string;
  /** Key for reading the links that an email would contain. Ladders never have this key. */
  secretKey: string;
  email: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  provider: IdentityProvider;
  /** Rotates the provider's signing key. Null if the key can't be rotated. */
  rotate: (() => Promise<void>) | null;
  /** Waits until the adapter may look up an unknown key again. */
  wait: (ms: number) => Promise<void>;
};

export type StepResult = { step: string; outcome: "passed" | "skipped" | "failed"; text?: string };

type Session = { access_token: string; refresh_token: string };
type ReplyFields = Record<string, unknown> & Partial<Session>;
type ProviderReply = { status: number; fields: ReplyFields; location: string | null };

type ProviderRun = ProviderUnderTest & {
  session: Session;
  password: string;
  clientId: string;
  appToken: string;
};

const CALLBACK = "http://127.0.0.1:53682/callback";
const KEY_COOLDOWN_MS = 30_000;

type ProviderStep = [name: string, run: (state: ProviderRun) => Promise<string | undefined | void>];

/** A step that returns a string was skipped; the string is the reason. */
const PROVIDER_STEPS: readonly ProviderStep[] = [
  ["the key set has public keys", checkKeys],
  ["CORS allows the ladder's origin", checkOrigin],
  ["links redirect to the ladder's account page", checkRedirect],
  ["sign-up returns no session, and a password alone doesn't sign in", signUp],
  ["confirmation creates a session", confirm],
  ["the ladder verifies the token and sees a confirmed address", verify],
  ["sign-in works with the password, and not with a wrong one", signIn],
  ["a refresh keeps the session and the user", refresh],
  ["recovery creates a session that can set a new password", recover],
  ["a token signed with a new key is accepted", rotateKeys],
  ["consent: the ladder sees the client and decides", consent],
  ["the audience hook: an app's token is for the MCP endpoint", checkAudience],
  ["a revoked grant ends the app's session", revoke],
  ["sign-out ends the session immediately", signOut],
];

/** Runs all steps, even after a failure. Steps that depend on a failed step fail too. */
export async function runProviderSteps(
  providerUnderTest: ProviderUnderTest,
  onResult: (result: StepResult) => void,
): Promise<boolean> {
  const noSession = { access_token: "", refresh_token: "" };
  const password = randomBytes(12).toString("base64url");
  const state: ProviderRun = {
    ...providerUnderTest,
    session: noSession,
    password,
    clientId: "",
    appToken: "",
  };
  let isComplete = true;
  for (const [step, run] of PROVIDER_STEPS) {
    try {
      const reason = await run(state);
      if (typeof reason === "string") onResult({ step, outcome: "skipped", text: reason });
      else onResult({ step, outcome: "passed" });
    } catch (error) {
      isComplete = false;
      onResult({ step, outcome: "failed", text: String(error) });
    }
  }
  return isComplete;
}

async function callProvider(
  { root, key, fetch }: ProviderRun,
  method: string,
  path: string,
  { body, jwt = key, apikey = key }: { body?: object; jwt?: string; apikey?: string } = {},
): Promise<ProviderReply> {
  const headers = {
    apikey,
    Authorization: `Bearer ${jwt}`,
    "X-Supabase-Api-Version": "2024-01-01",
    "Content-Type": "application/json",
  };
  const bodyInit = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(root + path, { method, headers, redirect: "manual", ...bodyInit });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const fields = (isJson && text !== "" ? JSON.parse(text) : {}) as ReplyFields;
  return { status: response.status, fields, location: response.headers.get("location") };
}

function assertReply(isExpected: boolean, expectation: string, actual: unknown): void {
  if (!isExpected) throw new Error(`expected ${expectation}, got ${JSON.stringify(actual)}`);
}

function sessionFrom({ status, fields }: ProviderReply): Session {
  const { access_token, refresh_token } = fields;
  if (status !== 200 || access_token === undefined || refresh_token === undefined)
    throw new Error(`expected a session, got ${status} ${JSON.stringify(fields)}`);
  return { access_token, refresh_token };
}

const signInWith = (state: ProviderRun, password: string) =>
  callProvider(state, "POST", "/token?grant_type=password", {
    body: { email: state.email, password },
  });

async function redeemLink(state: ProviderRun, type: "signup" | "recovery"): Promise<ProviderReply> {
  const { email, password, secretKey } = state;
  const generatedLink = await callProvider(state, "POST", "/admin/generate_link", {
    body: { type, email, password },
    apikey: secretKey,
    jwt: secretKey,
  });
  const { hashed_token: token_hash } = generatedLink.fields;
  assertReply(typeof token_hash === "string", "a generated link", generatedLink);
  return callProvider(state, "POST", "/verify", { body: { type, token_hash } });
}

async function checkKeys(state: ProviderRun): Promise<void> {
  const { status, fields } = await callProvider(state, "GET", "/.well-known/jwks.json");
  const { keys } = fields;
  assertReply(status === 200 && Array.isArray(keys) && keys.length > 0, "at least one key", fields);
}

const PAGE_HEADERS = ["apikey", "authorization", "content-type", "x-client-info"];

async function checkOrigin({ root, baseUrl, fetch }: ProviderRun): Promise<void> {
  const headers = {
    Origin: baseUrl,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": PAGE_HEADERS.join(","),
  };
  const answer = await fetch(`${root}/token`, { method: "OPTIONS", headers });
  const responseHeaders = Object.fromEntries(answer.headers);
  const origin = responseHeaders["access-control-allow-origin"] ?? "";
  assertReply(["*", baseUrl].includes(origin), "the origin to be allowed", responseHeaders);
  const allowedHeaders = (responseHeaders["access-control-allow-headers"] ?? "").toLowerCase();
  const isAllowed = PAGE_HEADERS.every(
    (name) => allowedHeaders === "*" || allowedHeaders.includes(name),
  );
  assertReply(isAllowed, "the headers of the pages to be allowed", responseHeaders);
}

async function checkRedirect(state: ProviderRun): Promise<void> {
  const page = `${state.baseUrl}/account`;
  const query = new URLSearchParams({ type: "signup", token: "none", redirect_to: page });
  const { location } = await callProvider(state, "GET", `/verify?${query}`);
  const { origin, pathname } = new URL(location ?? "");
  assertReply(origin + pathname === page, "a redirect to the account page", location);
}

async function signUp(state: ProviderRun): Promise<void> {
  const { email, password } = state;
  const { status, fields } = await callProvider(state, "POST", "/signup", {
    body: { email, password },
  });
  assertReply(status === 200 && fields.access_token === undefined, "no session", fields);
  const earlySignIn = await signInWith(state, password);
  assertReply(earlySignIn.status === 400, "the unconfirmed address to be rejected", earlySignIn);
}

async function confirm(state: ProviderRun): Promise<void> {
  state.session = sessionFrom(await redeemLink(state, "signup"));
}

async function verify({ provider, session, email }: ProviderRun): Promise<void> {
  const claims = await provider.verify(session.access_token, "browser");
  const user = await provider.liveUser(session.access_token);
  assertReply(claims.subject === user?.id, "claims and user to be the same person", {
    claims,
    user,
  });
  assertReply(user?.email === email && user.emailConfirmedAt !== null, "a confirmed address", user);
  assertReply(claims.signedInAt > 0 && claims.clientId === null, "a browser's token", claims);
}

async function signIn(state: ProviderRun): Promise<void> {
  const wrongSignIn = await signInWith(state, `${state.password}x`);
  assertReply(wrongSignIn.status === 400, "the wrong password to be rejected", wrongSignIn);
  state.session = sessionFrom(await signInWith(state, state.password));
}

async function refresh(state: ProviderRun): Promise<void> {
  const before = await state.provider.verify(state.session.access_token, "browser");
  const { refresh_token } = state.session;
  const body = { refresh_token };
  state.session = sessionFrom(
    await callProvider(state, "POST", "/token?grant_type=refresh_token", { body }),
  );
  const after = await state.provider.verify(state.session.access_token, "browser");
  const isSame = before.sessionId === after.sessionId && before.subject === after.subject;
  assertReply(isSame, "the same session", { before, after });
}

async function recover(state: ProviderRun): Promise<void> {
  const recoveryReply = await callProvider(state, "POST", "/recover", {
    body: { email: state.email },
  });
  assertReply(recoveryReply.status === 200, "the recovery request to be accepted", recoveryReply);
  const { access_token: jwt } = sessionFrom(await redeemLink(state, "recovery"));
  const password = `${state.password}-new`;
  const passwordReply = await callProvider(state, "PUT", "/user", { jwt, body: { password } });
  assertReply(passwordReply.status === 200, "the password to be changed", passwordReply);
  const endedSession = await state.provider.liveUser(state.session.access_token);
  assertReply(endedSession === null, "other sessions to end", endedSession);
  state.password = password;
  state.session = sessionFrom(await signInWith(state, password));
}

async function rotateKeys(state: ProviderRun): Promise<string | undefined> {
  if (state.rotate === null) return "skipped: no --rotate command given";
  await state.rotate();
  await state.wait(KEY_COOLDOWN_MS);
  state.session = sessionFrom(await signInWith(state, state.password));
  await state.provider.verify(state.session.access_token, "browser");
  return undefined;
}

async function consent(state: ProviderRun): Promise<void> {
  const { provider, session } = state;
  const registration = await callProvider(state, "POST", "/oauth/clients/register", {
    body: {
      client_name: "Bout's check",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
    },
  });
  state.clientId = String(registration.fields["client_id"]);
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: state.clientId,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: "openid email",
    state: "of the client",
  });
  const authorizeReply = await callProvider(state, "GET", `/oauth/authorize?${query}`);
  const id = new URL(authorizeReply.location ?? "").searchParams.get("authorization_id") ?? "";
  const details = await provider.authorization(id, session.access_token);
  const isRequestForClient =
    details !== null && "client" in details && details.client.id === state.clientId;
  assertReply(
    isRequestForClient && details.redirectUri === CALLBACK,
    "the ladder to see the client",
    details,
  );
  const decision = await provider.decide(id, "approve", session.access_token);
  const callbackUrl = new URL(decision?.redirectUrl ?? "");
  const code = callbackUrl.searchParams.get("code");
  assertReply(
    callbackUrl.searchParams.get("state") === "of the client",
    "the state to be returned",
    callbackUrl.href,
  );
  const repeatedLookup = await provider.authorization(id, session.access_token);
  assertReply(repeatedLookup === null, "a second decision to be rejected", repeatedLookup);
  const grant = { grant_type: "authorization_code", code, code_verifier: verifier };
  const form = { ...grant, client_id: state.clientId, redirect_uri: CALLBACK };
  state.appToken = sessionFrom(
    await callProvider(state, "POST", "/oauth/token", { body: form }),
  ).access_token;
}

async function checkAudience({ provider, appToken, clientId }: ProviderRun): Promise<void> {
  const claims = await provider.verify(appToken, "mcp");
  assertReply(claims.clientId === clientId, "the token to name its client", claims);
  const outcome = await provider.verify(appToken, "browser").then(
    () => "accepted",
    () => "refused",
  );
  assertReply(outcome === "refused", "account routes to reject it", outcome);
  const user = await provider.liveUser(appToken);
  assertReply(user !== null, "its session to continue", user);
}

async function revoke({ provider, appToken, clientId, session }: ProviderRun): Promise<void> {
  const isRevoked = await provider.revokeGrant(clientId, session.access_token);
  assertReply(isRevoked, "the grant to be revoked", isRevoked);
  assertReply((await provider.liveUser(appToken)) === null, "its session to end", "alive");
}

async function signOut(state: ProviderRun): Promise<void> {
  const { access_token: jwt } = state.session;
  const logoutReply = await callProvider(state, "POST", "/logout?scope=global", { jwt });
  assertReply(logoutReply.status === 204, "success", logoutReply);
  assertReply((await state.provider.liveUser(jwt)) === null, "the session to end", "alive");
}
