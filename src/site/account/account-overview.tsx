import { useEffect } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import { startPolling } from "#site/shell/poll.ts";
import { readAccount } from "#site/sign-in/auth-context.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { returnPath as cameFrom } from "#site/sign-in/auth-urls.ts";
import { userPath } from "#site/ui/links.ts";

import { AccountDataSection } from "./account-data.tsx";
import { AgentKeys } from "./agent-keys.tsx";
import { AccountBots } from "./bots.tsx";
import { ConnectedApps } from "./connected-apps.tsx";
import type { AccountData } from "./data.ts";
import { EmailPreferencesSection } from "./email-preferences.tsx";
import { ChooseHandle, ChangeHandle } from "./handle.tsx";
import { AccountLadders } from "./ladders.tsx";
import { SignInSettings } from "./sign-in-settings.tsx";

export type AccountOverviewProps = { data: AccountData; auth: AuthContext; account: Account };

/** Polling picks up changes made in another tab or by an operator. */
const POLL_INTERVAL_MS = 30_000;

export function AccountOverview(props: AccountOverviewProps) {
  const { auth, account } = props;
  useEffect(
    () =>
      startPolling({
        load: () => readAccount(auth.sendRequest),
        intervalMs: POLL_INTERVAL_MS,
        // Keeps the last known state while the server doesn't respond.
        onData: (authState) => {
          if (authState.status !== "away") auth.setAuthState(authState);
        },
        onError: () => {},
      }),
    [auth],
  );
  const from = cameFrom(location.search);
  const isReturning = from !== null && account.handle !== null;
  useEffect(() => {
    if (isReturning) location.replace(from);
  }, [isReturning]);
  if (isReturning) return <p class="sub">Going back…</p>;
  return account.handle === null ? (
    <ChooseHandle {...props} />
  ) : (
    <AccountSections {...props} handle={account.handle} />
  );
}

const SECTION_LINKS: readonly [text: string, id: string][] = [
  ["Bots", "bots"],
  ["Ladders", "ladders"],
  ["Agent keys", "keys"],
  ["Connected apps", "programs"],
  ["Email", "mail"],
  ["Handle", "handle"],
  ["Sign-in", "sign-in"],
  ["Your data", "your-data"],
];

function AccountSections(props: AccountOverviewProps & { handle: string }) {
  const { account, auth, handle } = props;
  // The browser can't scroll to the hash itself: the section is rendered after the page loads.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  const signOut = async () => {
    await auth.identity.signOut("local");
    auth.setAuthState({ status: "out", mode: "sign in", email: "", notice: "You're signed out." });
  };
  return (
    <>
      <header class="account-head">
        <div>
          <h1>
            <bdi>{handle}</bdi>
          </h1>
          <p class="sub">
            {account.email !== null && <bdi class="address">{account.email}</bdi>}
            {account.admin && <span class="badge">admin</span>}
          </p>
        </div>
        <p class="actions">
          {account.admin && (
            <a class="button quiet" href="/admin">
              Operator console
            </a>
          )}
          <a class="button quiet" href={userPath(handle)}>
            Profile
          </a>
          <button type="button" class="button quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        </p>
      </header>
      <div class="account-body">
        <nav class="account-contents" aria-label="On this page">
          {SECTION_LINKS.map(([text, id]) => (
            <a key={id} href={`#${id}`}>
              {text}
            </a>
          ))}
        </nav>
        <div class="account-parts">
          <AccountBots {...props} />
          <AccountLadders {...props} />
          <AgentKeys {...props} />
          <ConnectedApps {...props} />
          <EmailPreferencesSection {...props} />
          <ChangeHandle {...props} handle={handle} />
          <SignInSettings {...props} />
          <AccountDataSection {...props} />
        </div>
      </div>
    </>
  );
}
