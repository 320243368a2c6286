import { useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import { SIGNED_OUT } from "#site/sign-in/auth-context.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { currentPageUrl, newPasswordField } from "#site/sign-in/sign-in-forms.tsx";
import { ConfirmAction } from "#site/ui/confirm-action.tsx";
import { Form } from "#site/ui/form.tsx";
import type { FormRefusal } from "#site/ui/form.tsx";
import { Section } from "#site/ui/section.tsx";

import type { AccountData } from "./data.ts";
import { Reauthenticate } from "./reauthenticate.tsx";

type SignInSettingsProps = { data: AccountData; auth: AuthContext; account: Account };
type CredentialFormProps = SignInSettingsProps & {
  /** Called when the last sign-in is too old to change credentials. */
  onSignInNeeded: () => void;
};

const REAUTHENTICATION_NEEDED = "reauthentication_needed";

export function SignInSettings({ data, auth, account }: SignInSettingsProps) {
  const [needsSignIn, setNeedsSignIn] = useState(false);
  const onSignInNeeded = () => setNeedsSignIn(true);
  const signOutEverywhere = async () => {
    const refusal = await auth.identity.signOut("global");
    if (refusal === null)
      auth.setAuthState({ ...SIGNED_OUT, notice: "You're signed out everywhere." });
    return refusal;
  };
  return (
    <Section id="sign-in" title="Sign-in">
      {needsSignIn ? (
        <Reauthenticate
          {...{ data, auth, account }}
          purpose="to change how you sign in"
          onSignedIn={() => setNeedsSignIn(false)}
        />
      ) : (
        <div class="account-forms">
          <ChangeEmail {...{ data, auth, account, onSignInNeeded }} />
          <ChangePassword {...{ data, auth, account, onSignInNeeded }} />
        </div>
      )}
      <ConfirmAction
        label="Sign out everywhere…"
        confirmLabel="Sign out everywhere"
        onConfirm={signOutEverywhere}
      >
        This ends every session, including this one. Bots, agent keys and connected apps are not
        affected; revoke them separately.
      </ConfirmAction>
    </Section>
  );
}

function ChangeEmail({ auth, account, onSignInNeeded }: CredentialFormProps) {
  const [pendingEmail, setPendingEmail] = useState<string | null>(null);
  return (
    <div class="account-form">
      <h3>Email</h3>
      <p class="sub" role="status">
        {pendingEmail !== null && (
          <>
            We emailed <bdi class="address">{pendingEmail}</bdi>. Open its link in this browser, or
            enter its 6-digit code.
          </>
        )}
      </p>
      <Form
        key={account.email}
        id="new-address"
        fields={[
          {
            name: "email",
            label: "New email",
            kind: "new address",
            hint: `${account.email ?? "Your current email"} stays in use until you confirm the new one.`,
          },
        ]}
        submitLabel="Send confirmation email"
        busyLabel="Sending…"
        onSubmit={async ({ email = "" }) => {
          const refusal = await auth.identity.setEmail(email, currentPageUrl());
          if (refusal === null) setPendingEmail(email);
          else if (refusal.code === REAUTHENTICATION_NEEDED) onSignInNeeded();
          return refusal;
        }}
      />
      {pendingEmail !== null && account.email !== null && (
        <Form
          key={pendingEmail}
          id="new-address-code"
          fields={[{ name: "code", label: "6-digit code", kind: "digits" }]}
          submitLabel="Confirm"
          busyLabel="Confirming…"
          onSubmit={({ code = "" }) => confirmEmailChange(auth, account.email ?? "", code)}
        />
      )}
    </div>
  );
}

/** The provider checks the code against the account's current email address. */
async function confirmEmailChange(
  auth: AuthContext,
  email: string,
  code: string,
): Promise<FormRefusal | null> {
  const outcome = await auth.identity.confirm(email, code, "email_change");
  if (typeof outcome !== "string") return outcome;
  auth.showStatusMessage("Your email address has been changed.");
  await auth.reload();
  return null;
}

function ChangePassword({ auth, account: { email }, onSignInNeeded }: CredentialFormProps) {
  const [changeCount, setChangeCount] = useState(0);
  return (
    <div class="account-form">
      <h3>Password</h3>
      <Form
        key={changeCount}
        id="change-password"
        fields={[newPasswordField(auth, "New password")]}
        submitLabel="Save"
        busyLabel="Saving…"
        onSubmit={async ({ password = "" }) => {
          const refusal = await auth.identity.setPassword(password);
          if (refusal?.code === REAUTHENTICATION_NEEDED) onSignInNeeded();
          if (refusal !== null) return refusal;
          auth.showStatusMessage(
            "Your password has been changed, and all other sessions have been signed out.",
          );
          setChangeCount(changeCount + 1);
          return null;
        }}
      >
        {/* Password managers need the username. */}
        <input type="email" autocomplete="username" value={email ?? ""} readOnly hidden />
      </Form>
    </div>
  );
}
