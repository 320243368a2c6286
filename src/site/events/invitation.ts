// Stores the invitation code from an operator's link until the code is used. The code is in the URL
// fragment, which browsers don't send. It only leaves the browser in the body of one request.

import { useEffect, useState } from "preact/hooks";

import { DAY_MS } from "#base/util/time.ts";
import { readSetting, saveSetting } from "#site/shell/settings-storage.ts";

export type StoredInvitation = {
  code: string;
  /** Ladder named in the link, or null. */
  ladder: string | null;
};

const INVITATION_PARAMETER = "invite";
/**
 * Keeps the code while the person signs up. An email link may continue the sign-up in another tab.
 */
const INVITATION_STORAGE_KEY = "invitation";
/** The code is a secret, so it expires soon. */
const INVITATION_LIFETIME_MS = DAY_MS;
const INVITATION_PATTERN = /^bout_invite_[\w-]{8,200}$/;

/** Splits a URL into the invitation code and the remaining URL. */
export function parseInvitation(address: string): {
  code: string | null;
  remainingAddress: string;
} {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const code = fragment.get(INVITATION_PARAMETER);
  if (code !== null) {
    fragment.delete(INVITATION_PARAMETER);
    url.hash = fragment.toString();
  }
  const remainingAddress = url.pathname + url.search + url.hash;
  return { code: code !== null && INVITATION_PATTERN.test(code) ? code : null, remainingAddress };
}

type InvitationRecord = StoredInvitation & { until: number };

/** Parses the stored invitation. Returns null if it has expired or is malformed. */
export function readStoredInvitation(text: string | null, now: number): StoredInvitation | null {
  if (text === null) return null;
  try {
    const { code, ladder, until } = JSON.parse(text) as InvitationRecord;
    if (typeof code !== "string" || !INVITATION_PATTERN.test(code) || !(until > now)) return null;
    return { code, ladder: typeof ladder === "string" ? ladder : null };
  } catch {
    return null;
  }
}

/** Returns the invitation stored in this browser. `discardInvitation` deletes it. */
export function useStoredInvitation(requestedLadder: string | null): {
  invitation: StoredInvitation | null;
  discardInvitation: () => void;
} {
  const [invitation, setInvitation] = useState<StoredInvitation | null>(null);
  useEffect(() => {
    const loadInvitation = () => setInvitation(consumeInvitation(requestedLadder));
    loadInvitation();
    // Opening a link to the current page only changes the fragment.
    addEventListener("hashchange", loadInvitation);
    return () => removeEventListener("hashchange", loadInvitation);
  }, []);
  const discardInvitation = () => {
    saveSetting(INVITATION_STORAGE_KEY, null);
    setInvitation(null);
  };
  return { invitation, discardInvitation };
}

/** Takes the invitation from the URL and removes it there, or reads it from storage. */
function consumeInvitation(requestedLadder: string | null): StoredInvitation | null {
  const { code, remainingAddress } = parseInvitation(location.href);
  if (remainingAddress !== location.pathname + location.search + location.hash)
    history.replaceState(null, "", remainingAddress);
  const now = Date.now();
  if (code === null) {
    const storedInvitation = readStoredInvitation(readSetting(INVITATION_STORAGE_KEY), now);
    if (storedInvitation === null) saveSetting(INVITATION_STORAGE_KEY, null);
    return storedInvitation;
  }
  saveSetting(
    INVITATION_STORAGE_KEY,
    JSON.stringify({
      code,
      ladder: requestedLadder,
      until: now + INVITATION_LIFETIME_MS,
    } satisfies InvitationRecord),
  );
  return { code, ladder: requestedLadder };
}
