// The signed-in account on public pages. These are cached for every reader, so the browser loads
// what is personal, with the reader's own token.

import { useEffect, useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import type { ProviderAddress } from "#site/account/data.ts";

import type { AskLadder } from "./ladder.ts";
import { STORED_SESSION } from "./stored-session.ts";

let ask: AskLadder | null = null;

/** Sends requests as the signed-in account; null until it is known. */
export const ownAsk = (): AskLadder | null => ask;

type Listener = (account: Account | null) => void;

let current: Account | null = null;
const listeners = new Set<Listener>();

export function publishAccount(account: Account | null): void {
  current = account;
  for (const listener of listeners) listener(account);
}

/** Calls `listener` with the account at once and after each change; returns an unsubscribe. */
export function followAccount(listener: Listener): () => void {
  listener(current);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Null while signed out, and until the account is known. */
export function useOwnAccount(): Account | null {
  const [account, setAccount] = useState<Account | null>(null);
  useEffect(() => followAccount(setAccount), []);
  return account;
}

/** Reads the account and follows sign-ins and sign-outs. Loads nothing without a session. */
export async function loadOwnAccount(provider: ProviderAddress): Promise<void> {
  if (!isSecureContext || !hasSession()) return;
  const [{ identityOfPage }, { openLadder }] = await Promise.all([
    import("./identity.ts"),
    import("./ladder.ts"),
  ]);
  const identity = identityOfPage(provider);
  const asking = openLadder(identity);
  ask = asking;
  const read = joined(async () => {
    const answer = await asking<Account>("GET", "/api/account");
    if ("value" in answer) publishAccount(answer.value);
    else if (answer.refusal.code === "out") publishAccount(null);
  });
  identity.watch((isIn) => {
    if (!isIn) publishAccount(null);
    else if (current === null) void read();
  });
  await read();
}

/** Joins a call that is still running. */
function joined(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () =>
    (running ??= run().finally(() => {
      running = null;
    }));
}

function hasSession(): boolean {
  try {
    return localStorage.getItem(STORED_SESSION) !== null;
  } catch {
    return false;
  }
}
