// Sensitive actions require a recent sign-in, because a session can be stolen.

import type { Account } from "#core/api/account.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { Form } from "#site/ui/form.tsx";

import type { AccountData } from "./data.ts";

type ReauthenticateProps = {
  data: AccountData;
  auth: AuthContext;
  account: Account;
  /** Completes the sentence "Sign in again …". Starts with "to". */
  purpose: string;
  onSignedIn: () => void;
};

export function Reauthenticate({ data, auth, account, purpose, onSignedIn }: ReauthenticateProps) {
  const email = account.email ?? "";
  return (
    <>
      <p class="notice" role="alert">
        You signed in more than {data.recent_sign_in_minutes} minutes ago. Sign in again {purpose}.
      </p>
      <Form
        id="sign-in-again"
        fields={[{ name: "password", label: "Password", kind: "password" }]}
        submitLabel="Sign in again"
        busyLabel="Signing in…"
        autoFocuses
        onSubmit={async ({ password = "" }) => {
          const refusal = await auth.identity.signIn(email, password);
          if (refusal === null) onSignedIn();
          return refusal;
        }}
      >
        <input type="email" autocomplete="username" value={email} readOnly hidden />
      </Form>
    </>
  );
}
