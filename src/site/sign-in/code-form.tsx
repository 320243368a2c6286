import { useRef, useState } from "preact/hooks";

import { Form } from "#site/ui/form.tsx";
import type { FormValues, FormRefusal } from "#site/ui/form.tsx";

import type { AuthContext, AuthState } from "./auth-context.ts";
import { SIGNED_OUT } from "./auth-context.ts";
import { EmailDestinationNotice } from "./email-destination-notice.tsx";
import { currentPageUrl } from "./sign-in-forms.tsx";
import { StepPage } from "./step-page.tsx";

type CodeFormProps = { auth: AuthContext; authState: Extract<AuthState, { status: "mailed" }> };

/**
 * Asks for the 6-digit code from an email. Opening the email's link in this browser has the same
 * effect.
 */
export function CodeForm({ auth, authState }: CodeFormProps) {
  const { identity, setAuthState } = auth;
  const { purpose, email, password } = authState;
  const lastWrongCode = useRef<{ code: string; refusal: FormRefusal } | null>(null);
  const submitCode = async ({ code = "" }: FormValues) => {
    // Attempts are limited, so the form doesn't send the same wrong code twice.
    if (lastWrongCode.current?.code === code) return lastWrongCode.current.refusal;
    const outcome = await identity.confirm(email, code, purpose, password);
    if (typeof outcome !== "string") {
      if (outcome.field === "code") lastWrongCode.current = { code, refusal: outcome };
      return outcome;
    }
    if (purpose === "recovery" || outcome === "new password")
      setAuthState({ status: "new password" });
    else await auth.reload();
    return null;
  };
  return (
    <StepPage title="Check your inbox" hasFocus>
      <p class="lead">
        {purpose === "signup" ? "We emailed" : "If an account has this email address, we emailed"}{" "}
        <bdi class="address">{email}</bdi>. Open the link, or enter the 6-digit code here:
      </p>
      <Form
        id="digits"
        fields={[{ name: "code", label: "6-digit code", kind: "digits", ...codeHint(auth) }]}
        submitLabel="Continue"
        busyLabel="Checking…"
        autoFocuses
        submitsOnLastDigit
        onSubmit={submitCode}
      />
      {auth.provider.embedded !== null && (
        <EmailDestinationNotice destination={auth.provider.embedded.mailDestination} />
      )}
      <ResendEmail {...{ auth, authState }} />
      <p class="other-doors">
        <button
          type="button"
          class="link-button"
          onClick={() =>
            setAuthState({
              ...SIGNED_OUT,
              email,
              mode: purpose === "signup" ? "sign up" : "recover",
            })
          }
        >
          Use another email address
        </button>
        <button
          type="button"
          class="link-button"
          onClick={() => setAuthState({ ...SIGNED_OUT, email })}
        >
          Sign in
        </button>
      </p>
    </StepPage>
  );
}

function codeHint({ provider: { embedded } }: AuthContext): { hint?: string } {
  return embedded === null ? {} : { hint: `The code works for ${embedded.code_minutes} minutes.` };
}

function ResendEmail({ auth, authState }: CodeFormProps) {
  const [text, setText] = useState("");
  const resend = async () => {
    setText("");
    const refusal = await resendEmail(auth, authState);
    setText(refusal === null ? "Email sent. Use the newest one." : refusal.text);
  };
  return (
    <p class="again">
      <span class="sub">No email? Check your spam folder.</span>{" "}
      <button type="button" class="link-button" onClick={() => void resend()}>
        Resend email
      </button>{" "}
      <span class="sub" role="status">
        {text}
      </span>
    </p>
  );
}

/**
 * Resends the email. With a known password, signs up again, so the new email's link includes the
 * password.
 */
async function resendEmail(
  { identity }: AuthContext,
  { purpose, email, password }: CodeFormProps["authState"],
): Promise<FormRefusal | null> {
  if (password === null) return identity.resend(email, purpose, currentPageUrl());
  const outcome = await identity.signUp(email, password, currentPageUrl());
  return typeof outcome === "string" ? null : outcome;
}
