import { useEffect, useState } from "preact/hooks";

import type { Account, Authorization } from "#core/api/account.ts";
import { useAuth } from "#site/sign-in/auth-context.ts";
import type { AuthContext, AuthState } from "#site/sign-in/auth-context.ts";
import { redirectTargetOf, signInPath } from "#site/sign-in/auth-urls.ts";
import type { RedirectTarget } from "#site/sign-in/auth-urls.ts";
import { LoadingStep, StepPage } from "#site/sign-in/step-page.tsx";

import type { AuthorizeData } from "./data.ts";

const AUTHORIZATION_ROUTE = "/api/account/mcp/authorization";

/** OAuth consent page, where a person grants or denies an app access to the account. */
export function AuthorizePage({ data }: { data: AuthorizeData }) {
  if (data.refused !== null)
    return (
      <div class="account-page">
        <RefusedRequest code={data.refused} />
      </div>
    );
  return <AuthorizationRequest data={data} />;
}

/** User-facing hints by error code. All other errors can be fixed only by the app's developers. */
const REFUSAL_HINTS: Readonly<Record<string, string>> = {
  invalid_client:
    "This ladder doesn't recognize the app. Apps that aren't granted access expire after a while: register it again.",
  over_request_rate_limit:
    "Too many apps were authorized from your IP address. Wait a minute, then start again in the app.",
  invalid_target: "It requested access to a different server.",
};
const DEFAULT_REFUSAL_HINT = "The request isn't valid.";

function RefusedRequest({ code }: { code: string }) {
  return (
    <StepPage title="Can't authorize this app">
      <p class="notice bad">
        {Object.hasOwn(REFUSAL_HINTS, code) ? REFUSAL_HINTS[code] : DEFAULT_REFUSAL_HINT} No access
        was granted.
      </p>
      <p class="sub">
        To learn how apps connect, see <a href="/guide/mcp">the guide</a>.
      </p>
      <p class="actions">
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </StepPage>
  );
}

function AuthorizationRequest({ data }: { data: AuthorizeData }) {
  const { authState, auth, statusMessage } = useAuth(data.provider);
  return (
    <div class="account-page">
      {data.provider === null ? (
        <StepPage title="This server has no accounts">
          <p class="lead">There is nothing here for an app to access.</p>
        </StepPage>
      ) : auth === null || authState.status === "looking" ? (
        <LoadingStep title="Authorize an app" text="Checking your session…">
          This page needs JavaScript. No access was granted.
        </LoadingStep>
      ) : (
        <AuthorizationGate {...{ auth, authState }} />
      )}
      <p class="visually-hidden" role="status">
        {statusMessage}
      </p>
    </div>
  );
}

function AuthorizationGate({ auth, authState }: { auth: AuthContext; authState: AuthState }) {
  if (authState.status === "in")
    return <AuthorizationForm auth={auth} account={authState.account} />;
  if (authState.status === "away" || authState.status === "refused")
    return (
      <StepPage title="Authorize an app">
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
    <StepPage title="Authorize an app">
      <p class="lead">
        An app is asking for access to your account. Sign in to review the request. You'll return
        here afterwards.
      </p>
      <p>
        <a class="button" href={signInPath(location.pathname + location.search)}>
          Sign in
        </a>
      </p>
    </StepPage>
  );
}

type AuthorizationDetails = Exclude<Authorization, { redirect_url: string }>;
type AuthorizationPhase =
  | { status: "reading" }
  | { status: "asked"; details: AuthorizationDetails; redirectTarget: RedirectTarget }
  | { status: "leaving"; redirectUrl: string }
  | { status: "denied" }
  | { status: "stuck"; text: string; canRetry: boolean };

const UNSAFE_REDIRECT: AuthorizationPhase = {
  status: "stuck",
  text: "The app's redirect address isn't safe to open. No access was granted.",
  canRetry: false,
};

function AuthorizationForm({ auth, account }: { auth: AuthContext; account: Account }) {
  const [phase, setPhase] = useState<AuthorizationPhase>({ status: "reading" });
  const id = new URLSearchParams(location.search).get("authorization_id") ?? "";
  const load = async () => setPhase(await loadAuthorization(auth, id));
  useEffect(() => void load(), []);
  useEffect(() => {
    if (phase.status === "leaving") location.assign(phase.redirectUrl);
  }, [phase]);
  switch (phase.status) {
    case "reading":
      return <p class="sub">Loading the request…</p>;
    case "leaving":
      return (
        <StepPage title="Returning to the app">
          <p class="lead">
            If nothing happens, <a href={phase.redirectUrl}>continue to the app</a>. You can then
            close this page.
          </p>
        </StepPage>
      );
    case "denied":
      return (
        <StepPage title="Access denied">
          <p class="lead">The app has no access to your account. You can close this page.</p>
        </StepPage>
      );
    case "stuck":
      return <AuthorizationFailed {...phase} onRetry={() => void load()} />;
    case "asked": {
      const onAnswer = async (action: ConsentAction) =>
        setPhase(await decide(auth, phase.details, action));
      return (
        <ConsentForm
          {...{ account, onAnswer }}
          details={phase.details}
          redirectTarget={phase.redirectTarget}
        />
      );
    }
  }
}

