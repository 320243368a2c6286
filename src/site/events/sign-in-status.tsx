import { AppealContact } from "#site/sign-in/appeal-contact.tsx";
import type { AuthContext, AuthState } from "#site/sign-in/auth-context.ts";
import { signInPath, signUpPath } from "#site/sign-in/auth-urls.ts";

import type { SignInInfo } from "./data.ts";

type SignInStatusProps = {
  signInInfo: SignInInfo;
  authState: AuthState;
  auth: AuthContext | null;
  reason: string;
  /** Says what isn't possible on a server without accounts. */
  noAccountsText: string;
};

/**
 * Shows whether the visitor is signed in, with links to sign in. All states have the same height.
 */
export function SignInStatus({
  signInInfo,
  authState,
  auth,
  reason,
  noAccountsText,
}: SignInStatusProps) {
  return (
    <div class="who">
      <noscript>
        <p class="sub">You can read everything without JavaScript; joining needs it.</p>
      </noscript>
      {signInInfo.provider === null ? (
        <p class="sub">This server has no accounts. {noAccountsText}</p>
      ) : (
        <KnownSignInStatus {...{ signInInfo, authState, auth, reason }} />
      )}
    </div>
  );
}

function KnownSignInStatus({
  signInInfo: { contact },
  authState,
  auth,
  reason,
}: Omit<SignInStatusProps, "noAccountsText">) {
  if (authState.status === "insecure")
    return (
      <p class="sub">
        Browsers don't allow signing in over plain HTTP from another computer. Open this page over
        HTTPS to join.
      </p>
    );
  if (auth === null || authState.status === "looking")
    return <p class="sub who-looking">Checking your session…</p>;
  if (authState.status === "away" || authState.status === "refused")
    return (
      <p class="notice bad" role="alert">
        {authState.text} {authState.status === "refused" && <AppealContact contact={contact} />}
      </p>
    );
  if (authState.status === "in")
    return (
      <p class="sub">
        Signed in as <a href="/account">{authState.account.handle ?? "a user without a handle"}</a>.
      </p>
    );
  return <SignInLinks reason={reason} />;
}

function SignInLinks({ reason }: { reason: string }) {
  const currentPath = location.pathname + location.search;
  return (
    <>
      <p class="sub">{reason}</p>
      <p class="actions">
        <a class="button" href={signInPath(currentPath)}>
          Sign in
        </a>
        <a class="button quiet" href={signUpPath(currentPath)}>
          Create an account
        </a>
      </p>
    </>
  );
}
