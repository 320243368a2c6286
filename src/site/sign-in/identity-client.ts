// Client for the identity provider. The auth library keeps sessions in local storage.

import { AuthClient, isAuthApiError, isAuthRetryableFetchError } from "@supabase/auth-js";
import type { AuthError, GoTrueClient } from "@supabase/auth-js";

import type { ProviderAddress } from "#site/account/data.ts";
import type { FormRefusal } from "#site/ui/form.tsx";

import { formErrorForProvider } from "./provider-errors.ts";
import { SESSION_STORAGE_KEY } from "./stored-session.ts";

const REQUEST_TIMEOUT_MS = 15_000;

export type SignInMethods = {
  hasPasswords: boolean;
  social: readonly string[];
  acceptsSignUps: boolean;
};

export type CodeEmailPurpose = "signup" | "recovery" | "email_change";

type TokenLookup = { jwt: string } | "out" | "away";

function createIdentityClient({ root, publishable_key: key }: ProviderAddress) {
  const address = new URL(root, location.origin).href;
  const headers = { apikey: key, Authorization: `Bearer ${key}` };
  const providerFetch = createProviderFetch();
  const auth = new AuthClient({
    url: address,
    headers,
    fetch: providerFetch.fetch,
    storageKey: SESSION_STORAGE_KEY,
    flowType: "pkce",
    detectSessionInUrl: false,
    experimental: { appendPkceFlowIdToRedirects: true },
  });
  const runCall: RunAuthCall = (call) => runAuthCall(providerFetch, call);
  return {
    ...createSignInMethods(auth, runCall),
    ...createEmailCodeMethods(auth, runCall),
    /** Returns the email address of an invite without using up the invite. */
    inviteEmail: (invite: string) => readInviteEmail(providerFetch, address, headers, invite),
    ...createSessionMethods(auth, runCall),
    /** Returns null if the methods are unknown. */
    loadSignInMethods: () => fetchSignInMethods(providerFetch.fetch, address, headers),
  };
}

export type IdentityClient = ReturnType<typeof createIdentityClient>;

let pageClient: IdentityClient | null = null;

/** Returns the page's only client. Two clients would compete to refresh the same session. */
export const getIdentityClient = (provider: ProviderAddress): IdentityClient =>
  (pageClient ??= createIdentityClient(provider));

/** Returns null on success. */
type RunAuthCall = (call: Promise<{ error: AuthError | null }>) => Promise<FormRefusal | null>;

/** Signs people up and in. Email links return to `redirectUrl`. */
function createSignInMethods(auth: GoTrueClient, runCall: RunAuthCall) {
  return {
    signUp: async (email: string, password: string, redirectUrl: string) => {
      let isSignedIn = false;
      const options = { emailRedirectTo: redirectUrl };
      const call = auth.signUp({ email, password, options }).then((response) => {
        isSignedIn = response.data.session !== null;
        return response;
      });
      const refusal = await runCall(call);
      return refusal ?? (isSignedIn ? ("in" as const) : ("mailed" as const));
    },
    signIn: (email: string, password: string) =>
      runCall(auth.signInWithPassword({ email, password })),
    signInWithProvider: (id: string, redirectUrl: string) => {
      // The library's type lists only some providers, but accepts any.
      const provider = id as "github";
      const options = { redirectTo: redirectUrl, skipBrowserRedirect: true };
      const call = auth.signInWithOAuth({ provider, options }).then((response) => {
        if (response.data.url !== null) location.assign(response.data.url);
        return response;
      });
      return runCall(call);
    },
  };
}

/** "in" means signed in. "new password" means that the person must still choose a password. */
type CodeSignInResult = FormRefusal | "in" | "new password";

/** Only the embedded provider sets `needs_password`. */
const needsPassword = (session: object | null): boolean =>
  session !== null && "needs_password" in session && session.needs_password === true;

/** Confirms an email with the code in its link or with its six digits. */
function createEmailCodeMethods(auth: GoTrueClient, runCall: RunAuthCall) {
  return {
    /** Confirms a code. For a sign-up, also sends the password, which the code activates. */
    confirm: async (
      email: string,
      token: string,
      type: CodeEmailPurpose,
      password: string | null = null,
    ): Promise<CodeSignInResult> => {
      let needsNewPassword = false;
      const params = { email, token, type, ...(password !== null && { password }) };
      const call = auth.verifyOtp(params).then((response) => {
        needsNewPassword = needsPassword(response.data.session);
        return response;
      });
      return (await runCall(call)) ?? (needsNewPassword ? "new password" : "in");
    },
    acceptInvite: (invite: string) =>
      runCall(auth.verifyOtp({ token_hash: invite, type: "invite" })),
    resend: (email: string, purpose: CodeEmailPurpose, redirectUrl: string) =>
      runCall(
        purpose === "recovery"
          ? auth.resetPasswordForEmail(email, { redirectTo: redirectUrl })
          : auth.resend({ type: purpose, email, options: { emailRedirectTo: redirectUrl } }),
      ),
    exchangeCode: async (code: string, flow: string | null): Promise<CodeSignInResult> => {
      let needsNewPassword = false;
      const flowOptions = flow === null ? undefined : { flowId: flow };
      const call = auth.exchangeCodeForSession(code, flowOptions).then((response) => {
        const { redirectType } = response.data as { redirectType?: string | null };
        needsNewPassword = redirectType === "recovery" || needsPassword(response.data.session);
        return response;
      });
      const refusal = await runCall(call);
      return refusal ?? (needsNewPassword ? "new password" : "in");
    },
  };
}

