// The page's sign-in state: resolved when the page loads, then kept up to date.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import type { SignInProvider } from "#site/account/data.ts";
import { showReloadNotice } from "#site/shell/reload-notice.ts";

import { createAccountApi } from "./account-api.ts";
import type { SendRequest, AccountRefusal } from "./account-api.ts";
import { isSignUpAddress, consumeArrival, withoutConsent } from "./auth-urls.ts";
import type { AuthCallback, EmailLink } from "./auth-urls.ts";
import type { IdentityClient, CodeEmailPurpose, SignInMethods } from "./identity-client.ts";
import { publishAccount } from "./own-account.ts";
import {
  describeCallbackError,
  PROVIDER_UNAVAILABLE_TEXT,
  EMAIL_CHANGE_OTHER_BROWSER_TEXT,
} from "./provider-errors.ts";

/** Form shown to a signed-out visitor. */
export type SignInMode = "sign in" | "sign up" | "recover";

export type AuthState =
  | { status: "looking" }
  /** Without TLS, browsers lack the APIs that sign-in needs. */
  | { status: "insecure" }
  | { status: "out"; mode: SignInMode; email: string; notice: string | null }
  /** An email with a link and a 6-digit code was sent. */
  | {
      status: "mailed";
      purpose: Exclude<CodeEmailPurpose, "email_change">;
      email: string;
      /** Password chosen at sign-up with the embedded provider. Sent with the code. */
      password: string | null;
    }
  /** Signed in by email. The account still needs a new password. */
  | { status: "new password" }
  /** Opened an email link in a browser that didn't request the email. */
  | {
      status: "choose password";
      invite: string;
      isNew: boolean;
      /** Account that is signed in here and that the link would replace. */
      currentAccount: Account | null;
    }
  | { status: "in"; account: Account }
  | { status: "refused"; text: string }
  | { status: "away"; text: string };

export type AuthContext = {
  provider: SignInProvider;
  identity: IdentityClient;
  sendRequest: SendRequest;
  signInMethods: SignInMethods | null;
  setAuthState: (authState: AuthState) => void;
  reload: () => Promise<void>;
  /** Shows a status message and announces it to screen readers. */
  showStatusMessage: (text: string) => void;
};

export const SIGNED_OUT: Extract<AuthState, { status: "out" }> = {
  status: "out",
  mode: "sign in",
  email: "",
  notice: null,
};

/** `auth` is null until hydrated. */
export function useAuth(provider: SignInProvider | null): {
  authState: AuthState;
  auth: AuthContext | null;
  statusMessage: string;
} {
  const [authState, setCurrentState] = useState<AuthState>({ status: "looking" });
  const [loadedContext, setLoadedContext] = useState<Omit<
    AuthContext,
    "setAuthState" | "reload" | "showStatusMessage"
  > | null>(null);
  const [statusMessage, showStatusMessage] = useStatusMessage();
  const currentState = useRef(authState);
  const setAuthState = (nextState: AuthState) => {
    currentState.current = nextState;
    setCurrentState(nextState);
    if (nextState.status === "in") publishAccount(nextState.account);
    if (nextState.status === "out" || nextState.status === "refused") publishAccount(null);
  };
  useEffect(() => {
    if (provider === null) return undefined;
    const callback = consumeArrival();
    if (!isSecureContext) return setAuthState({ status: "insecure" });
    let unsubscribe = () => {};
    // The auth library is loaded only on pages that offer sign-in.
    import("./identity-client.ts").then(({ getIdentityClient }) => {
      const identity = getIdentityClient(provider);
      const sendRequest = createAccountApi(identity);
      setLoadedContext({ provider, identity, sendRequest, signInMethods: null });
      const pendingMethods = identity.loadSignInMethods();
      void pendingMethods.then((signInMethods) =>
        setLoadedContext({ provider, identity, sendRequest, signInMethods }),
      );
      void resolveAuthCallback(identity, sendRequest, callback).then(async (resolvedState) => {
        // The available sign-in methods change the layout, so the page waits for them.
        const isProviderDown = resolvedState.status === "out" && (await pendingMethods) === null;
        setAuthState(
          isProviderDown
            ? { ...resolvedState, notice: resolvedState.notice ?? PROVIDER_UNAVAILABLE_TEXT }
            : resolvedState,
        );
      });
      unsubscribe = identity.onSignInChange(
        (isSignedIn) =>
          void handleSignInChange(isSignedIn, currentState, sendRequest, setAuthState),
      );
    }, showReloadNotice);
    return () => unsubscribe();
  }, []);
  if (loadedContext === null) return { authState, auth: null, statusMessage };
  const reload = async () => setAuthState(await readAccount(loadedContext.sendRequest));
  return {
    authState,
    auth: { ...loadedContext, setAuthState, reload, showStatusMessage },
    statusMessage,
  };
}

