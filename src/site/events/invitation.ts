// An invitation to a ladder, from the link of an operator until it is used. It comes in the fragment,
// which no browser sends anywhere, and leaves this browser in the body of one request alone.

import { useEffect, useState } from "preact/hooks";

import { DAY_MS } from "#base/units/time.ts";
import { recall, remember } from "#site/public/remember.ts";

export type HeldInvitation = {
  code: string;
  /** The ladder that its link named; null if it named none. */
  ladder: string | null;
};

const PARAMETER = "invite";
/** Where it stays while somebody signs up, which may take the link of a mail in another tab. */
const PLACE = "invitation";
/** It is a secret, so an abandoned one does not stay for long. */
const KEPT_MS = DAY_MS;
const FORM = /^bout_invite_[\w-]{8,200}$/;

/** The invitation in an address, and the address without it. */
export function invitationIn(address: string): { code: string | null; rest: string } {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const code = fragment.get(PARAMETER);
  if (code !== null) {
    fragment.delete(PARAMETER);
    url.hash = fragment.toString();
  }
  const rest = url.pathname + url.search + url.hash;
  return { code: code !== null && FORM.test(code) ? code : null, rest };
}

type Kept = HeldInvitation & { until: number };

/** What was kept, unless it has waited for too long or is not what this page has kept. */
export function keptInvitation(text: string | null, now: number): HeldInvitation | null {
  if (text === null) return null;
  try {
    const { code, ladder, until } = JSON.parse(text) as Kept;
    if (typeof code !== "string" || !FORM.test(code) || !(until > now)) return null;
    return { code, ladder: typeof ladder === "string" ? ladder : null };
  } catch {
    return null;
  }
}

/** The invitation that this browser holds. `drop` forgets it. */
export function useInvitation(sought: string | null): {
  invitation: HeldInvitation | null;
  drop: () => void;
} {
  const [invitation, setInvitation] = useState<HeldInvitation | null>(null);
  useEffect(() => {
    const take = () => setInvitation(takeInvitation(sought));
    take();
    // A link to the page that is open already changes its fragment alone.
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  const drop = () => {
    remember(PLACE, null);
    setInvitation(null);
  };
  return { invitation, drop };
}

/** From the address, which it leaves at once, or from an earlier visit. */
function takeInvitation(sought: string | null): HeldInvitation | null {
  const { code, rest } = invitationIn(location.href);
  if (rest !== location.pathname + location.search + location.hash)
    history.replaceState(null, "", rest);
  const now = Date.now();
  if (code === null) {
    const kept = keptInvitation(recall(PLACE), now);
    if (kept === null) remember(PLACE, null);
    return kept;
  }
  remember(PLACE, JSON.stringify({ code, ladder: sought, until: now + KEPT_MS } satisfies Kept));
  return { code, ladder: sought };
}