function createSessionMethods(auth: GoTrueClient, runCall: RunAuthCall) {
  return {
    setPassword: (password: string) => runCall(auth.updateUser({ password })),
    setEmail: (email: string, redirectUrl: string) =>
      runCall(auth.updateUser({ email }, { emailRedirectTo: redirectUrl })),
    signOut: async (scope: "local" | "global") => {
      const refusal = await runCall(auth.signOut({ scope }));
      // Ends the local session even after an error, because the person may be on a shared computer.
      if (refusal !== null && scope === "local") clearStoredSession();
      return scope === "local" ? null : refusal;
    },
    token: (): Promise<TokenLookup> => fetchToken(auth),
    /** Refreshes the token. Returns whether a session remains. */
    renewSession: async () => (await runCall(auth.refreshSession())) === null,
    /** Subscribes to sign-ins and sign-outs in any tab. Returns an unsubscribe function. */
    onSignInChange: (onChange: (isSignedIn: boolean) => void) => {
      const { data } = auth.onAuthStateChange((event) => {
        // Waits until the library has finished initializing.
        if (event === "SIGNED_IN" || event === "USER_UPDATED") setTimeout(() => onChange(true));
        if (event === "SIGNED_OUT") setTimeout(() => onChange(false));
      });
      return () => data.subscription.unsubscribe();
    },
  };
}

type ProviderFetch = { fetch: typeof fetch; retryAfterS: () => number | null };

/** A fetch with a timeout. Remembers the last Retry-After header. */
function createProviderFetch(): ProviderFetch {
  let retryAfterS: number | null = null;
  return {
    fetch: async (input, init) => {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const response = await fetch(input, { ...init, signal });
      const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
      retryAfterS = Number.isNaN(retryAfter) ? null : retryAfter;
      return response;
    },
    retryAfterS: () => retryAfterS,
  };
}

/** Returns null on success. */
async function runAuthCall(
  { retryAfterS }: ProviderFetch,
  call: Promise<{ error: AuthError | null }>,
): Promise<FormRefusal | null> {
  try {
    const { error } = await call;
    if (error === null) return null;
    const { code, status, message } = error;
    const isUnavailable =
      isAuthRetryableFetchError(error) || (isAuthApiError(error) && error.status >= 500);
    return formErrorForProvider({
      code,
      status,
      message,
      isUnavailable,
      retryAfterS: retryAfterS(),
    });
  } catch {
    return formErrorForProvider({ message: "", isUnavailable: true, retryAfterS: null });
  }
}

/**
 * The library retries a token refresh for 30 seconds, which is too long, so this adds a timeout.
 */
async function fetchToken(auth: GoTrueClient): Promise<TokenLookup> {
  const timeout = new Promise<"away">((resolve) => {
    setTimeout(() => resolve("away"), REQUEST_TIMEOUT_MS);
  });
  const lookup = auth.getSession().then(({ data: { session }, error }): TokenLookup => {
    if (session !== null) return { jwt: session.access_token };
    return isAuthRetryableFetchError(error) ? "away" : "out";
  });
  return Promise.race([lookup, timeout]);
}

function clearStoredSession(): void {
  for (const name of [
    SESSION_STORAGE_KEY,
    `${SESSION_STORAGE_KEY}-user`,
    `${SESSION_STORAGE_KEY}-code-verifier`,
  ])
    localStorage.removeItem(name);
}

async function readInviteEmail(
  { fetch: fetchFromProvider, retryAfterS }: ProviderFetch,
  root: string,
  headers: Record<string, string>,
  invite: string,
): Promise<{ email: string } | FormRefusal> {
  const away = () =>
    formErrorForProvider({ message: "", isUnavailable: true, retryAfterS: retryAfterS() });
  try {
    const body = JSON.stringify({ token_hash: invite });
    const jsonHeaders = { ...headers, "Content-Type": "application/json" };
    const response = await fetchFromProvider(`${root}/invite`, {
      method: "POST",
      headers: jsonHeaders,
      body,
    });
    const { status } = response;
    if (status >= 500) return away();
    const answer = (await response.json()) as {
      email?: string;
      error_code?: string;
      msg?: string;
    };
    if (response.ok && answer.email !== undefined) return { email: answer.email };
    const { error_code: code, msg: message = "" } = answer;
    return formErrorForProvider({
      code,
      status,
      message,
      isUnavailable: false,
      retryAfterS: retryAfterS(),
    });
  } catch {
    return away();
  }
}

type ProviderSettings = {
  external?: Record<string, unknown>;
  disable_signup?: boolean;
};

/** Provider methods that aren't social providers. */
const NON_SOCIAL_METHODS = ["email", "phone", "anonymous_users", "saml", "web3"];

async function fetchSignInMethods(
  fetchFromProvider: typeof fetch,
  root: string,
  headers: Record<string, string>,
): Promise<SignInMethods | null> {
  try {
    const response = await fetchFromProvider(`${root}/settings`, { headers });
    if (!response.ok) return null;
    const { external = {}, disable_signup = false } = (await response.json()) as ProviderSettings;
    const isEnabled = (id: string) => external[id] === true;
    return {
      hasPasswords: isEnabled("email"),
      social: Object.keys(external).filter(
        (id) => isEnabled(id) && !NON_SOCIAL_METHODS.includes(id),
      ),
      acceptsSignUps: !disable_signup,
    };
  } catch {
    return null;
  }
}