const STATUS_MESSAGE_MS = 6000;

function useStatusMessage(): [said: string, say: (text: string) => void] {
  const [statusMessage, setStatusMessage] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setStatusMessage(""), STATUS_MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [statusMessage]);
  return [statusMessage, setStatusMessage];
}

async function resolveAuthCallback(
  identity: IdentityClient,
  sendRequest: SendRequest,
  callback: AuthCallback,
): Promise<AuthState> {
  let notice: string | null =
    callback.kind === "refused" ? describeCallbackError(callback.code) : null;
  if (callback.kind === "link") {
    const passwordChoice = await passwordChoiceFor(callback.link, sendRequest);
    if (passwordChoice !== null) return passwordChoice;
  }
  if (callback.kind === "code") {
    const outcome = await identity.exchangeCode(callback.code, callback.flow);
    if (outcome === "new password") return { status: "new password" };
    if (outcome !== "in") {
      const passwordChoice = await passwordChoiceFor(callback.link, sendRequest);
      if (passwordChoice !== null) return passwordChoice;
      notice =
        callback.link?.purpose === "email_change" ? EMAIL_CHANGE_OTHER_BROWSER_TEXT : outcome.text;
    }
  }
  const resolvedState = await readAccount(sendRequest);
  if (resolvedState.status !== "out") return resolvedState;
  return { ...SIGNED_OUT, mode: isSignUpAddress(location.search) ? "sign up" : "sign in", notice };
}

async function passwordChoiceFor(
  link: EmailLink | null,
  sendRequest: SendRequest,
): Promise<AuthState | null> {
  if (link === null || link.invite === null) return null;
  const { pathname, search, hash } = location;
  history.replaceState(null, "", pathname + withoutConsent(search) + hash);
  const resolvedState = await readAccount(sendRequest);
  const currentAccount = resolvedState.status === "in" ? resolvedState.account : null;
  return {
    status: "choose password",
    invite: link.invite,
    isNew: link.purpose === "signup",
    currentAccount,
  };
}

/** Handles a sign-in or sign-out, which may have happened in another tab. */
async function handleSignInChange(
  isSignedIn: boolean,
  currentState: { readonly current: AuthState },
  sendRequest: SendRequest,
  setAuthState: (authState: AuthState) => void,
): Promise<void> {
  const previousState = currentState.current;
  if (!isSignedIn && previousState.status === "in")
    setAuthState({ ...SIGNED_OUT, notice: "You're signed out." });
  if (!isSignedIn || (previousState.status !== "out" && previousState.status !== "mailed")) return;
  const resolvedState = await readAccount(sendRequest);
  // This tab may have changed its state while the account was loading.
  if (currentState.current === previousState) setAuthState(resolvedState);
}

/** Loads the signed-in account. Returns the resulting sign-in state. */
export async function readAccount(sendRequest: SendRequest): Promise<AuthState> {
  const response = await sendRequest<Account>("GET", "/api/account");
  return "value" in response
    ? { status: "in", account: response.value }
    : authStateForRefusal(response.refusal);
}

function authStateForRefusal({ code, text }: AccountRefusal): AuthState {
  if (code === "out") return SIGNED_OUT;
  return code === "account_banned" ? { status: "refused", text } : { status: "away", text };
}
