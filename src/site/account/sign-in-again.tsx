// Some things are for people who have just shown who they are: a session alone may be stolen.

import type { Account } from "#core/resources/account.ts";
import { Form } from "#site/look/form.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

import type { AccountData } from "./data.ts";

type SignInAgainProps = {
  data: AccountData;
  desk: Desk;
  account: Account;
  /** Why it is asked, as the end of a sentence. */
  so: string;
  onDone: () => void;
};

export function SignInAgain({ data, desk, account, so, onDone }: SignInAgainProps) {
  const email = account.email ?? "";
  return (
    <>
      <p class="notice" role="alert">
        You signed in more than {data.recent_sign_in_minutes} minutes ago. Sign in again first, {so}
        .
      </p>
      <Form
        id="sign-in-again"
        questions={[{ name: "password", label: "Password", kind: "password" }]}
        action="Sign in again"
        waiting="Signing in…"
        isFocused
        send={async ({ password = "" }) => {
          const refusal = await desk.identity.signIn(email, password);
          if (refusal === null) onDone();
          return refusal;
        }}
      >
        <input type="email" autocomplete="username" value={email} readOnly hidden />
      </Form>
    </>
  );
}
