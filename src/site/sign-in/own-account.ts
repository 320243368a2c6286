// The signed-in account on public pages. Public pages are cached for everyone, so the browser loads
// personal data with the visitor's own token.

import { useEffect, useState } from "preact/hooks";

import type { Account } from "#core/api/account.ts";
import type { ProviderAddress } from "#site/account/data.ts";

import type { SendRequest } from "./account-api.ts";
import { SESSION_STORAGE_KEY } from "./stored-session.ts";

let accountRequest: SendRequest | null = null;

/**
 * Returns a function that sends requests as the signed-in account, or null until the account is
 * loaded.
 */
export const getAccountRequest = (): SendRequest | null => accountRequest;

type Listener = (account: Account | null) => void;

let currentAccount: Account | null = null;
const listeners = new Set<Listener>();

export function publishAccount(account: Account | null): void {
  currentAccount = account;
  for (const listener of listeners) listener(account);
}

/**
 * Calls `listener` with the account immediately and after each change. Returns an unsubscribe
 * function.
 */
export function subscribeToAccount(listener: Listener): () => void {
  listener(currentAccount);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns null while signed out or not loaded. */
export function useOwnAccount(): Account | null {
  const [account, setAccount] = useState<Account | null>(null);
  useEffect(() => subscribeToAccount(setAccount), []);
  return account;
}

/**
 * Loads the account and follows sign-ins and sign-outs. Sends no requests without a stored session.
 */
export async function loadOwnAccount(provider: ProviderAddress): Promise<void> {
  if (!isSecureContext || !hasSession()) return;
  const [{ getIdentityClient }, { createAccountApi }] = await Promise.all([
    import("./identity-client.ts"),
    import("./account-api.ts"),
  ]);
  const identity = getIdentityClient(provider);
  const sendRequest = createAccountApi(identity);
  accountRequest = sendRequest;
  const readAccountOnce = shareRunningCall(async () => {
    const response = await sendRequest<Account>("GET", "/api/account");
    if ("value" in response) publishAccount(response.value);
    else if (response.refusal.code === "out") publishAccount(null);
  });
  identity.onSignInChange((isSignedIn) => {
    if (!isSignedIn) publishAccount(null);
    else if (currentAccount === null) void readAccountOnce();
  });
  await readAccountOnce();
}

/** Concurrent calls share the request in flight. */
function shareRunningCall(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () =>
    (running ??= run().finally(() => {
      running = null;
    }));
}

function hasSession(): boolean {
  try {
    return localStorage.getItem(SESSION_STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}
