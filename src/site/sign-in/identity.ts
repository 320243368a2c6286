// The identity provider as these pages use it. Sessions are kept by its own library, in the
// browser's local storage and nowhere else.

import { AuthClient, isAuthApiError, isAuthRetryableFetchError } from "@supabase/auth-js";
import type { AuthError, GoTrueClient } from "@supabase/auth-js";

import type { ProviderAddress } from "#site/account/data.ts";
import type { FormRefusal } from "#site/look/form.tsx";

import { refusalOfProvider } from "./identity-words.ts";
import { STORED_SESSION } from "./stored-session.ts";

const LONGEST_WAIT_MS = 15_000;

/** How people may sign in. */
export type WaysIn = {
  hasPasswords: boolean;
  /** Ids of social providers. */
  social: readonly string[];
  takesNewPeople: boolean;
};

/** Mails with six digits. */
export type MailPurpose = "signup" | "recovery" | "email_change";

type TokenFound = { jwt: string } | "out" | "away";

function openIdentity({ root, publishable_key: key }: ProviderAddress) {
  const address = new URL(root, location.origin).href;
  const headers = { apikey: key, Authorization: `Bearer ${key}` };
  const asking = openAsking();
  const auth = new AuthClient({
    url: address,
    headers,
    fetch: asking.fetch,
    storageKey: STORED_SESSION,
    flowType: "pkce",
    detectSessionInUrl: false,
    experimental: { appendPkceFlowIdToRedirects: true },
  });
  const settle: Settle = (call) => settled(asking, call);
  return {
    ...entering(auth, settle),
    ...byMail(auth, settle),
    /** Returns the email address of an invite, which stays usable. */
    inviteEmail: (invite: string) => readInviteEmail(asking, address, headers, invite),
    ...insideOf(auth, settle),
    /** Null if the provider does not say. */
    waysIn: () => readWaysIn(asking.fetch, address, headers),
  };
}

export type Identity = ReturnType<typeof openIdentity>;

let opened: Identity | null = null;

/** The provider's client of this page: two would renew the same session against each other. */
export const identityOfPage = (place: ProviderAddress): Identity =>
  (opened ??= openIdentity(place));

/** Null if it went well. */
type Settle = (call: Promise<{ error: AuthError | null }>) => Promise<FormRefusal | null>;

/** Signing up and in. `back` is the page that links lead to. */
function entering(auth: GoTrueClient, settle: Settle) {
  return {
    signUp: async (email: string, password: string, back: string) => {
      let isIn = false;
      const options = { emailRedirectTo: back };
      const call = auth.signUp({ email, password, options }).then((answer) => {
        isIn = answer.data.session !== null;
        return answer;
      });
      const refusal = await settle(call);
      return refusal ?? (isIn ? ("in" as const) : ("mailed" as const));
    },
    signIn: (email: string, password: string) =>
      settle(auth.signInWithPassword({ email, password })),
    /** Leads away to a social provider. */
    signInBy: (id: string, back: string) => {
      // The library knows the names of some; a provider may have others.
      const provider = id as "github";
      const options = { redirectTo: back, skipBrowserRedirect: true };
      const call = auth.signInWithOAuth({ provider, options }).then((answer) => {
        if (answer.data.url !== null) location.assign(answer.data.url);
        return answer;
      });
      return settle(call);
    },
  };
}

/** Signed in, still to choose a password, or refused. */
type Arrived = FormRefusal | "in" | "new password";

/** Only the ladder's own provider says so. */
const needsPassword = (session: object | null): boolean =>
  session !== null && "needs_password" in session && session.needs_password === true;

/** What a mail brings: a code in a link, or six digits. */
function byMail(auth: GoTrueClient, settle: Settle) {
  return {
    /** Sends the password of a sign-up with its code, so that it takes effect. */
    confirm: async (
      email: string,
      token: string,
      type: MailPurpose,
      password: string | null = null,
    ): Promise<Arrived> => {
      let isNew = false;
      const params = { email, token, type, ...(password !== null && { password }) };
      const call = auth.verifyOtp(params).then((answer) => {
        isNew = needsPassword(answer.data.session);
        return answer;
      });
      return (await settle(call)) ?? (isNew ? "new password" : "in");
    },
    /** Signs in with what a link brought to another browser than the one that asked. */
    accept: (invite: string) => settle(auth.verifyOtp({ token_hash: invite, type: "invite" })),
    resend: (email: string, purpose: MailPurpose, back: string) =>
      settle(
        purpose === "recovery"
          ? auth.resetPasswordForEmail(email, { redirectTo: back })
          : auth.resend({ type: purpose, email, options: { emailRedirectTo: back } }),
      ),
    /** Exchanges the code of a link. */
    arrive: async (code: string, flow: string | null): Promise<Arrived> => {
      let isNew = false;
      const which = flow === null ? undefined : { flowId: flow };
      const call = auth.exchangeCodeForSession(code, which).then((answer) => {
        const { redirectType } = answer.data as { redirectType?: string | null };
        isNew = redirectType === "recovery" || needsPassword(answer.data.session);
        return answer;
      });
      const refusal = await settle(call);
      return refusal ?? (isNew ? "new password" : "in");
    },
  };
}

