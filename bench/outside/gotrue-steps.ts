// The ladder's way through a provider that speaks like GoTrue, step by step: what people do in their
// browsers by plain requests, what the ladder does through its own seam.

import { createHash, randomBytes } from "node:crypto";

import type { IdentityProvider } from "#outside/identity/provider.ts";

export type ProviderUnderTest = {
  /** Where the provider answers, such as `https://project.example/auth/v1`. */
  root: string;
  /** The ladder's address: browsers ask from there, and links lead there. */
  baseUrl: string;
  key: string;
  /** Reads what a mail would have in it; held by this check alone, never by a ladder. */
  secretKey: string;
  /** An address of the person that the steps make. */
  email: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  provider: IdentityProvider;
  /** Makes the provider sign with a new key; null where that cannot be done. */
  rotate: (() => Promise<void>) | null;
  /** Lets the time pass after which an unknown key is looked up. */
  wait: (ms: number) => Promise<void>;
};

export type StepResult = { step: string; outcome: "passed" | "skipped" | "failed"; text?: string };

type Session = { access_token: string; refresh_token: string };
type Fields = Record<string, unknown> & Partial<Session>;
type Reply = { status: number; fields: Fields; location: string | null };

type Walk = ProviderUnderTest & {
  session: Session;
  password: string;
  clientId: string;
  programToken: string;
};

const CALLBACK = "http://127.0.0.1:53682/callback";
const KEY_COOLDOWN_MS = 30_000;

type Step = [name: string, run: (walk: Walk) => Promise<string | undefined | void>];

/** A step that gives a text was skipped for that reason. */
const STEPS: readonly Step[] = [
  ["the key set has keys that anybody can check", checkKeys],
  ["browsers on the ladder's pages may ask it", checkOrigin],
  ["links lead to the ladder's account page", checkRedirect],
  ["sign-up answers without a session, and a password alone does not sign in", signUp],
  ["confirmation opens a session", confirm],
  ["the ladder verifies the token and sees a confirmed address", verify],
  ["sign-in by password, and not by a wrong one", signIn],
  ["a refresh keeps the session and the person", refresh],
  ["recovery opens a session that can choose a new password", recover],
  ["a token signed with a new key is accepted", rotateKeys],
  ["consent: the ladder sees who asks, and decides", consent],
  ["the audience hook: a program's token is for the MCP endpoint", checkAudience],
  ["a revoked grant ends the program's session", revoke],
  ["sign-out ends the session at once", signOut],
];

/** Walks through all steps; those after a failure may fail because of it. */
export async function walkThrough(
  under: ProviderUnderTest,
  tell: (result: StepResult) => void,
): Promise<boolean> {
  const none = { access_token: "", refresh_token: "" };
  const password = randomBytes(12).toString("base64url");
  const walk: Walk = { ...under, session: none, password, clientId: "", programToken: "" };
  let isWhole = true;
  for (const [step, run] of STEPS) {
    try {
      const reason = await run(walk);
      if (typeof reason === "string") tell({ step, outcome: "skipped", text: reason });
      else tell({ step, outcome: "passed" });
    } catch (error) {
      isWhole = false;
      tell({ step, outcome: "failed", text: String(error) });
    }
  }
  return isWhole;
}

