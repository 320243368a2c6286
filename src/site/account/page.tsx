import { AppealContact } from "#site/sign-in/appeal-contact.tsx";
import { SIGNED_OUT, useAuth } from "#site/sign-in/auth-context.ts";
import type { AuthContext, AuthState } from "#site/sign-in/auth-context.ts";
import { CodeForm } from "#site/sign-in/code-form.tsx";
import { ChoosePassword, NewPassword } from "#site/sign-in/new-password.tsx";
import { SignInForms } from "#site/sign-in/sign-in-forms.tsx";
import { LoadingStep, StepPage } from "#site/sign-in/step-page.tsx";
import { StatusMessage } from "#site/ui/status-message.tsx";

import { AccountOverview } from "./account-overview.tsx";
import type { AccountData } from "./data.ts";

export function AccountPage({ data }: { data: AccountData }) {
  const { authState, auth, statusMessage } = useAuth(data.provider);
  return (
    <div class="account-page">
      {data.provider === null ? (
        <AccountsDisabled />
      ) : (
        <AccountState {...{ data, authState, auth }} />
      )}
      <StatusMessage text={statusMessage} />
    </div>
  );
}

function AccountsDisabled() {
  return (
    <StepPage title="This server has no accounts">
      <p class="lead">
        You don't need one: a bot's token is all it takes to play.{" "}
        <a href="/create-bot">Create a bot</a> takes only a name.
      </p>
    </StepPage>
  );
}

type AccountStateProps = { data: AccountData; authState: AuthState; auth: AuthContext | null };

function AccountState({ data, authState, auth }: AccountStateProps) {
  if (authState.status === "insecure")
    return (
      <StepPage title="Account">
        <p class="notice bad">
          Browsers don't allow signing in over plain HTTP from another computer. Open this page over
          HTTPS, or on the server's own machine.
        </p>
      </StepPage>
    );
  if (auth === null || authState.status === "looking")
    return (
      <LoadingStep title="Account" text="Checking your session…">
        Signing in needs JavaScript. Without it, you can still browse, watch matches and{" "}
        <a href="/guide/quick-start">register bots from a terminal</a>.
      </LoadingStep>
    );
  switch (authState.status) {
    case "out":
      return <SignInForms auth={auth} authState={authState} />;
    case "mailed":
      return <CodeForm auth={auth} authState={authState} />;
    case "new password":
      return <NewPassword auth={auth} />;
    case "choose password":
      return <ChoosePassword auth={auth} authState={authState} />;
    case "in":
      return <AccountOverview {...{ data, auth }} account={authState.account} />;
    case "refused":
      return <AccountBanned auth={auth} text={authState.text} contact={data.contact} />;
    case "away":
      return <ServerUnavailable auth={auth} text={authState.text} />;
  }
}

function ServerUnavailable({ auth, text }: { auth: AuthContext; text: string }) {
  return (
    <StepPage title="Can't reach the server">
      <p class="notice bad" role="alert">
        {text}
      </p>
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            auth.setAuthState({ status: "looking" });
            void auth.reload();
          }}
        >
          Try again
        </button>
      </p>
    </StepPage>
  );
}

type AccountBannedProps = { auth: AuthContext; text: string; contact: string | null };

function AccountBanned({ auth, text, contact }: AccountBannedProps) {
  const signOut = async () => {
    await auth.identity.signOut("local");
    auth.setAuthState(SIGNED_OUT);
  };
  return (
    <StepPage title="Your account is banned">
      <p class="notice bad" role="alert">
        {text}
      </p>
      <p>
        <AppealContact contact={contact} />
      </p>
      <p>
        <button type="button" class="button quiet" onClick={() => void signOut()}>
          Sign out
        </button>
      </p>
    </StepPage>
  );
}
