import { Form } from "#site/ui/form.tsx";
import type { FormField, FormRefusal } from "#site/ui/form.tsx";

import { readAccount } from "./auth-context.ts";
import type { AuthContext, SignInMode, AuthState } from "./auth-context.ts";
import { returnPath as cameFrom } from "./auth-urls.ts";
import { EmailDestinationNotice } from "./email-destination-notice.tsx";
import { PROVIDER_UNAVAILABLE_TEXT, socialProviderName } from "./provider-errors.ts";
import { StepPage } from "./step-page.tsx";

type SignInFormsProps = { auth: AuthContext; authState: Extract<AuthState, { status: "out" }> };

const MODE_TITLES: Record<SignInMode, string> = {
  "sign in": "Sign in",
  "sign up": "Create an account",
  recover: "Reset your password",
};

export function SignInForms({ auth, authState: { mode, email, notice } }: SignInFormsProps) {
  const { signInMethods } = auth;
  const isClosed = mode === "sign up" && signInMethods?.acceptsSignUps === false;
  return (
    <StepPage title={MODE_TITLES[mode]}>
      {notice !== null && (
        <p class="notice" role="alert">
          {notice}
        </p>
      )}
      <SignInReason mode={mode} />
      {mode !== "sign in" && auth.provider.embedded?.mailDestination === "operator" && (
        <EmailDestinationNotice destination="operator" />
      )}
      {isClosed ? (
        <p class="notice">Sign-up is closed.</p>
      ) : (
        <>
          {signInMethods?.hasPasswords !== false && (
            <ModeForm key={mode} {...{ auth, mode, email }} />
          )}
          {mode !== "recover" && <SocialSignIn auth={auth} />}
        </>
      )}
      <OtherModes {...{ auth, mode, email }} />
    </StepPage>
  );
}

function SignInReason({ mode }: { mode: SignInMode }) {
  const from = cameFrom(location.search) ?? "";
  if (mode === "recover")
    return <p class="lead">We'll email you a link and a 6-digit code to reset your password.</p>;
  if (from.startsWith("/create-bot"))
    return (
      <p class="lead">
        You need an account to create a bot. You'll return to your bot after signing in.
      </p>
    );
  if (from.startsWith("/account/authorize"))
    return <p class="lead">An app is asking for access. You'll return to it after signing in.</p>;
  if (from.startsWith("/ladders") || from.startsWith("/achievements"))
    return (
      <p class="lead">
        You need an account to join a ladder. You'll return to it after signing in.
      </p>
    );
  return <p class="lead">Your account owns your bots, with their names, tokens and records.</p>;
}

/** URL that email links return to. The link must be opened in the same browser. */
export const currentPageUrl = (): string => location.origin + location.pathname + location.search;

const EMAIL_FIELD: FormField = { name: "email", label: "Email", kind: "address" };
const PASSWORD_FIELD: FormField = { name: "password", label: "Password", kind: "password" };

/** Returns a password field. Length limits are known only for the embedded provider. */
export function newPasswordField(
  { provider: { embedded } }: AuthContext,
  label: string,
): FormField {
  const [minLength, maxLength] = embedded?.password_length ?? [null, null];
  const length = minLength === null ? "" : `${minLength} to ${maxLength} characters. `;
  const hint = `${length}Use a passphrase or a password manager.`;
  return { name: "password", label, kind: "new password", hint };
}

type ModeFormProps = { auth: AuthContext; mode: SignInMode; email: string };

function ModeForm({ auth, mode, email }: ModeFormProps) {
  const emailField = { ...EMAIL_FIELD, initialValue: email };
  switch (mode) {
    case "sign in":
      return (
        <Form
          id="sign-in"
          fields={[emailField, PASSWORD_FIELD]}
          submitLabel="Sign in"
          busyLabel="Signing in…"
          onSubmit={({ email = "", password = "" }) => signIn(auth, email, password)}
        />
      );
    case "sign up":
      return (
        <Form
          id="sign-up"
          fields={[emailField, newPasswordField(auth, "Password")]}
          submitLabel="Create account"
          busyLabel="Creating…"
          onSubmit={({ email = "", password = "" }) => signUp(auth, email, password)}
        />
      );
    case "recover":
      return (
        <Form
          id="recover"
          fields={[emailField]}
          submitLabel="Send the mail"
          busyLabel="Sending…"
          onSubmit={({ email = "" }) => recover(auth, email)}
        />
      );
  }
}

/**
 * Sets the state directly. The auth library's own event arrives only after the account has loaded.
 */
async function signIn(
  auth: AuthContext,
  email: string,
  password: string,
): Promise<FormRefusal | null> {
  const refusal = await auth.identity.signIn(email, password);
  if (refusal === null) auth.setAuthState(await readAccount(auth.sendRequest));
  return refusal;
}

async function signUp(
  auth: AuthContext,
  email: string,
  password: string,
): Promise<FormRefusal | null> {
  const outcome = await auth.identity.signUp(email, password, currentPageUrl());
  const confirmationPassword = auth.provider.embedded === null ? null : password;
  if (outcome === "mailed")
    auth.setAuthState({
      status: "mailed",
      purpose: "signup",
      email,
      password: confirmationPassword,
    });
  else if (outcome === "in") await auth.reload();
  else return outcome;
  return null;
}

async function recover(auth: AuthContext, email: string): Promise<FormRefusal | null> {
  const refusal = await auth.identity.resend(email, "recovery", currentPageUrl());
  if (refusal === null)
    auth.setAuthState({ status: "mailed", purpose: "recovery", email, password: null });
  return refusal;
}

function SocialSignIn({ auth }: { auth: AuthContext }) {
  const { signInMethods, identity } = auth;
  if (signInMethods === null || signInMethods.social.length === 0) return null;
  const signInWith = async (id: string) => {
    if ((await identity.signInWithProvider(id, currentPageUrl())) !== null)
      auth.showStatusMessage(PROVIDER_UNAVAILABLE_TEXT);
  };
  return (
    <p class="actions">
      {signInMethods.social.map((id) => (
        <button key={id} type="button" class="button quiet" onClick={() => void signInWith(id)}>
          Continue with {socialProviderName(id)}
        </button>
      ))}
    </p>
  );
}

const MODE_LABELS: Record<SignInMode, string> = {
  "sign in": "Sign in",
  "sign up": "Create an account",
  recover: "Forgot password?",
};

function OtherModes({ auth, mode, email }: ModeFormProps) {
  const otherModes = (Object.keys(MODE_LABELS) as SignInMode[]).filter(
    (otherMode) => otherMode !== mode,
  );
  return (
    <p class="other-doors">
      {otherModes.map((otherMode) => (
        <button
          key={otherMode}
          type="button"
          class="link-button"
          onClick={({ currentTarget }) => {
            const typedEmail = typedEmailNear(currentTarget) ?? email;
            auth.setAuthState({ status: "out", mode: otherMode, email: typedEmail, notice: null });
          }}
        >
          {MODE_LABELS[otherMode]}
        </button>
      ))}
    </p>
  );
}

const typedEmailNear = (button: HTMLElement): string | undefined =>
  button.closest(".way-in")?.querySelector<HTMLInputElement>('input[name="email"]')?.value.trim();