/** What people do who are signed in. */
function insideOf(auth: GoTrueClient, settle: Settle) {
  return {
    setPassword: (password: string) => settle(auth.updateUser({ password })),
    setAddress: (email: string, back: string) =>
      settle(auth.updateUser({ email }, { emailRedirectTo: back })),
    signOut: async (scope: "local" | "global") => {
      const refusal = await settle(auth.signOut({ scope }));
      // Here it ends in any case: somebody may be about to leave a machine that is not theirs.
      if (refusal !== null && scope === "local") forget();
      return scope === "local" ? null : refusal;
    },
    token: (): Promise<TokenFound> => tokenOf(auth),
    /** Whether there is a session still, with a new token. */
    renew: async () => (await settle(auth.refreshSession())) === null,
    /** Tells of sign-ins and sign-outs, those in other tabs too. Returns a function that ends it. */
    watch: (onChange: (isIn: boolean) => void) => {
      const { data } = auth.onAuthStateChange((event) => {
        // The library must have come to an end before it is asked anything.
        if (event === "SIGNED_IN" || event === "USER_UPDATED") setTimeout(() => onChange(true));
        if (event === "SIGNED_OUT") setTimeout(() => onChange(false));
      });
      return () => data.subscription.unsubscribe();
    },
  };
}

type Asking = { fetch: typeof fetch; retryAfterS: () => number | null };

/** Waits for no answer for long, and remembers how long a refusal asks to wait. */
function openAsking(): Asking {
  let retryAfterS: number | null = null;
  return {
    fetch: async (input, init) => {
      const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
      const response = await fetch(input, { ...init, signal });
      const told = Number(response.headers.get("retry-after") ?? Number.NaN);
      retryAfterS = Number.isNaN(told) ? null : told;
      return response;
    },
    retryAfterS: () => retryAfterS,
  };
}

/** Null if it went well. */
async function settled(
  { retryAfterS }: Asking,
  call: Promise<{ error: AuthError | null }>,
): Promise<FormRefusal | null> {
  try {
    const { error } = await call;
    if (error === null) return null;
    const { code, status, message } = error;
    const isAway =
      isAuthRetryableFetchError(error) || (isAuthApiError(error) && error.status >= 500);
    return refusalOfProvider({ code, status, message, isAway, retryAfterS: retryAfterS() });
  } catch {
    return refusalOfProvider({ message: "", isAway: true, retryAfterS: null });
  }
}

/** The library goes on trying to renew a token for half a minute; nobody waits that long. */
async function tokenOf(auth: GoTrueClient): Promise<TokenFound> {
  const late = new Promise<"away">((resolve) => {
    setTimeout(() => resolve("away"), LONGEST_WAIT_MS);
  });
  const found = auth.getSession().then(({ data: { session }, error }): TokenFound => {
    if (session !== null) return { jwt: session.access_token };
    return isAuthRetryableFetchError(error) ? "away" : "out";
  });
  return Promise.race([found, late]);
}

function forget(): void {
  for (const name of [STORED_SESSION, `${STORED_SESSION}-user`, `${STORED_SESSION}-code-verifier`])
    localStorage.removeItem(name);
}

async function readInviteEmail(
  { fetch: ask, retryAfterS }: Asking,
  root: string,
  headers: Record<string, string>,
  invite: string,
): Promise<{ email: string } | FormRefusal> {
  const away = () => refusalOfProvider({ message: "", isAway: true, retryAfterS: retryAfterS() });
  try {
    const body = JSON.stringify({ token_hash: invite });
    const jsonHeaders = { ...headers, "Content-Type": "application/json" };
    const response = await ask(`${root}/invite`, { method: "POST", headers: jsonHeaders, body });
    const { status } = response;
    if (status >= 500) return away();
    const answer = (await response.json()) as {
      email?: string;
      error_code?: string;
      msg?: string;
    };
    if (response.ok && answer.email !== undefined) return { email: answer.email };
    const { error_code: code, msg: message = "" } = answer;
    return refusalOfProvider({ code, status, message, isAway: false, retryAfterS: retryAfterS() });
  } catch {
    return away();
  }
}

type Settings = {
  external?: Record<string, unknown>;
  disable_signup?: boolean;
};

/** Ways that need another form than these pages have. */
const NOT_SOCIAL = ["email", "phone", "anonymous_users", "saml", "web3"];

async function readWaysIn(
  ask: typeof fetch,
  root: string,
  headers: Record<string, string>,
): Promise<WaysIn | null> {
  try {
    const response = await ask(`${root}/settings`, { headers });
    if (!response.ok) return null;
    const { external = {}, disable_signup = false } = (await response.json()) as Settings;
    const isOn = (id: string) => external[id] === true;
    return {
      hasPasswords: isOn("email"),
      social: Object.keys(external).filter((id) => isOn(id) && !NOT_SOCIAL.includes(id)),
      takesNewPeople: !disable_signup,
    };
  } catch {
    return null;
  }
}
