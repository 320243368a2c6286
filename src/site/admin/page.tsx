import { useAuth } from "#site/sign-in/auth-context.ts";
import type { AuthContext, AuthState } from "#site/sign-in/auth-context.ts";
import { signInPath } from "#site/sign-in/auth-urls.ts";
import { LoadingStep, StepPage } from "#site/sign-in/step-page.tsx";
import { StatusMessage } from "#site/ui/status-message.tsx";

import { AdminConsole } from "./console.tsx";
import type { ConsoleData } from "./data.ts";

const CONSOLE_TITLE = "Console";

export function ConsolePage({ data }: { data: ConsoleData }) {
  const { authState, auth, statusMessage } = useAuth(data.provider);
  return (
    <div class="console-page">
      {data.provider === null ? (
        <StepPage title={CONSOLE_TITLE}>
          <p class="lead">
            Accounts are off, so nobody can sign in as an admin. To enable them, start the server
            with <code>--accounts embedded</code>;{" "}
            <a href="/guide/operating#choose-who-can-play">the guide</a> has the details.
          </p>
        </StepPage>
      ) : auth === null || authState.status === "looking" ? (
        <LoadingStep title={CONSOLE_TITLE} text="Looking who you are…">
          The console needs JavaScript. Without it, use <code>bout admin</code> in a terminal.
        </LoadingStep>
      ) : (
        <ConsoleGate {...{ data, auth, authState }} />
      )}
      <StatusMessage text={statusMessage} />
    </div>
  );
}

function ConsoleGate({
  data,
  auth,
  authState,
}: {
  data: ConsoleData;
  auth: AuthContext;
  authState: AuthState;
}) {
  if (authState.status === "in")
    return authState.account.admin ? <AdminConsole {...{ data, auth }} /> : <AdminOnly />;
  if (authState.status === "away" || authState.status === "refused")
    return (
      <StepPage title={CONSOLE_TITLE}>
        <p class="notice bad" role="alert">
          {authState.text}
        </p>
        <p>
          <button type="button" class="button" onClick={() => void auth.reload()}>
            Try again
          </button>
        </p>
      </StepPage>
    );
  return (
    <StepPage title={CONSOLE_TITLE}>
      <p class="lead">Sign in as an admin to use the console.</p>
      <p>
        <a class="button" href={signInPath(location.pathname + location.search)}>
          Sign in
        </a>
      </p>
    </StepPage>
  );
}

function AdminOnly() {
  return (
    <StepPage title={CONSOLE_TITLE}>
      <p class="lead">
        Your account isn't an admin on this server. Ask an admin to give you the role, or start the
        server with your email address in <code>--admin-email</code>.
      </p>
      <p>
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </StepPage>
  );
}