async function ask(
  { root, key, fetch }: Walk,
  method: string,
  path: string,
  { body, jwt = key, apikey = key }: { body?: object; jwt?: string; apikey?: string } = {},
): Promise<Reply> {
  const headers = {
    apikey,
    Authorization: `Bearer ${jwt}`,
    "X-Supabase-Api-Version": "2024-01-01",
    "Content-Type": "application/json",
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(root + path, { method, headers, redirect: "manual", ...sent });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const fields = (isJson && text !== "" ? JSON.parse(text) : {}) as Fields;
  return { status: response.status, fields, location: response.headers.get("location") };
}

function expect(isAsExpected: boolean, what: string, found: unknown): void {
  if (!isAsExpected) throw new Error(`${what}, not ${JSON.stringify(found)}`);
}

function sessionIn({ status, fields }: Reply): Session {
  const { access_token, refresh_token } = fields;
  if (status !== 200 || access_token === undefined || refresh_token === undefined)
    throw new Error(`a session is answered, not ${status} ${JSON.stringify(fields)}`);
  return { access_token, refresh_token };
}

const signInWith = (walk: Walk, password: string) =>
  ask(walk, "POST", "/token?grant_type=password", { body: { email: walk.email, password } });

async function linkOf(walk: Walk, type: "signup" | "recovery"): Promise<Reply> {
  const { email, password, secretKey } = walk;
  const made = await ask(walk, "POST", "/admin/generate_link", {
    body: { type, email, password },
    apikey: secretKey,
    jwt: secretKey,
  });
  const { hashed_token: token_hash } = made.fields;
  expect(typeof token_hash === "string", "a link is made", made);
  return ask(walk, "POST", "/verify", { body: { type, token_hash } });
}

async function checkKeys(walk: Walk): Promise<void> {
  const { status, fields } = await ask(walk, "GET", "/.well-known/jwks.json");
  const { keys } = fields;
  expect(status === 200 && Array.isArray(keys) && keys.length > 0, "there are keys", fields);
}

/** What the pages send with each call. */
const HEADERS_OF_PAGES = ["apikey", "authorization", "content-type", "x-client-info"];

async function checkOrigin({ root, baseUrl, fetch }: Walk): Promise<void> {
  const headers = {
    Origin: baseUrl,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": HEADERS_OF_PAGES.join(","),
  };
  const answer = await fetch(`${root}/token`, { method: "OPTIONS", headers });
  const found = Object.fromEntries(answer.headers);
  const origin = found["access-control-allow-origin"] ?? "";
  expect(["*", baseUrl].includes(origin), "the origin is allowed", found);
  const allowed = (found["access-control-allow-headers"] ?? "").toLowerCase();
  const isAllowed = HEADERS_OF_PAGES.every((name) => allowed === "*" || allowed.includes(name));
  expect(isAllowed, "the headers of the pages are allowed", found);
}

async function checkRedirect(walk: Walk): Promise<void> {
  const page = `${walk.baseUrl}/account`;
  const query = new URLSearchParams({ type: "signup", token: "none", redirect_to: page });
  const { location } = await ask(walk, "GET", `/verify?${query}`);
  const { origin, pathname } = new URL(location ?? "");
  expect(origin + pathname === page, "it leads there", location);
}

async function signUp(walk: Walk): Promise<void> {
  const { email, password } = walk;
  const { status, fields } = await ask(walk, "POST", "/signup", { body: { email, password } });
  expect(status === 200 && fields.access_token === undefined, "no session is answered", fields);
  const early = await signInWith(walk, password);
  expect(early.status === 400, "an unconfirmed address is refused", early);
}

async function confirm(walk: Walk): Promise<void> {
  walk.session = sessionIn(await linkOf(walk, "signup"));
}

async function verify({ provider, session, email }: Walk): Promise<void> {
  const claims = await provider.verify(session.access_token, "browser");
  const user = await provider.live(session.access_token);
  expect(claims.subject === user?.id, "claims and user are the same person", { claims, user });
  expect(user?.email === email && user.emailConfirmedAt !== null, "the address is confirmed", user);
  expect(claims.signedInAt > 0 && claims.clientId === null, "it is a browser's token", claims);
}

async function signIn(walk: Walk): Promise<void> {
  const wrong = await signInWith(walk, `${walk.password}x`);
  expect(wrong.status === 400, "a wrong password is refused", wrong);
  walk.session = sessionIn(await signInWith(walk, walk.password));
}

async function refresh(walk: Walk): Promise<void> {
  const before = await walk.provider.verify(walk.session.access_token, "browser");
  const { refresh_token } = walk.session;
  const body = { refresh_token };
  walk.session = sessionIn(await ask(walk, "POST", "/token?grant_type=refresh_token", { body }));
  const after = await walk.provider.verify(walk.session.access_token, "browser");
  const isSame = before.sessionId === after.sessionId && before.subject === after.subject;
  expect(isSame, "it is the same session", { before, after });
}

async function recover(walk: Walk): Promise<void> {
  const asked = await ask(walk, "POST", "/recover", { body: { email: walk.email } });
  expect(asked.status === 200, "a recovery may be asked for", asked);
  const { access_token: jwt } = sessionIn(await linkOf(walk, "recovery"));
  const password = `${walk.password}-new`;
  const changed = await ask(walk, "PUT", "/user", { jwt, body: { password } });
  expect(changed.status === 200, "the password is changed", changed);
  const ended = await walk.provider.live(walk.session.access_token);
  expect(ended === null, "other sessions end", ended);
  walk.password = password;
  walk.session = sessionIn(await signInWith(walk, password));
}

async function rotateKeys(walk: Walk): Promise<string | undefined> {
  if (walk.rotate === null) return "no way to change the keys was given";
  await walk.rotate();
  await walk.wait(KEY_COOLDOWN_MS);
  walk.session = sessionIn(await signInWith(walk, walk.password));
  await walk.provider.verify(walk.session.access_token, "browser");
  return undefined;
}

async function consent(walk: Walk): Promise<void> {
  const { provider, session } = walk;
  const registered = await ask(walk, "POST", "/oauth/clients/register", {
    body: {
      client_name: "Bout's check",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
    },
  });
  walk.clientId = String(registered.fields["client_id"]);
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: walk.clientId,
    redirect_uri: CALLBACK,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: "openid email",
    state: "of the client",
  });
  const sent = await ask(walk, "GET", `/oauth/authorize?${query}`);
  const id = new URL(sent.location ?? "").searchParams.get("authorization_id") ?? "";
  const details = await provider.authorization(id, session.access_token);
  const isAsked = details !== null && "client" in details && details.client.id === walk.clientId;
  expect(isAsked && details.redirectUri === CALLBACK, "the ladder sees who asks", details);
  const decided = await provider.decide(id, "approve", session.access_token);
  const back = new URL(decided?.redirectUrl ?? "");
  const code = back.searchParams.get("code");
  expect(back.searchParams.get("state") === "of the client", "the state comes back", back.href);
  const again = await provider.authorization(id, session.access_token);
  expect(again === null, "a decision is made once", again);
  const grant = { grant_type: "authorization_code", code, code_verifier: verifier };
  const form = { ...grant, client_id: walk.clientId, redirect_uri: CALLBACK };
  walk.programToken = sessionIn(
    await ask(walk, "POST", "/oauth/token", { body: form }),
  ).access_token;
}

async function checkAudience({ provider, programToken, clientId }: Walk): Promise<void> {
  const claims = await provider.verify(programToken, "mcp");
  expect(claims.clientId === clientId, "the token names its program", claims);
  const refused = await provider.verify(programToken, "browser").then(
    () => "accepted",
    () => "refused",
  );
  expect(refused === "refused", "no account route takes it", refused);
  const user = await provider.live(programToken);
  expect(user !== null, "its session goes on", user);
}

async function revoke({ provider, programToken, clientId, session }: Walk): Promise<void> {
  const isDone = await provider.revokeGrant(clientId, session.access_token);
  expect(isDone, "the grant is revoked", isDone);
  expect((await provider.live(programToken)) === null, "its session has ended", "alive");
}

async function signOut(walk: Walk): Promise<void> {
  const { access_token: jwt } = walk.session;
  const done = await ask(walk, "POST", "/logout?scope=global", { jwt });
  expect(done.status === 204, "it is done", done);
  expect((await walk.provider.live(jwt)) === null, "the session has ended", "alive");
}
