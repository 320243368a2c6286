// Which ladders the person who is signed in is a member of.

import { useEffect, useState } from "preact/hooks";

import type { AccountLadder } from "#core/resources/account.ts";
import { startPolling } from "#site/public/poll.ts";
import type { Desk } from "#site/sign-in/desk.ts";

/** An operator may let somebody in, or out, while the page is open. */
const LOOK_EVERY_MS = 5000;

export type OwnLadders = {
  /** Null until the server has said it. */
  list: readonly AccountLadder[] | null;
  take: (list: readonly AccountLadder[]) => void;
};

/** `desk` is null while nobody is signed in. A hidden ladder is in the list if it is `sought`. */
export function useOwnLadders(desk: Desk | null, sought: string | null): OwnLadders {
  const [list, take] = useState<OwnLadders["list"]>(null);
  const ask = desk?.ask ?? null;
  useEffect(() => {
    if (ask === null) return take(null);
    const query = sought === null ? "" : `?${new URLSearchParams({ ladder: sought }).toString()}`;
    const load = async () => {
      const answer = await ask<AccountLadder[]>("GET", `/api/account/ladders${query}`);
      if ("refusal" in answer) throw new Error(answer.refusal.text);
      return answer.value;
    };
    load().then(take, () => {});
    // What does not answer now leaves on the page what was true a moment ago.
    return startPolling({ load, everyMs: LOOK_EVERY_MS, onData: take, onTrouble: () => {} });
  }, [ask]);
  return { list, take };
}
