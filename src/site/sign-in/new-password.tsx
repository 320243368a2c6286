import { useEffect, useRef, useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import { Form } from "#site/ui/form.tsx";
import type { FormRefusal } from "#site/ui/form.tsx";

import type { AuthContext, AuthState } from "./auth-context.ts";
import { SIGNED_OUT } from "./auth-context.ts";
import { newPasswordField } from "./sign-in-forms.tsx";
import { StepPage } from "./step-page.tsx";

export function NewPassword({ auth }: { auth: AuthContext }) {
  const savePassword = (password: string) => auth.identity.setPassword(password);
  return (
    <StepPage title="Choose a new password" hasFocus>
      <p class="lead">You're signed in. A new password signs you out everywhere else.</p>
      <PasswordForm {...{ auth, savePassword }} />
    </StepPage>
  );
}

type ChoosePasswordProps = {
  auth: AuthContext;
  authState: Extract<AuthState, { status: "choose password" }>;
};

/** Asks for a password after a link was opened in a browser that didn't request the email. */
export function ChoosePassword({
  auth,
  authState: { invite, isNew, currentAccount },
}: ChoosePasswordProps) {
  const isSignedIn = useRef(false);
  const [isExpired, setExpired] = useState(false);
  const [isReplaced, setReplaced] = useState(currentAccount === null);
  const [email, setEmail] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const readEmail = async () => {
    setFailure(null);
    const found = await auth.identity.inviteEmail(invite);
    if ("email" in found) setEmail(found.email);
    else if (found.field === "code") setExpired(true);
    else setFailure(found.text);
  };
  useEffect(() => void readEmail(), [invite]);
  const savePassword = async (password: string) => {
    const refusal = isSignedIn.current ? null : await auth.identity.acceptInvite(invite);
    if (refusal?.field === "code") setExpired(true);
    if (refusal !== null) return refusal;
    isSignedIn.current = true;
    return auth.identity.setPassword(password);
  };
  if (isExpired) return <InviteExpired auth={auth} />;
  if (currentAccount !== null && !isReplaced)
    return <ReplaceSession {...{ auth, currentAccount }} onReplace={() => setReplaced(true)} />;
  if (failure !== null) return <Unreadable text={failure} retry={() => void readEmail()} />;
  if (email === null) return null;
  return (
    <StepPage title={isNew ? "Choose a password" : "Choose a new password"} hasFocus>
      <p class="lead">
        Choose a password for <bdi class="address">{email}</bdi>. Not you? Close this page.
        {isNew ? "" : " The new password signs you out everywhere else."}
      </p>
      <PasswordForm {...{ auth, savePassword }} />
    </StepPage>
  );
}

/** Offers a retry. Reloading the page would lose the invite, which is only in memory. */
function Unreadable({ text, retry }: { text: string; retry: () => void }) {
  return (
    <StepPage title="Choose a password">
      <p class="lead" role="alert">
        {text}
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      </p>
    </StepPage>
  );
}

type ReplaceSessionProps = { auth: AuthContext; currentAccount: Account; onReplace: () => void };

/**
 * Anyone can forward a link to their own account. A link therefore never replaces a session without
 * confirmation.
 */
function ReplaceSession({ auth, currentAccount, onReplace }: ReplaceSessionProps) {
  return (
    <StepPage title="Use this link?">
      <p class="lead">
        You're signed in as{" "}
        <bdi class="address">{currentAccount.email ?? currentAccount.handle ?? ""}</bdi>. This link
        signs you in to the account that it was emailed to. Only continue if that email came to you.
      </p>
      <p class="actions">
        <button type="button" class="button" onClick={onReplace}>
          Continue
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => auth.setAuthState({ status: "in", account: currentAccount })}
        >
          Stay signed in
        </button>
      </p>
    </StepPage>
  );
}

function InviteExpired({ auth }: { auth: AuthContext }) {
  return (
    <StepPage title="This page has expired">
      <p class="lead">
        Your email address is confirmed, but this page is too old to choose a password. We can email
        you a new link.
      </p>
      <p class="actions">
        <button
          type="button"
          class="button"
          onClick={() => auth.setAuthState({ ...SIGNED_OUT, mode: "recover" })}
        >
          Reset your password
        </button>
      </p>
    </StepPage>
  );
}

type PasswordFormProps = {
  auth: AuthContext;
  savePassword: (password: string) => Promise<FormRefusal | null>;
};

function PasswordForm({ auth, savePassword }: PasswordFormProps) {
  return (
    <Form
      id="new-password"
      fields={[newPasswordField(auth, "New password")]}
      submitLabel="Save password"
      busyLabel="Saving…"
      autoFocuses
      onSubmit={async ({ password = "" }) => {
        const refusal = await savePassword(password);
        if (refusal !== null) return refusal;
        auth.showStatusMessage("Your password is saved.");
        await auth.reload();
        return null;
      }}
    />
  );
}
