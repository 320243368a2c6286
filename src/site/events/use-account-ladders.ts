import { useEffect, useState } from "preact/hooks";

import type { AccountLadder } from "#core/api/account.ts";
import { startPolling } from "#site/shell/poll.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

/** An operator may approve or revoke a membership while the page is open. */
const POLL_INTERVAL_MS = 5000;

export type AccountLaddersState = {
  ladders: readonly AccountLadder[] | null;
  setLadders: (ladders: readonly AccountLadder[]) => void;
};

/**
 * `auth` is null while signed out. Hidden ladders are included only if requested by `requestedId`.
 */
export function useAccountLadders(
  auth: AuthContext | null,
  requestedId: string | null,
): AccountLaddersState {
  const [ladders, setLadders] = useState<AccountLaddersState["ladders"]>(null);
  const sendRequest = auth?.sendRequest ?? null;
  useEffect(() => {
    if (sendRequest === null) return setLadders(null);
    const query =
      requestedId === null ? "" : `?${new URLSearchParams({ ladder: requestedId }).toString()}`;
    const load = async () => {
      const response = await sendRequest<AccountLadder[]>("GET", `/api/account/ladders${query}`);
      if ("refusal" in response) throw new Error(response.refusal.text);
      return response.value;
    };
    load().then(setLadders, () => {});
    // Keeps the last known state while the server doesn't respond.
    return startPolling({
      load,
      intervalMs: POLL_INTERVAL_MS,
      onData: setLadders,
      onError: () => {},
    });
  }, [sendRequest]);
  return { ladders, setLadders };
}