function AuthorizationFailed(props: { text: string; canRetry: boolean; onRetry: () => void }) {
  return (
    <StepPage title="Something went wrong">
      <p class="notice bad" role="alert">
        {props.text}
      </p>
      <p class="actions">
        {props.canRetry && (
          <button type="button" class="button" onClick={props.onRetry}>
            Try again
          </button>
        )}
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </StepPage>
  );
}

type ConsentAction = "approve" | "deny";

const EXPIRED_TEXT =
  "This request doesn't exist, was already answered, or is more than ten minutes old. Start again in the app.";

async function loadAuthorization(
  { sendRequest }: AuthContext,
  id: string,
): Promise<AuthorizationPhase> {
  const response = await sendRequest<Authorization>(
    "GET",
    `${AUTHORIZATION_ROUTE}?${new URLSearchParams({ authorization_id: id })}`,
  );
  if ("refusal" in response) return failedPhase(response.refusal);
  if ("redirect_url" in response.value) return redirectPhase(response.value.redirect_url);
  const redirectTarget = redirectTargetOf(response.value.callback);
  return redirectTarget === null
    ? UNSAFE_REDIRECT
    : { status: "asked", details: response.value, redirectTarget };
}

async function decide(
  { sendRequest }: AuthContext,
  details: AuthorizationDetails,
  action: ConsentAction,
): Promise<AuthorizationPhase> {
  const { authorization_id } = details;
  const response = await sendRequest<{ redirect_url: string }>("POST", AUTHORIZATION_ROUTE, {
    authorization_id,
    action,
  });
  if ("refusal" in response) return failedPhase(response.refusal);
  const redirectUrl = response.value.redirect_url;
  // Denying access must not launch the app that handles a private URI scheme.
  if (action === "deny" && redirectTargetOf(redirectUrl)?.kind === "app")
    return { status: "denied" };
  return redirectPhase(redirectUrl);
}

function failedPhase({
  code,
  text,
}: {
  code?: string | undefined;
  text: string;
}): AuthorizationPhase {
  const isExpired = code === undefined;
  return { status: "stuck", text: isExpired ? EXPIRED_TEXT : text, canRetry: !isExpired };
}

const redirectPhase = (redirectUrl: string): AuthorizationPhase =>
  redirectTargetOf(redirectUrl) === null ? UNSAFE_REDIRECT : { status: "leaving", redirectUrl };

type ConsentFormProps = {
  account: Account;
  details: AuthorizationDetails;
  redirectTarget: RedirectTarget;
  onAnswer: (action: ConsentAction) => Promise<void>;
};

function ConsentForm({
  account,
  details: { client, scopes },
  redirectTarget,
  onAnswer,
}: ConsentFormProps) {
  const [pendingAction, setPendingAction] = useState<ConsentAction | null>(null);
  const submit = (action: ConsentAction) => {
    if (pendingAction !== null) return;
    setPendingAction(action);
    void onAnswer(action).finally(() => setPendingAction(null));
  };
  return (
    <StepPage title="Authorize this app?">
      <p class="consent-name">
        <bdi>{client.name}</bdi>
      </p>
      <p>
        is the name the app gave; it hasn't been verified.{" "}
        <RedirectNotice redirectTarget={redirectTarget} />
      </p>
      <PermissionLists includesEmail={scopes.includes("email")} />
      <p class="sub">
        Signed in as{" "}
        <strong>
          <bdi>{account.handle ?? account.email}</bdi>
        </strong>
        . You can revoke access at any time in <a href="/account#programs">your account</a>.
      </p>
      <p class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={pendingAction !== null}
          onClick={() => submit("approve")}
        >
          Allow access
        </button>
        <button
          type="button"
          class="button quiet"
          aria-disabled={pendingAction !== null}
          onClick={() => submit("deny")}
        >
          Deny access
        </button>
      </p>
    </StepPage>
  );
}

function RedirectNotice({ redirectTarget: { kind, name } }: { redirectTarget: RedirectTarget }) {
  const destination = {
    site: "You'll return to the site",
    here: "You'll return to a program on this computer, at",
    app: "You'll return to the app that opens",
  }[kind];
  return (
    <>
      {destination} <strong class="consent-host">{name}</strong>. If you didn't start this there,
      deny access.
    </>
  );
}

function PermissionLists({ includesEmail }: { includesEmail: boolean }) {
  return (
    <div class="consent-lists">
      <div>
        <h2>This app can</h2>
        <ul class="consent-list">
          <li>see your bots and ladders{includesEmail && ", and your email address"}</li>
          <li>create bots for you and get their tokens</li>
          <li>delete bots that have never played, and permanently retire the others</li>
          <li>join ladders for you</li>
          <li>request practice matches for your bots</li>
        </ul>
      </div>
      <div>
        <h2>It can't</h2>
        <ul class="consent-list">
          <li>sign in as you, or change your email, password or handle</li>
          <li>view or create agent keys, or authorize other apps</li>
          <li>delete your account</li>
        </ul>
      </div>
    </div>
  );
}
